//! The rule for programs with verbs: `todoist list`, `kubectl get pods`, `aws s3 ls`.

use super::{ProgramArguments, judge_target};
use crate::tags::EffectTags;

/// Programs whose reading verbs are known to read without a declaration of the skill.
pub(super) const TOOLS: &[&str] = &[
    "ansible-inventory",
    "argocd",
    "aws",
    "az",
    "codex",
    "docker",
    "docker-compose",
    "doctl",
    "firebase",
    "fly",
    "flyctl",
    "gcloud",
    "gh",
    "git-lfs",
    "glab",
    "hcloud",
    "helm",
    "heroku",
    "himalaya",
    "istioctl",
    "kubectl",
    "linode-cli",
    "minikube",
    "mise",
    "netlify",
    "nerdctl",
    "nmcli",
    "op",
    "oc",
    "podman",
    "pulumi",
    "railway",
    "rclone",
    "supabase",
    "terraform",
    "tofu",
    "tmux",
    "vault",
    "vercel",
    "wrangler",
    "adb",
];

/// Verbs that only ask.
const READING: &[&str] = &[
    "list", "ls", "get", "show", "search", "status", "view", "find", "info", "describe", "cat", "head",
    "grep", "query", "read", "print", "display", "count", "stats", "stat", "whoami", "version", "help",
    "lookup", "inspect", "history", "ps", "tail", "outdated", "tree", "whois", "about",
];
/// Verbs of well-known tools that only ask.
const TOOL_READING: &[&str] = &[
    "logs",
    "log",
    "diff",
    "top",
    "events",
    "images",
    "devices",
    "explain",
    "api-resources",
    "api-versions",
    "cluster-info",
    "plan",
    "output",
    "validate",
    "checks",
    "auth-status",
    "port",
    "history",
    "size",
    "lsd",
    "lsl",
    "lsf",
    "lsjson",
    "ncdu",
    "list-sessions",
    "list-windows",
    "capture-pane",
    "display-message",
];
/// Verbs that change something; they are looked for in front of a reading verb.
const CHANGING: &[&str] = &[
    "abort",
    "accept",
    "activate",
    "add",
    "allow",
    "append",
    "apply",
    "approve",
    "archive",
    "assign",
    "attach",
    "backup",
    "ban",
    "block",
    "book",
    "buy",
    "call",
    "cancel",
    "capture",
    "change",
    "checkout",
    "clean",
    "clear",
    "clone",
    "close",
    "comment",
    "commit",
    "complete",
    "compose",
    "config",
    "configure",
    "connect",
    "convert",
    "copy",
    "cp",
    "create",
    "delete",
    "deny",
    "deploy",
    "destroy",
    "disable",
    "disconnect",
    "dismiss",
    "do",
    "done",
    "download",
    "drop",
    "duplicate",
    "edit",
    "empty",
    "enable",
    "erase",
    "exec",
    "execute",
    "export",
    "fetch",
    "finish",
    "fix",
    "flush",
    "follow",
    "fork",
    "format",
    "forward",
    "generate",
    "give",
    "grant",
    "hide",
    "import",
    "init",
    "insert",
    "install",
    "invite",
    "join",
    "kill",
    "label",
    "leave",
    "like",
    "link",
    "load",
    "lock",
    "log",
    "login",
    "logout",
    "make",
    "mark",
    "merge",
    "migrate",
    "mkdir",
    "modify",
    "move",
    "mute",
    "mv",
    "new",
    "open",
    "order",
    "patch",
    "pause",
    "pay",
    "pin",
    "play",
    "post",
    "press",
    "publish",
    "pull",
    "purge",
    "push",
    "put",
    "quit",
    "record",
    "refresh",
    "register",
    "reject",
    "release",
    "remind",
    "remove",
    "rename",
    "reopen",
    "reply",
    "report",
    "reset",
    "resolve",
    "restart",
    "restore",
    "resume",
    "revert",
    "revoke",
    "rm",
    "rollback",
    "rotate",
    "run",
    "save",
    "schedule",
    "sell",
    "send",
    "set",
    "share",
    "shutdown",
    "sign",
    "skip",
    "snooze",
    "star",
    "start",
    "stop",
    "submit",
    "subscribe",
    "swap",
    "switch",
    "sync",
    "tag",
    "tap",
    "terminate",
    "toggle",
    "touch",
    "track",
    "transfer",
    "trash",
    "trigger",
    "turn",
    "tweet",
    "type",
    "unarchive",
    "unban",
    "unblock",
    "undo",
    "uninstall",
    "unlink",
    "unlock",
    "unmark",
    "unmute",
    "unpin",
    "unset",
    "unstar",
    "unsubscribe",
    "untag",
    "update",
    "upgrade",
    "upload",
    "upsert",
    "use",
    "vote",
    "watch",
    "wipe",
    "withdraw",
    "write",
    "zap",
];
const REMOVING: &[&str] = &[
    "clear",
    "delete",
    "destroy",
    "drop",
    "empty",
    "erase",
    "purge",
    "remove",
    "rm",
    "rmi",
    "trash",
    "uninstall",
    "wipe",
    "prune",
    "del",
];
/// Nouns that stand in front of a verb; plurals are known by their end.
const NOUNS: &[&str] = &[
    "account",
    "agenda",
    "app",
    "bookmark",
    "branch",
    "calendar",
    "card",
    "channel",
    "chat",
    "collection",
    "config",
    "contact",
    "container",
    "data",
    "database",
    "db",
    "device",
    "doc",
    "document",
    "drive",
    "email",
    "event",
    "file",
    "folder",
    "gmail",
    "group",
    "image",
    "inbox",
    "issue",
    "item",
    "job",
    "key",
    "label",
    "library",
    "mail",
    "mailbox",
    "media",
    "message",
    "note",
    "notification",
    "order",
    "org",
    "page",
    "pod",
    "pr",
    "photo",
    "playlist",
    "pool",
    "post",
    "profile",
    "project",
    "queue",
    "record",
    "release",
    "repo",
    "repository",
    "run",
    "schedule",
    "server",
    "service",
    "session",
    "skill",
    "space",
    "sprint",
    "stack",
    "table",
    "tag",
    "task",
    "team",
    "thread",
    "ticket",
    "todo",
    "user",
    "video",
    "vm",
    "volume",
    "weather",
    "workflow",
    "workspace",
    "auth",
    "network",
    "zone",
    "domain",
    "cluster",
    "node",
    "s3",
    "ec2",
    "secret",
    "system",
    "history",
    "location",
    "search",
];
/// Options that change or write, whatever the verb.
const CHANGING_OPTIONS: &[&str] = &[
    "--add",
    "--apply",
    "--clear",
    "--create",
    "--delete",
    "--exec",
    "--fix",
    "--force",
    "--in-place",
    "--mark-read",
    "--move",
    "--post",
    "--purge",
    "--remove",
    "--rm",
    "--save",
    "--send",
    "--set",
    "--update",
    "--upload",
    "--write",
    "--download",
    "--archive",
    "--complete",
    "--done",
    "--mark",
    "--web",
];
/// Values of `-o` that name a form and no file.
const FORMS: &[&str] = &[
    "json",
    "yaml",
    "yml",
    "wide",
    "table",
    "text",
    "name",
    "csv",
    "tsv",
    "plain",
    "raw",
    "markdown",
    "md",
    "jsonl",
    "ndjson",
    "html",
    "xml",
    "pretty",
    "compact",
    "toml",
    "go-template",
    "jsonpath",
    "custom-columns",
    "human",
    "simple",
    "none",
    "-",
    "value",
    "list",
    "id",
    "ids",
    "short",
    "full",
];

