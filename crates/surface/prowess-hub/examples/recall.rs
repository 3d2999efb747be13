//! `cargo xtask recall --data DIR`: how well tasks are recognised, and whether their search words find the right skill.
//!
//! `DIR/requests` has messages with the skill that they are for, `DIR/match` pools of skills. One half of the skills is for
//! choosing thresholds, the other for the figures; a skill is in a half by the digest of its name.

#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::{Caching, Encoders, Models};
use prowess_cortex::{Pattern, signals};
use prowess_hub::SearchSample;
use prowess_learn::cortex::{ACROSS, ENGLISH, OTHER, TaskMeaning, keywords, pattern_likeness};
use prowess_store::registry::{SkillRecord, SkillRow, VersionRecord};
use prowess_types::StoredVerdict;
use serde_json::Value;

/// Regions in a full cortex.
const REGIONS: usize = 80;
/// Skills that were not recorded, asked for in each cortex.
const STRANGERS: usize = 40;
/// Messages of each kind whose search words are looked at.
const SEARCHED_ENGLISH: usize = 300;
const SEARCHED_OTHER: usize = 30;

struct Message {
    skill: String,
    kind: String,
    language: String,
    text: String,
    meaning: Option<TaskMeaning>,
    words: Vec<String>,
    /// The pattern that is learned when it is recorded.
    kept: Pattern,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let data = PathBuf::from(arguments.first().context("the folder of the data is missing")?);
    let parts: Vec<&str> = arguments[1..].iter().map(String::as_str).collect();
    let home = tempfile::tempdir()?;
    let engine = engine(home.path())?;
    let encoders = engine.context().encoders()?;
    if parts.is_empty() || parts.contains(&"recognise") {
        let messages = messages(&data, &encoders)?;
        for (name, is_held) in [("half for the thresholds", false), ("held out half", true)] {
            println!("\n== recognition, {name}");
            recognise(&messages, is_held, &encoders)?;
        }
    }
    if parts.is_empty() || parts.contains(&"search") {
        search(&data, &engine, &encoders, parts.contains(&"tune"), parts.contains(&"show"))?;
    }
    Ok(())
}

fn engine(home: &Path) -> Result<Engine> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    let vars = [("HOME", home.display().to_string()), ("PATH", "/usr/bin:/bin".to_owned())];
    Ok(Engine::open(EngineOptions {
        env: Env::new(vars.map(|(name, value)| (name.to_owned(), value)), home),
        overrides: Overrides { bundled: Some(home.to_owned()), ..Overrides::default() },
        models: Models::in_folder(&models)?,
        cache: Caching::Off,
        ..EngineOptions::default()
    })?)
}

fn lines(path: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
}

/// The half that figures are from.
fn is_held(skill: &str) -> bool {
    hash(skill) & 1 == 1
}

fn messages(data: &Path, encoders: &Encoders) -> Result<Vec<Message>> {
    let message = |line: &Value| -> Result<Message> {
        let text = text(line, "message");
        let meaning = TaskMeaning::of(encoders, &text)?;
        let vectors = meaning.as_ref().and_then(TaskMeaning::kept).into_iter().collect();
        let words = signals(&text);
        let kept = Pattern { signal: words.clone(), vectors, ..Pattern::default() };
        let field = |name| self::text(line, name);
        Ok(Message {
            skill: field("skill"),
            kind: field("kind"),
            language: field("lang"),
            text,
            meaning,
            words,
            kept,
        })
    };
    lines(&data.join("requests/requests.jsonl"))?.iter().map(message).collect()
}

/// A question and its answer: what kind it is, how like the best region is, and whether that is the right one.
struct Answer {
    kind: String,
    likeness: f64,
    is_right: bool,
}

