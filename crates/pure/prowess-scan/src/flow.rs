//! The destinations of keys: the variable of a well-known service and the host it is used with.

use crate::address::{addresses, is_local, registered};
use crate::blocks::{Kind, Kinds};
use crate::manifest::Manifest;
use crate::observe::{Observed, Sighting};
use crate::rules::exfiltration::VENDOR_KEY;
use crate::rules::words::{FETCH, SEND, TOLD_TO_SEND};
use crate::signal::Signal;

/// Variables by how they begin, and the hosts they belong to.
const OWNERS: &[(&str, &[&str])] = &[
    ("openai_", &["openai.com", "azure.com"]),
    ("anthropic_", &["anthropic.com"]),
    ("github_", &["github.com", "githubusercontent.com", "ghcr.io", "githubcopilot.com"]),
    ("gh_", &["github.com", "githubusercontent.com", "ghcr.io", "githubcopilot.com"]),
    ("aws_", &["amazonaws.com", "amazon.com", "aws.dev"]),
    ("gemini_", &["googleapis.com", "google.com"]),
    ("google_", &["googleapis.com", "google.com"]),
    ("slack_", &["slack.com"]),
    ("stripe_", &["stripe.com"]),
    ("npm_", &["npmjs.org", "npmjs.com"]),
    ("huggingface", &["huggingface.co", "hf.co", "hf.space"]),
    ("hf_", &["huggingface.co", "hf.co", "hf.space"]),
    ("telegram_", &["telegram.org"]),
    ("discord_", &["discord.com", "discordapp.com"]),
    ("openclaw_", &[]),
    ("clawdbot_", &[]),
    ("database_", &[]),
];

/// Places where a key of one service meets only hosts of others.
pub(crate) fn foreign_keys(text: &str, observed: &Observed<'_>, manifest: &Manifest) -> Vec<Sighting> {
    let mut found = Vec::new();
    for sighting in observed.sight_within(VENDOR_KEY, &(0..observed.blocks.len()), Kinds::ANY) {
        let block = &observed.blocks[sighting.block];
        let uses: &[Signal] = match block.kind {
            Kind::Code | Kind::Script => &[SEND, FETCH],
            Kind::Prose | Kind::Hidden | Kind::Front | Kind::Data => &[TOLD_TO_SEND],
        };
        let is_used = uses.iter().any(|signal| observed.sight(*signal, sighting.block).is_some());
        if !is_used || !sighting.is_meant {
            continue;
        }
        let name = text[sighting.start..sighting.end].to_ascii_lowercase();
        let is_declared = manifest.variables.iter().any(|declared| declared.eq_ignore_ascii_case(&name));
        let Some((_, owners)) =
            OWNERS.iter().find(|(prefix, _)| name.starts_with(prefix)).filter(|_| !is_declared)
        else {
            continue;
        };
        let hosts: Vec<String> = addresses(&text[block.range.clone()])
            .map(|address| address.host.to_ascii_lowercase())
            .filter(|host| host.contains('.') && !host.contains(['$', '{', '<']) && !is_local(host))
            .collect();
        if !hosts.is_empty() && !hosts.iter().any(|host| owners.contains(&registered(host))) {
            found.push(sighting);
        }
    }
    found
}