/// Returns true if the command only asks.
pub(super) fn is_reading(arguments: &ProgramArguments<'_>, is_tool: bool) -> bool {
    if arguments.has(CHANGING_OPTIONS) {
        return false;
    }
    let reach = if is_tool { 5 } else { 3 };
    for (place, word) in arguments.operands().take(reach).enumerate() {
        let text = word.text.to_ascii_lowercase();
        if !word.is_constant {
            return false;
        }
        if is_reading_verb(&text, is_tool) {
            return !(place == 0
                && arguments.operands().nth(1).is_some_and(|next| changes_after(&text, &next.text)));
        }
        let is_noun = NOUNS.contains(&text.as_str())
            || (text.len() > 3 && text.ends_with('s') && !text.ends_with("ss"));
        let is_changing = CHANGING.contains(&text.as_str()) && !NOUNS.contains(&text.as_str());
        if is_changing || (!is_noun && !is_tool) || text.contains(['/', '=', ' ']) {
            return false;
        }
    }
    false
}

/// A noun that reads like a verb, followed by what is done to it: `search delete ID`.
fn changes_after(verb: &str, next: &str) -> bool {
    NOUNS.contains(&verb) && CHANGING.contains(&next)
}

fn is_reading_verb(word: &str, is_tool: bool) -> bool {
    let is_known = |word: &str| READING.contains(&word) || (is_tool && TOOL_READING.contains(&word));
    if is_known(word) {
        return true;
    }
    let mut parts = word.split(['-', '_', ':', '.']);
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    !rest.is_empty()
        && is_known(first)
        && !rest.iter().any(|part| CHANGING.contains(part) && !NOUNS.contains(part))
        && !matches!(word, "get-object" | "get-credentials" | "get-login-password" | "get-session-token")
}

/// Adds the change that a verb names.
pub(super) fn judge_change(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) {
    let mut words = arguments.operands().take(3).map(|word| word.text.to_ascii_lowercase());
    let verb = words.find_map(|word| {
        let first = word.split(['-', '_', ':']).next().unwrap_or_default().to_owned();
        [word, first]
            .into_iter()
            .find(|part| CHANGING.contains(&part.as_str()) || REMOVING.contains(&part.as_str()))
    });
    match verb.as_deref() {
        Some(verb) if REMOVING.contains(&verb) => tags.delete(name),
        Some(
            "run" | "exec" | "execute" | "start" | "stop" | "watch" | "open" | "use" | "log" | "login"
            | "call" | "connect" | "play" | "load" | "do" | "config" | "fetch" | "turn" | "format" | "type"
            | "track",
        )
        | None => {}
        Some(_) => tags.write(name),
    }
    if arguments.has(&["--delete", "--remove", "--purge"]) {
        tags.delete(name);
    }
}

/// Adds the file that a command writes its answer to.
pub(super) fn judge_output(arguments: &ProgramArguments<'_>, tags: &mut EffectTags) {
    let options = [
        "--output-file",
        "--out-file",
        "--outfile",
        "--out",
        "--save-to",
        "--save-as",
        "--export",
        "--outdir",
        "--output-dir",
        "--download-dir",
    ];
    if let Some(file) = arguments.value(&options) {
        judge_target(&file, tags);
    }
    let is_form = |text: &str| {
        let word = text.split(['=', '(', ',']).next().unwrap_or_default().to_ascii_lowercase();
        FORMS.contains(&word.as_str())
    };
    if let Some(file) = arguments.value(&["--output"]).or_else(|| {
        let place = arguments.texts().position(|word| word == "-o")?;
        arguments.texts().nth(place + 1).map(crate::shell::CallWord::constant)
    }) && !is_form(&file.text)
    {
        judge_target(&file, tags);
    }
}
