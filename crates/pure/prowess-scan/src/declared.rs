//! Findings about what a skill declares, and about its name.

use std::sync::LazyLock;

use regex::Regex;

use crate::ScanSeverity;
use crate::address::addresses;
use crate::file::is_manifest;
use crate::identity;
use crate::manifest::{Manifest, imitates};
use crate::mask;
use crate::report::{Findings, Place, Text};
use crate::rules::hints;
use crate::signal::compile;

const DEFENDS: &str = r"\b(security|secure|audit\w*|scann?(er|ing|s)|detect\w*|prompt injection|injections?|guard\w*|malware|threats?|phishing|vulnerab\w+|penetration|pentest\w*|ctf|forensics?|hardening|incident|defen[cs]e|safety check|sanitiz\w+|red team\w*|exploit\w*|attacks?)\b";

static DEFENCE: LazyLock<Option<Regex>> = LazyLock::new(|| compile(DEFENDS).ok());
static INJECTED: LazyLock<Option<Regex>> = LazyLock::new(|| compile(r"(^|[\s(>])!`([^`\n]{2,})`").ok());
static HARMLESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile(r"^(git (status|diff|log|branch|show|rev-parse|remote -v|describe|config --get|ls-files)|ls|pwd|date|whoami|uname|cat|head|wc|tree|which|gh (pr|issue|repo) (view|list|diff|status)|node -v|node --version|python3? --version|echo)\b[^|;&$<>]*$").ok()
});
static OFFICIAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile(r"\b(official|verified|certified|endorsed|approved|trusted|made|provided|maintained|audited) (by |from )(the )?(anthropic|openai|openclaw|clawhub|apple|google|microsoft|github|clawdbot|moltbot|slack|discord|notion|stripe)\b|\bofficial (anthropic|openai|openclaw|clawhub|apple|google|microsoft|github|clawdbot|moltbot|slack|discord|notion|stripe|metamask|coinbase|binance)( \w+)? (skill|plugin|extension|integration|client|release|replacement)").ok()
});

/// Returns true if a skill is about defence: then it shows attacks without meaning them.
pub(crate) fn is_about_defence(manifest: &Manifest) -> bool {
    DEFENCE.as_ref().is_some_and(|regex| {
        regex.is_match(&manifest.name.replace(['-', '_'], " ")) || regex.is_match(&manifest.description)
    })
}

