//! The engine's block under `metadata`: requirements, display, install options, triggers.

use prowess_types::{Diagnostic, Dialect, Metadata, Requirements, Span, Triggers};
use serde_json::{Map, Value};

use crate::frontmatter::Frontmatter;
use crate::values::{list, non_blank, phrases, string};
use crate::{install, rules};

/// Namespaces that are read, best first. The first one that is there wins whole.
const NAMESPACES: [&str; 5] = ["prowess", "openclaw", "clawdbot", "moltbot", "clawdis"];
const OPENCLAW_NAMESPACES: [&str; 2] = ["openclaw", "clawdbot"];

/// Reads `metadata`, with the display fields that may also stand at the top level.
pub(crate) fn read(
    frontmatter: &Frontmatter,
    dialect: Dialect,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Metadata, Requirements) {
    let span = frontmatter.span("metadata");
    let root = root(frontmatter, dialect, span, diagnostics);
    let mut metadata = Metadata::default();
    let mut triggers = Triggers::default();
    let mut requirements = Requirements::default();
    if let Some(root) = &root {
        if let Some((namespace, block)) = block(root, dialect, span, diagnostics) {
            metadata.namespace = Some(namespace.to_owned());
            read_block(&block, dialect, span, &mut metadata, &mut requirements, diagnostics);
            add_triggers(block.get("triggers"), dialect, &mut triggers);
        }
        add_triggers(root.get("triggers"), dialect, &mut triggers);
    }
    if dialect == Dialect::Prowess {
        add_triggers(frontmatter.get("triggers"), dialect, &mut triggers);
    }
    metadata.triggers = triggers.into();
    // The first of these that is given wins, even if it is blank.
    metadata.emoji = metadata.emoji.or_else(|| frontmatter.text("emoji")).filter(|emoji| !emoji.is_empty());
    metadata.homepage = metadata
        .homepage
        .or_else(|| ["homepage", "website", "url"].iter().find_map(|key| frontmatter.text(key)))
        .and_then(|homepage| non_blank(&homepage));
    (metadata, requirements)
}

/// `metadata` as a map: text is JSON or JSON5, a one-line collection is tried as JSON5 as it was written.
fn root(
    frontmatter: &Frontmatter,
    dialect: Dialect,
    span: Option<Span>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Map<String, Value>> {
    let value = frontmatter.get("metadata")?;
    let read = match (frontmatter.raw_text("metadata"), value) {
        (Some(raw), _) => match json5(raw) {
            Some(read) => Some(read),
            None if dialect == Dialect::Openclaw => {
                diagnostics.push(rules::METADATA_FLOW_IGNORED.diagnostic(
                    span,
                    "one-line metadata that is neither JSON nor JSON5 is ignored".to_owned(),
                ));
                return None;
            }
            None => Some(value.clone()),
        },
        (None, Value::Null) => return None,
        (None, Value::String(text)) => json5(text),
        (None, value) => Some(value.clone()),
    };
    match read {
        Some(Value::Object(map)) => Some(map),
        Some(_) => {
            diagnostics
                .push(rules::METADATA_NOT_A_MAP.diagnostic(span, "`metadata` is not a mapping".to_owned()));
            None
        }
        None => {
            diagnostics.push(
                rules::METADATA_UNREADABLE
                    .diagnostic(span, "`metadata` is neither a mapping nor JSON5".to_owned()),
            );
            None
        }
    }
}

fn json5(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| prowess_json5::to_value(text).ok())
}

/// The first namespace whose value is an object. For OpenClaw a list counts as an object, and hides the rest.
fn block<'a>(
    root: &'a Map<String, Value>,
    dialect: Dialect,
    span: Option<Span>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(&'static str, std::borrow::Cow<'a, Map<String, Value>>)> {
    use std::borrow::Cow;

    let namespaces: &[&'static str] = match dialect {
        Dialect::Prowess => &NAMESPACES,
        Dialect::Openclaw => &OPENCLAW_NAMESPACES,
        Dialect::Openpocket => &NAMESPACES[1..2],
    };
    let mut present = namespaces.iter().filter_map(|name| match root.get(*name) {
        Some(Value::Object(map)) => Some((*name, Cow::Borrowed(map))),
        Some(Value::Array(_)) if dialect == Dialect::Openclaw => Some((*name, Cow::Owned(Map::new()))),
        _ => None,
    });
    let first = present.next()?;
    if let Some((other, _)) = present.next() {
        diagnostics.push(rules::METADATA_SEVERAL.diagnostic(
            span,
            format!("`metadata.{}` is used; `metadata.{other}` is not looked at", first.0),
        ));
    }
    Some(first)
}

fn read_block(
    block: &Map<String, Value>,
    dialect: Dialect,
    span: Option<Span>,
    metadata: &mut Metadata,
    requirements: &mut Requirements,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut expect = |key: &str, fits: bool, wanted: &str| {
        if block.contains_key(key) && !fits {
            diagnostics.push(
                rules::METADATA_FIELD_TYPE
                    .diagnostic(span, format!("`{key}` is ignored: it is not {wanted}")),
            );
        }
    };
    let is = |key: &str, test: fn(&Value) -> bool| block.get(key).is_some_and(test);
    for key in ["emoji", "homepage", "primaryEnv", "skillKey"] {
        expect(key, is(key, Value::is_string), "text");
    }
    expect("always", is("always", Value::is_boolean), "true or false");
    expect("requires", is("requires", Value::is_object), "a mapping");
    expect("install", is("install", Value::is_array), "a list");
    expect("os", is("os", |os| os.is_array() || os.is_string()), "a list");

    metadata.always = block.get("always") == Some(&Value::Bool(true));
    metadata.emoji = string(block, "emoji").map(str::to_owned);
    metadata.homepage = string(block, "homepage").map(str::to_owned);
    metadata.primary_env = string(block, "primaryEnv").map(str::to_owned);
    metadata.skill_key = string(block, "skillKey").and_then(non_blank);
    let declared = install::declared(block.get("install"), dialect, span, diagnostics);
    metadata.install = declared.specs.into();
    metadata.refused_installs = declared.refused.into();

    let empty = Map::new();
    let requires = match block.get("requires") {
        Some(Value::Object(requires)) => {
            metadata.requires_declared = true;
            requires
        }
        // A list has no `bins`, but it is an object all the same.
        Some(Value::Array(_)) => {
            metadata.requires_declared = true;
            &empty
        }
        _ => &empty,
    };
    requirements.bins = list(requires.get("bins"), dialect);
    requirements.any_bins = list(requires.get("anyBins"), dialect);
    requirements.env = list(requires.get("env"), dialect);
    requirements.config = list(requires.get("config"), dialect);
    requirements.os = list(block.get("os"), dialect);
}

/// Trigger phrases of one field.
pub(crate) fn triggers(value: Option<&Value>, dialect: Dialect) -> Triggers {
    let mut triggers = Triggers::default();
    add_triggers(value, dialect, &mut triggers);
    triggers
}

/// A list of phrases, or `{any, all, none}`.
fn add_triggers(value: Option<&Value>, dialect: Dialect, triggers: &mut Triggers) {
    match value {
        Some(Value::Object(map)) => {
            triggers.any.extend(phrases(map.get("any"), dialect));
            triggers.all.extend(phrases(map.get("all"), dialect));
            triggers.none.extend(phrases(map.get("none"), dialect));
        }
        other => triggers.any.extend(phrases(other, dialect)),
    }
}