fn recognise(messages: &[Message], held: bool, encoders: &Encoders) -> Result<()> {
    let mut by_skill: BTreeMap<&str, Vec<&Message>> = BTreeMap::new();
    for message in messages.iter().filter(|message| is_held(&message.skill) == held) {
        by_skill.entry(&message.skill).or_default().push(message);
    }
    let mut skills: Vec<&str> = by_skill.keys().copied().collect();
    skills.sort_by_key(|skill| hash(&format!("order {skill}")));
    let nothing =
        messages.iter().filter(|message| is_held(&message.skill) == held && message.meaning.is_none());
    println!("{} skills; {} messages of which the filter leaves nothing", skills.len(), nothing.count());
    let mut english = Vec::new();
    let mut others = Vec::new();
    for recorded in skills.chunks(REGIONS).filter(|chunk| chunk.len() == REGIONS) {
        // What is recorded is any English request of the skill.
        let memory: Vec<&Message> =
            recorded.iter().filter_map(|skill| pick(&by_skill[skill], "en")).collect();
        let foreign: Vec<&Message> = recorded
            .iter()
            .filter_map(|skill| by_skill[skill].iter().find(|message| message.language != "en").copied())
            .collect();
        let strangers = skills.iter().filter(|skill| !recorded.contains(skill)).take(STRANGERS);
        for (is_known, skill) in
            recorded.iter().map(|skill| (true, skill)).chain(strangers.map(|skill| (false, skill)))
        {
            for message in &by_skill[skill] {
                let is_near_miss = message.kind == "near-miss";
                let kind = match (is_known, is_near_miss) {
                    (true, true) => "near miss".to_owned(),
                    (true, false) => message.kind.clone(),
                    (false, false) => "other skill".to_owned(),
                    (false, true) => continue,
                };
                let is_english = message.language == "en";
                let list = if is_english { &mut english } else { &mut others };
                list.extend(answer(message, &memory, kind.clone(), encoders)?);
                if !is_english || kind == "other skill" || message.kind == "meaning" {
                    let kind = format!("{} with foreign", if is_english { "en" } else { "other" });
                    let kind = if is_known { kind } else { format!("{kind}: other skill") };
                    let foreign: Vec<&Message> =
                        foreign.iter().filter(|kept| !std::ptr::eq(**kept, *message)).copied().collect();
                    others.extend(answer(message, &foreign, kind, encoders)?);
                }
            }
        }
    }
    println!("recorded in English, asked in English:");
    table(&english, ENGLISH.near, ENGLISH.same);
    println!("recorded or asked in another language (cosines of one of them in English):");
    table(&others, ACROSS.near, ACROSS.same);
    println!("lines: English {ENGLISH:?}, across {ACROSS:?}, other {OTHER:?}");
    Ok(())
}

fn pick<'a>(messages: &[&'a Message], language: &str) -> Option<&'a Message> {
    let wanted = messages.iter().filter(|message| {
        message.language == language && !matches!(message.kind.as_str(), "near-miss" | "meaning")
    });
    wanted.min_by_key(|message| hash(&message.text)).copied()
}

fn answer(
    message: &Message,
    memory: &[&Message],
    kind: String,
    encoders: &Encoders,
) -> Result<Option<Answer>> {
    if memory.iter().any(|kept| std::ptr::eq(*kept, message)) {
        return Ok(None);
    }
    let mut best = Answer { kind, likeness: 0.0, is_right: false };
    let Some(meaning) = &message.meaning else { return Ok(Some(best)) };
    for kept in memory {
        let likeness = pattern_likeness(encoders, meaning, &message.words, &kept.kept)?.unwrap_or_default();
        if likeness > best.likeness {
            (best.likeness, best.is_right) = (likeness, kept.skill == message.skill);
        }
    }
    Ok(Some(best))
}

fn table(answers: &[Answer], near: f32, same: f32) {
    for step in -4..=5 {
        let cosine = near + 0.025 * step as f32;
        let threshold =
            if cosine < near { 0.5 * cosine / near } else { 0.5 + 0.5 * (cosine - near) / (same - near) };
        let threshold = f64::from(threshold);
        let mut kinds: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
        for answer in answers {
            let counts = kinds.entry(&answer.kind).or_default();
            let is_near = answer.likeness >= threshold - 1e-6;
            counts.0 += 1;
            counts.1 += usize::from(is_near && answer.is_right);
            counts.2 += usize::from(is_near && !answer.is_right);
        }
        let mark = if step == 0 { "*" } else { " " };
        println!("{mark} cosine {cosine:.3} (likeness {threshold:.3})");
        if step % 2 == 0 || step == 0 {
            for (kind, (all, right, wrong)) in kinds {
                println!("    {kind:28} right {}  wrong {}", share(right, all), share(wrong, all));
            }
        }
    }
}

/// A share with its 95 % interval (Wilson).
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn share(count: usize, all: usize) -> String {
    let (n, p, z) = (all.max(1) as f64, count as f64 / all.max(1) as f64, 1.96);
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    format!("{:.1} % ({:.1}-{:.1}, n {all})", 100.0 * p, 100.0 * (centre - half), 100.0 * (centre + half))
}

