//! `agents/openai.yaml`: what a skill tells Codex.
//!
//! It fails open: a file that cannot be read says nothing, and a part of the wrong type is left out, because no
//! other harness knows the file.

use prowess_types::{CodexDependencies, CodexInterface, CodexPolicy, CodexSettings, Dialect};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{scalar, yaml};

/// Reads the file; none if it is not a YAML mapping.
///
/// ```
/// let settings = prowess_skill::parse_codex(b"interface:\n  display_name: Weather\npolicy: 5\n");
/// assert_eq!(settings.and_then(|settings| settings.interface.display_name).as_deref(), Some("Weather"));
/// ```
pub fn parse_codex(bytes: &[u8]) -> Option<CodexSettings> {
    let node = yaml::parse(std::str::from_utf8(bytes).ok()?).ok()??;
    let value = scalar::to_value(&node, Dialect::Prowess);
    value.is_object().then(|| CodexSettings {
        interface: part::<CodexInterface>(&value, "interface"),
        dependencies: part::<CodexDependencies>(&value, "dependencies"),
        policy: part::<CodexPolicy>(&value, "policy"),
    })
}

fn part<T: DeserializeOwned + Default>(value: &Value, key: &str) -> T {
    value.get(key).and_then(|part| serde_json::from_value(part.clone()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_read_and_none_is_needed() {
        let text = concat!(
            "interface:\n  display_name: W\n  short_description: s\n  icon_small: a.png\n  default_prompt: go\n",
            "dependencies:\n  tools:\n    - type: mcp\n      value: maps\n      transport: stdio\n      command: run\n",
            "policy:\n  allow_implicit_invocation: false\n  products: [cli]\n",
        );
        let settings = parse_codex(text.as_bytes()).expect("a mapping");
        assert_eq!(settings.interface.icon_small.as_deref(), Some("a.png"));
        assert_eq!(settings.dependencies.tools[0].value.as_deref(), Some("maps"));
        assert_eq!(settings.policy.allow_implicit_invocation, Some(false));
        assert_eq!(settings.policy.products, ["cli"]);
        assert_eq!(parse_codex(b"{}"), Some(CodexSettings::default()));
        for bad in [&b"- a"[..], b"a: [", b"\xFF", b""] {
            assert_eq!(parse_codex(bad), None);
        }
    }
}
