//! Install specs: which declared ways to install survive.
//!
//! Every value ends up on a command line or in a request, so each kind has a closed grammar. What does not
//! fit is dropped with a diagnostic, never passed on.

use prowess_types::{
    Diagnostic, Dialect, DownloadRecipe, InstallKind, InstallRecipe, InstallSpec, RefusedInstall, Span,
};
use serde_json::{Map, Value};

use crate::rules;
use crate::values::{list, non_blank, string};

/// A longer value of a refused option is cut, in UTF-16 units.
const MAX_SHOWN: usize = 120;

/// The declared ways to install.
#[derive(Default)]
pub(crate) struct DeclaredInstalls {
    /// Those that may be used.
    pub(crate) specs: Vec<InstallSpec>,
    /// Those that may not, each with the reason.
    pub(crate) refused: Vec<RefusedInstall>,
}

/// Reads the `install` list.
pub(crate) fn declared(
    value: Option<&Value>,
    dialect: Dialect,
    span: Option<Span>,
    diagnostics: &mut Vec<Diagnostic>,
) -> DeclaredInstalls {
    let mut declared = DeclaredInstalls::default();
    let items = match value {
        Some(Value::Array(items)) => items.as_slice(),
        None | Some(Value::Null) => &[],
        Some(_) => {
            declared.refused.push(RefusedInstall {
                place: 1,
                reason: "`install` is not a list".to_owned(),
                help: "write a list of options, such as `- {kind: brew, formula: jq}`".to_owned(),
                ..RefusedInstall::default()
            });
            &[]
        }
    };
    for (index, item) in items.iter().enumerate() {
        let problem = match spec(item, dialect) {
            Ok(spec) => {
                declared.specs.push(spec);
                continue;
            }
            Err(problem) => problem,
        };
        let (rule, what, reason) = match problem {
            Problem::Kind(kind) if kind.trim().is_empty() => {
                (rules::INSTALL_KIND, "has no kind".to_owned(), "it has no `kind`".to_owned())
            }
            Problem::Kind(kind) => {
                let what = format!("the unknown kind `{kind}`");
                (rules::INSTALL_KIND, format!("has {what}"), format!("it has {what}"))
            }
            Problem::Value(value) => (rules::INSTALL_VALUE, format!("is refused: {value}"), value),
        };
        let diagnostic = rule.diagnostic(span, format!("install option {index} {what}"));
        declared.refused.push(refused(item, index, reason, diagnostic.help.clone()));
        diagnostics.push(diagnostic);
    }
    declared
}

fn refused(item: &Value, index: usize, reason: String, help: Option<String>) -> RefusedInstall {
    let text = |key: &str| item.as_object().and_then(|map| string(map, key)).and_then(non_blank);
    RefusedInstall {
        id: text("id"),
        kind: text("kind").or_else(|| text("type")).map(|kind| shown(&kind)).unwrap_or_default(),
        place: index + 1,
        reason,
        help: help.unwrap_or_default(),
    }
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
    let kind = kind(word, dialect).ok_or_else(|| Problem::Kind(shown(word)))?;
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
        let given: Vec<(&str, String)> =
            keys.iter().filter_map(|key| Some((*key, string(map, key).and_then(non_blank)?))).collect();
        let accepted = given.iter().find(|(_, value)| accepts(value));
        accepted.map(|(_, value)| InstallRecipe::Package(value.clone())).ok_or_else(|| {
            Problem::Value(match given.first() {
                Some((key, value)) => objection(key, value),
                None if keys.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_string())) => {
                    format!("`{}` is not text", keys.join("` or `"))
                }
                None => format!("`{}` is missing", keys.join("` or `")),
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
    let url = normalise_url(url).ok_or_else(|| {
        Problem::Value(match url.trim() {
            "" => "`url` is missing".to_owned(),
            url => format!("the `url` `{}` is not an http or https address", shown(url)),
        })
    })?;
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

/// The reason a name is refused: it would be more than one plain word on a command line.
fn objection(key: &str, value: &str) -> String {
    let what = format!("the {key} `{}`", shown(value));
    let stray =
        value.chars().find(|letter| !letter.is_ascii_alphanumeric() && !"@+._/~^=<>![],-".contains(*letter));
    if value.starts_with('-') {
        format!("{what} begins with `-`, so the installer would read it as an option")
    } else if value.contains("://") || value.contains("git+") {
        format!("{what} is an address; the name of a {key} is expected")
    } else if value.contains(char::is_whitespace) {
        format!("{what} has a blank, so it would be more than one argument")
    } else if let Some(stray) = stray {
        format!("{what} has `{}`, which no name of a {key} has", stray.escape_debug())
    } else if value.contains("..") {
        format!("{what} has `..`, so it could lead to another place")
    } else if value.contains(['<', '>', '=', '~', '!', '^']) {
        format!("{what} is a range of versions; one version or none is expected")
    } else {
        format!("{what} is not a name that the installer takes")
    }
}

/// A value as it stands in a message: not endless, and in one line.
fn shown(value: &str) -> String {
    prowess_text::shorten_utf16(&prowess_text::printable(value.trim()), MAX_SHOWN)
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
