//! What has to be watched for a view.

use prowess_config::Places;
use prowess_fs::{Reach, WatchTarget};

use crate::engine::{Blueprint, Engine};

/// Where a skill says which installation it came from.
const BESIDE_SKILLS: &[&str] = &[".openclaw"];

/// Every root, the plugins' manifests, and the workspace's config.
pub(super) fn of_view(blueprint: &Blueprint) -> Vec<WatchTarget> {
    let skills = blueprint.plans.iter().map(|plan| WatchTarget {
        path: plan.source.root.clone(),
        reach: Reach::Skills { rules: Box::new(plan.walk.clone()), beside: BESIDE_SKILLS },
    });
    let folders = &blueprint.plugin_folders;
    let plugins = [&folders.named, &folders.owned, &folders.workspace].into_iter().flatten();
    let plugins =
        plugins.map(|folder| WatchTarget { path: folder.clone(), reach: Reach::Folders { depth: 1 } });
    let config = WatchTarget { path: Places::project_config(&blueprint.workspace), reach: Reach::File };
    skills.chain(plugins).chain([config]).collect()
}

/// The user's config.
pub(super) fn of_engine(engine: &Engine) -> WatchTarget {
    WatchTarget { path: engine.places().config_file.clone(), reach: Reach::File }
}
