//! Recognising that a call brings a skill into use.

use prowess_types::ActivatedBy;
use serde_json::Value;

use super::content::text_at;

/// The keys under which the tools of different agents keep the path of a file.
const PATH_KEYS: [&str; 6] = ["file_path", "path", "filePath", "file", "absolute_path", "target_file"];
/// The keys under which they keep a command line.
const COMMAND_KEYS: [&str; 3] = ["command", "cmd", "script"];
/// Programs that show a file.
const SHOWING: [&str; 10] =
    ["cat", "head", "tail", "less", "more", "bat", "nl", "sed", "type", "Get-Content"];

/// A skill that a call brings into use, if it succeeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) skill: String,
    /// Its file; empty if the log does not say yet.
    pub(super) path: String,
    pub(super) by: ActivatedBy,
}

/// The skill that a call brings into use: it calls a skill by name, or reads its file.
pub(super) fn used_by(tool: &str, input: &Value) -> Option<Used> {
    if tool.eq_ignore_ascii_case("skill") {
        let name = ["skill", "command", "name"].iter().find_map(|key| text_at(input, key))?;
        let skill = name.trim_start_matches('/').trim().to_owned();
        return (!skill.is_empty()).then_some(Used { skill, path: String::new(), by: ActivatedBy::Harness });
    }
    let path = read_path(tool, input).or_else(|| shown_path(input))?;
    named_after(&path, ActivatedBy::Read)
}

/// A skill by its file: it is called as its folder is.
pub(super) fn named_after(path: &str, by: ActivatedBy) -> Option<Used> {
    let mut parts = path.rsplit(['/', '\\']);
    let is_skill = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    let skill = parts.next().filter(|name| is_skill && !name.is_empty())?.to_owned();
    Some(Used { skill, path: path.to_owned(), by })
}

fn read_path(tool: &str, input: &Value) -> Option<String> {
    let tool = tool.to_ascii_lowercase();
    let reads = ["read", "view", "open", "cat"].iter().any(|word| tool.contains(word));
    let path = PATH_KEYS.iter().find_map(|key| text_at(input, key))?;
    reads.then(|| path.to_owned())
}

/// The file that a command line shows, if it is a skill's.
fn shown_path(input: &Value) -> Option<String> {
    let command = COMMAND_KEYS.iter().find_map(|key| input.get(key))?;
    let line = match command {
        Value::String(line) => line.clone(),
        Value::Array(parts) => parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        _ => return None,
    };
    let mut words = line.split(|char: char| char.is_whitespace() || "\"';|&()".contains(char));
    words.by_ref().find(|word| SHOWING.contains(word))?;
    let path =
        words.take_while(|word| *word != "-i").find(|word| named_after(word, ActivatedBy::Read).is_some())?;
    Some(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_skill_is_called_or_read() {
        let cases = [
            ("Skill", json!({ "skill": "plugin:weather", "args": "x" }), Some(("plugin:weather", ""))),
            ("Skill", json!({ "command": "/weather" }), Some(("weather", ""))),
            ("Read", json!({ "file_path": "/s/weather/SKILL.md" }), Some(("weather", "/s/weather/SKILL.md"))),
            ("read", json!({ "path": "C:\\s\\maps\\skill.md" }), Some(("maps", "C:\\s\\maps\\skill.md"))),
            (
                "Bash",
                json!({ "command": "cd x && cat 'a/maps/SKILL.md' | head" }),
                Some(("maps", "a/maps/SKILL.md")),
            ),
            (
                "shell",
                json!({ "command": ["bash", "-lc", "sed -n 1,9p a/maps/SKILL.md"] }),
                Some(("maps", "a/maps/SKILL.md")),
            ),
            ("Bash", json!({ "command": "sed -i s/a/b/ a/maps/SKILL.md" }), None),
            ("Bash", json!({ "command": "rm a/maps/SKILL.md" }), None),
            ("Write", json!({ "file_path": "/s/weather/SKILL.md" }), None),
            ("Read", json!({ "file_path": "/s/weather/README.md" }), None),
            ("Read", json!({ "file_path": "SKILL.md" }), None),
            ("Skill", json!({ "skill": "" }), None),
            ("Read", json!("x"), None),
        ];
        for (tool, input, expected) in cases {
            let used = used_by(tool, &input);
            let found = used.as_ref().map(|used| (used.skill.as_str(), used.path.as_str()));
            assert_eq!(found, expected, "{tool} {input}");
        }
    }
}
