//! A judged pool: candidates and messages as JSON lines, and the figures for them.

use std::time::{Duration, Instant};

use prowess_context::{ChooseError, Context};
use prowess_inventory::{Conversation, MatchRequest};
use prowess_select::SelectDocument;
use prowess_select::metrics::{GateScores, Interval, RankingScores, Share, auroc};
use serde::{Deserialize, Serialize};

use crate::choose::{Progress, Selector};

/// The number of rows of a ranking that are read and written.
const DEPTH: usize = 100;
/// The share of good messages that a gate should keep, for comparing gates.
const KEPT: f64 = 0.9;

/// Kinds of messages that want a skill.
const REQUESTS: [&str; 2] = ["positive", "multi"];
/// Kinds of messages that want none: near misses talk about a skill's topic, adjacent ones want what no skill can do.
const UNWANTED: [&str; 3] = ["near-miss", "adjacent", "none"];

/// The reason a judged pool cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A line is not what it should be.
    #[error("line {line} of the {what} is not understood")]
    Line {
        /// `pool` or `queries`.
        what: &'static str,
        /// The line, counted from one.
        line: usize,
        /// The problem with it.
        #[source]
        source: serde_json::Error,
    },
    /// There is nothing to judge.
    #[error("there are no {0}")]
    Empty(&'static str),
    /// Selection failed.
    #[error(transparent)]
    Choose(#[from] ChooseError),
}

impl prowess_types::Classify for PoolError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Choose(error) => Of(error),
            Self::Line { .. } | Self::Empty(_) => Is(ErrorKind::InvalidValue),
        }
    }
}

#[derive(Deserialize)]
struct Candidate {
    id: String,
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    body: String,
}

#[derive(Deserialize)]
struct Judged {
    qid: String,
    #[serde(default)]
    lang: Option<String>,
    kind: String,
    query: String,
    #[serde(default)]
    gold: Vec<String>,
    /// The skills that it was written for: one id, or a list of them.
    #[serde(default)]
    primary: OneOrMore,
    /// Earlier messages of the conversation, the oldest first.
    #[serde(default)]
    previous: Vec<String>,
    /// The candidates that were in use for the last of them.
    #[serde(default)]
    loaded: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    #[default]
    None,
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn as_slice(&self) -> &[String] {
        match self {
            Self::None => &[],
            Self::One(id) => std::slice::from_ref(id),
            Self::More(ids) => ids,
        }
    }
}

impl Judged {
    fn lang(&self) -> &str {
        self.lang.as_deref().unwrap_or("en")
    }

    fn is_english(&self) -> bool {
        self.lang() == "en"
    }
}

/// The figures for a judged pool.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoolReport {
    /// Candidates.
    pub candidates: usize,
    /// Messages.
    pub queries: usize,
    /// Rankings by language and kind, the sums first.
    pub groups: Vec<GroupReport>,
    /// The gate: messages that want one skill against messages that want none, in English and in all languages.
    pub gate: Vec<PoolGate>,
    /// Messages that follow others; none if the set has no such messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow_ups: Option<FollowUpScores>,
    /// How long an answer took.
    pub latency_ms: Latency,
    /// One line per message.
    #[serde(skip)]
    pub per_query: Vec<PerQuery>,
}

/// How well one group of messages is ranked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupReport {
    /// `en`, `not-en`, `all`, or one language.
    pub lang: String,
    /// `positive` (one skill) or `multi` (several).
    pub kind: String,
    /// Counting every skill that was judged right.
    pub gold: RankingScores,
    /// The interval of 95 % of its R@1.
    pub recall_at_1_interval: Interval,
    /// The interval of 95 % of its R@5.
    pub recall_at_5_interval: Interval,
    /// Counting only the skill that the message was written for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary: Option<RankingScores>,
}

/// How well the gate tells messages apart.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoolGate {
    /// `en` or `all`.
    pub lang: String,
    /// Messages that want a skill.
    pub wanted: usize,
    /// Messages that want none.
    pub unwanted: usize,
    /// The chance that one of the former is more confident than one of the latter.
    pub auroc: f64,
    /// What happens at the configured threshold.
    pub at_threshold: GateScores,
    /// What happens at the threshold that keeps nine of ten.
    pub keeping90: GateScores,
    /// The messages for which a skill was loaded, by kind: requests, near misses and small talk apart.
    pub kinds: Vec<GateKind>,
}

