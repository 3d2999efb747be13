//! The session logs that agent programs keep: the section `logs` of the table.

use std::path::Path;

use serde::Deserialize;

/// The session logs of an agent program, as JSON lines.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionLogs {
    /// The folder that the program keeps them in, as the table writes it; none if it is not known.
    pub folder: Option<String>,
    /// The beginning of the name of a log.
    #[serde(default)]
    start: String,
    /// The beginning of the names of files that are not logs of a user's session.
    skip: Option<String>,
    /// The files, described for people.
    pub help: String,
}

impl SessionLogs {
    /// Returns true if a file is the log of a user's session, judged by its name.
    pub fn is_log(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_lines = Path::new(name).extension().is_some_and(|extension| extension == "jsonl");
        let is_skipped = self.skip.as_ref().is_some_and(|skip| name.starts_with(skip.as_str()));
        is_lines && name.starts_with(&self.start) && !is_skipped
    }
}

#[cfg(test)]
mod tests {
    use crate::program;

    #[test]
    fn a_log_is_known_by_its_name() {
        for (id, path, is_log) in [
            ("claude-code", "-ws/0b1c.jsonl", true),
            ("claude-code", "-ws/agent-0b1c.jsonl", false),
            ("claude-code", "-ws/notes.md", false),
            ("codex", "2026/01/02/rollout-2026.jsonl", true),
            ("codex", "history.jsonl", false),
            ("openclaw", "main.jsonl", true),
            ("openpocket", "session-1.jsonl", true),
        ] {
            let logs = program(id).and_then(|program| program.logs.as_ref()).expect(id);
            assert_eq!(logs.is_log(path), is_log, "{id}: {path}");
        }
    }
}
