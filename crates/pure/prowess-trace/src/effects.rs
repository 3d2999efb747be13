//! The side effects of a run: its tool calls, and writes that the system refused.

use std::collections::BTreeSet;

use prowess_effects::{EffectReader, EffectTags, tool_effects};
use prowess_types::{TraceEvent, TraceLine};

/// Lines of one output that are searched for refused writes.
const MAX_LINES: usize = 2000;

/// Returns the side effects of the runs in these lines, as tags. `declared` are the programs that the skills declare.
///
/// A refused write counts as the write that was tried: the next time it may be allowed.
pub fn run_effects<'l>(
    lines: impl IntoIterator<Item = &'l TraceLine>,
    declared: &BTreeSet<String>,
) -> Vec<String> {
    let reader = EffectReader::new(declared.iter().cloned());
    let mut tags = EffectTags::default();
    for line in lines {
        match &line.event {
            TraceEvent::ToolCall { tool, input, .. } => tags.merge(tool_effects(tool, input, &reader)),
            TraceEvent::ToolResult { output, .. } => {
                let refused = output.lines().take(MAX_LINES).filter_map(refused_file);
                tags.merge(refused.map(|file| format!("write:{file}")).collect());
            }
            _ => {}
        }
    }
    tags.iter().map(str::to_owned).collect()
}

/// The file of a message that says that a write was refused: `sh: 1: cannot create x: Permission denied`.
fn refused_file(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let is_refusal = ["permission denied", "read-only file system", "eacces", "erofs"]
        .iter()
        .any(|text| lower.contains(text));
    if !is_refusal || line.len() > 2000 {
        return None;
    }
    let quoted = ['\'', '"', '‘'].iter().find_map(|mark| {
        let start = line.find(*mark)? + mark.len_utf8();
        let end = line.get(start..)?.find(['\'', '"', '’'])?;
        line.get(start..start + end)
    });
    let named = line.rsplit(": ").nth(1).map(|part| part.trim_start_matches("cannot create ").trim());
    let is_file = |file: &&str| !file.is_empty() && file.len() <= 300 && !file.contains(char::is_whitespace);
    quoted.filter(is_file).or_else(|| named.filter(is_file))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(event: TraceEvent) -> TraceLine {
        TraceLine { at: 0, run: "1".to_owned(), event }
    }

    fn call(tool: &str, input: serde_json::Value) -> TraceLine {
        line(TraceEvent::ToolCall { id: "c".to_owned(), tool: tool.to_owned(), input, step: None })
    }

    fn result(output: &str) -> TraceLine {
        line(TraceEvent::ToolResult {
            id: "c".to_owned(),
            ok: false,
            output: output.to_owned(),
            omitted_bytes: 0,
            exit_code: Some(1),
            ms: None,
        })
    }

    #[test]
    fn tool_calls_are_effects() {
        let lines = [
            call("exec", json!({"command": "todoist list && rm -f x"})),
            call("write", json!({"path": "a.txt", "content": "y"})),
            call("read", json!({"path": "b.txt"})),
        ];
        let declared = BTreeSet::from(["todoist".to_owned()]);
        assert_eq!(run_effects(&lines, &declared), ["delete:x", "read:todoist", "shell:rm", "write:a.txt"]);
    }

    #[test]
    fn refused_writes_are_effects() {
        for (output, tag) in [
            ("sh: 1: cannot create /etc/x: Permission denied", "write:/etc/x"),
            ("touch: cannot touch '/etc/y': Permission denied", "write:/etc/y"),
            ("PermissionError: [Errno 13] Permission denied: '/etc/z'", "write:/etc/z"),
            ("bash: /etc/q: Read-only file system", "write:/etc/q"),
        ] {
            assert_eq!(run_effects(&[result(output)], &BTreeSet::new()), [tag], "{output}");
        }
        assert!(run_effects(&[result("all is well")], &BTreeSet::new()).is_empty());
    }
}
