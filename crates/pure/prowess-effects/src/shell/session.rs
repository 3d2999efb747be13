//! Text around commands: prompts of sessions, and placeholders such as `<file>`.

/// Stand for the brackets of a placeholder, so that they are not taken for redirections.
const OPEN: char = '\u{f8f0}';
const CLOSE: char = '\u{f8f1}';
/// Characters of a placeholder.
const MAX_PLACEHOLDER: usize = 60;

/// The commands of a session at a terminal: the lines after a prompt with their continuations. None without a prompt.
pub(crate) fn commands_of_session(text: &str) -> Option<String> {
    let mut commands = String::new();
    let mut has_prompt = false;
    let mut continues = false;
    for line in text.lines() {
        if let Some(command) = after_prompt(line) {
            has_prompt = true;
            continues = is_continued(command);
            commands += command;
        } else if continues {
            let line = line.strip_prefix("> ").unwrap_or(line);
            continues = is_continued(line);
            commands += line;
        } else {
            continue;
        }
        commands.push('\n');
    }
    has_prompt.then_some(commands)
}

/// The command of a line with a prompt: `$ ls`, `user@host:~$ ls`, `% ls`, `❯ ls`.
fn after_prompt(line: &str) -> Option<&str> {
    let line = line.trim_start();
    for mark in ["$ ", "% ", "❯ ", "➜ "] {
        if let Some(rest) = line.strip_prefix(mark) {
            return Some(rest);
        }
    }
    let (before, rest) = line.split_once("$ ").or_else(|| line.split_once("# "))?;
    let is_prompt = before.contains('@') && before.len() < 80 && !before.contains(['"', '\'', '`', '=']);
    is_prompt.then_some(rest)
}

fn is_continued(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with('\\') || line.ends_with("&&") || line.ends_with('|') || line.contains("<<")
}

/// Strips prompts from lines that have one, and keeps the others: a script with a prompt in front of its lines.
pub(super) fn without_prompts(text: &str) -> String {
    let strip = |line: &str| {
        let bare = line.trim_start();
        bare.strip_prefix("$ ").or_else(|| bare.strip_prefix("❯ ")).unwrap_or(line).to_owned() + "\n"
    };
    text.lines().map(strip).collect()
}

/// Marks placeholders: `<id>` where a redirection cannot be meant.
pub(super) fn mark_placeholders(text: &str) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let mut marked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        marked += before;
        let previous = marked.chars().next_back();
        if let Some(name) = placeholder(from, previous) {
            marked.push(OPEN);
            marked += &name.replace([' ', '|'], "_");
            marked.push(CLOSE);
            rest = from.get(name.len() + 2..).unwrap_or_default();
        } else {
            marked.push('<');
            rest = from.get(1..).unwrap_or_default();
        }
    }
    marked + rest
}

/// The name of a placeholder at the start of a text.
fn placeholder(text: &str, previous: Option<char>) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let end = inner.char_indices().take(MAX_PLACEHOLDER).find(|(_, char)| *char == '>')?.0;
    let name = inner.get(..end)?;
    let after = inner.get(end + 1..)?;
    let is_name = name.starts_with(char::is_alphabetic)
        && name.chars().all(|char| char.is_alphanumeric() || " _-./:|,".contains(char));
    let is_glued = previous.is_some_and(|char| "/=:_.-\"'@".contains(char));
    is_name.then_some(())?;
    (is_glued || ends_word(after)).then_some(name)
}

/// Returns true if a file cannot follow: the end of a line, another placeholder, an option, an operator.
fn ends_word(after: &str) -> bool {
    let bare = after.trim_start_matches([' ', '\t']);
    let is_spaced = bare.len() < after.len();
    match bare.chars().next() {
        None | Some('\n' | '\r' | '<' | '"' | '\'' | ')' | ']' | ';') => true,
        Some('-' | '#' | '|' | '&') => is_spaced,
        _ => false,
    }
}

/// Puts the brackets of placeholders back.
pub(super) fn unmark(text: &str) -> String {
    text.replace(OPEN, "<").replace(CLOSE, ">")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_after_a_prompt_are_commands() {
        let text = "$ git status\nOn branch main\nme@host:~$ rm x\n$ echo \\\n  a\ndone";
        assert_eq!(commands_of_session(text).as_deref(), Some("git status\nrm x\necho \\\n  a\n"));
        assert_eq!(commands_of_session("git status"), None);
    }

    #[test]
    fn placeholders_are_not_redirections() {
        let marked = |text: &str| unmark(&mark_placeholders(text).replace(OPEN, "{").replace(CLOSE, "}"));
        assert_eq!(marked("todoist add <task>"), "todoist add {task}");
        assert_eq!(marked("x <the id> --json"), "x {the_id} --json");
        assert_eq!(marked("curl https://h/<id>/y"), "curl https://h/{id}/y");
        assert_eq!(marked("sort <in >out"), "sort <in >out");
        assert_eq!(marked("sort <in> out"), "sort <in> out");
        assert_eq!(marked("a <x>|f"), "a <x>|f");
    }
}
