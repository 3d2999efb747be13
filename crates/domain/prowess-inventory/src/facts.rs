//! The facts about this machine, gathered once.

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

/// Looks for everything that these skills ask for, each name once, in the folders of `path`.
pub(crate) fn gather<'a>(
    skills: impl Iterator<Item = &'a Skill>,
    env: &Env,
    path: &OsStr,
    rule: BinRule,
    config: Value,
    remotes: Vec<RemoteNode>,
) -> Facts {
    let wanted: BTreeSet<&str> = skills.flat_map(prowess_gate::requirement_names).collect();
    Facts {
        platform: platform().to_owned(),
        bins: prowess_fs::find_all_in_path(wanted, path, rule),
        env: env.non_blank_names(),
        config,
        remotes,
    }
}