fn search(data: &Path, engine: &Engine, encoders: &Encoders, is_tuning: bool, is_shown: bool) -> Result<()> {
    let requests = lines(&data.join("requests/requests.jsonl"))?;
    let skills = lines(&data.join("requests/skills.jsonl"))?;
    let pool = lines(&data.join("match/clawskills.skills.jsonl"))?;
    let judged = lines(&data.join("match/clawskills.queries.dev.jsonl"))?;
    let ask = |line: &Value, skill: String, name: &str| (text(line, "lang"), text(line, name), skill);
    let is_request = |line: &&Value| {
        let kind = text(line, "kind");
        kind != "near-miss" && kind != "meaning" && is_held(&text(line, "skill")) != is_tuning
    };
    let mut asked: Vec<(String, String, String)> =
        requests.iter().filter(is_request).map(|line| ask(line, text(line, "skill"), "message")).collect();
    asked.sort_by_key(|(_, message, _)| hash(message));
    let mut count: HashMap<String, usize> = HashMap::new();
    let mut sample = |asked: Vec<(String, String, String)>, skills: &HashSet<String>| {
        count.clear();
        let mut kept = Vec::new();
        for one in asked {
            let most = if one.0 == "en" { SEARCHED_ENGLISH } else { SEARCHED_OTHER };
            let seen = count.entry(one.0.clone()).or_default();
            if *seen < most && skills.contains(&one.2) {
                *seen += 1;
                kept.push(one);
            }
        }
        kept
    };
    let ids =
        |skills: &[Value]| -> HashSet<String> { skills.iter().map(|skill| text(skill, "id")).collect() };
    let own = sample(asked.clone(), &ids(&pool));
    let positive = judged.iter().filter(|line| text(line, "kind") == "positive");
    let dev: Vec<(String, String, String)> = positive
        .map(|line| ask(line, line["primary"][0].as_str().unwrap_or_default().to_owned(), "query"))
        .collect();
    let over_own = sample(asked, &ids(&skills));
    let open = SearchSample::new(engine, pool.iter().map(row).collect())?;
    report("requests over the open pool", &open, &own, encoders, is_shown)?;
    if !is_tuning {
        report("judged messages over the open pool", &open, &dev, encoders, is_shown)?;
        let requested = SearchSample::new(engine, skills.iter().map(row).collect())?;
        report("requests over their own pool", &requested, &over_own, encoders, is_shown)?;
    }
    Ok(())
}

fn owner_and_slug(id: &str) -> (String, String) {
    let slug = id.rsplit('/').next().unwrap_or_default();
    // Several folders of one repository may end alike.
    (id.strip_suffix(slug).unwrap_or_default().trim_end_matches('/').to_owned(), slug.to_owned())
}

fn row(skill: &Value) -> SkillRow {
    let (owner, slug) = owner_and_slug(&text(skill, "id"));
    let verdict: StoredVerdict = StoredVerdict::default();
    SkillRow {
        skill: SkillRecord {
            id: text(skill, "id"),
            owner,
            slug,
            display_name: text(skill, "name"),
            summary: text(skill, "description"),
            topics: Vec::new(),
            categories: Vec::new(),
            fork_of: None,
            verdict: verdict.clone(),
            created_at: 0,
            updated_at: 0,
            deleted_at: None,
            downloads: 0,
            installs: 0,
            stars: 0,
            tags: BTreeMap::new(),
        },
        version: VersionRecord {
            id: String::new(),
            skill: text(skill, "id"),
            number: "1.0.0".to_owned(),
            changelog: String::new(),
            created_at: 0,
            deleted_at: None,
            fingerprint: String::new(),
            archive: String::new(),
            archive_size: 0,
            size: 0,
            verdict,
            report: Value::Null,
            facts: Value::Null,
            source: None,
        },
    }
}

fn report(
    name: &str,
    sample: &SearchSample,
    asked: &[(String, String, String)],
    encoders: &Encoders,
    is_shown: bool,
) -> Result<()> {
    println!("\n== search words, {name}");
    let mut by_language: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    for (at, (language, message, skill)) in asked.iter().enumerate() {
        let words = keywords(encoders, message)?;
        let (owner, slug) = owner_and_slug(skill);
        let place = if words.is_empty() { None } else { sample.place(&words.join(" "), &owner, &slug) };
        if is_shown && at % 6 == 0 {
            println!("{language} {message:.90} | {slug} | {words:?} {place:?}");
        }
        let others = if language == "en" { None } else { Some("other languages") };
        for language in [language.as_str()].into_iter().chain(others) {
            let counts = by_language.entry(language.to_owned()).or_default();
            counts[0] += 1;
            counts[1] += usize::from((3..=5).contains(&words.len()));
            counts[2] += usize::from(place.is_some_and(|place| place < 5));
            counts[3] += usize::from(place.is_some_and(|place| place < 20));
            counts[4] += usize::from(signals(message).len() >= 2);
        }
    }
    for (language, [all, enough, five, twenty, two]) in by_language {
        println!(
            "  {language:15} 3-5 words {}  first five {}  first twenty {}  two words of its own {}",
            share(enough, all),
            share(five, all),
            share(twenty, all),
            share(two, all)
        );
    }
    Ok(())
}
