//! PowerShell: cmdlets, aliases, programs and methods of .NET.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::programs::{KnownPrograms, is_sending_method, judge};
use crate::shell::{CallContext, CallInput, CallProgram, CallWord, CommandCall};
use crate::tags::{EffectTags, host_of, origin_of};
use crate::tree::{descendants, field, named, parse, text_of};

/// Aliases by the cmdlet they stand for.
const ALIASES: &[(&str, &str)] = &[
    ("ac", "add-content"),
    ("cat", "get-content"),
    ("cd", "set-location"),
    ("chdir", "set-location"),
    ("clc", "clear-content"),
    ("cli", "clear-item"),
    ("copy", "copy-item"),
    ("cp", "copy-item"),
    ("cpi", "copy-item"),
    ("curl", "invoke-webrequest"),
    ("del", "remove-item"),
    ("dir", "get-childitem"),
    ("echo", "write-output"),
    ("erase", "remove-item"),
    ("foreach", "foreach-object"),
    ("gc", "get-content"),
    ("gci", "get-childitem"),
    ("gp", "get-itemproperty"),
    ("gps", "get-process"),
    ("gsv", "get-service"),
    ("icm", "invoke-command"),
    ("iex", "invoke-expression"),
    ("irm", "invoke-restmethod"),
    ("iwr", "invoke-webrequest"),
    ("kill", "stop-process"),
    ("ls", "get-childitem"),
    ("md", "new-item"),
    ("mi", "move-item"),
    ("mkdir", "new-item"),
    ("move", "move-item"),
    ("mv", "move-item"),
    ("ni", "new-item"),
    ("pwd", "get-location"),
    ("rd", "remove-item"),
    ("ren", "rename-item"),
    ("ri", "remove-item"),
    ("rm", "remove-item"),
    ("rmdir", "remove-item"),
    ("rni", "rename-item"),
    ("saps", "start-process"),
    ("sc", "set-content"),
    ("select", "select-object"),
    ("si", "set-item"),
    ("sls", "select-string"),
    ("sort", "sort-object"),
    ("sp", "set-itemproperty"),
    ("spps", "stop-process"),
    ("start", "start-process"),
    ("tee", "tee-object"),
    ("type", "get-content"),
    ("wget", "invoke-webrequest"),
    ("where", "where-object"),
    ("?", "where-object"),
    ("%", "foreach-object"),
    ("write", "write-output"),
];
/// Verbs of cmdlets that change nothing outside.
const READING: &[&str] = &[
    "get",
    "select",
    "where",
    "foreach",
    "measure",
    "sort",
    "format",
    "convertto",
    "convertfrom",
    "convert",
    "test",
    "compare",
    "group",
    "resolve",
    "join",
    "split",
    "read",
    "find",
    "show",
    "search",
    "wait",
    "write",
    "push",
    "pop",
    "assert",
    "trace",
    "debug",
    "use",
];
/// Cmdlets whose verb changes something, but only in the session.
const HARMLESS: &[&str] = &[
    "set-location",
    "set-variable",
    "set-strictmode",
    "new-object",
    "new-variable",
    "new-timespan",
    "new-guid",
    "out-string",
    "out-host",
    "out-null",
    "out-default",
    "import-csv",
    "import-module",
    "import-clixml",
    "clear-host",
    "clear-variable",
    "set-alias",
    "new-alias",
    "set-psdebug",
    "start-sleep",
    "start-transcript-none",
    "export-modulemember",
    "add-member",
    "import-powershelldatafile",
    "invoke-build-none",
    "remove-variable",
    "remove-module",
];

