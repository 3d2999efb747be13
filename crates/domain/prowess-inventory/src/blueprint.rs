//! The plan of an inventory: which agent, which workspace, which config, which roots under which rules.

use std::path::{Path, PathBuf};

use prowess_config::{Agent, Config, ConfigIssue, FileNameMatch, Place, Places, RootContext, RootSpec};
use prowess_context::{Context, ContextError, read_config};
use prowess_fs::WalkRules;
use prowess_types::{Loss, Source, SpecMode};

use crate::load::RootPlan;
use crate::plugins::{self, PluginFolders};

/// The inputs of an inventory, before any root is read.
pub struct Blueprint {
    /// The agent.
    pub agent: Agent,
    /// Its workspace.
    pub workspace: PathBuf,
    /// The user's config with that of the workspace on top.
    pub config: Config,
    /// The roots to load, in their order.
    pub plans: Vec<RootPlan>,
    /// The folders that were looked at for plugins.
    pub plugin_folders: PluginFolders,
    /// Plugins that cannot be used.
    pub losses: Vec<Loss>,
    /// The reason the workspace's own config could not be read.
    pub problem: Option<ConfigIssue>,
}

/// Returns the inputs of an inventory. A workspace's config that cannot be read is replaced by the last one that
/// could.
pub fn blueprint(
    context: &Context,
    agent: Option<&str>,
    last_good_config: &mut Option<String>,
) -> Result<Blueprint, ContextError> {
    let agent = context.config().agent(agent)?;
    let workspace = context.places().workspace(context.config(), &agent);
    let file = Places::project_config(&workspace);
    let text = read_config(&file)?;
    let (mut config, issues) = context.config().clone().with_project(text.as_deref(), &file);
    let problem = issues.into_iter().find(ConfigIssue::is_fatal);
    match (&problem, &last_good_config) {
        (Some(_), Some(good)) => config = context.config().clone().with_project(Some(good), &file).0,
        (Some(_), None) => {}
        (None, _) => *last_good_config = text,
    }
    let bundled = context.bundled()?.map(|(folder, _)| folder);
    let roots =
        RootContext { config: &config, agent: &agent, workspace: &workspace, bundled: bundled.as_deref() };
    let mut losses = Vec::new();
    let plans = plans(context, &roots, &mut losses);
    let plugin_folders = plugin_folders(context, &roots);
    Ok(Blueprint { agent, workspace, config, plans, plugin_folders, losses, problem })
}

/// The plans of one kind of root.
pub(crate) fn plans_of(context: &Context, place: Place, roots: &RootContext<'_>) -> Vec<RootPlan> {
    let specs = context.profile().roots.iter().filter(|spec| spec.place == place);
    specs
        .flat_map(|spec| context.places().roots(place, *roots).into_iter().map(move |root| (spec, root)))
        .enumerate()
        .map(|(rank, (spec, root))| plan(context, spec, root, None, rank, roots))
        .collect()
}

/// One plan per root, lowest rank first.
fn plans(context: &Context, roots: &RootContext<'_>, losses: &mut Vec<Loss>) -> Vec<RootPlan> {
    let mut plans = Vec::new();
    for spec in context.profile().roots {
        if spec.place == Place::Plugins {
            // The first plugin has precedence over the next, so it comes last.
            for root in plugin_roots(context, roots, spec.label, losses).into_iter().rev() {
                plans.push(plan(context, spec, root.root, Some(root.plugin), plans.len(), roots));
            }
        } else {
            for root in context.places().roots(spec.place, *roots) {
                plans.push(plan(context, spec, root, None, plans.len(), roots));
            }
        }
    }
    plans
}

fn plugin_roots(
    context: &Context,
    roots: &RootContext<'_>,
    label: &str,
    losses: &mut Vec<Loss>,
) -> Vec<plugins::PluginRoot> {
    plugins::roots(&plugin_folders(context, roots), &roots.config.plugins(), label, losses)
}

fn plugin_folders(context: &Context, roots: &RootContext<'_>) -> PluginFolders {
    let in_folder = |names: &[&str], folder: &Path| names.iter().map(|name| folder.join(name)).collect();
    let named = roots.config.plugins().paths;
    PluginFolders {
        named: named.iter().map(|path| context.places().expand(path)).collect(),
        owned: in_folder(context.profile().plugin_folders, &context.places().state),
        workspace: in_folder(context.profile().workspace_plugin_folders, roots.workspace),
    }
}

fn plan(
    context: &Context,
    spec: &RootSpec,
    root: PathBuf,
    plugin: Option<String>,
    rank: usize,
    roots: &RootContext<'_>,
) -> RootPlan {
    let limits = roots.agent.limits;
    let spec_mode = roots.config.spec_mode();
    let targets = roots.config.load().allow_symlink_targets;
    let cap = context.profile().load_cap;
    let candidates = cap.unwrap_or(limits.max_candidates_per_root);
    RootPlan {
        rank,
        walk: WalkRules {
            descent: context.profile().descent,
            lone_files: matches!(spec_mode, SpecMode::Legacy | SpecMode::Mixed),
            any_case_skill_md: context.profile().skill_file == FileNameMatch::AnyCase,
            max_depth: spec.max_depth,
            max_depth_in_skills_folder: spec.max_depth_in_skills_folder,
            links: spec.links,
            loops: context.profile().link_loops,
            allowed_targets: targets.iter().map(|path| context.places().expand(path)).collect(),
            hard_links_allowed: spec.hard_links_allowed,
            bundled: matches!(spec.place, Place::Bundled | Place::Custodian),
            always_container: spec.place == Place::Workshop,
            max_candidates: candidates,
            max_entries_per_folder: candidates
                .saturating_mul(10)
                .max(1_000)
                .min(context.profile().raw_entry_cap),
            // Under a cap, folders that only group skills are far fewer than the skills.
            max_folders: cap.map_or(candidates.saturating_mul(6), |cap| cap.saturating_mul(2)),
        },
        published: plugin
            .as_ref()
            .and(context.profile().plugin_links)
            .map(|name| context.places().state.join(name)),
        parse: prowess_skill::ParseOptions { dialect: context.profile().dialect, spec_mode },
        max_file_bytes: limits.max_skill_file_bytes as u64,
        max_skills: cap.unwrap_or(limits.max_skills_loaded_per_source),
        is_capped: cap.is_some(),
        source: Source { tier: spec.tier, label: spec.label.to_owned(), root, plugin },
    }
}
