//! Fields of Claude Code, Codex and Hermes, typed where their documentation defines them.
//!
//! They are kept and passed on; none of them changes whether a skill loads.

use prowess_types::{Dialect, EnvVarRequirement, Extensions};
use serde_json::Value;

use crate::frontmatter::Frontmatter;
use crate::values::{list, non_blank, patterns};

/// Reads the typed extension fields.
pub(crate) fn read(frontmatter: &Frontmatter) -> Extensions {
    let text = |key: &str| frontmatter.text(key).and_then(|text| non_blank(&text));
    let metadata = frontmatter.get("metadata").and_then(Value::as_object);
    let hermes = metadata.and_then(|metadata| metadata.get("hermes")).and_then(Value::as_object);
    let hermes_list = |key: &str| list(hermes.and_then(|hermes| hermes.get(key)), Dialect::Prowess);
    let activation = frontmatter.get("activation").and_then(Value::as_object);
    let activation_list =
        |key: &str| list(activation.and_then(|activation| activation.get(key)), Dialect::Prowess);
    Extensions {
        license: text("license"),
        compatibility: text("compatibility"),
        allowed_tools: patterns(frontmatter.get("allowed-tools")),
        when_to_use: text("when_to_use"),
        argument_hint: text("argument-hint"),
        arguments: patterns(frontmatter.get("arguments")),
        model: text("model"),
        effort: text("effort"),
        context: text("context"),
        agent: text("agent"),
        paths: list(frontmatter.get("paths"), Dialect::Prowess),
        shell: text("shell"),
        has_hooks: frontmatter.get("hooks").is_some_and(|hooks| !hooks.is_null()),
        short_description: metadata
            .and_then(|metadata| metadata.get("short-description"))
            .and_then(Value::as_str)
            .and_then(non_blank),
        platforms: list(frontmatter.get("platforms"), Dialect::Prowess),
        required_environment_variables: variables(frontmatter.get("required_environment_variables")),
        tags: hermes_list("tags"),
        category: hermes
            .and_then(|hermes| hermes.get("category"))
            .and_then(Value::as_str)
            .and_then(non_blank),
        requires_toolsets: hermes_list("requires_toolsets"),
        fallback_for_toolsets: hermes_list("fallback_for_toolsets"),
        requires_tools: hermes_list("requires_tools"),
        fallback_for_tools: hermes_list("fallback_for_tools"),
        activation_keywords: activation_list("keywords"),
        activation_patterns: activation_list("patterns"),
        activation_tags: activation_list("tags"),
        localized_descriptions: frontmatter
            .keys()
            .filter_map(|key| Some((key.strip_prefix("description_")?.to_owned(), text(key)?)))
            .collect(),
    }
}

/// Names, or mappings with a name.
fn variables(value: Option<&Value>) -> Vec<EnvVarRequirement> {
    let Some(Value::Array(items)) = value else {
        return Vec::new();
    };
    items
        .iter()
        .filter_map(|item| {
            let text = |key: &str| item.get(key).and_then(Value::as_str).and_then(non_blank);
            let name = item.as_str().and_then(non_blank).or_else(|| text("name"))?;
            Some(EnvVarRequirement {
                name,
                prompt: text("prompt"),
                help: text("help"),
                required_for: text("required_for"),
            })
        })
        .collect()
}
