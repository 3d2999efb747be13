//! The folders and files that have to be watched for a view.

use std::path::PathBuf;

use prowess_config::Places;
use prowess_context::Context;
use prowess_fs::{WatchReach, WatchTarget};
use prowess_inventory::{Blueprint, TrustDesk};

/// Folders in which a skill names the installation that it came from.
const BESIDE_SKILLS: &[&str] = &[".openclaw"];

/// Every root, the plugins' manifests, and the workspace's config.
pub(super) fn of_view(blueprint: &Blueprint) -> Vec<WatchTarget> {
    let skills = blueprint.plans.iter().map(|plan| WatchTarget {
        path: plan.source.root.clone(),
        reach: WatchReach::Skills { rules: Box::new(plan.walk.clone()), beside: BESIDE_SKILLS },
    });
    let folders = &blueprint.plugin_folders;
    let plugins = [&folders.named, &folders.owned, &folders.workspace].into_iter().flatten();
    let plugins =
        plugins.map(|folder| WatchTarget { path: folder.clone(), reach: WatchReach::Folders { depth: 1 } });
    let config = WatchTarget { path: Places::project_config(&blueprint.workspace), reach: WatchReach::File };
    skills.chain(plugins).chain([config]).collect()
}

/// Returns the targets of the user's settings for all skills.
pub(super) fn of_context(context: &Context) -> impl Iterator<Item = WatchTarget> {
    files_of_user(context).into_iter().map(|path| WatchTarget { path, reach: WatchReach::File })
}

/// The user's config, the answers about skills of cloned repositories, and what tells that a program was installed.
pub(super) fn files_of_user(context: &Context) -> [PathBuf; 3] {
    [context.places().config_file.clone(), TrustDesk::of(context).file(), context.installed_stamp()]
}
