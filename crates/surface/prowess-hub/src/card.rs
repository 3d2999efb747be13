//! The card of a version: what a person should know before installing it, as Markdown.

use prowess_scan::Report;
use prowess_store::registry::{FileRecord, SkillRecord, VersionRecord};

/// Files that a card lists; more are counted.
const MAX_FILES: usize = 50;

/// Writes a card. The same version always gets the same one.
pub(crate) fn write(skill: &SkillRecord, version: &VersionRecord, files: &[FileRecord]) -> String {
    let report = report_of(version);
    let summary = version.facts.get("summary").and_then(|summary| summary.as_str()).unwrap_or_default();
    let mut text = format!("# {}\n\n{}\n\n", line(&skill.display_name), line(summary));
    text += &format!("- Skill: `@{}/{}`\n", skill.owner, skill.slug);
    text += &format!("- Version: `{}`\n", version.number);
    if let Some(license) = version.facts.get("license").and_then(|license| license.as_str()) {
        text += &format!("- Licence: {}\n", line(license));
    }
    text += &format!("- Fingerprint: `{}`\n", version.fingerprint);
    text += &format!("- Verdict of the scan: {}\n", version.verdict);
    if !report.capabilities.is_empty() {
        text += &format!("- It can: {}\n", line(&report.capabilities.to_string()));
    }
    if !report.findings.is_empty() {
        text += "\n## Findings\n\n";
        for finding in &report.findings {
            let (file, reason) = (line(&finding.file), line(&finding.reason));
            text += &format!(
                "- {} `{}` in `{file}`, line {}: {reason}\n",
                finding.severity, finding.rule, finding.line
            );
        }
    }
    text += "\n## Files\n\n";
    for file in files.iter().take(MAX_FILES) {
        text += &format!("- `{}` ({} bytes)\n", line(&file.path), file.size);
    }
    if files.len() > MAX_FILES {
        text += &format!("- and {} more\n", files.len() - MAX_FILES);
    }
    text
}

/// A text of strangers in one line, without what could change how a terminal or a page shows it.
fn line(text: &str) -> String {
    let safe = text.chars().map(|letter| match letter {
        '`' | '<' | '>' => '\'',
        letter if letter.is_control() || letter.is_whitespace() => ' ',
        letter => letter,
    });
    prowess_text::printable(&safe.collect::<String>())
}

/// The findings in a version, worst first.
pub(crate) fn report_of(version: &VersionRecord) -> Report {
    serde_json::from_value(version.report.clone()).unwrap_or_default()
}
