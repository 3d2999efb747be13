//! From a piece of code and its language to tags.

use std::collections::BTreeSet;

use crate::calls::ScriptEffects;
use crate::programs::{KnownPrograms, judge};
use crate::shell::{
    CallContext, CallInput, CallProgram, CallWord, CommandCall, ShellScript, commands_of_session,
};
use crate::tags::{EffectTags, host_of, origin_of};
use crate::{CodeLanguage, javascript, powershell, prose, python, read_shell};

pub(crate) use crate::programs::is_reading_query;

/// Code in code: a script in Python that runs a script of the shell that runs Python.
const MAX_DEPTH: usize = 4;

/// Reads code for the effects that it has.
///
/// ```
/// use prowess_effects::{CodeLanguage, EffectReader};
/// let reader = EffectReader::new(["todoist"]);
/// let tags = reader.code("todoist list --json | jq '.[].content'", CodeLanguage::Shell);
/// assert_eq!(tags.iter().collect::<Vec<_>>(), ["read:jq", "read:todoist"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct EffectReader {
    known: KnownPrograms,
}

/// Returns the effects of code, without anything known about its programs.
pub fn code_effects(code: &str, language: CodeLanguage) -> EffectTags {
    EffectReader::default().code(code, language)
}

impl EffectReader {
    /// A reader that knows the programs which a skill declares.
    pub fn new<T: Into<String>>(declared: impl IntoIterator<Item = T>) -> Self {
        let declared = declared.into_iter().map(Into::into).collect();
        Self { known: KnownPrograms { declared, is_loose: false } }
    }

    /// The effects of a piece of code.
    pub fn code(&self, code: &str, language: CodeLanguage) -> EffectTags {
        let mut tags = EffectTags::default();
        self.read(code, language, 0, &mut tags);
        tags
    }

    /// The effects of a file, by its name and first line. None for a file that is not a program.
    pub fn file(&self, path: &str, text: &str) -> Option<EffectTags> {
        CodeLanguage::of_file(path, text).map(|language| self.code(text, language))
    }

    /// The effects of the commands of a script that was read before.
    pub fn script(&self, script: &ShellScript) -> EffectTags {
        let mut tags = EffectTags::default();
        self.judge_script(script, 0, &mut tags);
        tags
    }

    /// Returns true if a text tells to write, send, delete or run something without showing a command.
    pub fn tells_to_act(&self, prose: &str, has_commands: bool) -> bool {
        prose::tells_to_act(prose, has_commands)
    }

    pub(crate) const fn known(&self) -> &KnownPrograms {
        &self.known
    }

    /// The effects of code that may be something else: only what is a command for sure counts.
    pub(crate) fn loose(&self, code: &str) -> EffectTags {
        let mut reader = self.clone();
        reader.known.is_loose = true;
        let mut tags = EffectTags::default();
        let script = read_shell(code);
        reader.judge_script(&ShellScript { is_partial: false, ..script.clone() }, 0, &mut tags);
        // A text that is not a script has errors too: they count where there are commands.
        if script.is_partial && !tags.is_empty() {
            tags.unreadable();
        }
        tags
    }

    fn read(&self, code: &str, language: CodeLanguage, depth: usize, tags: &mut EffectTags) {
        if code.trim().is_empty() {
            return;
        }
        if depth > MAX_DEPTH {
            return tags.unreadable();
        }
        match language {
            CodeLanguage::Shell => self.judge_script(&read_shell(code), depth, tags),
            CodeLanguage::Console => self.session(code, depth, tags),
            CodeLanguage::Python => {
                let mut effects = ScriptEffects::default();
                python::read(code, &mut effects);
                self.judge_effects(effects, depth, tags);
            }
            CodeLanguage::JavaScript => {
                if !is_json(code) {
                    let mut effects = ScriptEffects::default();
                    javascript::read(code, &mut effects);
                    self.judge_effects(effects, depth, tags);
                }
            }
            CodeLanguage::PowerShell => powershell::read(code, &self.known, tags),
            CodeLanguage::Sql => {
                if !is_reading_query(&without_comments(code)) {
                    tags.write("database");
                }
            }
            CodeLanguage::Http => read_requests(code, tags),
            CodeLanguage::Data => {}
            CodeLanguage::Unlabelled => self.unlabelled(code, depth, tags),
            CodeLanguage::Unread => tags.unreadable(),
        }
    }

    fn session(&self, code: &str, depth: usize, tags: &mut EffectTags) {
        if code.lines().any(|line| line.starts_with(">>> ")) {
            return self.read(code, CodeLanguage::Python, depth + 1, tags);
        }
        if code.lines().any(|line| line.starts_with("PS ") && line.contains("> ")) {
            let lines = code.lines().filter_map(|line| line.strip_prefix("PS ")?.split_once("> "));
            let script: String = lines.map(|(_, command)| command.to_owned() + "\n").collect();
            return self.read(&script, CodeLanguage::PowerShell, depth + 1, tags);
        }
        match commands_of_session(code) {
            Some(commands) => self.judge_script(&read_shell(&commands), depth, tags),
            None => self.judge_script(&read_shell(code), depth, tags),
        }
    }

