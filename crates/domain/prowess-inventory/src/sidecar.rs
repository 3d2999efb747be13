//! Files beside a skill that say where it came from.

use std::path::{Path, PathBuf};

use prowess_fs::Neighbours;
use prowess_types::CodexSettings;
use serde::Serialize;
use serde_json::Value;

/// Larger ones are not believed.
const MAX_BYTES: u64 = 16_384;

/// How a skill is linked to the registry it was installed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryLink {
    /// `linked`, or `invalid` when origin and lock disagree.
    pub status: String,
    /// Whether origin and lock agree.
    pub valid: bool,
    /// The registry's address.
    pub registry: String,
    /// The skill's name there.
    pub slug: String,
    /// The installed version.
    pub installed_version: String,
    /// When it was installed, in milliseconds.
    pub installed_at: i64,
    /// The origin file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub origin_path: PathBuf,
    /// The lock file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub lock_path: PathBuf,
}

/// A skill's card: a page about it for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillCard {
    /// Always true; a missing card is left out.
    pub present: bool,
    /// The file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Its size.
    pub size_bytes: u64,
}

/// The config key of a skill that was installed from git or a folder.
pub(crate) fn source_slug(base: &Path, neighbours: &mut Neighbours) -> Option<String> {
    // Asked of every skill, and almost none has one: one look is cheaper than a failed open.
    if !neighbours.has(base, ".openclaw") {
        return None;
    }
    let origin = read_json(&base.join(".openclaw/source-origin.json"))?;
    origin["slug"].as_str().map(str::trim).filter(|slug| !slug.is_empty()).map(str::to_owned)
}

/// Reads `.clawhub/origin.json` in the skill and `.clawhub/lock.json` in the workspace.
pub(crate) fn registry_link(base: &Path, workspace: &Path) -> Option<RegistryLink> {
    let origin_path = base.join(".clawhub/origin.json");
    let origin = read_json(&origin_path)?;
    let text = |key: &str| origin[key].as_str().map(str::to_owned);
    let (registry, slug, version) = (text("registry")?, text("slug")?, text("installedVersion")?);
    let lock_path = workspace.join(".clawhub/lock.json");
    let locked =
        read_json(&lock_path).and_then(|lock| lock["skills"][&slug]["version"].as_str().map(str::to_owned));
    let valid = locked.as_deref() == Some(version.as_str());
    Some(RegistryLink {
        status: if valid { "linked" } else { "invalid" }.to_owned(),
        valid,
        registry,
        slug,
        installed_version: version,
        installed_at: origin["installedAt"].as_i64().unwrap_or_default(),
        origin_path,
        lock_path,
    })
}

/// The skill's `skill-card.md`.
pub(crate) fn skill_card(base: &Path) -> Option<SkillCard> {
    let path = base.join("skill-card.md");
    let stamp = prowess_fs::stamp(&path).ok()??;
    Some(SkillCard { present: true, path, size_bytes: stamp.size })
}

/// Reads the skill's settings for Codex.
pub(crate) fn codex(base: &Path) -> Option<CodexSettings> {
    let bytes = prowess_fs::read_file(&base.join("agents/openai.yaml"), MAX_BYTES).ok()?;
    prowess_skill::parse_codex(&bytes)
}

fn read_json(path: &Path) -> Option<Value> {
    let bytes = prowess_fs::read_file(path, MAX_BYTES).ok()?;
    serde_json::from_slice(&bytes).ok()
}
