//! What a harness tells, as events of the trace.

use std::collections::BTreeSet;

use prowess_text::byte_prefix;
use prowess_types::{ActivatedBy, TraceEvent, Usage};
use serde_json::Value;

use super::events::Told;
use super::skills::folder_name;
use crate::{RunContext, RunSkill};
use prowess_secret::StreamRedactor;

/// What has been told so far.
pub(super) struct Recorder<'a> {
    context: &'a RunContext,
    show: &'a (dyn Fn(&str) + Send + Sync),
    stream: StreamRedactor,
    /// Words of the answer that is being written.
    open: String,
    pub(super) answer: String,
    pub(super) session: Option<String>,
    pub(super) usage: Usage,
    pub(super) error: Option<String>,
    activated: BTreeSet<String>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(context: &'a RunContext, show: &'a (dyn Fn(&str) + Send + Sync)) -> Self {
        Self {
            context,
            show,
            stream: StreamRedactor::new(context.redactor.clone()),
            open: String::new(),
            answer: String::new(),
            session: None,
            usage: Usage::default(),
            error: None,
            activated: BTreeSet::new(),
        }
    }

    pub(super) fn take(&mut self, told: Told) {
        match told {
            Told::Session(id) => self.session = Some(id),
            Told::Delta(text) => self.piece(&text),
            Told::Text(text) => {
                self.close();
                self.piece(&text);
                self.close();
            }
            Told::Final(text) => {
                self.close();
                if !text.trim().is_empty() {
                    // It repeats the last words, which were shown already.
                    self.answer = self.clean(&text);
                }
            }
            Told::Thought(text) => {
                let text = self.clean(&text);
                (self.context.record)(TraceEvent::Thought { text });
            }
            Told::Call { id, tool, input } => {
                self.close();
                self.notice_skill(&tool, &input);
                let input = self.clean_value(&input);
                (self.context.record)(TraceEvent::ToolCall { id, tool, input, step: None });
            }
            Told::Result { id, ok, output } => {
                let all = output.len();
                let output = self.clean(&output);
                let omitted_bytes = all.saturating_sub(self.context.limits.max_output_bytes) as u64;
                (self.context.record)(TraceEvent::ToolResult {
                    id,
                    ok,
                    output,
                    omitted_bytes,
                    exit_code: None,
                    ms: None,
                });
            }
            Told::Usage(usage) => self.usage += usage,
            Told::Error(text) => self.error = Some(self.clean(&text)),
        }
    }

    /// Shows words at once, and keeps them for the trace.
    pub(super) fn piece(&mut self, text: &str) {
        let safe = self.stream.push(text);
        self.put(&safe);
    }

    /// Ends the answer that is being written.
    pub(super) fn close(&mut self) {
        let rest = self.stream.finish();
        self.put(&rest);
        let text = std::mem::take(&mut self.open);
        if text.trim().is_empty() {
            return;
        }
        (self.show)("\n");
        byte_prefix(&text, self.context.limits.max_output_bytes).clone_into(&mut self.answer);
        (self.context.record)(TraceEvent::Answer { text: self.answer.clone() });
    }

    fn put(&mut self, safe: &str) {
        if !safe.is_empty() {
            (self.show)(safe);
            // What is beyond the limit was shown, and is not kept.
            let room = (4 * self.context.limits.max_output_bytes).saturating_sub(self.open.len());
            self.open += &safe[..safe.floor_char_boundary(room)];
        }
    }

    /// A skill is in use when a harness says so, or reads its file.
    fn notice_skill(&mut self, tool: &str, input: &Value) {
        let mut texts = Vec::new();
        strings(input, &mut texts);
        let is_skill_tool = tool.to_ascii_lowercase().contains("skill");
        let is_used = |skill: &RunSkill| {
            let file = format!("/{}/SKILL.md", folder_name(skill));
            texts.iter().any(|text| {
                let named = text.rsplit(':').next().unwrap_or(text);
                (is_skill_tool && named == skill.name)
                    || text.contains(&file)
                    || text.contains(&*skill.file.to_string_lossy())
            })
        };
        for skill in self.context.skills.iter().filter(|skill| is_used(skill)) {
            if self.activated.insert(skill.name.clone()) {
                (self.context.record)(TraceEvent::Activation {
                    skill: skill.name.clone(),
                    path: skill.file.display().to_string(),
                    content_hash: Some(skill.content_hash.clone()),
                    by: ActivatedBy::Harness,
                });
            }
        }
    }

    /// A text for the trace: without secrets, and cut.
    pub(super) fn clean(&self, text: &str) -> String {
        byte_prefix(&self.context.redactor.redact(text), self.context.limits.max_output_bytes).to_owned()
    }

    fn clean_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.clean(text).into(),
            Value::Array(items) => items.iter().map(|item| self.clean_value(item)).collect(),
            Value::Object(members) => {
                let clean = |(name, member): (&String, &Value)| (self.clean(name), self.clean_value(member));
                members.iter().map(clean).collect()
            }
            other => other.clone(),
        }
    }
}

fn strings<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(members) => members.values().for_each(|member| strings(member, found)),
        _ => {}
    }
}
