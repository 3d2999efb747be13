//! Commands that start other commands: `sudo`, `env`, `xargs`, `find -exec`, `bash -c`, `eval`, `ssh`.

use super::{CallInput, CallProgram, CallWord, CommandCall, Nesting, ShellScript, read_into};
use crate::CodeLanguage;

/// Wrappers around a wrapper.
const MAX_WRAPPERS: usize = 16;

/// A program that runs the command in its own words.
struct Wrapper<'w> {
    name: &'w str,
    /// Options that take the next word.
    valued: &'w [&'w str],
    /// Words before the command.
    operands: usize,
    /// The program itself does something that has to be reported.
    is_kept: bool,
}

const fn wrapper(name: &'static str, valued: &'static [&'static str], operands: usize) -> Wrapper<'static> {
    Wrapper { name, valued, operands, is_kept: false }
}

const fn kept(name: &'static str, valued: &'static [&'static str], operands: usize) -> Wrapper<'static> {
    Wrapper { name, valued, operands, is_kept: true }
}

const WRAPPERS: &[Wrapper<'static>] = &[
    kept("sudo", &["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-D", "-R", "--user", "--group"], 0),
    kept("doas", &["-u", "-C"], 0),
    wrapper("env", &["-u", "-C", "--unset", "--chdir"], 0),
    wrapper("nohup", &[], 0),
    wrapper("nice", &["-n", "--adjustment"], 0),
    wrapper("ionice", &["-c", "-n", "-p"], 0),
    wrapper("chrt", &[], 1),
    wrapper("taskset", &[], 1),
    wrapper("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    wrapper("gtimeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    wrapper("stdbuf", &["-i", "-o", "-e"], 0),
    wrapper("setsid", &[], 0),
    wrapper("time", &["-f", "-o"], 0),
    wrapper("command", &[], 0),
    wrapper("builtin", &[], 0),
    wrapper("exec", &["-a"], 0),
    wrapper("coproc", &[], 0),
    wrapper("noglob", &[], 0),
    wrapper("nocorrect", &[], 0),
    wrapper("caffeinate", &["-t", "-w"], 0),
    wrapper("chronic", &[], 0),
    wrapper("unbuffer", &[], 0),
    wrapper("busybox", &[], 0),
    kept("chroot", &[], 1),
    kept("strace", &["-o", "-e", "-p", "-s"], 0),
    kept("xvfb-run", &["-s", "-n"], 0),
    wrapper(
        "xargs",
        &["-I", "-n", "-P", "-L", "-s", "-d", "-a", "-E", "--max-args", "--max-procs", "--replace"],
        0,
    ),
];

/// Programs with a word that starts a command: `poetry run CMD`.
const RUNNERS: &[(&str, &str)] = &[
    ("poetry", "run"),
    ("uv", "run"),
    ("pipenv", "run"),
    ("pdm", "run"),
    ("rye", "run"),
    ("hatch", "run"),
    ("conda", "run"),
    ("bundle", "exec"),
    ("mise", "exec"),
    ("npm", "exec"),
    ("pnpm", "exec"),
    ("yarn", "exec"),
    ("op", "run"),
    ("doppler", "run"),
    ("adb", "shell"),
    ("nix", "shell"),
];

/// Returns true for a program that reads shell scripts.
pub(crate) fn is_shell(stem: &str) -> bool {
    matches!(stem, "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash" | "fish")
}

/// The name of a program without its folder.
pub(crate) fn stem(program: &str) -> &str {
    let name = program.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Keeps a command and the commands that it starts.
pub(super) fn keep(call: CommandCall, nesting: &mut Nesting, script: &mut ShellScript) {
    let mut call = call;
    for _ in 0..MAX_WRAPPERS {
        if script.calls.len() > super::MAX_CALLS {
            script.is_partial = true;
            return;
        }
        let CallProgram::Named(program) = &call.program else { break };
        let name = stem(program).to_ascii_lowercase();
        inner_scripts(&name, &call, nesting, script);
        let Some(inner) = unwrap(&name, &call, script) else { break };
        call = inner;
    }
    script.calls.push(call);
}

/// The command that a wrapper starts.
fn unwrap(name: &str, call: &CommandCall, script: &mut ShellScript) -> Option<CommandCall> {
    if name == "command" && call.words.first().is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V")) {
        return None;
    }
    if let Some((_, verb)) = RUNNERS.iter().find(|(runner, _)| *runner == name) {
        let place = call.words.iter().take(4).position(|word| word.text == *verb)?;
        let rest = call.words.get(place + 1..)?;
        let start = rest.iter().position(|word| !word.text.starts_with('-'))?;
        let own = call.words.get(..=place)?.to_vec();
        script.calls.push(CommandCall { words: own, redirections: Vec::new(), ..without_input(call) });
        return started(call, name, rest.get(start..)?);
    }
    if name.starts_with("python") {
        // A module that is a program: `python3 -m pip install`.
        let place = call.words.iter().position(|word| word.text == "-m")?;
        let only = CommandCall { words: Vec::new(), redirections: Vec::new(), ..without_input(call) };
        script.calls.push(only);
        return started(call, name, call.words.get(place + 1..)?);
    }
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == name)?;
    let rest = after_options(&call.words, wrapper)?;
    if wrapper.is_kept {
        let only = CommandCall { words: Vec::new(), redirections: Vec::new(), ..without_input(call) };
        script.calls.push(only);
    }
    started(call, name, rest)
}

fn without_input(call: &CommandCall) -> CommandCall {
    CommandCall { input: CallInput::Inherited, ..call.clone() }
}

fn started(call: &CommandCall, wrapper: &str, words: &[CallWord]) -> Option<CommandCall> {
    let (first, words) = words.split_first()?;
    let is_name =
        first.is_constant && !first.text.is_empty() && !first.text.contains(['*', '?', '{', '<', ' ', '\n']);
    let program = if is_name { CallProgram::Named(first.text.clone()) } else { CallProgram::Dynamic };
    let mut words = words.to_vec();
    let mut context = call.context.clone();
    if wrapper == "xargs" {
        // The words that come from the input.
        words.push(CallWord::dynamic("*"));
    }
    context.wrappers.push(wrapper.to_owned());
    let input = if wrapper == "xargs" { CallInput::Inherited } else { call.input.clone() };
    Some(CommandCall { program, words, redirections: call.redirections.clone(), input, context })
}

fn after_options<'c>(words: &'c [CallWord], wrapper: &Wrapper<'_>) -> Option<&'c [CallWord]> {
    let mut at = 0;
    let mut operands = wrapper.operands;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            at += 1;
            break;
        }
        let is_option = text.starts_with('-') && text.len() > 1;
        let is_setting = matches!(wrapper.name, "sudo" | "env" | "doas") && is_assignment(text);
        if wrapper.valued.contains(&text) {
            at += 2;
        } else if is_option || is_setting {
            at += 1;
        } else if operands > 0 {
            operands -= 1;
            at += 1;
        } else {
            break;
        }
    }
    words.get(at..).filter(|rest| !rest.is_empty())
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Reads the scripts that a command gets as words or as input.
fn inner_scripts(name: &str, call: &CommandCall, nesting: &mut Nesting, script: &mut ShellScript) {
    let words = call.words.as_slice();
    let text_at = |place: usize| words.get(place).map(|word| word.text.as_str());
    match name {
        _ if is_shell(name) => shell_program(name, call, nesting, script),
        "eval" => read_words(words, name, call, nesting, script),
        "env" => {
            if let Some(place) =
                words.iter().position(|word| matches!(word.text.as_str(), "-S" | "--split-string"))
            {
                read_words(words.get(place + 1..).unwrap_or_default(), name, call, nesting, script);
            }
        }
        "watch" | "parallel" => {
            let valued = ["-n", "--interval", "-j", "--jobs", "-a", "--colsep", "--delay", "--timeout"];
            let options = Wrapper { name: "", valued: &valued, operands: 0, is_kept: false };
            let rest = after_options(words, &options).unwrap_or_default();
            let end = rest.iter().position(|word| word.text.starts_with(":::")).unwrap_or(rest.len());
            read_words(rest.get(..end).unwrap_or_default(), name, call, nesting, script);
        }
        "su" | "runuser" | "script" | "flock" => {
            if let Some(word) = after(words, &["-c", "--command"]) {
                read_words(std::slice::from_ref(word), name, call, nesting, script);
            }
        }
        "trap" => {
            let handler = words.first().filter(|word| !word.text.is_empty() && word.text != "-");
            if let Some(handler) = handler {
                read_words(std::slice::from_ref(handler), name, call, nesting, script);
            }
        }
        "alias" => {
            for (_, value) in words.iter().filter_map(|word| word.text.split_once('=')) {
                read_words(&[CallWord::constant(value)], name, call, nesting, script);
            }
        }
        "ssh" => {
            let rest = remote_command(words);
            if !rest.is_empty() {
                read_words(rest, name, call, nesting, script);
            } else if let CallInput::Text(text) = &call.input {
                read_words(std::slice::from_ref(text), name, call, nesting, script);
            } else if call.input == CallInput::Piped {
                script.is_partial = true;
            }
        }
        "find" | "fd" | "fdfind" => found_commands(words, name, call, nesting, script),
        "python" | "python2" | "python3" | "ipython" => {
            embedded(CodeLanguage::Python, &["-c"], call, script);
        }
        "node" | "nodejs" | "bun" => {
            embedded(CodeLanguage::JavaScript, &["-e", "-p", "-pe", "--eval", "--print"], call, script);
        }
        "deno" if text_at(0) == Some("eval") => {
            let code = words.get(1..).unwrap_or_default().iter().find(|word| !word.text.starts_with('-'));
            keep_code(CodeLanguage::JavaScript, code, script);
        }
        "pwsh" | "powershell" => {
            embedded(CodeLanguage::PowerShell, &["-c", "-command", "-Command", "-C"], call, script);
        }
        _ if name.starts_with("python3.") => embedded(CodeLanguage::Python, &["-c"], call, script),
        _ => {}
    }
}

/// A shell with its script as a word, as input or in a file.
fn shell_program(name: &str, call: &CommandCall, nesting: &mut Nesting, script: &mut ShellScript) {
    let is_code = |word: &CallWord| {
        let text = word.text.as_str();
        text.starts_with('-') && !text.starts_with("--") && text.contains('c')
    };
    if let Some(place) = call.words.iter().position(is_code) {
        let rest = call.words.get(place + 1..).unwrap_or_default();
        let code = rest.iter().position(|word| !word.text.starts_with('-')).and_then(|at| rest.get(at));
        match code {
            Some(code) => read_words(std::slice::from_ref(code), name, call, nesting, script),
            None => script.is_partial = true,
        }
        return;
    }
    let has_file = call.words.iter().any(|word| !word.text.starts_with('-'));
    let reads_input = call.words.iter().any(|word| word.text == "-s");
    if has_file && !reads_input {
        // A process in place of a file: `bash <(curl …)`.
        script.is_partial |=
            call.words.iter().any(|word| word.text.starts_with("<(") || word.text == "/dev/stdin");
        return;
    }
    match &call.input {
        CallInput::Text(text) => read_words(std::slice::from_ref(text), name, call, nesting, script),
        CallInput::Piped => script.is_partial = true,
        CallInput::Inherited => {}
    }
}

/// Reads words as a script.
fn read_words(
    words: &[CallWord],
    name: &str,
    call: &CommandCall,
    nesting: &mut Nesting,
    script: &mut ShellScript,
) {
    if words.is_empty() {
        return;
    }
    script.is_partial |= words.iter().any(|word| !word.is_constant);
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let mut context = call.context.clone();
    context.wrappers.push(name.to_owned());
    read_into(&text, &context, nesting, script);
}

fn after<'c>(words: &'c [CallWord], options: &[&str]) -> Option<&'c CallWord> {
    let place = words.iter().position(|word| options.contains(&word.text.as_str()))?;
    words.get(place + 1)
}

/// The command that `ssh` runs on the other machine.
fn remote_command(words: &[CallWord]) -> &[CallWord] {
    const VALUED: &str = "bcDEeFIiJLlmOopQRSWw";
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let Some(letters) = word.text.strip_prefix('-') else { break };
        let takes_next = letters.len() == 1 && VALUED.contains(letters);
        at += if takes_next { 2 } else { 1 };
    }
    words.get(at + 1..).unwrap_or_default()
}

