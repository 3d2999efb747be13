//! Programs of the system, containers, databases and desktops.

use super::{ProgramArguments, judge_target};
use crate::tags::{EffectTags, origin_of};

pub(super) const PROGRAMS: &[&str] = &[
    "at",
    "batch",
    "crontab",
    "defaults",
    "gh",
    "imsg",
    "kill",
    "killall",
    "launchctl",
    "mysql",
    "notify-send",
    "open",
    "osascript",
    "pbcopy",
    "pkill",
    "psql",
    "reboot",
    "rc-service",
    "screencapture",
    "service",
    "shutdown",
    "sqlite3",
    "supervisorctl",
    "systemctl",
    "wl-copy",
    "xclip",
    "xdg-open",
    "xsel",
    "networksetup",
    "wl-paste",
    "mount",
    "umount",
    "useradd",
    "passwd",
    "iptables",
    "ufw",
    "swapoff",
    "sysctl",
    "glab",
];

/// Adds the effects of such a program. False for other programs.
pub(super) fn judge(
    name: &str,
    arguments: &ProgramArguments<'_>,
    has_input: bool,
    tags: &mut EffectTags,
) -> bool {
    let mut own = EffectTags::default();
    match name {
        "crontab" => {
            if arguments.has(&["-r"]) {
                own.delete("crontab");
            } else if !arguments.has(&["-l"]) {
                own.write("crontab");
            }
        }
        "at" | "batch" => own.write("schedule"),
        "systemctl" | "service" | "launchctl" | "supervisorctl" | "rc-service" => {
            let is_status = |word: &str| {
                matches!(word, "status" | "show" | "cat" | "list" | "print" | "avail" | "--status-all")
                    || word.starts_with("list-")
                    || word.starts_with("is-")
            };
            let mut words = arguments.operands().map(|word| word.text.as_str());
            let verb = if matches!(name, "service" | "rc-service") { words.nth(1) } else { words.next() };
            if !verb.is_some_and(is_status) {
                own.write("services");
            }
        }
        "defaults" => match arguments.first() {
            Some("read" | "read-type" | "domains" | "find") => {}
            Some("delete") => own.delete("defaults"),
            _ => own.write("defaults"),
        },
        "pbcopy" | "wl-copy" => own.write("clipboard"),
        "xclip" | "xsel" if !arguments.has(&["-o", "--output"]) => own.write("clipboard"),
        "xclip" | "xsel" | "wl-paste" => {}
        "notify-send" => own.write("notification"),
        "screencapture" => match arguments.operands().last() {
            Some(file) => judge_target(file, &mut own),
            None => own.write("clipboard"),
        },
        "sqlite3" | "psql" | "mysql" => judge_database(name, arguments, has_input, &mut own),
        "gh" | "glab" if arguments.first() == Some("api") => judge_api(name, arguments, &mut own),
        _ => return false,
    }
    if own.is_empty() {
        tags.read(name);
    } else {
        own.shell(name);
        tags.merge(own);
    }
    true
}

fn judge_database(name: &str, arguments: &ProgramArguments<'_>, has_input: bool, own: &mut EffectTags) {
    let query = match name {
        "sqlite3" => arguments
            .operands_without(&["-cmd", "-init", "-separator", "-nullvalue"])
            .get(1)
            .map(|word| word.text.clone()),
        _ => arguments.value(&["-c", "--command", "-e", "--execute"]).map(|word| word.text),
    };
    let is_list = name == "psql" && arguments.has(&["-l", "--list"]);
    let reads = query
        .as_deref()
        .is_some_and(|query| is_reading_query(query) || query.starts_with('.') && reads_by_dot(query));
    if (!reads && !is_list)
        || has_input
        || arguments.has(&["-f", "--file", "-init", "-cmd", "-o", "--output"])
    {
        own.write("database");
    }
}

fn reads_by_dot(query: &str) -> bool {
    matches!(
        query.split_whitespace().next(),
        Some(".tables" | ".schema" | ".databases" | ".indexes" | ".dump" | ".help")
    )
}

/// Returns true if every statement only asks.
pub(crate) fn is_reading_query(query: &str) -> bool {
    let statements: Vec<&str> = query.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    let starts = ["select", "show", "explain", "describe", "desc", "with", "pragma", "values", "table", "--"];
    let changes = [
        "insert",
        "update",
        "delete",
        "drop",
        "alter",
        "create",
        "truncate",
        "replace",
        "merge",
        "grant",
        "revoke",
        "into",
        "call",
        "attach",
        "vacuum",
        "copy",
        "load_extension",
        "writefile",
        "set",
    ];
    !statements.is_empty()
        && statements.iter().all(|statement| {
            let lower = statement.to_ascii_lowercase();
            let mut words =
                lower.split(|char: char| !char.is_ascii_alphanumeric() && char != '_' && char != '-');
            let is_start = starts.iter().any(|start| lower.starts_with(start));
            is_start
                && !words.any(|word| changes.contains(&word))
                && !(lower.starts_with("pragma") && lower.contains('='))
        })
}

fn judge_api(name: &str, arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let method = arguments.value(&["-X", "--method"]).map(|method| method.text);
    let has_body = arguments.has(&["-f", "-F", "--field", "--raw-field", "--input", "--form"]);
    let sends = method.as_deref().map_or(has_body, super::is_sending_method);
    let is_query = arguments.operands().nth(1).is_some_and(|path| path.text == "graphql")
        && !arguments.texts().any(|word| word.contains("mutation"));
    if sends && !is_query {
        own.write(&origin_of(if name == "gh" { "https://api.github.com" } else { "https://gitlab.com" }));
    }
}
