//! From loaded skills to an inventory: trust, requirements, precedence, limits.

use prowess_catalog::{MergeCandidate, MergeRules};
use prowess_config::{Agent, ApiKey, BlankVariable, Config, Place, RootContext, SecretReference};
use prowess_context::Context;
use prowess_gate::{AgentFilter, EntrySettings, InstallPreferences};
use prowess_text::posix_word;
use prowess_types::{Loss, ProfileName};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::blueprint::Blueprint;
use crate::catalog_settings::{CatalogSettings, Locations};
use crate::inventory::{self, Gate, Inventory, Rules};
use crate::list_limits::ListLimits;
use crate::load::Loaded;
use crate::{copies, facts, trust};

/// The inventory of what was loaded by a blueprint.
pub fn assemble(context: &Context, blueprint: &Blueprint, loaded: Loaded) -> Inventory {
    let Blueprint { config, agent, workspace, losses, .. } = blueprint;
    let mut losses = losses.clone();
    losses.extend(loaded.losses.iter().cloned());
    judge(context, config, agent, workspace.clone(), loaded, losses)
}

fn judge(
    context: &Context,
    config: &Config,
    agent: &Agent,
    workspace: PathBuf,
    loaded: Loaded,
    mut losses: Vec<Loss>,
) -> Inventory {
    let loaded = copies::without_copies(context, loaded, &mut losses);
    let (loaded, list_limits) = match context.profile().load_cap {
        Some(cap) => {
            let loaded = loaded.within_cap(cap, &mut losses);
            let limits = ListLimits::new(&loaded.candidates, agent.limits);
            (loaded, limits)
        }
        None => (loaded, ListLimits::default()),
    };
    let env = context.env();
    let trust = trust::judge(context, &workspace, &loaded.candidates);
    let path = context.program_path();
    let facts = facts::gather(
        loaded.candidates.iter().map(|candidate| candidate.skill.as_ref()),
        env,
        &path,
        context.profile().gate.bins,
        config.runtime_value(),
        context.remotes().to_vec(),
    );
    let filter = AgentFilter::new(agent.skills.as_deref());
    let install = config.install();
    let rules = Rules {
        merge: MergeRules {
            conflict: context.profile().conflict,
            key: context.profile().merge_key,
            order: context.profile().order,
        },
        gate: Gate { rules: context.profile().gate, allow_bundled: config.allow_bundled() },
        install: InstallPreferences {
            prefer_brew: install.prefer_brew,
            node_manager: install.node_manager,
            brew_on_path: prowess_fs::find_in_path("brew", &path, context.profile().gate.bins),
            os: context.profile().gate.os,
        },
        filter: filter.clone(),
        list_limits,
    };
    let candidates = trust.without_rivals(loaded.candidates, context.profile().merge_key, &mut losses);
    let settings = |candidate: &MergeCandidate| {
        let skill = &candidate.skill;
        let entry = config.entry(skill.key());
        let (env_names, has_api_key) =
            values(context, config, skill.key(), entry.has_api_key, entry.env_names);
        let (mode, mode_scope) = config.mode_of(&skill.name, skill.key(), agent);
        EntrySettings {
            enabled: entry.enabled,
            env_names,
            has_api_key,
            mode,
            mode_scope,
            secret_failed: false,
            trust: trust.of(candidate),
        }
    };
    let (entries, losses) = inventory::build(candidates, losses, &facts, &rules, settings);
    Inventory {
        profile: context.profile(),
        agent_id: agent.id.clone(),
        filter: filter.names().map(<[String]>::to_vec),
        foreign: trust.foreign,
        workspace,
        managed: context.places().managed(),
        entries,
        losses,
        facts,
        gate: rules.gate,
        settings: catalog_settings(context, config, agent),
    }
}

/// The configured variables that have a value, and true if the API key has one. Where a blank variable counts as absent,
/// a reference to one has none; other references count unread.
fn values(
    context: &Context,
    config: &Config,
    key: &str,
    has_api_key: bool,
    env_names: BTreeSet<String>,
) -> (BTreeSet<String>, bool) {
    if context.profile().blank_variable == BlankVariable::Set {
        return (env_names, has_api_key);
    }
    let has_value = |value: &ApiKey| match value {
        ApiKey::Reference(SecretReference { source, id: Some(id), .. }) if source == "env" => {
            context.env().trimmed(id).is_some()
        }
        ApiKey::Reference(_) | ApiKey::Literal(_) => true,
    };
    let has_api_key = has_api_key && config.api_key(key).is_some_and(|value| has_value(&value));
    if env_names.is_empty() {
        return (env_names, has_api_key);
    }
    let named = config.entry_env(key).into_iter().filter(|(_, value)| has_value(value));
    (named.map(|(name, _)| name).collect(), has_api_key)
}

fn catalog_settings(context: &Context, config: &Config, agent: &Agent) -> CatalogSettings {
    let home = &context.places().os_home;
    let homes = std::iter::once(home.clone()).chain(prowess_fs::real(home));
    let mut homes: Vec<String> = homes.map(|home| home.display().to_string()).collect();
    homes.sort_by_key(|home| std::cmp::Reverse(home.len()));
    CatalogSettings {
        rules: config.prompt_rules(agent),
        mode: config.system_prompt_mode(),
        select: config.prompt().select,
        homes,
        beyond_tilde: beyond_tilde(context, config, agent),
        audit_command: audit_command(context, agent),
        dialect: context.profile().dialect,
        reserved_commands: context.profile().reserved_commands,
        located: Locations::default(),
    }
}

/// Folders below the home that a model cannot reach by `~`, because a shell reads it as another folder.
fn beyond_tilde(context: &Context, config: &Config, agent: &Agent) -> Vec<PathBuf> {
    let (places, profile) = (context.places(), context.profile());
    let Some(links) = profile.plugin_links else { return Vec::new() };
    // In the container of the engine the state is the home of the program, not that of the commands it runs.
    let is_container = places.os_home == Path::new("/data")
        && places.state.starts_with(Path::new("/data").join(profile.places.state_folder));
    if places.tilde_is_home && !is_container {
        return Vec::new();
    }
    let roots = RootContext { config, agent, workspace: Path::new(""), bundled: None };
    let mut folders = places.roots(Place::Workshop, roots);
    folders.extend([places.managed(), places.state.join(links)]);
    let real: Vec<PathBuf> = folders.iter().filter_map(|folder| prowess_fs::real(folder)).collect();
    folders.extend(real);
    folders
}

/// The command that shows what was cut for this agent.
fn audit_command(context: &Context, agent: &Agent) -> String {
    let command = context.profile().audit_command;
    if context.profile().name == ProfileName::Prowess && !agent.is_default {
        return format!("{command} --agent {}", posix_word(&agent.id));
    }
    command.to_owned()
}