/// The commands after `-exec` and its kin.
fn found_commands(
    words: &[CallWord],
    name: &str,
    call: &CommandCall,
    nesting: &mut Nesting,
    script: &mut ShellScript,
) {
    let is_start = |word: &CallWord| {
        let all = ["-exec", "-execdir", "-ok", "-okdir"];
        let short = ["-x", "-X", "--exec", "--exec-batch"];
        all.contains(&word.text.as_str()) || (name != "find" && short.contains(&word.text.as_str()))
    };
    let mut rest = words;
    while let Some(place) = rest.iter().position(is_start) {
        rest = rest.get(place + 1..).unwrap_or_default();
        let end = rest.iter().position(|word| word.text == ";" || word.text == "+").unwrap_or(rest.len());
        if let Some(inner) = started(call, name, rest.get(..end).unwrap_or_default()) {
            let inner = CommandCall { redirections: Vec::new(), ..inner };
            nesting.depth += 1;
            if nesting.depth < super::MAX_DEPTH {
                keep(inner, nesting, script);
            } else {
                script.is_partial = true;
            }
            nesting.depth -= 1;
        }
        rest = rest.get(end..).unwrap_or_default();
    }
}

/// Code in another language as a word or as input.
fn embedded(language: CodeLanguage, options: &[&str], call: &CommandCall, script: &mut ShellScript) {
    if call.words.iter().any(|word| options.contains(&word.text.as_str())) {
        return keep_code(language, after(&call.words, options), script);
    }
    let has_file = call.words.iter().any(|word| !word.text.starts_with('-') || word.text == "-m");
    match &call.input {
        CallInput::Text(text) if !has_file => keep_code(language, Some(text), script),
        CallInput::Piped if !has_file => script.is_partial = true,
        _ => {}
    }
}

fn keep_code(language: CodeLanguage, code: Option<&CallWord>, script: &mut ShellScript) {
    match code {
        Some(code) => {
            script.is_partial |= !code.is_constant;
            script.embedded.push((language, code.text.clone()));
        }
        None => script.is_partial = true,
    }
}
