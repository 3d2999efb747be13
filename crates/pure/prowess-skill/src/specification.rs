//! The Agent Skills specification, rule by rule, and the level that follows.

use prowess_types::{Diagnostic, Severity, SpecLevel};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use crate::fields::{KNOWN_EXTENSIONS, SPECIFIED};
use crate::frontmatter::Frontmatter;
use crate::rules::{self, rule};

const MAX_NAME: usize = 64;
const MAX_DESCRIPTION: usize = 1_024;
const MAX_COMPATIBILITY: usize = 500;

/// Checks every field against the specification. `folder` is none for a lone file.
pub(crate) fn check(frontmatter: &Frontmatter, folder: Option<&str>, diagnostics: &mut Vec<Diagnostic>) {
    check_name(frontmatter, folder, diagnostics);
    check_description(frontmatter, diagnostics);
    check_optional_text(frontmatter, diagnostics);
    check_metadata(frontmatter, diagnostics);
    check_fields(frontmatter, diagnostics);
}

/// The level that the diagnostics leave. Rejection is the caller's: only it knows what the mode demands.
pub(crate) fn level(diagnostics: &[Diagnostic]) -> SpecLevel {
    let is_extension = |diagnostic: &Diagnostic| {
        [rules::FIELD_EXTENSION, rules::METADATA_NESTED, rules::ALLOWED_TOOLS_LIST]
            .iter()
            .any(|rule| rule.id == diagnostic.rule)
    };
    let breaks = |diagnostic: &Diagnostic| rule(&diagnostic.rule).is_some_and(|rule| rule.breaks_portability);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        SpecLevel::Rejected
    } else if diagnostics.iter().any(breaks) {
        SpecLevel::Loadable
    } else if diagnostics.iter().any(is_extension) {
        SpecLevel::Extended
    } else {
        SpecLevel::Portable
    }
}

fn check_name(frontmatter: &Frontmatter, folder: Option<&str>, diagnostics: &mut Vec<Diagnostic>) {
    let span = frontmatter.span("name");
    let Some(name) = frontmatter.text("name").filter(|name| !name.is_empty()) else {
        diagnostics.push(rules::NAME_MISSING.diagnostic(span, "the skill has no `name`".to_owned()));
        return;
    };
    if !matches!(frontmatter.get("name"), Some(Value::String(_))) {
        diagnostics
            .push(rules::NAME_NOT_TEXT.diagnostic(span, format!("the name reads as `{name}`, not as text")));
    }
    let name: String = name.nfkc().collect();
    let length = name.chars().count();
    if length > MAX_NAME {
        diagnostics.push(
            rules::NAME_TOO_LONG
                .diagnostic(span, format!("the name has {length} characters, {MAX_NAME} are allowed")),
        );
    }
    let allowed = |next: char| next == '-' || (next.is_alphanumeric() && !next.is_uppercase());
    if let Some(bad) = name.chars().find(|next| !allowed(*next)) {
        diagnostics
            .push(rules::NAME_CHARACTERS.diagnostic(span, format!("the name `{name}` contains {bad:?}")));
    } else if !name.is_ascii() {
        diagnostics.push(
            rules::NAME_NOT_ASCII.diagnostic(span, format!("the name `{name}` has letters outside ASCII")),
        );
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        diagnostics
            .push(rules::NAME_HYPHENS.diagnostic(span, format!("the hyphens of `{name}` are misplaced")));
    }
    if let Some(folder) = folder {
        let normal: String = folder.nfkc().collect();
        if normal != name {
            diagnostics.push(
                rules::NAME_FOLDER
                    .diagnostic(span, format!("the name is `{name}`, the folder is `{folder}`")),
            );
        }
    }
}

fn check_description(frontmatter: &Frontmatter, diagnostics: &mut Vec<Diagnostic>) {
    let span = frontmatter.span("description");
    // A missing description is reported by the caller, which knows whether one may be derived.
    let Some(description) = frontmatter.text("description") else {
        return;
    };
    if !matches!(frontmatter.get("description"), Some(Value::String(_))) {
        diagnostics
            .push(rules::DESCRIPTION_NOT_TEXT.diagnostic(span, "the description is not text".to_owned()));
    }
    let length = description.chars().count();
    if length > MAX_DESCRIPTION {
        diagnostics.push(rules::DESCRIPTION_TOO_LONG.diagnostic(
            span,
            format!("the description has {length} characters, {MAX_DESCRIPTION} are allowed"),
        ));
    }
}

fn check_optional_text(frontmatter: &Frontmatter, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(license) = frontmatter.get("license")
        && !license.is_string()
    {
        diagnostics.push(
            rules::LICENSE_NOT_TEXT
                .diagnostic(frontmatter.span("license"), "`license` is not text".to_owned()),
        );
    }
    let span = frontmatter.span("compatibility");
    match frontmatter.get("compatibility") {
        None => {}
        Some(Value::String(text)) => {
            let length = text.chars().count();
            if length == 0 || length > MAX_COMPATIBILITY {
                diagnostics.push(rules::COMPATIBILITY_LENGTH.diagnostic(
                    span,
                    format!("`compatibility` has {length} characters, 1 to {MAX_COMPATIBILITY} are allowed"),
                ));
            }
        }
        Some(_) => diagnostics
            .push(rules::COMPATIBILITY_NOT_TEXT.diagnostic(span, "`compatibility` is not text".to_owned())),
    }
    if matches!(frontmatter.get("allowed-tools"), Some(Value::Array(_))) {
        diagnostics.push(
            rules::ALLOWED_TOOLS_LIST
                .diagnostic(frontmatter.span("allowed-tools"), "`allowed-tools` is a list".to_owned()),
        );
    }
}

fn check_metadata(frontmatter: &Frontmatter, diagnostics: &mut Vec<Diagnostic>) {
    let nested = match frontmatter.get("metadata") {
        Some(Value::Object(map)) => map.values().any(|value| !value.is_string()),
        // JSON in a string is nested metadata in another coat.
        Some(Value::String(_)) => true,
        _ => false,
    };
    if nested {
        diagnostics.push(
            rules::METADATA_NESTED
                .diagnostic(frontmatter.key_span("metadata"), "`metadata` has nested values".to_owned()),
        );
    }
}

fn check_fields(frontmatter: &Frontmatter, diagnostics: &mut Vec<Diagnostic>) {
    for key in frontmatter.keys() {
        if SPECIFIED.contains(&key) {
            continue;
        }
        let is_known = KNOWN_EXTENSIONS.contains(&key) || key.starts_with("description_");
        let (rule, what) = if is_known {
            (rules::FIELD_EXTENSION, "an extension of the specification")
        } else {
            (rules::FIELD_UNKNOWN, "no known field")
        };
        diagnostics.push(rule.diagnostic(frontmatter.key_span(key), format!("`{key}` is {what}")));
    }
}
