//! Pools of skills, judged messages, and the sentences written for calibration.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use prowess_select::SelectDocument;
use serde::Deserialize;

/// A pool and its judged messages.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) ids: Vec<String>,
    pub(super) documents: Vec<SelectDocument>,
    pub(super) messages: Vec<Message>,
}

/// A judged message.
#[derive(Default)]
pub(super) struct Message {
    pub(super) text: String,
    pub(super) is_english: bool,
    /// The rows that answer it; none if it asks for no skill.
    pub(super) gold: Vec<usize>,
    /// The row that it was written for, where that is known.
    pub(super) primary: Vec<usize>,
    /// True if it asks for exactly one thing.
    pub(super) is_single: bool,
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
    query: String,
    lang: String,
    kind: String,
    gold: Vec<String>,
    #[serde(default)]
    primary: Vec<String>,
}

#[derive(Deserialize)]
struct RequestLine {
    id: String,
    query: String,
}

impl Set {
    /// Reads `NAME.skills.jsonl` and `NAME.queries.dev.jsonl`.
    pub(super) fn read(folder: &Path, name: &'static str) -> Result<Self> {
        let skills: Vec<SkillLine> = lines(&folder.join(format!("{name}.skills.jsonl")))?;
        let messages: Vec<MessageLine> = lines(&folder.join(format!("{name}.queries.dev.jsonl")))?;
        let mut set = Self { name, ids: Vec::new(), documents: Vec::new(), messages: Vec::new() };
        for SkillLine { id, name, description, body } in skills {
            set.ids.push(id);
            set.documents.push(SelectDocument { name, description, body, ..SelectDocument::default() });
        }
        let rows = set.rows();
        let find = |ids: &[String]| ids.iter().filter_map(|id| rows.get(id.as_str()).copied()).collect();
        let message = |line: &MessageLine| Message {
            text: line.query.clone(),
            is_english: line.lang == "en",
            gold: find(&line.gold),
            primary: find(&line.primary),
            is_single: line.kind == "positive",
        };
        set.messages = messages.iter().map(message).collect();
        Ok(set)
    }

    /// The same pool with the messages written for calibration: requests for its skills, and messages that ask for none.
    pub(super) fn with_own_messages(&self, requests: &Path, none: &Path) -> Result<Self> {
        let requests: Vec<RequestLine> = lines(requests)?;
        let rows = self.rows();
        let request = |line: RequestLine| {
            let gold = vec![*rows.get(line.id.as_str())?];
            Some(Message { text: line.query, is_english: true, gold, ..Message::default() })
        };
        let none = sentences(none)?.into_iter();
        let none = none.map(|text| Message { text, is_english: true, ..Message::default() });
        Ok(Self {
            name: "own",
            ids: self.ids.clone(),
            documents: self.documents.clone(),
            messages: requests.into_iter().filter_map(request).chain(none).collect(),
        })
    }

    fn rows(&self) -> HashMap<&str, usize> {
        self.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect()
    }
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