    fn unlabelled(&self, code: &str, depth: usize, tags: &mut EffectTags) {
        if is_json(code) {
            return;
        }
        if code.starts_with("#!") {
            let language = CodeLanguage::of_file("", code).unwrap_or(CodeLanguage::Unread);
            return self.read(code, language, depth + 1, tags);
        }
        let has_prompt = commands_of_session(code).is_some()
            || code.lines().any(|line| line.starts_with(">>> ") || line.starts_with("PS C:"));
        if has_prompt {
            return self.session(code, depth, tags);
        }
        let starts =
            |words: &[&str]| code.lines().any(|line| words.iter().any(|word| line.starts_with(word)));
        if starts(&["import ", "from ", "def ", "with open(", "print("])
            && !starts(&["import {", "import \"", "import '"])
        {
            let mut own = EffectTags::default();
            self.read(code, CodeLanguage::Python, depth + 1, &mut own);
            return tags.merge(own);
        }
        if starts(&["const ", "let ", "import {", "function ", "await ", "require(", "var "]) {
            return self.read(code, CodeLanguage::JavaScript, depth + 1, tags);
        }
        tags.merge(self.loose(code));
    }

    fn judge_script(&self, script: &ShellScript, depth: usize, tags: &mut EffectTags) {
        for call in &script.calls {
            judge(call, &script.functions, &self.known, tags);
        }
        for name in &script.variables {
            tags.variable(name);
        }
        for (language, code) in &script.embedded {
            self.read(code, *language, depth + 1, tags);
        }
        if script.is_partial {
            tags.unreadable();
        }
    }

    fn judge_effects(&self, effects: ScriptEffects, depth: usize, tags: &mut EffectTags) {
        tags.merge(effects.tags);
        for script in effects.scripts {
            if !script.is_constant {
                tags.unreadable();
            }
            self.read(&script.text, CodeLanguage::Shell, depth + 1, tags);
        }
        for words in effects.commands {
            tags.merge(self.command(&words));
        }
    }

    /// The effects of a program with its words, as a process gets them.
    pub fn command(&self, words: &[CallWord]) -> EffectTags {
        let Some((program, words)) = words.split_first() else { return EffectTags::default() };
        // The shell's reader follows wrappers and scripts in words: the words are quoted for it.
        let is_constant = program.is_constant && words.iter().all(|word| word.is_constant);
        if is_constant {
            let all = std::iter::once(program)
                .chain(words)
                .map(|word| format!("'{}'", word.text.replace('\'', "'\\''")));
            let line = all.collect::<Vec<_>>().join(" ");
            return self.code(&line, CodeLanguage::Shell);
        }
        let mut tags = EffectTags::default();
        let named = CallProgram::Named(program.text.clone());
        let call = CommandCall {
            program: if program.is_constant { named } else { CallProgram::Dynamic },
            words: words.to_vec(),
            redirections: Vec::new(),
            input: CallInput::Inherited,
            context: CallContext::default(),
        };
        judge(&call, &BTreeSet::new(), &self.known, &mut tags);
        let runs_words = crate::shell::is_shell(crate::shell::stem(&program.text))
            || matches!(
                crate::shell::stem(&program.text),
                "sudo" | "env" | "xargs" | "eval" | "nohup" | "timeout" | "ssh" | "find"
            );
        if runs_words {
            tags.unreadable();
        }
        tags
    }
}

fn is_json(code: &str) -> bool {
    let code = code.trim();
    code.starts_with(['{', '['])
        && code.len() <= crate::tree::MAX_CODE
        && serde_json::from_str::<serde_json::Value>(code).is_ok()
}

fn without_comments(code: &str) -> String {
    code.lines().map(|line| line.split("--").next().unwrap_or_default().to_owned() + "\n").collect()
}

/// Requests as text: `POST /path` with a `Host` line, or with a whole address.
fn read_requests(code: &str, tags: &mut EffectTags) {
    for line in code.lines() {
        let mut words = line.split_ascii_whitespace();
        let method = words.next().unwrap_or_default();
        let is_method = matches!(method, "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS");
        let address = words.next().unwrap_or_default();
        if method.eq_ignore_ascii_case("host:") {
            tags.network(address);
        }
        if is_method {
            let has_host = address.contains("://");
            if has_host {
                tags.network(host_of(address).unwrap_or_default());
            }
            if crate::programs::is_sending_method(method) {
                tags.write(&if has_host { origin_of(address) } else { "network".to_owned() });
            }
        }
    }
}
