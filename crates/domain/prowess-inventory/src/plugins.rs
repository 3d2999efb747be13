//! Plugins that bring skills.
//!
//! A plugin is a folder with a manifest, `openclaw.plugin.json` or `prowess.plugin.json`: `id`, `skills` (folders
//! below it) and, for a memory plugin, `kind: "memory"`. Only enabled plugins count, one memory plugin owns the
//! slot, and no path may leave the plugin's folder. A plugin that lies in the workspace came with a foreign
//! repository, so it counts only when the user's own config names it.

use std::path::{Path, PathBuf};

use prowess_config::PluginSettings;
use prowess_fs::EscapeError;
use prowess_types::{Loss, LossReason};
use serde_json::Value;

const MANIFESTS: [&str; 2] = ["openclaw.plugin.json", "prowess.plugin.json"];
const MAX_MANIFEST_BYTES: u64 = 256 * 1024;

/// A folder of skills that a plugin brings.
pub(crate) struct PluginRoot {
    pub(crate) plugin: String,
    pub(crate) root: PathBuf,
}

struct Plugin {
    id: String,
    folder: PathBuf,
    skills: Vec<String>,
    is_memory: bool,
}

/// The folders that plugins are searched in.
pub struct PluginFolders {
    /// Plugins, or folders of plugins, that the config names.
    pub named: Vec<PathBuf>,
    /// Folders of plugins that are the user's own.
    pub owned: Vec<PathBuf>,
    /// Folders of plugins that came with the workspace.
    pub workspace: Vec<PathBuf>,
}

/// The skill folders of all enabled plugins, in the order in which plugins were found.
pub(crate) fn roots(
    folders: &PluginFolders,
    settings: &PluginSettings,
    label: &str,
    losses: &mut Vec<Loss>,
) -> Vec<PluginRoot> {
    if !settings.enabled {
        return Vec::new();
    }
    let trusted = folders.named.iter().chain(&folders.owned).flat_map(|folder| candidates(folder));
    let untrusted = folders.workspace.iter().flat_map(|folder| candidates(folder));
    let mut plugins: Vec<Plugin> = trusted.filter_map(|folder| read(&folder, label, losses)).collect();
    plugins.extend(
        untrusted
            .filter_map(|folder| read(&folder, label, losses))
            .filter(|plugin| settings.names(&plugin.id)),
    );
    plugins.retain(|plugin| settings.allows(&plugin.id));
    let first_memory = plugins.iter().find(|plugin| plugin.is_memory).map(|plugin| plugin.id.clone());
    let owner = settings.memory_slot.clone().or(first_memory);

    let mut seen = Vec::new();
    let mut roots = Vec::new();
    for plugin in plugins {
        if seen.contains(&plugin.id) {
            continue;
        }
        seen.push(plugin.id.clone());
        if plugin.is_memory && owner.as_ref() != Some(&plugin.id) {
            let owner = owner.as_deref().unwrap_or("none");
            let message = format!("the memory slot belongs to `{owner}`, so `{}` is not used", plugin.id);
            losses.push(loss(label, &plugin.folder, LossReason::PluginInvalid, message));
            continue;
        }
        for path in &plugin.skills {
            match prowess_fs::resolve_inside(&plugin.folder, Path::new(path)) {
                Ok(root) => roots.push(PluginRoot { plugin: plugin.id.clone(), root }),
                Err(error) => losses.push(refused(label, &plugin, &error)),
            }
        }
    }
    roots
}

fn refused(label: &str, plugin: &Plugin, error: &EscapeError) -> Loss {
    let (reason, what) = match error {
        EscapeError::Missing { .. } => (LossReason::PluginPathMissing, "plugin skill path not found"),
        _ => (LossReason::PluginPathEscape, "plugin skill path escapes plugin root"),
    };
    let path = error.path();
    let message = format!("{what} ({}): {}", plugin.id, path.display());
    loss(label, path, reason, message)
}

/// The folder itself if it is a plugin, else those in it that are.
fn candidates(folder: &Path) -> Vec<PathBuf> {
    if manifest(folder).is_some() {
        return vec![folder.to_owned()];
    }
    prowess_fs::subfolders(folder).into_iter().filter(|child| manifest(child).is_some()).collect()
}

fn manifest(folder: &Path) -> Option<PathBuf> {
    MANIFESTS.iter().map(|name| folder.join(name)).find(|file| matches!(prowess_fs::stamp(file), Ok(Some(_))))
}

fn read(folder: &Path, label: &str, losses: &mut Vec<Loss>) -> Option<Plugin> {
    let file = manifest(folder)?;
    let parsed = prowess_fs::read_file(&file, MAX_MANIFEST_BYTES)
        .map_err(|error| error.to_string())
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()))
        .and_then(|text| prowess_json5::to_value(&text).map_err(|error| error.to_string()));
    let problem = match parsed {
        Ok(value) => match value["id"].as_str().map(str::trim).filter(|id| !id.is_empty()) {
            Some(id) => {
                return Some(Plugin {
                    id: id.to_owned(),
                    folder: folder.to_owned(),
                    skills: skill_paths(&value),
                    is_memory: value["kind"].as_str() == Some("memory"),
                });
            }
            None => "the plugin manifest has no `id`".to_owned(),
        },
        Err(problem) => format!("the plugin manifest cannot be read: {problem}"),
    };
    losses.push(loss(label, &file, LossReason::PluginInvalid, problem));
    None
}

fn skill_paths(manifest: &Value) -> Vec<String> {
    let paths = manifest["skills"].as_array().into_iter().flatten().filter_map(Value::as_str);
    paths.map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

fn loss(label: &str, path: &Path, reason: LossReason, message: String) -> Loss {
    Loss {
        name: None,
        source: label.to_owned(),
        path: path.to_owned(),
        reason,
        message,
        winner: None,
        diagnostics: Vec::new(),
    }
}
