//! What this machine can do, gathered once.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use prowess_config::Env;
use prowess_types::{BinRule, Facts, RemoteNode, Skill};
use serde_json::Value;

/// The platform, as Node names it.
pub fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

/// Looks for everything that these skills ask for, each name once.
pub(crate) fn gather<'a>(
    skills: impl Iterator<Item = &'a Skill>,
    env: &Env,
    rule: BinRule,
    config: Value,
    remotes: Vec<RemoteNode>,
) -> Facts {
    let wanted: BTreeSet<&str> = skills.flat_map(prowess_gate::requirement_names).collect();
    Facts {
        platform: platform().to_owned(),
        bins: find(wanted, env, rule),
        env: env.non_blank_names(),
        config,
        remotes,
    }
}

/// Those of the names that are programs here.
pub(crate) fn find<'a>(
    names: impl IntoIterator<Item = &'a str>,
    env: &Env,
    rule: BinRule,
) -> BTreeSet<String> {
    let path = OsStr::new(env.get("PATH").unwrap_or_default());
    prowess_fs::find_all_in_path(names, path, rule)
}
