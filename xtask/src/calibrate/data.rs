//! Pools of skills, judged messages, and what each message is used for.
//!
//! A message is trained on, fitted on (the gate), or measured; the hash of its skill or of itself says which, here and in
//! `models/train/data.py`. Nothing that a model was trained on is fitted on or measured.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use prowess_select::SelectDocument;
use prowess_skill::{ParseOptions, SkillInput};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// A pool and its messages.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) ids: Vec<String>,
    pub(super) documents: Vec<SelectDocument>,
    pub(super) messages: Vec<Message>,
}

/// A judged message.
#[derive(Clone, Default)]
pub(super) struct Message {
    pub(super) text: String,
    /// The kind of message: `natural`, `near-miss`, `none` …
    pub(super) kind: String,
    pub(super) is_english: bool,
    /// The rows that answer it; none if it asks for no skill.
    pub(super) gold: Vec<usize>,
    /// The row that it was written for, where that is known.
    pub(super) primary: Vec<usize>,
    /// True if it asks for exactly one thing.
    pub(super) is_single: bool,
    /// True if the gate is fitted on it; otherwise it is measured.
    pub(super) is_fitted: bool,
}

#[derive(Deserialize)]
struct SkillLine {
    id: String,
    name: String,
    description: String,
    #[serde(default)]
    body: String,
}

#[derive(Deserialize)]
struct MessageLine {
    qid: String,
    query: String,
    lang: String,
    kind: String,
    gold: Vec<String>,
    #[serde(default)]
    primary: Vec<String>,
}

/// A message that was written for a skill.
#[derive(Clone, Deserialize)]
pub(super) struct Written {
    pub(super) skill: String,
    pub(super) kind: String,
    pub(super) lang: String,
    pub(super) message: String,
    pub(super) writer: String,
}

/// The purpose of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Train,
    Fit,
    Measure,
}

impl Written {
    pub(super) fn purpose(&self) -> Purpose {
        let is_bundled = self.skill.starts_with(BUNDLED);
        if self.writer.starts_with("test") || (!is_bundled && remainder(&self.skill, 10) == 0) {
            return Purpose::Measure;
        }
        let is_fitted =
            if is_bundled { remainder(&self.message, 10) == 1 } else { remainder(&self.skill, 20) == 11 };
        if is_fitted { Purpose::Fit } else { Purpose::Train }
    }

    fn asks(&self) -> bool {
        matches!(self.kind.as_str(), "terse" | "natural" | "long" | "meaning" | "code" | "mixed" | "other")
    }

    fn is_refused(&self) -> bool {
        matches!(self.kind.as_str(), "near-miss" | "adjacent")
    }
}

/// The prefix of bundled skills among written messages.
const BUNDLED: &str = "bundled/";

/// Returns the remainder of a text's hash, divided by `parts`.
pub(super) fn remainder(text: &str, parts: u32) -> u32 {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().fold(0, |rest, byte| (rest * 256 + u32::from(*byte)) % parts)
}

impl Set {
    /// Reads `NAME.skills.jsonl` and `NAME.queries.dev.jsonl`. Messages that a model was trained on are left out where
    /// `is_trained` says that the others of the set were.
    pub(super) fn read(folder: &Path, name: &'static str, is_trained: bool) -> Result<Self> {
        let messages: Vec<MessageLine> = lines(&folder.join(format!("{name}.queries.dev.jsonl")))?;
        let mut set = Self::pool(name, &folder.join(format!("{name}.skills.jsonl")))?;
        let rows = set.rows();
        let find = |ids: &[String]| ids.iter().filter_map(|id| rows.get(id.as_str()).copied()).collect();
        let message = |line: &MessageLine| {
            let is_fitted = is_trained && remainder(&line.qid, 8) == 1;
            let is_measured = !is_trained || remainder(&line.qid, 4) == 0;
            (is_fitted || is_measured).then(|| Message {
                text: line.query.clone(),
                kind: line.kind.clone(),
                is_english: line.lang == "en",
                gold: find(&line.gold),
                primary: find(&line.primary),
                is_single: line.kind == "positive",
                is_fitted,
            })
        };
        set.messages = messages.iter().filter_map(message).collect();
        Ok(set)
    }

    fn pool(name: &'static str, path: &Path) -> Result<Self> {
        let mut set = Self { name, ids: Vec::new(), documents: Vec::new(), messages: Vec::new() };
        set.extend(lines(path)?);
        Ok(set)
    }

    fn extend(&mut self, skills: Vec<SkillLine>) {
        for SkillLine { id, name, description, body } in skills {
            self.ids.push(id);
            self.documents.push(SelectDocument { name, description, body, ..SelectDocument::default() });
        }
    }

