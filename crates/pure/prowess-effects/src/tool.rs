//! Calls of an agent's tools, as far as they act.

use serde_json::Value;

use crate::shell::CallWord;
use crate::tags::{EffectTags, host_of, origin_of};
use crate::{CodeLanguage, EffectReader};

/// Returns the effects of a tool call: what a run did, and not what a skill says.
///
/// ```
/// use prowess_effects::{EffectReader, tool_effects};
/// use serde_json::json;
/// let call = json!({"command": "rm -f old.txt"});
/// let tags = tool_effects("exec", &call, &EffectReader::default());
/// assert_eq!(tags.iter().collect::<Vec<_>>(), ["delete:old.txt", "shell:rm"]);
/// ```
pub fn tool_effects(tool: &str, input: &Value, reader: &EffectReader) -> EffectTags {
    let name = tool.to_ascii_lowercase();
    let short = name.rsplit(['.', ':', '/']).next().unwrap_or(&name);
    let text = |keys: &[&str]| keys.iter().find_map(|key| input.get(*key).and_then(Value::as_str));
    let mut tags = EffectTags::default();
    match short {
        "exec" | "bash" | "shell" | "run_shell_command" | "run" | "execute" | "local_shell" | "command"
        | "terminal" | "run_script" | "script" => {
            return command_effects(input, reader);
        }
        "write" | "edit" | "create" | "multiedit" | "apply_patch" | "write_file" | "edit_file"
        | "str_replace" | "notebookedit" | "replace" => {
            tags.write(
                text(&["path", "file_path", "filePath", "file", "notebook_path"]).unwrap_or("unknown"),
            );
        }
        "delete" | "remove" | "delete_file" => {
            tags.delete(text(&["path", "file_path", "file"]).unwrap_or("unknown"));
        }
        "read" | "read_file" | "ls" | "list" | "glob" | "grep" | "search" | "view" | "find"
        | "search_skills" | "load_skill" | "skill" | "skills" | "todowrite" | "todoread" | "task"
        | "report_outcome" | "websearch" | "web_search" => {}
        "fetch" | "webfetch" | "web_fetch" | "http" | "request" => {
            let address = text(&["url", "uri"]).unwrap_or_default();
            tags.network(host_of(address).unwrap_or_default());
            if text(&["method"]).is_some_and(crate::programs::is_sending_method) {
                tags.write(&origin_of(address));
            }
        }
        // A tool that is not known may do anything.
        _ => tags.shell(short),
    }
    tags
}

fn command_effects(input: &Value, reader: &EffectReader) -> EffectTags {
    let command = ["command", "cmd", "script", "code", "argv"].iter().find_map(|key| input.get(*key));
    let mut tags = match command {
        Some(Value::String(command)) => reader.code(command, CodeLanguage::Shell),
        Some(Value::Array(words)) => {
            let words: Vec<CallWord> = words
                .iter()
                .map(|word| CallWord {
                    text: word.as_str().unwrap_or_default().to_owned(),
                    is_constant: word.is_string(),
                })
                .collect();
            let mut words = words;
            if let Some(Value::Array(rest)) = input.get("args") {
                words.extend(rest.iter().map(|word| CallWord {
                    text: word.as_str().unwrap_or_default().to_owned(),
                    is_constant: word.is_string(),
                }));
            }
            reader.command(&words)
        }
        _ => {
            let mut tags = EffectTags::default();
            tags.unreadable();
            tags
        }
    };
    if let Some(Value::String(path)) = input.get("output_path") {
        tags.merge([format!("write:{path}")].into_iter().collect());
    }
    tags
}
