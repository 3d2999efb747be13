//! A judged pool: candidates and messages as JSON lines, and the figures for them.

use std::time::{Duration, Instant};

use prowess_context::{ChooseError, Context};
use prowess_inventory::MatchRequest;
use prowess_select::SelectDocument;
use prowess_select::metrics::{GateScores, RankingScores, auroc};
use serde::{Deserialize, Serialize};

use crate::choose::{Progress, Selector};

/// The number of rows of a ranking that are read and written.
const DEPTH: usize = 100;
/// The share of good messages that a gate should keep, for comparing gates.
const KEPT: f64 = 0.9;

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
        let start = Instant::now();
        let answer = selector.find(&MatchRequest { top: DEPTH, ..MatchRequest::new(&message.query) })?;
        times.push(start.elapsed());
        threshold = answer.threshold;
        per_query.push(PerQuery {
            qid: message.qid.clone(),
            ranking: answer.results.iter().map(|result| ids[result.row].to_owned()).collect(),
            confidence: answer.confidence,
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
    GroupReport {
        lang: lang.to_owned(),
        kind: kind.to_owned(),
        gold: RankingScores::of(
            pairs.iter().map(|(message, answer)| (answer.ranking.as_slice(), message.gold.as_slice())),
        ),
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
    let confidences = |kind: &str| -> Vec<f32> {
        let meant = judged
            .iter()
            .zip(answers)
            .filter(|(message, _)| message.kind == kind && (message.is_english() || !english_only));
        meant.map(|(_, answer)| answer.confidence).collect()
    };
    let (wanted, unwanted) = (confidences("positive"), confidences("none"));
    Some(PoolGate {
        lang: lang.to_owned(),
        wanted: wanted.len(),
        unwanted: unwanted.len(),
        auroc: auroc(&wanted, &unwanted)?,
        at_threshold: GateScores::at(threshold, &wanted, &unwanted),
        keeping90: GateScores::keeping(KEPT, &wanted, &unwanted),
    })
}

fn percentiles(mut times: Vec<Duration>) -> Latency {
    times.sort_unstable();
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    Latency { p50: at(50), p95: at(95), p99: at(99) }
}