/// Adds the effects of PowerShell code.
pub(crate) fn read(text: &str, known: &KnownPrograms, tags: &mut EffectTags) {
    let Some(tree) = parse(&tree_sitter_powershell::LANGUAGE.into(), text) else { return tags.unreadable() };
    let root = tree.root_node();
    if root.has_error() {
        tags.unreadable();
    }
    let mut functions = BTreeSet::new();
    for (node, _) in descendants(root) {
        if node.kind() == "function_name" {
            functions.insert(text_of(node, text).to_ascii_lowercase());
        }
    }
    for (node, _) in descendants(root) {
        match node.kind() {
            "command" => command(node, text, known, &functions, tags),
            "redirection" => {
                if let Some(file) =
                    named(node).into_iter().find(|child| child.kind() == "redirected_file_name")
                {
                    write_to(unquote(text_of(file, text)), tags);
                }
            }
            "variable" => {
                let name = text_of(node, text).trim_start_matches(['$', '{']).trim_end_matches('}');
                if let Some((_, name)) =
                    name.split_once(':').filter(|(drive, _)| drive.eq_ignore_ascii_case("env"))
                    && crate::shell::is_environment_name(name)
                {
                    tags.variable(name);
                }
            }
            "invokation_expression" => invocation(node, text, tags),
            _ => {}
        }
    }
}

fn unquote(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

fn write_to(target: &str, tags: &mut EffectTags) {
    if !matches!(target.to_ascii_lowercase().as_str(), "$null" | "nul" | "&1" | "&2") {
        tags.write(target);
    }
}

/// The words of a command: parameters with their values, then the rest.
fn words<'t>(node: Node<'_>, text: &'t str) -> Vec<&'t str> {
    let Some(elements) = field(node, "command_elements") else { return Vec::new() };
    let all = named(elements)
        .into_iter()
        .filter(|child| !matches!(child.kind(), "command_argument_sep" | "redirection" | "comment"));
    all.map(|child| unquote(text_of(child, text))).filter(|word| !word.is_empty()).collect()
}

fn command(
    node: Node<'_>,
    text: &str,
    known: &KnownPrograms,
    functions: &BTreeSet<String>,
    tags: &mut EffectTags,
) {
    let Some(name) = field(node, "command_name") else { return };
    let written = unquote(text_of(name, text));
    if written.contains(['$', '(', '{'])
        || name.kind() == "command_name_expr" && !text_of(name, text).starts_with(['"', '\''])
    {
        return tags.unreadable();
    }
    let lower = written.to_ascii_lowercase();
    if functions.contains(&lower) {
        return;
    }
    let cmdlet = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(lower.as_str(), |(_, full)| *full);
    let words = words(node, text);
    if cmdlet.contains('-') && !cmdlet.contains(['/', '\\', '.']) {
        return judge_cmdlet(cmdlet, &words, tags);
    }
    let call = CommandCall {
        program: CallProgram::Named(written.trim_end_matches(".exe").to_owned()),
        words: words
            .into_iter()
            .map(|word| CallWord { text: word.to_owned(), is_constant: !word.contains('$') })
            .collect(),
        redirections: Vec::new(),
        input: CallInput::Inherited,
        context: CallContext::default(),
    };
    judge(&call, functions, known, tags);
}

/// The value of a parameter, or the first word that is none.
fn target<'t>(words: &[&'t str], names: &[&str]) -> &'t str {
    for (place, word) in words.iter().enumerate() {
        let parameter = word.trim_end_matches(':').to_ascii_lowercase();
        if names.contains(&parameter.as_str()) {
            return words.get(place + 1).copied().unwrap_or("unknown");
        }
    }
    let mut is_value = false;
    for word in words {
        if word.starts_with('-') {
            is_value = !matches!(
                word.to_ascii_lowercase().as_str(),
                "-force" | "-recurse" | "-verbose" | "-append" | "-nonewline" | "-usebasicparsing"
            );
        } else if !std::mem::take(&mut is_value) {
            return word;
        }
    }
    "unknown"
}