/// The figures of the gate for one kind of message.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateKind {
    /// `positive`, `multi`, `near-miss`, `adjacent` or `none`.
    pub kind: String,
    /// The share of its messages for which a skill was loaded.
    pub loaded: Share,
    /// The chance that a request is more confident than a message of this kind; none for requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auroc: Option<f64>,
}

/// The figures for messages that follow others.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowUpScores {
    /// Follow-ups (kind `follow-up`) for which the skill in use was loaded.
    pub kept: Share,
    /// Ends and new topics (kind `ended`) for which it was not.
    pub dropped: Share,
}

/// Percentiles, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize, schemars::JsonSchema)]
pub struct Latency {
    /// Half of the answers were faster.
    pub p50: f64,
    /// All but one of twenty.
    pub p95: f64,
    /// All but one of a hundred.
    pub p99: f64,
}

/// What became of one message.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct PerQuery {
    /// Its id.
    pub qid: String,
    /// The best candidates, by id.
    pub ranking: Vec<String>,
    /// The gate's probability.
    pub confidence: f32,
    /// The candidates that were loaded, by id.
    pub loaded: Vec<String>,
}

/// Runs judged messages against a pool, both as JSON lines.
pub fn evaluate_pool(
    context: &Context,
    pool: &str,
    queries: &str,
    mut progress: impl FnMut(&'static str, Progress),
) -> Result<PoolReport, PoolError> {
    let candidates: Vec<Candidate> = lines("pool", pool)?;
    let judged: Vec<Judged> = lines("queries", queries)?;
    let ids: Vec<&str> = candidates.iter().map(|candidate| candidate.id.as_str()).collect();
    let documents = candidates.iter().map(|candidate| SelectDocument {
        name: candidate.name.clone(),
        description: candidate.description.clone(),
        body: candidate.body.clone(),
        ..SelectDocument::default()
    });
    let selector = Selector::over_documents(context, documents.collect())?;
    let mut threshold = 0.0;
    let mut times = Vec::with_capacity(judged.len());
    let mut per_query = Vec::with_capacity(judged.len());
    for (place, message) in judged.iter().enumerate() {
        selector.prepare_for(&message.query, |done| progress("skills", done))?;
        progress("messages", Progress { done: place, total: judged.len() });
        let previous: Vec<&str> = message.previous.iter().map(String::as_str).collect();
        let in_use = candidates.iter().filter(|candidate| message.loaded.contains(&candidate.id));
        let in_use: Vec<&str> = in_use.map(|candidate| candidate.name.as_str()).collect();
        let after = Conversation { previous: &previous, loaded: &in_use };
        let start = Instant::now();
        let answer =
            selector.find(&MatchRequest { top: DEPTH, after, ..MatchRequest::new(&message.query) })?;
        times.push(start.elapsed());
        threshold = answer.threshold;
        let loaded = answer.results.iter().filter(|result| result.loaded);
        per_query.push(PerQuery {
            qid: message.qid.clone(),
            ranking: answer.results.iter().map(|result| ids[result.row].to_owned()).collect(),
            confidence: answer.confidence,
            loaded: loaded.map(|result| ids[result.row].to_owned()).collect(),
        });
    }
    Ok(PoolReport {
        candidates: candidates.len(),
        queries: judged.len(),
        groups: groups(&judged, &per_query),
        gate: [("en", true), ("all", false)]
            .into_iter()
            .filter_map(|(lang, english_only)| gate(lang, english_only, threshold, &judged, &per_query))
            .collect(),
        follow_ups: follow_ups(&judged, &per_query),
        latency_ms: percentiles(times),
        per_query,
    })
}

fn lines<'a, T: Deserialize<'a>>(what: &'static str, text: &'a str) -> Result<Vec<T>, PoolError> {
    let parse = |(place, line): (usize, &'a str)| {
        serde_json::from_str(line).map_err(|source| PoolError::Line { what, line: place + 1, source })
    };
    let full = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed: Vec<T> = full.map(parse).collect::<Result<_, _>>()?;
    if parsed.is_empty() { Err(PoolError::Empty(what)) } else { Ok(parsed) }
}

fn groups(judged: &[Judged], answers: &[PerQuery]) -> Vec<GroupReport> {
    let mut languages: Vec<&str> = judged.iter().map(Judged::lang).collect();
    languages.sort_unstable();
    languages.dedup();
    let others = languages.iter().copied().filter(|lang| *lang != "en");
    let mut reports = Vec::new();
    for kind in ["positive", "multi"] {
        for lang in ["all", "en", "not-en"].into_iter().chain(others.clone()) {
            let is_meant = |message: &Judged| match lang {
                "all" => true,
                "not-en" => !message.is_english(),
                lang => message.lang() == lang,
            };
            let pairs: Vec<(&Judged, &PerQuery)> = judged
                .iter()
                .zip(answers)
                .filter(|(message, _)| message.kind == kind && is_meant(message))
                .collect();
            if !pairs.is_empty() {
                reports.push(group(lang, kind, &pairs));
            }
        }
    }
    reports
}

fn group(lang: &str, kind: &str, pairs: &[(&Judged, &PerQuery)]) -> GroupReport {
    let primary: Vec<(&[String], &[String])> = pairs
        .iter()
        .map(|(message, answer)| (answer.ranking.as_slice(), message.primary.as_slice()))
        .filter(|(_, primary)| !primary.is_empty())
        .collect();
    let gold = RankingScores::of(
        pairs.iter().map(|(message, answer)| (answer.ranking.as_slice(), message.gold.as_slice())),
    );
    GroupReport {
        lang: lang.to_owned(),
        kind: kind.to_owned(),
        recall_at_1_interval: Interval::wilson(gold.recall_at_1, gold.count),
        recall_at_5_interval: Interval::wilson(gold.recall_at_5, gold.count),
        gold,
        primary: (!primary.is_empty()).then(|| RankingScores::of(primary)),
    }
}

fn gate(
    lang: &str,
    english_only: bool,
    threshold: f32,
    judged: &[Judged],
    answers: &[PerQuery],
) -> Option<PoolGate> {
    let of_kind = |kind: &str| -> Vec<&PerQuery> {
        let meant = judged
            .iter()
            .zip(answers)
            .filter(|(message, _)| message.kind == kind && (message.is_english() || !english_only));
        meant.map(|(_, answer)| answer).collect()
    };
    let confidences =
        |kind: &str| -> Vec<f32> { of_kind(kind).iter().map(|answer| answer.confidence).collect() };
    // Small talk is what gates have always been compared on; a set without it is judged by what it has.
    let (wanted, small_talk) = (confidences("positive"), confidences("none"));
    let unwanted = if small_talk.is_empty() { UNWANTED.map(confidences).concat() } else { small_talk };
    let kinds = REQUESTS.into_iter().chain(UNWANTED).filter_map(|kind| {
        let answers = of_kind(kind);
        let loaded = answers.iter().filter(|answer| !answer.loaded.is_empty()).count();
        let is_request = REQUESTS.contains(&kind);
        (!answers.is_empty()).then(|| GateKind {
            kind: kind.to_owned(),
            loaded: Share::of(loaded, answers.len()),
            auroc: if is_request { None } else { auroc(&wanted, &confidences(kind)) },
        })
    });
    let kinds = kinds.collect();
    Some(PoolGate {
        lang: lang.to_owned(),
        wanted: wanted.len(),
        unwanted: unwanted.len(),
        auroc: auroc(&wanted, &unwanted)?,
        at_threshold: GateScores::at(threshold, &wanted, &unwanted),
        keeping90: GateScores::keeping(KEPT, &wanted, &unwanted),
        kinds,
    })
}

/// Counts the messages that follow others: those that keep what is in use, and those that end it.
fn follow_ups(judged: &[Judged], answers: &[PerQuery]) -> Option<FollowUpScores> {
    let share = |kind: &str, is_right: fn(&Judged, &PerQuery) -> bool| {
        let meant = || judged.iter().zip(answers).filter(|(message, _)| message.kind == kind);
        let right = meant().filter(|(message, answer)| is_right(message, answer)).count();
        Share::of(right, meant().count())
    };
    let kept = share("follow-up", |message, answer| answer.loaded.iter().any(|id| message.gold.contains(id)));
    let dropped =
        share("ended", |message, answer| !answer.loaded.iter().any(|id| message.loaded.contains(id)));
    (kept.n + dropped.n > 0).then_some(FollowUpScores { kept, dropped })
}

fn percentiles(mut times: Vec<Duration>) -> Latency {
    times.sort_unstable();
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    Latency { p50: at(50), p95: at(95), p99: at(99) }
}
