//! What other tools have installed, as far as their lockfiles say.

use serde_json::{Map, Value};

use super::{ClawhubLock, LockfileError};
use crate::reference::SourceReference;

/// Which tool wrote a lockfile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForeignTool {
    /// `clawhub`: `.clawhub/lock.json`.
    Clawhub,
    /// `skills` in a project: `skills-lock.json`.
    Skills,
    /// `skills` for a user: `.skill-lock.json`.
    SkillsGlobal,
    /// `skills-lock`, which pins commits: `skills.lock`.
    SkillsLock,
    /// `tank`: `skills.lock` with `lockfileVersion`.
    Tank,
    /// `vskill`: `vskill.lock`.
    Vskill,
}

/// The lockfile of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignLock {
    /// Who wrote it.
    pub tool: ForeignTool,
    /// What it names, in the order of the file.
    pub entries: Vec<ForeignEntry>,
}

/// A skill another tool has installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignEntry {
    /// Its name.
    pub name: String,
    /// Its source, in the tool's words.
    pub source: String,
    /// What to ask for to get it again; none for sources that cannot be fetched from.
    pub reference: Option<SourceReference>,
    /// The version.
    pub version: Option<String>,
    /// The commit, branch or tag.
    pub revision: Option<String>,
    /// Its folder in the source.
    pub path: Option<String>,
    /// A checksum of the tool's own making.
    pub hash: Option<String>,
    /// When it was installed, in the tool's words.
    pub installed_at: Option<String>,
}

impl ForeignLock {
    /// Reads a lockfile, given its name: two tools use the same name, so the content decides as well.
    pub fn parse(file: &str, text: &str) -> Result<Self, LockfileError> {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        if text.lines().any(|line| line.starts_with("<<<<<<< ")) {
            return Err(LockfileError::Conflict { file: file.to_owned() });
        }
        let document: Value = serde_json::from_str(text)
            .map_err(|source| LockfileError::Shape { file: file.to_owned(), source })?;
        let skills = || document.get("skills").and_then(Value::as_object);
        let unknown = || LockfileError::Unknown { file: file.to_owned() };
        let tool = match name {
            "skills-lock.json" => ForeignTool::Skills,
            ".skill-lock.json" => ForeignTool::SkillsGlobal,
            "skills.lock" if document.get("lockfileVersion").is_some() => ForeignTool::Tank,
            "skills.lock" => ForeignTool::SkillsLock,
            "vskill.lock" => ForeignTool::Vskill,
            "lock.json" => {
                let lock = ClawhubLock::parse(text)?;
                let entries = lock.entries().map(|(key, entry)| clawhub(key, entry)).collect();
                return Ok(Self { tool: ForeignTool::Clawhub, entries });
            }
            _ => return Err(unknown()),
        };
        check_version(file, tool, &document)?;
        let skills = skills().ok_or_else(unknown)?;
        let entries = skills.iter().filter_map(|(name, entry)| Some(read(tool, name, entry.as_object()?)));
        Ok(Self { tool, entries: entries.collect() })
    }
}

/// A format that was never seen is not guessed at.
fn check_version(file: &str, tool: ForeignTool, document: &Value) -> Result<(), LockfileError> {
    let key = if tool == ForeignTool::Tank { "lockfileVersion" } else { "version" };
    let newest = if tool == ForeignTool::SkillsGlobal { 3 } else { 1 };
    match document.get(key).and_then(Value::as_u64) {
        Some(version) if (1..=newest).contains(&version) => Ok(()),
        version => Err(LockfileError::Version {
            file: file.to_owned(),
            version: version.map_or_else(|| "unknown".to_owned(), |version| version.to_string()),
        }),
    }
}

fn clawhub(key: &str, entry: super::ClawhubEntry) -> ForeignEntry {
    let source = entry.source_ref.unwrap_or_else(|| key.to_owned());
    let version = entry.version.as_deref().map(|version| format!("@{version}")).unwrap_or_default();
    ForeignEntry {
        name: key.rsplit('/').next().unwrap_or(key).to_owned(),
        reference: SourceReference::parse(&format!("{source}{version}"))
            .or_else(|_| SourceReference::parse(&source))
            .ok(),
        source,
        version: entry.version,
        installed_at: Some(entry.installed_at.0.to_string()),
        ..ForeignEntry::default()
    }
}

fn read(tool: ForeignTool, name: &str, entry: &Map<String, Value>) -> ForeignEntry {
    let text =
        |key: &str| entry.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let first = |keys: &[&str]| keys.iter().find_map(|key| text(key));
    let mut found = ForeignEntry {
        name: name.to_owned(),
        source: first(&["source", "resolved"]).unwrap_or_default(),
        version: text("version"),
        revision: text("ref"),
        path: first(&["path", "skillPath"]).map(|path| folder_of(&path)),
        hash: first(&["computedHash", "skillFolderHash", "integrity", "sha", "wellKnownDigest"]),
        installed_at: text("installedAt"),
        ..ForeignEntry::default()
    };
    found.reference = match (tool, text("sourceType").as_deref()) {
        (ForeignTool::Tank, _) => SourceReference::parse(&found.source).ok(),
        (_, Some("local")) => local(&found.source),
        (_, Some("well-known")) => {
            let site =
                first(&["sourceBaseUrl", "sourceUrl"]).unwrap_or_else(|| format!("https://{}", found.source));
            SourceReference::parse(&format!("{site}#{name}")).ok()
        }
        (_, Some("node_modules")) => None,
        _ => repository(&found, text("sourceUrl")),
    };
    found
}

/// Some tools name the file, not its folder.
fn folder_of(path: &str) -> String {
    let path = path.strip_suffix("SKILL.md").unwrap_or(path);
    path.trim_matches('/').to_owned()
}

fn local(source: &str) -> Option<SourceReference> {
    let is_path = source.starts_with(['/', '.', '~']);
    SourceReference::parse(&if is_path { source.to_owned() } else { format!("./{source}") }).ok()
}

/// The folder of a repository at what the tool calls the state it installed.
fn repository(entry: &ForeignEntry, url: Option<String>) -> Option<SourceReference> {
    let read = |text: &str| match SourceReference::parse(text) {
        Ok(SourceReference::Git(git)) => Some(git),
        _ => None,
    };
    let mut git = read(&entry.source).or_else(|| read(&url?))?;
    git.path = entry.path.clone().filter(|path| !path.is_empty()).or(git.path);
    git.revision = entry.revision.clone().or(git.revision);
    // What a tool wrote is not trusted to be a reference: only one that reads back as itself is.
    let reference = SourceReference::Git(git);
    (SourceReference::parse(&reference.to_string()).as_ref() == Ok(&reference)).then_some(reference)
}
