//! OpenClaw's rules under their own ids and severities, so that reports can be compared.
//!
//! They read programs of the JavaScript family and, separately, the text of a skill. Nothing here decides a verdict:
//! the rules of this crate do that.

use std::sync::LazyLock;

use prowess_text::{ellipsize, utf16_prefix};
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::ScanSeverity;

/// Findings of one line rule in one file, after which the rest is counted only.
const LINE_FINDINGS: usize = 32;
/// Files that are scanned.
const FILES: usize = 500;
/// Bytes of a file that is scanned.
const FILE_BYTES: usize = 1 << 20;
/// Lines around a variable in which something must be sent.
const WINDOW: usize = 8;
/// The UTF-16 units of a line that are quoted.
const EVIDENCE: usize = 120;

/// One finding, as OpenClaw writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Finding")]
pub struct OpenClawFinding {
    /// The rule.
    pub rule_id: String,
    /// Its severity.
    pub severity: ScanSeverity,
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The findings.
    pub message: String,
    /// The line, cut to 120 characters.
    pub evidence: String,
}

/// Findings over a folder, as OpenClaw writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Files that were scanned.
    pub scanned_files: usize,
    /// Critical findings.
    pub critical: usize,
    /// Warnings.
    pub warn: usize,
    /// Information.
    pub info: usize,
    /// There were more files than are scanned.
    pub truncated: bool,
    /// The findings.
    pub findings: Vec<OpenClawFinding>,
}

struct Rule {
    id: &'static str,
    severity: ScanSeverity,
    message: &'static str,
    pattern: Regex,
    /// Must match somewhere in the file, too.
    context: Option<Regex>,
    /// The context must match this near.
    window: Option<usize>,
}

struct Rules {
    lines: Vec<Rule>,
    sources: Vec<Rule>,
    texts: Vec<Rule>,
    namespace: Regex,
    computed: Regex,
    imports: Regex,
    renamed: Regex,
}

const SEND: &str = r"(?i)\bfetch\s*\(|\bpost\s*\(|\.\s*post\s*\(|http\.request\s*\(";
const METHODS: &str = "exec|execSync|spawn|spawnSync|execFile|execFileSync";

static RULES: LazyLock<Option<Rules>> = LazyLock::new(|| build().ok());

fn rule(
    id: &'static str,
    severity: ScanSeverity,
    message: &'static str,
    pattern: &str,
) -> Result<Rule, regex::Error> {
    Ok(Rule { id, severity, message, pattern: Regex::new(pattern)?, context: None, window: None })
}

