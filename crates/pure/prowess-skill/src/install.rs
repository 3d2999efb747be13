//! Install specs: which declared ways to install survive.
//!
//! Every value ends up on a command line or in a request, so each kind has a closed grammar. What does not
//! fit is dropped with a diagnostic, never passed on.

use prowess_types::{Diagnostic, Dialect, DownloadRecipe, InstallKind, InstallRecipe, InstallSpec, Span};
use serde_json::{Map, Value};

use crate::rules;
use crate::values::{list, non_blank, string};

/// Reads the `install` list.
pub(crate) fn specs(
    value: Option<&Value>,
    dialect: Dialect,
    span: Option<Span>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<InstallSpec> {
    let Some(Value::Array(items)) = value else {
        return Vec::new();
    };
    items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| match spec(item, dialect) {
            Ok(spec) => Some(spec),
            Err(problem) => {
                let (rule, what) = match problem {
                    Problem::Kind(kind) => (rules::INSTALL_KIND, format!("has the unknown kind `{kind}`")),
                    Problem::Value(value) => (rules::INSTALL_VALUE, format!("is refused: {value}")),
                };
                diagnostics.push(rule.diagnostic(span, format!("install option {index} {what}")));
                None
            }
        })
        .collect()
}

enum Problem {
    Kind(String),
    Value(String),
}

fn spec(item: &Value, dialect: Dialect) -> Result<InstallSpec, Problem> {
    let Value::Object(map) = item else {
        return Err(Problem::Value("it is not a mapping".to_owned()));
    };
    let word = string(map, "kind").or_else(|| string(map, "type")).unwrap_or_default();
    let kind = kind(word, dialect).ok_or_else(|| Problem::Kind(word.to_owned()))?;
    Ok(InstallSpec {
        id: string(map, "id").and_then(non_blank),
        kind,
        label: string(map, "label").and_then(non_blank),
        bins: list(map.get("bins"), dialect),
        os: list(map.get("os"), dialect),
        recipe: recipe(kind, map)?,
    })
}

fn kind(word: &str, dialect: Dialect) -> Option<InstallKind> {
    let ours = dialect == Dialect::Prowess;
    Some(match word.trim().to_lowercase().as_str() {
        "brew" => InstallKind::Brew,
        "node" => InstallKind::Node,
        "go" => InstallKind::Go,
        "uv" => InstallKind::Uv,
        "download" => InstallKind::Download,
        "apt" if ours => InstallKind::Apt,
        "cargo" if ours => InstallKind::Cargo,
        "pipx" if ours => InstallKind::Pipx,
        _ => return None,
    })
}

fn recipe(kind: InstallKind, map: &Map<String, Value>) -> Result<InstallRecipe, Problem> {
    let package = |keys: &[&str], accepts: fn(&str) -> bool| {
        let given: Vec<String> =
            keys.iter().filter_map(|key| string(map, key)).filter_map(non_blank).collect();
        given.iter().find(|value| accepts(value)).cloned().map(InstallRecipe::Package).ok_or_else(|| {
            Problem::Value(match given.first() {
                Some(value) => format!("`{value}` is not a plain name"),
                None => format!("`{}` is missing", keys[0]),
            })
        })
    };
    match kind {
        InstallKind::Brew => package(&["formula", "cask"], is_formula),
        InstallKind::Node => package(&["package"], is_npm_package),
        InstallKind::Go => package(&["module"], is_go_module),
        InstallKind::Uv | InstallKind::Pipx => package(&["package"], is_python_requirement),
        InstallKind::Apt => package(&["package"], is_debian_package),
        InstallKind::Cargo => package(&["package", "crate"], is_crate),
        InstallKind::Download => download(map).map(InstallRecipe::Download),
    }
}

fn download(map: &Map<String, Value>) -> Result<DownloadRecipe, Problem> {
    let url = string(map, "url").unwrap_or_default();
    let url = normalise_url(url).ok_or_else(|| Problem::Value(format!("`{url}` is not a web address")))?;
    let sha256 = match map.get("sha256") {
        None => None,
        Some(value) => Some(
            value
                .as_str()
                .map(|digest| digest.trim().to_lowercase())
                .filter(|digest| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
                .ok_or_else(|| Problem::Value("`sha256` is not 64 hex digits".to_owned()))?,
        ),
    };
    Ok(DownloadRecipe {
        url,
        archive: string(map, "archive").and_then(non_blank),
        extract: map.get("extract").and_then(Value::as_bool),
        strip_components: map
            .get("stripComponents")
            .and_then(Value::as_u64)
            .and_then(|count| u32::try_from(count).ok()),
        target_dir: string(map, "targetDir").and_then(non_blank),
        sha256,
    })
}

/// `http` or `https`, no white space; scheme and host in lower case, a path of at least `/`.
fn normalise_url(url: &str) -> Option<String> {
    let url = url.trim();
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    if !matches!(scheme.as_str(), "http" | "https") || url.contains(char::is_whitespace) {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if host.is_empty() {
        return None;
    }
    let user = user.map(|user| format!("{user}@")).unwrap_or_default();
    let slash = if tail.starts_with('/') { "" } else { "/" };
    Some(format!("{scheme}://{user}{}{slash}{tail}", host.to_lowercase()))
}

/// Starts with a letter or a digit and goes on with those and `more`.
fn is_word(text: &str, more: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.chars().all(|next| next.is_ascii_alphanumeric() || more.contains(next))
}

fn is_formula(text: &str) -> bool {
    is_word(text, "@+._/-") && !text.contains("..")
}

/// A registry name in lower case, with an exact version or a tag; no ranges.
fn is_npm_package(text: &str) -> bool {
    let at = text.char_indices().skip(1).find(|(_, next)| *next == '@').map(|(index, _)| index);
    let (name, version) = match at {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let part = |part: &str| is_word(part, "._~-") && !part.contains(|next: char| next.is_ascii_uppercase());
    let name_ok = match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| part(scope) && part(name)),
        None => part(name),
    };
    name_ok && version.is_none_or(|version| is_word(version, "._+-"))
}

fn is_go_module(text: &str) -> bool {
    let part = |part: &str| is_word(part, "._~+-/");
    match text.split_once('@') {
        Some((path, version)) => part(path) && part(version),
        None => part(text),
    }
}

fn is_python_requirement(text: &str) -> bool {
    is_word(text, "._-[]=<>!~+,")
}

fn is_debian_package(text: &str) -> bool {
    is_word(text, "+.-")
}

fn is_crate(text: &str) -> bool {
    match text.split_once('@') {
        Some((name, version)) => is_word(name, "_-") && is_word(version, ".+-"),
        None => is_word(text, "_-"),
    }
}

#[cfg(test)]
#[path = "install_tests.rs"]
mod tests;
