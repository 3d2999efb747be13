//! What was done, in twelve digits: two runs with the same fingerprint did the same kind of thing.
//!
//! Of a phone's step counts the app and the type of action, with the package or the capability where there is one:
//! exactly as OpenPocket counts it. Of another agent's call counts the tool, and of a shell also the programs. What was
//! typed, where, and what came of it never counts.

use prowess_types::ContentHash;
use sha2::{Digest as _, Sha256};

use crate::action::programs;
use crate::episode::EpisodeStep;

/// As many steps count.
pub(crate) const COUNTED: usize = 25;
/// Hexadecimal digits.
const DIGITS: usize = 12;

/// The fingerprint of steps.
///
/// ```
/// assert_eq!(prowess_forge::fingerprint(&[]), "e3b0c44298fc");
/// ```
pub fn fingerprint(steps: &[EpisodeStep]) -> String {
    let hash: [u8; 32] = Sha256::digest(preimage(steps)).into();
    ContentHash(hash).to_string()[..DIGITS].to_owned()
}

/// What the fingerprint is the hash of.
pub fn preimage(steps: &[EpisodeStep]) -> String {
    steps.iter().take(COUNTED).map(one).collect::<Vec<_>>().join("|")
}

fn one(step: &EpisodeStep) -> String {
    let app = match step.app.as_deref() {
        Some("") => "?",
        Some(app) => app,
        // An imported phone session calls an app that nobody knew `unknown`.
        None if step.is_phone => "unknown",
        None => "?",
    };
    format!("{app}:{}", detail(step))
}

fn detail(step: &EpisodeStep) -> String {
    let with = |name: &str| {
        let value = step.input.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
        format!("{}:{value}", step.kind)
    };
    match step.kind.as_str() {
        "launch_app" if step.is_phone => with("packageName"),
        "request_human_auth" if step.is_phone => with("capability"),
        kind if step.is_phone => kind.to_owned(),
        kind => match programs(step) {
            programs if programs.is_empty() => kind.to_owned(),
            programs => format!("{kind}:{}", programs.join("+")),
        },
    }
}