fn judge_cmdlet(cmdlet: &str, words: &[&str], tags: &mut EffectTags) {
    let paths = ["-path", "-literalpath", "-filepath"];
    let asks = words.iter().any(|word| word.eq_ignore_ascii_case("-whatif"));
    match cmdlet {
        _ if asks || HARMLESS.contains(&cmdlet) => {}
        "set-content" | "add-content" | "clear-content" | "out-file" | "tee-object" | "new-item"
        | "set-item" | "set-itemproperty" | "new-itemproperty" | "clear-item" | "export-csv"
        | "export-clixml" | "set-acl" | "start-transcript" => {
            write_to(target(words, &paths), tags);
        }
        "remove-item" | "remove-itemproperty" => tags.delete(target(words, &paths)),
        "copy-item" | "move-item" | "rename-item" | "expand-archive" | "compress-archive" => {
            let own = ["-destination", "-destinationpath", "-newname"];
            let has_own = words.iter().any(|word| own.contains(&word.to_ascii_lowercase().as_str()));
            let second =
                words.iter().filter(|word| !word.starts_with('-')).nth(1).copied().unwrap_or("unknown");
            write_to(if has_own { target(words, &own) } else { second }, tags);
        }
        "invoke-webrequest" | "invoke-restmethod" => request(cmdlet, words, tags),
        "invoke-expression" | "add-type" | "invoke-command" => tags.unreadable(),
        "start-bitstransfer" | "save-module" => write_to(target(words, &["-destination"]), tags),
        "send-mailmessage" => tags.write("mail"),
        "set-clipboard" => tags.write("clipboard"),
        "set-date" => tags.write("clock"),
        _ => {
            let verb = cmdlet.split('-').next().unwrap_or_default();
            match verb {
                _ if READING.contains(&verb) => tags.read(cmdlet),
                "remove" | "uninstall" | "clear" => {
                    tags.delete(cmdlet.split_once('-').map_or("unknown", |(_, noun)| noun));
                    tags.shell(cmdlet);
                }
                _ => tags.shell(cmdlet),
            }
        }
    }
}

fn request(cmdlet: &str, words: &[&str], tags: &mut EffectTags) {
    let address = target(words, &["-uri"]);
    let has = |names: &[&str]| {
        words.iter().any(|word| names.contains(&word.trim_end_matches(':').to_ascii_lowercase().as_str()))
    };
    tags.network(host_of(address).unwrap_or_default());
    let method = has(&["-method"]).then(|| target(words, &["-method"]));
    if method.map_or(has(&["-body", "-infile", "-form"]), is_sending_method) {
        tags.write(&origin_of(address));
    }
    if has(&["-outfile"]) {
        write_to(target(words, &["-outfile"]), tags);
    }
    tags.read(cmdlet);
}

/// Methods of .NET: `[IO.File]::WriteAllText(…)`, `$client.DownloadFile(…)`.
fn invocation(node: Node<'_>, text: &str, tags: &mut EffectTags) {
    let Some(member) = named(node).into_iter().find(|child| child.kind() == "member_name") else { return };
    let member = text_of(member, text).to_ascii_lowercase();
    let argument = descendants(node)
        .find(|(node, _)| node.kind() == "string_literal")
        .map_or("unknown", |(node, _)| unquote(text_of(node, text)));
    let starts = |words: &[&str]| words.iter().any(|word| member.starts_with(word));
    if starts(&[
        "writeall",
        "appendall",
        "createtext",
        "createdirectory",
        "openwrite",
        "extracttodirectory",
        "setvalue",
        "save",
    ]) {
        tags.write(argument);
    } else if starts(&["downloadfile"]) {
        tags.network(host_of(argument).unwrap_or_default());
        tags.write("unknown");
    } else if starts(&["upload", "postasync", "putasync", "deleteasync", "sendasync", "send"]) {
        tags.write("network");
    } else if starts(&["delete"]) {
        tags.delete(argument);
    } else if starts(&["copyto", "moveto", "move", "copy"]) {
        tags.write("unknown");
    } else if starts(&["start", "invoke", "getdelegate", "load", "frombase64", "create"]) {
        tags.unreadable();
    } else if starts(&["downloadstring", "downloaddata", "openread"]) {
        tags.network(host_of(argument).unwrap_or_default());
    }
}