/// Judges name, description and declarations.
pub(crate) fn judge(manifest: &Manifest, texts: &[Text<'_>], findings: &mut Findings) {
    let main = texts.iter().position(|text| is_manifest(text.file) && matches!(text.place, Place::Itself));
    let mut add = |rule, severity, value: &str, reason: String| match main {
        Some(number) => {
            let text = texts[number].text();
            let start = text.find(value).filter(|_| !value.is_empty()).unwrap_or(0);
            let end = if text[start..].starts_with(value) { start + value.len() } else { start };
            findings.at(rule, Some(severity), number, start..end, Some(reason));
        }
        None => findings.whole_file(rule, severity, "SKILL.md", Some(reason)),
    };
    for doubt in &manifest.doubts {
        add(doubt.rule, doubt.severity, &doubt.value, doubt.reason.clone());
    }
    judge_name(manifest, &mut add);
    for (number, text) in texts.iter().enumerate().filter(|(_, text)| matches!(text.place, Place::Itself)) {
        let observed = &text.observed;
        if is_manifest(text.file) && observed.hints_at(hints::INJECTION) {
            injected_commands(number, texts, findings);
        }
        if observed.hints_at(hints::IMITATION) {
            imitated_hosts(number, texts, findings);
        }
        for block in observed.candidates(hints::SECRETS).iter().copied() {
            if let Some(range) = mask::find_secret(observed.slice(block)) {
                let start = observed.blocks[block].range.start;
                let place = start + range.start..start + range.end;
                findings.at("structure/literal-secret", Some(ScanSeverity::Info), number, place, None);
            }
        }
    }
    borrowed_authority(manifest, main, texts, findings);
}

fn judge_name(manifest: &Manifest, add: &mut impl FnMut(&'static str, ScanSeverity, &str, String)) {
    let Manifest { name, description, .. } = manifest;
    if let Some(doubt) = identity::judge_name(name) {
        add(doubt.rule, doubt.severity, name, doubt.reason);
    }
    if name.split(['/', '\\']).any(|part| part == "..") || name.starts_with(['/', '~']) || name.contains('\\')
    {
        add("structure/bad-name", ScanSeverity::Critical, name, "the name is a path".to_owned());
    }
    let is_control = |char: char| char.is_control() && char != '\n' && char != '\t' && char != '\r';
    if name.contains(char::is_control) || description.contains(is_control) {
        add(
            "structure/control-characters",
            ScanSeverity::Warn,
            "",
            "name or description holds control characters".to_owned(),
        );
    }
    let (name_length, description_length) = (name.chars().count(), description.chars().count());
    if name_length > 256 || description_length > 16_384 {
        add(
            "structure/too-long",
            ScanSeverity::Warn,
            "",
            format!("name {name_length} and description {description_length} characters"),
        );
    }
}

/// Commands that run when the skill is loaded.
fn injected_commands(number: usize, texts: &[Text<'_>], findings: &mut Findings) {
    let (Some(injected), Some(harmless)) = (INJECTED.as_ref(), HARMLESS.as_ref()) else { return };
    let text = texts[number].text();
    for found in injected.captures_iter(text) {
        let Some(command) = found.get(2) else { continue };
        let is_harmless = harmless.is_match(command.as_str())
            || !command.as_str().trim().contains(|char: char| char.is_ascii_alphabetic());
        let severity = if is_harmless { ScanSeverity::Info } else { ScanSeverity::Warn };
        findings.at("structure/command-injection", Some(severity), number, command.range(), None);
    }
}

fn imitated_hosts(number: usize, texts: &[Text<'_>], findings: &mut Findings) {
    let text = texts[number].text();
    let mut hosts: Vec<&str> =
        addresses(text).map(|address| address.host).filter(|host| host.len() > 8).collect();
    hosts.sort_unstable();
    hosts.dedup();
    for host in hosts.into_iter().filter(|host| imitates(host).is_some() || host.contains("xn--")).take(4) {
        if let Some(start) = text.find(host) {
            findings.at("identity/look-alike-host", None, number, start..start + host.len(), None);
        }
    }
}

/// Names that lend a skill authority.
const VENDORS: &[&str] = &[
    "anthropic",
    "openai",
    "openclaw",
    "clawhub",
    "apple",
    "google",
    "microsoft",
    "github",
    "clawdbot",
    "moltbot",
    "slack",
    "discord",
    "notion",
    "stripe",
    "metamask",
    "coinbase",
    "binance",
];

/// A vendor is claimed, but none of the addresses is the vendor's.
fn borrowed_authority(manifest: &Manifest, main: Option<usize>, texts: &[Text<'_>], findings: &mut Findings) {
    let (Some(number), Some(regex)) = (main, OFFICIAL.as_ref()) else { return };
    if !texts[number].observed.hints_at(hints::AUTHORITY) {
        return;
    }
    let text = texts[number].text();
    let Some(found) = regex.find(text) else { return };
    let claim = found.as_str().to_ascii_lowercase();
    let Some(vendor) = VENDORS.iter().find(|vendor| claim.contains(**vendor)) else { return };
    let home = manifest.homepage.as_deref().unwrap_or("");
    let hosts: Vec<String> = addresses(text).map(|address| address.host.to_ascii_lowercase()).collect();
    let is_theirs = hosts.iter().any(|host| host.contains(vendor)) || home.contains(vendor);
    if !is_theirs {
        findings.at("identity/borrowed-authority", None, number, found.range(), None);
    }
}