    /// This pool and the skills that messages were written for, with those messages that no model was trained on.
    pub(super) fn with_written(
        &self,
        skills: &Path,
        written: &[Written],
        general: &[Message],
    ) -> Result<Self> {
        let (ids, documents) = (self.ids.clone(), self.documents.clone());
        let mut set = Self { name: "written", ids, documents, messages: Vec::new() };
        let known = set.rows().into_keys().map(str::to_owned).collect::<std::collections::HashSet<_>>();
        let further: Vec<SkillLine> = lines(skills)?;
        set.extend(further.into_iter().filter(|skill| !known.contains(&skill.id)).collect());
        set.add(written, general);
        Ok(set)
    }

    /// The skills that the program brings along.
    pub(super) fn bundled(folder: &Path, written: &[Written], general: &[Message]) -> Result<Self> {
        let mut set = Self { name: "bundled", ids: Vec::new(), documents: Vec::new(), messages: Vec::new() };
        let mut folders: Vec<_> = std::fs::read_dir(folder)?.filter_map(Result::ok).collect();
        folders.sort_by_key(std::fs::DirEntry::file_name);
        for folder in folders {
            let Ok(text) = std::fs::read_to_string(folder.path().join("SKILL.md")) else { continue };
            let name = folder.file_name().to_string_lossy().into_owned();
            let skill =
                prowess_skill::parse(&SkillInput::folder(text.as_bytes(), &name), &ParseOptions::default());
            let description = skill.description.clone();
            set.ids.push(format!("{BUNDLED}{name}"));
            let body = text.splitn(3, "---\n").nth(2).unwrap_or_default().to_owned();
            set.documents.push(SelectDocument { name, description, body, ..SelectDocument::default() });
        }
        set.add(written, general);
        Ok(set)
    }

    fn add(&mut self, written: &[Written], general: &[Message]) {
        let rows = self.rows();
        let mut messages = Vec::new();
        for line in written {
            let (Some(&row), purpose) = (rows.get(line.skill.as_str()), line.purpose()) else { continue };
            if purpose == Purpose::Train || !(line.asks() || line.is_refused()) {
                continue;
            }
            let gold = if line.asks() { vec![row] } else { Vec::new() };
            messages.push(Message {
                text: line.message.clone(),
                kind: line.kind.clone(),
                is_english: line.lang == "en",
                primary: gold.clone(),
                gold,
                is_single: line.asks(),
                is_fitted: purpose == Purpose::Fit,
            });
        }
        messages.extend(general.iter().cloned());
        self.messages = messages;
    }

    fn rows(&self) -> HashMap<&str, usize> {
        self.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect()
    }
}

/// Messages that need no skill: a tenth of those for training is fitted on, those for testing are measured.
pub(super) fn general(folder: &Path) -> Result<Vec<Message>> {
    let none = |text: String, is_fitted: bool| {
        let is_english = prowess_select::detect(&text).is_english;
        Message { text, kind: "none".to_owned(), is_english, is_fitted, ..Message::default() }
    };
    let fitted = sentences(&folder.join("general.txt"))?.into_iter();
    let fitted = fitted.filter(|text| remainder(text, 10) <= 1).map(|text| none(text, true));
    let measured = sentences(&folder.join("general.test.txt"))?.into_iter().map(|text| none(text, false));
    Ok(fitted.chain(measured).collect())
}

/// The written requests in English that are not measured.
pub(super) fn in_english(written: &[Written]) -> impl Iterator<Item = &str> {
    let is_used = |line: &&Written| line.lang == "en" && line.asks() && line.purpose() != Purpose::Measure;
    written.iter().filter(is_used).map(|line| line.message.as_str())
}

/// The written requests in other languages that are not measured, each with its meaning in English, which follows it.
pub(super) fn translated(written: &[Written]) -> impl Iterator<Item = (&str, &str)> {
    let is_pair = |pair: &&[Written]| {
        let [line, next] = pair else { return false };
        line.kind == "other"
            && next.kind == "meaning"
            && line.skill == next.skill
            && line.purpose() != Purpose::Measure
    };
    written.windows(2).filter(is_pair).map(|pair| (pair[0].message.as_str(), pair[1].message.as_str()))
}

/// All messages that were written for skills.
pub(super) fn written(path: &Path) -> Result<Vec<Written>> {
    lines(path)
}

/// The lines of a file that are not empty.
pub(super) fn sentences(path: &Path) -> Result<Vec<String>> {
    let text = read(path)?;
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

fn lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>> {
    let parse = |(number, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("`{}` line {}", path.display(), number + 1))
    };
    read(path)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}