fn build() -> Result<Rules, regex::Error> {
    use ScanSeverity::{Critical, Warn};
    let send = Regex::new(SEND)?;
    let calls = format!(r#"\b({METHODS})\s*\(|["']({METHODS})["']\s*\]\s*\("#);
    let mut exec =
        rule("dangerous-exec", Critical, "Shell command execution detected (child_process)", &calls)?;
    exec.context = Some(Regex::new("child_process")?);
    let mut exfiltration = rule(
        "potential-exfiltration",
        Warn,
        "File read combined with network send — possible data exfiltration",
        "readFileSync|readFile",
    )?;
    exfiltration.context = Some(send.clone());
    let mut harvesting = rule(
        "env-harvesting",
        Critical,
        "Environment variable access combined with network send — possible credential harvesting",
        r"process\.env",
    )?;
    harvesting.context = Some(send);
    harvesting.window = Some(WINDOW);
    Ok(Rules {
        lines: vec![
            exec,
            rule(
                "dynamic-code-execution",
                Critical,
                "Dynamic code execution detected",
                r"\beval\s*\(|new\s+Function\s*\(",
            )?,
            rule(
                "crypto-mining",
                Critical,
                "Possible crypto-mining reference detected",
                r"(?i)stratum\+tcp|stratum\+ssl|coinhive|cryptonight|xmrig",
            )?,
            rule(
                "suspicious-network",
                Warn,
                "WebSocket connection to non-standard port",
                r#"new\s+WebSocket\s*\(\s*["']wss?://[^"']*:(\d+)"#,
            )?,
        ],
        sources: vec![
            exfiltration,
            rule(
                "obfuscated-code",
                Warn,
                "Hex-encoded string sequence detected (possible obfuscation)",
                r"(\\x[0-9a-fA-F]{2}){6,}",
            )?,
            rule(
                "obfuscated-code",
                Warn,
                "Large base64 payload with decode call detected (possible obfuscation)",
                r#"(?:atob|Buffer\.from)\s*\(\s*["'][A-Za-z0-9+/=]{200,}["']"#,
            )?,
            harvesting,
        ],
        texts: vec![
            rule(
                "literal-secret",
                Critical,
                "Skill text contains a recognized literal credential",
                r"\bsk-[A-Za-z0-9_-]{20,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----",
            )?,
            rule(
                "shell-pipe-to-shell",
                Critical,
                "Skill text includes pipe-to-shell install pattern",
                r"(?i)\b(curl|wget)\b[^|\n]{0,120}\|\s*(sh|bash|zsh)\b",
            )?,
            rule(
                "secret-exfiltration",
                Critical,
                "Skill text may exfiltrate environment variables",
                r"(?i)\b(process\.env|env)\b.{0,80}\b(fetch|curl|wget|http|https)\b",
            )?,
            rule(
                "destructive-delete",
                Warn,
                "Skill text contains broad destructive delete command",
                r"(?i)\brm\s+-rf\s+(/|\$HOME|~|\.)",
            )?,
            rule(
                "unsafe-permissions",
                Warn,
                "Skill text contains unsafe permission change",
                r"(?i)\bchmod\s+(-R\s+)?777\b",
            )?,
        ],
        namespace: Regex::new(r"\b(?:cp|childProcess|child_process)\s*\.\s*exec\s*\(")?,
        computed: Regex::new(r#"\b(?:cp|childProcess|child_process)\s*\[\s*["']exec["']\s*\]\s*\("#)?,
        imports: Regex::new(
            r#"import\s*\{([^}]*)\}\s*from\s*["'](?:node:)?child_process["']|\{\s*([^}]*)\s*\}\s*=\s*require\s*\(\s*["'](?:node:)?child_process["']\s*\)"#,
        )?,
        renamed: Regex::new(&format!(r"\b({METHODS})(?:\s+as\s+|\s*:\s*)(\w+)"))?,
    })
}

/// Returns true if the folder scan opens a file of this name.
pub fn is_scannable(path: &str) -> bool {
    let suffix = path
        .rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .map(|(_, suffix)| suffix.to_ascii_lowercase());
    matches!(suffix.as_deref(), Some("js" | "ts" | "mjs" | "cjs" | "mts" | "cts" | "jsx" | "tsx"))
}

/// The folder scan over files with paths relative to the folder.
pub fn scan_folder(files: &[(&str, &[u8])]) -> Summary {
    let is_open = |path: &str| !path.split('/').any(|part| part.starts_with('.') || part == "node_modules");
    let mut order: Vec<_> = files.iter().filter(|(path, _)| is_scannable(path) && is_open(path)).collect();
    order.sort_by_key(|(path, _)| *path);
    let mut summary = Summary { truncated: order.len() > FILES, ..Summary::default() };
    for (path, bytes) in order.into_iter().take(FILES).filter(|(_, bytes)| bytes.len() <= FILE_BYTES) {
        summary.scanned_files += 1;
        summary.findings.extend(scan_source(&String::from_utf8_lossy(bytes), path));
    }
    let count = |severity| summary.findings.iter().filter(|finding| finding.severity == severity).count();
    (summary.critical, summary.warn, summary.info) =
        (count(ScanSeverity::Critical), count(ScanSeverity::Warn), count(ScanSeverity::Info));
    summary
}

/// The rules for programs.
pub fn scan_source(source: &str, file: &str) -> Vec<OpenClawFinding> {
    let Some(rules) = RULES.as_ref() else { return Vec::new() };
    let lines: Vec<&str> = source.split('\n').collect();
    let mut findings = Vec::new();
    for rule in &rules.lines {
        if rule.context.as_ref().is_none_or(|context| context.is_match(source)) {
            line_findings(rules, rule, &lines, file, &mut findings);
        }
    }
    let stripped = without_comments(source);
    let lines: Vec<&str> = stripped.split('\n').collect();
    findings.extend(rules.sources.iter().filter_map(|rule| source_finding(rule, &stripped, &lines, file)));
    findings
}

/// The rules for the text of a skill.
pub fn scan_text(text: &str, file: &str) -> Vec<OpenClawFinding> {
    let Some(rules) = RULES.as_ref() else { return Vec::new() };
    let lines: Vec<&str> = text.split('\n').collect();
    rules.texts.iter().filter_map(|rule| source_finding(rule, text, &lines, file)).collect()
}

fn line_findings(
    rules: &Rules,
    rule: &Rule,
    lines: &[&str],
    file: &str,
    findings: &mut Vec<OpenClawFinding>,
) {
    let aliases = if rule.id == "dangerous-exec" { aliases(rules, lines) } else { Vec::new() };
    let (mut found, mut omitted, mut last) = (0, 0, 0);
    for (at, line) in lines.iter().enumerate() {
        let direct =
            rule.pattern.captures_iter(line).filter(|call| is_counted(rules, rule, line, call)).count();
        let calls =
            if direct == 0 { usize::from(aliases.iter().any(|alias| alias.is_match(line))) } else { direct };
        for _ in 0..calls {
            if found < LINE_FINDINGS {
                findings.push(finding(rule, file, at + 1, line));
                found += 1;
            } else {
                omitted += 1;
                last = at + 1;
            }
        }
    }
    if omitted > 0 {
        findings.push(OpenClawFinding {
            rule_id: format!("{}-truncated", rule.id),
            severity: rule.severity,
            file: file.to_owned(),
            line: last,
            message: format!(
                "{omitted} additional {} matches omitted after {LINE_FINDINGS} findings",
                rule.id
            ),
            evidence: format!("[{omitted} additional matches omitted after {LINE_FINDINGS} findings]"),
        });
    }
}

/// Leaves out `regex.exec(`, and sockets on ordinary ports.
fn is_counted(rules: &Rules, rule: &Rule, line: &str, call: &regex::Captures<'_>) -> bool {
    match rule.id {
        "suspicious-network" => {
            let port = call.get(1).and_then(|port| port.as_str().parse().ok()).unwrap_or(0);
            ![80, 443, 8080, 8443, 3000].contains(&port)
        }
        "dangerous-exec" => match (call.get(1), call.get(2)) {
            (Some(name), _) if name.as_str() == "exec" => {
                !line[..name.start()].ends_with('.') || rules.namespace.is_match(line)
            }
            (None, Some(name)) if name.as_str() == "exec" => rules.computed.is_match(line),
            _ => true,
        },
        _ => true,
    }
}

/// Names under which a file imports the methods that start programs.
fn aliases(rules: &Rules, lines: &[&str]) -> Vec<Regex> {
    lines
        .iter()
        .filter_map(|line| rules.imports.captures(line))
        .filter_map(|import| import.get(1).or_else(|| import.get(2)))
        .flat_map(|names| rules.renamed.captures_iter(names.as_str()).map(|name| name[2].to_owned()))
        .take(LINE_FINDINGS)
        .filter_map(|alias| Regex::new(&format!(r"\b{alias}\s*\(")).ok())
        .collect()
}

fn source_finding(rule: &Rule, source: &str, lines: &[&str], file: &str) -> Option<OpenClawFinding> {
    let fits = |context: &Regex, text: &str| context.is_match(text);
    if !rule.pattern.is_match(source) || !rule.context.as_ref().is_none_or(|context| fits(context, source)) {
        return None;
    }
    let near = match (&rule.context, rule.window) {
        (Some(context), Some(_)) => lines.iter().map(|line| fits(context, line)).collect(),
        _ => Vec::new(),
    };
    let is_near = |at: usize| match rule.window {
        Some(window) => near[at.saturating_sub(window)..lines.len().min(at + window + 1)].contains(&true),
        None => true,
    };
    let found = lines.iter().enumerate().find(|(at, line)| rule.pattern.is_match(line) && is_near(*at));
    match found {
        Some((at, line)) => Some(finding(rule, file, at + 1, line)),
        None if rule.window.is_some() => None,
        None => Some(finding(rule, file, 1, source)),
    }
}

fn finding(rule: &Rule, file: &str, line: usize, text: &str) -> OpenClawFinding {
    let evidence = if rule.id == "literal-secret" {
        "[REDACTED CREDENTIAL]".to_owned()
    } else {
        ellipsize(text.trim(), EVIDENCE, utf16_prefix)
    };
    OpenClawFinding {
        rule_id: rule.id.to_owned(),
        severity: rule.severity,
        file: file.to_owned(),
        line,
        message: rule.message.to_owned(),
        evidence,
    }
}

/// The source without its comments; lines stay lines.
fn without_comments(source: &str) -> String {
    let mut stripped = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    let mut quote = None;
    while let Some(char) = chars.next() {
        match (quote, char, chars.peek()) {
            (Some(_), '\\', _) => {
                stripped.push(char);
                stripped.extend(chars.next());
            }
            (Some(open), _, _) => {
                stripped.push(char);
                quote = (char != open).then_some(open);
            }
            (None, '\'' | '"' | '`', _) => {
                stripped.push(char);
                quote = Some(char);
            }
            (None, '/', Some('/')) => while chars.next_if(|char| *char != '\n').is_some() {},
            (None, '/', Some('*')) => skip_block(&mut chars, &mut stripped),
            (None, _, _) => stripped.push(char),
        }
    }
    stripped
}

fn skip_block(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, stripped: &mut String) {
    chars.next();
    let mut before = ' ';
    for char in chars.by_ref() {
        if before == '*' && char == '/' {
            return;
        }
        if char == '\n' {
            stripped.push('\n');
        }
        before = char;
    }
}
