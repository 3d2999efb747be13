//! Advice beyond the specification: is the skill likely to be found, read and followed?

use prowess_types::{Diagnostic, Skill, Span};
use pulldown_cmark::{Event, Parser, Tag};

use crate::rules;

/// Words that say when to use a skill.
const WHEN: [&str; 8] =
    ["when ", "whenever", "use for", "use this", "use to", "if ", "helps with", "trigger"];
const SHORTEST_DESCRIPTION: usize = 40;
const MAX_LINES: usize = 500;
const MAX_TOKENS: usize = 5_000;
/// English prose has about four characters a token.
const CHARS_PER_TOKEN: usize = 4;

/// A link from a skill's body to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    /// The target as it is written, without fragment or query.
    pub target: String,
    /// Its place in the text.
    pub span: Span,
}

/// Lints a skill that was parsed from `text` (decoded).
///
/// Whether linked files exist is the caller's to find out with [`references`]; this crate opens no files.
pub fn lint(skill: &Skill, text: &str) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    lint_description(skill, &mut findings);
    let body = text.get(skill.body_start..).unwrap_or_default();
    let at = |rule: &rules::LintRule, message: String| {
        rule.at(Span::new(skill.body_start, skill.body_start), message)
    };
    if body.trim().is_empty() {
        findings.push(at(rules::LINT_BODY_EMPTY, "the skill has no instructions".to_owned()));
    }
    let lines = body.lines().count();
    let tokens = skill.body_chars.div_ceil(CHARS_PER_TOKEN);
    if lines > MAX_LINES || tokens > MAX_TOKENS {
        let message = format!("the body has {lines} lines and about {tokens} tokens");
        findings.push(at(rules::LINT_BODY_LONG, message));
    }
    for reference in references(text, skill.body_start) {
        if escapes(&reference.target) {
            let message = format!("`{}` leaves the skill's folder", reference.target);
            findings.push(rules::LINT_REFERENCE_ESCAPES.at(reference.span, message));
        } else if reference.target.trim_start_matches("./").matches('/').count() > 1 {
            let message = format!("`{}` is more than one folder deep", reference.target);
            findings.push(rules::LINT_REFERENCE_DEEP.at(reference.span, message));
        }
    }
    findings
}

fn lint_description(skill: &Skill, findings: &mut Vec<Diagnostic>) {
    let description = skill.description.to_lowercase();
    if description.is_empty() {
        return;
    }
    let has_when =
        skill.extensions.when_to_use.is_some() || WHEN.iter().any(|word| description.contains(word));
    if !has_when {
        let message = "the description does not say when to use the skill".to_owned();
        findings.push(rules::LINT_DESCRIPTION_WHEN.diagnostic(None, message));
    }
    let length = description.chars().count();
    if length < SHORTEST_DESCRIPTION {
        let message = format!("the description has only {length} characters");
        findings.push(rules::LINT_DESCRIPTION_SHORT.diagnostic(None, message));
    }
}

fn escapes(target: &str) -> bool {
    target.starts_with('/') || target.split('/').any(|part| part == "..")
}

/// Relative links and images of a body that starts at `body_start` of `text`; web addresses and anchors are
/// left out.
pub fn references(text: &str, body_start: usize) -> Vec<FileReference> {
    let body = text.get(body_start..).unwrap_or_default();
    Parser::new(body)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let target = dest_url.split(['#', '?']).next().unwrap_or_default();
                let is_file = !target.is_empty() && !target.contains(':') && !target.contains('{');
                is_file.then(|| FileReference {
                    target: target.to_owned(),
                    span: Span::new(body_start + range.start, body_start + range.end),
                })
            }
            _ => None,
        })
        .collect()
}
