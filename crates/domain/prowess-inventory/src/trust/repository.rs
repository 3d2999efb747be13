//! Detects folders that came with a foreign repository: they lie in a git work tree that has a remote.
//!
//! Git itself is not needed, and nothing but its config is read. The files of a work tree cannot forge it: git never
//! checks out anything called `.git`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_fs::Neighbours;
use prowess_types::Origin;

/// A config of git larger than this is not read.
const MAX_CONFIG_BYTES: u64 = 4 * 1024 * 1024;

/// A work tree with a remote.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Repository {
    /// Its outermost folder, links resolved.
    pub(super) work_tree: PathBuf,
    /// The address that it was cloned from, without credentials.
    pub(super) remote: Option<String>,
}

/// The repositories of folders; each folder is looked at once.
#[derive(Default)]
pub(super) struct Repositories {
    known: HashMap<PathBuf, Option<Arc<Repository>>>,
    /// Folders that hold skills, with every link resolved.
    real: HashMap<PathBuf, Option<PathBuf>>,
    neighbours: Neighbours,
}

/// The role of a folder in git.
enum Found {
    /// No work tree starts here.
    Nothing,
    /// A work tree that has no remote: the user's own.
    Own,
    /// A work tree with a remote, or one whose config keeps it secret.
    Cloned(Repository),
}

impl Repositories {
    /// The repository that a folder came with. The nearest work tree decides.
    pub(super) fn cloned(&mut self, folder: &Path) -> Option<Arc<Repository>> {
        self.around(&prowess_fs::real(folder)?)
    }

    /// The same for the folder of a skill.
    pub(super) fn brought(&mut self, skill: &Origin) -> Option<Arc<Repository>> {
        let folder = self.real_base(skill)?;
        self.around(&folder)
    }

    /// The folder of a skill with every link resolved. The file was resolved when it was found; if it lies where it
    /// would without a link, the folder does too, and the system need not be asked for each of a thousand neighbours.
    fn real_base(&mut self, skill: &Origin) -> Option<PathBuf> {
        let base = skill.base.as_path();
        if let (Some(parent), Some(name), Ok(file)) =
            (base.parent(), base.file_name(), skill.file.strip_prefix(base))
        {
            if !self.real.contains_key(parent) {
                self.real.insert(parent.to_owned(), prowess_fs::real(parent));
            }
            let real = self.real.get(parent)?.as_ref()?.join(name);
            if real.join(file) == skill.real_file {
                return Some(real);
            }
        }
        prowess_fs::real(base)
    }

    /// The repository around a folder whose links are resolved.
    fn around(&mut self, folder: &Path) -> Option<Arc<Repository>> {
        let mut passed = Vec::new();
        let mut answer = None;
        for place in folder.ancestors() {
            if let Some(known) = self.known.get(place) {
                answer.clone_from(known);
                break;
            }
            passed.push(place.to_owned());
            match look(place, &mut self.neighbours) {
                Found::Nothing => {}
                Found::Own => break,
                Found::Cloned(repository) => {
                    answer = Some(Arc::new(repository));
                    break;
                }
            }
        }
        self.known.extend(passed.into_iter().map(|place| (place, answer.clone())));
        answer
    }
}

fn look(folder: &Path, neighbours: &mut Neighbours) -> Found {
    if !neighbours.has(folder, ".git") {
        return Found::Nothing;
    }
    let dot_git = folder.join(".git");
    let cloned = |remote| Found::Cloned(Repository { work_tree: folder.to_owned(), remote });
    match prowess_fs::read_file(&config_of(&dot_git), MAX_CONFIG_BYTES) {
        Ok(config) => match remote_in(&String::from_utf8_lossy(&config)) {
            Remote::None => Found::Own,
            Remote::Nameless => cloned(None),
            Remote::At(address) => cloned(Some(address)),
        },
        // Without a config git does not take a folder for a repository.
        Err(error) if error.is_missing() => Found::Nothing,
        // There may be a remote that cannot be seen.
        Err(_) => cloned(None),
    }
}

/// The config of a repository. The work trees of one share it: `.git` is then a file that names another folder.
fn config_of(dot_git: &Path) -> PathBuf {
    let first_line = |file: &Path| {
        let bytes = prowess_fs::read_file(file, MAX_CONFIG_BYTES).ok()?;
        Some(String::from_utf8_lossy(&bytes).lines().next()?.trim().to_owned())
    };
    let named = first_line(dot_git).and_then(|line| Some(line.strip_prefix("gitdir:")?.trim().to_owned()));
    let folder = match (named, dot_git.parent()) {
        (Some(named), Some(work_tree)) => work_tree.join(named),
        _ => dot_git.to_owned(),
    };
    let common = first_line(&folder.join("commondir")).map(|common| folder.join(common));
    common.unwrap_or(folder).join("config")
}

/// The remote in a config.
#[derive(Debug, PartialEq, Eq)]
enum Remote {
    None,
    /// There is one, and it has no address.
    Nameless,
    At(String),
}

/// The remote in a config: `origin`, else the first.
fn remote_in(config: &str) -> Remote {
    let mut section: Option<String> = None;
    let mut found: Option<(bool, Option<String>)> = None;
    for line in config.lines().map(str::trim) {
        let mut setting = line;
        if let Some((header, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            let header = header.trim().to_lowercase();
            let name = header.strip_prefix("remote").filter(|name| name.starts_with(['.', ' ', '\t', '"']));
            section = name.map(|name| name.trim_matches(['.', ' ', '\t', '"']).to_owned());
            setting = rest.trim();
        }
        let Some(name) = &section else { continue };
        let is_origin = name == "origin";
        let (known_origin, address) = found.get_or_insert((is_origin, None));
        if let Some((key, value)) = setting.split_once('=')
            && key.trim().eq_ignore_ascii_case("url")
            && (address.is_none() || (is_origin && !*known_origin))
        {
            *address = Some(prowess_net::without_user(value.trim().trim_matches('"')));
            *known_origin = is_origin;
        }
    }
    match found {
        None => Remote::None,
        Some((_, address)) => address.map_or(Remote::Nameless, Remote::At),
    }
}

#[cfg(test)]
#[path = "repository_tests.rs"]
mod tests;
