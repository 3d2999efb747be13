//! Who a skill says it is.

use unicode_normalization::UnicodeNormalization as _;

use crate::ScanSeverity;
use crate::address::squeeze;
use crate::unicode::fold_text;

/// Tools that agents have built in.
const BUILT_IN_TOOLS: &[&str] = &[
    "read",
    "write",
    "edit",
    "exec",
    "bash",
    "shell",
    "process",
    "browser",
    "message",
    "web-search",
    "web-fetch",
    "websearch",
    "webfetch",
    "memory-search",
    "memory-get",
    "sessions-send",
    "sessions-spawn",
    "sessions-list",
    "session-status",
    "gateway",
    "nodes",
    "apply-patch",
    "grep",
    "glob",
    "ls",
    "find",
    "task",
    "todowrite",
    "multiedit",
    "notebookedit",
    "agents-list",
    "subagents",
    "bashoutput",
    "killshell",
    "computer",
    "str-replace-editor",
    "view",
    "terminal",
    "run-command",
    "read-file",
    "write-file",
    "list-files",
    "edit-file",
    "search-files",
    "execute-command",
];

/// Skills that come with agents or are widely known.
const KNOWN: &[&str] = &[
    "1password",
    "apple-notes",
    "apple-reminders",
    "bear-notes",
    "blogwatcher",
    "bluebubbles",
    "camsnap",
    "clawhub",
    "clawdhub",
    "coding-agent",
    "discord",
    "eightctl",
    "food-order",
    "gemini",
    "gifgrep",
    "github",
    "goplaces",
    "healthcheck",
    "himalaya",
    "local-places",
    "mcporter",
    "model-usage",
    "nano-banana-pro",
    "nano-pdf",
    "notion",
    "obsidian",
    "openai-image-gen",
    "openai-whisper",
    "openai-whisper-api",
    "openhue",
    "oracle",
    "ordercli",
    "peekaboo",
    "session-logs",
    "skill-creator",
    "slack",
    "songsee",
    "sonoscli",
    "spotify-player",
    "summarize",
    "things-mac",
    "trello",
    "video-frames",
    "voice-call",
    "weather",
    "openclaw",
    "clawdbot",
    "moltbot",
    "anthropic",
    "openai",
    "mcp-builder",
    "webapp-testing",
    "canvas-design",
    "telegram",
    "whatsapp",
    "google",
    "chrome",
    "gmail",
    "stripe",
    "docker",
    "kubernetes",
    "terraform",
    "postgres",
    "metamask",
    "coinbase",
    "binance",
    "polymarket",
    "phantom",
];

/// Programs that a skill must not stand in for.
const COMMANDS: &[&str] = &[
    "sudo", "ssh", "git", "su", "gpg", "npm", "npx", "pip", "pip3", "docker", "kubectl", "curl", "wget",
    "python", "python3", "node", "bash", "sh", "zsh", "ls", "cat", "cp", "mv", "rm", "gh", "aws", "gcloud",
    "brew", "openssl", "scp", "passwd",
];

/// Something odd about a name.
pub(crate) struct Doubt {
    pub(crate) rule: &'static str,
    pub(crate) severity: ScanSeverity,
    pub(crate) reason: String,
}

/// Judges the name of a skill.
pub(crate) fn judge_name(name: &str) -> Option<Doubt> {
    let folded: String = fold_text(&name.nfkc().collect::<String>()).trim().to_lowercase();
    let known = |name: &str| {
        KNOWN.iter().chain(BUILT_IN_TOOLS).find(|known| squeeze(known) == squeeze(name)).copied()
    };
    let plain = |char: char| char.is_ascii_graphic() || char == ' ';
    let is_foreign = folded.chars().all(plain) && folded != name.trim().to_lowercase();
    let trailing = name.chars().any(|char| !plain(char)) && folded.chars().all(plain) && !folded.is_empty();
    if (is_foreign || trailing) && !name.is_ascii() {
        let target = known(&folded);
        let severity = if target.is_some() { ScanSeverity::Critical } else { ScanSeverity::Warn };
        let reason = format!("the name reads as `{folded}`, but is written with other characters");
        return Some(Doubt { rule: "identity/look-alike", severity, reason });
    }
    let lower = name.trim().to_lowercase();
    if KNOWN.contains(&lower.as_str()) || squeeze(&lower).is_empty() {
        return None;
    }
    let dashed = lower.replace(['_', ' '], "-");
    if BUILT_IN_TOOLS.contains(&dashed.as_str()) {
        let reason = format!("`{lower}` is the name of a tool that agents have built in");
        return Some(Doubt { rule: "shadowing/tool-name", severity: ScanSeverity::Warn, reason });
    }
    let digits = undigit(&lower);
    let near = KNOWN.iter().find(|known| {
        known.len() >= 5 && (is_near(&lower, known) || (digits != lower && digits == **known))
    })?;
    let reason = format!("`{lower}` is one letter away from `{near}`");
    Some(Doubt { rule: "identity/near-miss", severity: ScanSeverity::Warn, reason })
}

/// Digits that stand for letters.
fn undigit(name: &str) -> String {
    name.chars()
        .map(|char| match char {
            '0' => 'o',
            '1' => 'l',
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            _ => char,
        })
        .collect()
}

/// One letter doubled, dropped, swapped or changed in the middle; plurals and versions are names of their own.
fn is_near(name: &str, known: &str) -> bool {
    let (name, known) = (name.as_bytes(), known.as_bytes());
    let (shorter, longer) = if name.len() < known.len() { (name, known) } else { (known, name) };
    if name == known || longer.len() - shorter.len() > 1 {
        return false;
    }
    let head = name.iter().zip(known).take_while(|(left, right)| left == right).count();
    let tail = name.iter().rev().zip(known.iter().rev()).take_while(|(left, right)| left == right).count();
    let same = head + tail.min(shorter.len() - head);
    if name.len() == known.len() {
        let is_swapped =
            same + 2 == name.len() && name[head] == known[head + 1] && name[head + 1] == known[head];
        return is_swapped || (same + 1 == name.len() && head > 0 && head + 1 < name.len());
    }
    let is_ending = head == shorter.len() && matches!(longer.last(), Some(b's' | b'0'..=b'9'));
    same == shorter.len() && !is_ending
}

/// Returns true if a file takes the place of a command when its folder is on the path.
pub(crate) fn is_command_name(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    COMMANDS.contains(&name)
        && folder.rsplit('/').next().is_some_and(|last| matches!(last, "bin" | "scripts" | "tools" | "sbin"))
}
