//! Signs that an agent did what a skill says: it ran the skill's programs, or used the skill's files.

use std::collections::BTreeSet;

use prowess_inventory::SkillEntry;
use prowess_types::{TraceEvent, TraceLine};
use serde_json::Value;

/// The maximum number of files of a skill's folder that are read.
const MAX_FILES: usize = 200;
const MAX_DEPTH: usize = 4;

/// The signs that a skill was followed.
#[derive(Debug)]
pub(super) struct Signs {
    programs: BTreeSet<String>,
    /// The skill's files besides its text.
    files: Vec<String>,
}

impl Signs {
    /// The signs of a skill; none if it has neither programs nor files.
    pub(super) fn of(entry: &SkillEntry) -> Option<Self> {
        let needs = &entry.skill.requirements;
        let programs: BTreeSet<String> = needs.bins.iter().chain(&needs.any_bins).cloned().collect();
        // A lone file has no folder of its own.
        let has_folder =
            entry.origin.file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
        let listing = has_folder.then(|| prowess_fs::list_all(&entry.origin.base, MAX_FILES, MAX_DEPTH));
        let files: Vec<String> = listing
            .into_iter()
            .flat_map(|listing| listing.entries)
            .filter(|file| file.path != entry.origin.file && !file.relative.starts_with('.'))
            .map(|file| format!("{}/{}", entry.skill.id, file.relative))
            .collect();
        (!programs.is_empty() || !files.is_empty()).then_some(Self { programs, files })
    }

    /// Returns true if one of the calls shows that the skill was followed.
    pub(super) fn are_in(&self, lines: &[&TraceLine]) -> bool {
        lines.iter().any(|line| match &line.event {
            TraceEvent::ToolCall { input, .. } => self.are_in_value(input),
            _ => false,
        })
    }

    fn are_in_value(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.are_in_text(text),
            Value::Array(items) => items.iter().any(|item| self.are_in_value(item)),
            Value::Object(members) => members.values().any(|member| self.are_in_value(member)),
            _ => false,
        }
    }

    fn are_in_text(&self, text: &str) -> bool {
        if self.files.iter().any(|file| text.replace('\\', "/").contains(file.as_str())) {
            return true;
        }
        let mut words = text.split(|char: char| char.is_whitespace() || "\"'`;|&()<>$".contains(char));
        words.any(|word| self.programs.contains(word.rsplit('/').next().unwrap_or(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_program_or_a_file_is_a_sign() {
        let signs = Signs {
            programs: BTreeSet::from(["gh".to_owned()]),
            files: vec!["weather/scripts/now.sh".to_owned()],
        };
        for (input, expected) in [
            (json!({ "command": "cd /repo && gh pr list" }), true),
            (json!({ "command": ["bash", "-lc", "/usr/bin/gh pr list"] }), true),
            (json!({ "cmd": "sh ~/.prowess/skills/weather/scripts/now.sh Bern" }), true),
            (json!({ "command": "ghost pr" }), false),
            (json!({ "file_path": "/s/weather/SKILL.md" }), false),
            (json!(7), false),
        ] {
            assert_eq!(signs.are_in_value(&input), expected, "{input}");
        }
    }
}
