//! The table of known keys as documentation.

use prowess_types::ProfileName;

use crate::keys::KEYS;
use crate::kind::Kind;
use crate::schema::Key;
use crate::{Config, profile};

impl Config {
    /// Every known key as a Markdown table, for the reference.
    pub fn reference() -> String {
        let mut text = String::from("| key | type | default | meaning |\n|---|---|---|---|\n");
        for key in KEYS.iter().filter(|key| !key.doc.is_empty()) {
            text.push_str(&row(key));
        }
        text
    }
}

fn row(key: &Key) -> String {
    let older = key.aliases.iter().map(|alias| format!("; also read as `{alias}`"));
    let meaning = [key.doc.to_owned()].into_iter().chain(older).collect::<String>();
    let pattern = key.pattern.replace('*', "<name>");
    format!("| `{pattern}` | {} | {} | {meaning} |\n", kind(key.kind), default(key))
}

fn kind(kind: Kind) -> String {
    match kind {
        Kind::Opaque => "any".into(),
        other => other.describe().replace('|', "\\|"),
    }
}

/// The default, by profile where they differ.
fn default(key: &Key) -> String {
    let shown = |name: ProfileName| match key.default_value(profile(name)) {
        Some(value) => format!("`{}`", value.to_string().trim_matches('"')),
        None => "none".into(),
    };
    let own = shown(ProfileName::Prowess);
    let others = [(ProfileName::Openclaw, "openclaw"), (ProfileName::Openpocket, "openpocket")];
    let different: Vec<_> = others
        .into_iter()
        .filter(|(name, _)| shown(*name) != own)
        .map(|(name, label)| format!("{label}: {}", shown(name)))
        .collect();
    match (own.as_str(), different.is_empty()) {
        ("none", true) => String::new(),
        (_, true) => own,
        _ => format!("{own} ({})", different.join(", ")),
    }
}
