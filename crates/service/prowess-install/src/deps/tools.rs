//! Where the downloads of a skill belong: in a folder of its own, and nowhere else.

use std::io;
use std::path::{Path, PathBuf};

use prowess_fs::ConditionKind;
use prowess_types::path_text::spelled_out;

/// Longer keys are shortened.
const MAX_KEY: usize = 60;

/// The reason a folder is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsError {
    /// It is somewhere else. The words are OpenClaw's.
    #[error(
        "Refusing to install outside the skill tools directory. targetDir=\"{wanted}\" resolves to \"{}\". Allowed root: \"{}\".",
        resolved.display(), root.display()
    )]
    Outside {
        /// The requested name.
        wanted: String,
        /// What that means.
        resolved: PathBuf,
        /// The folder that it must be in.
        root: PathBuf,
    },
    /// A link or a file is where a folder has to be, or the other way round.
    #[error("`{}` already exists and is not a plain folder or file", .0.display())]
    InTheWay(PathBuf),
    /// The system refused.
    #[error("cannot use `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// A closure that tells what was done to what.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> ToolsError {
    let path = path.to_owned();
    move |source| ToolsError::Io { path, source }
}

/// The folder for the tools of a skill, by its key.
///
/// A key that could mean something to a file system is made harmless, and told apart by a hash of what it was.
///
/// ```
/// use prowess_install::deps::tools_folder;
/// assert_eq!(tools_folder("/t".as_ref(), "weather"), std::path::Path::new("/t/weather"));
/// assert!(tools_folder("/t".as_ref(), "../etc").to_str().is_some_and(|path| path.starts_with("/t/skill-")));
/// ```
pub fn tools_folder(tools: &Path, key: &str) -> PathBuf {
    tools.join(segment(key))
}

fn segment(key: &str) -> String {
    let key = key.trim();
    let mut safe = String::new();
    for next in key.chars() {
        let next = if next.is_ascii_alphanumeric() || "._-".contains(next) { next } else { '-' };
        if next != '-' || !safe.ends_with('-') {
            safe.push(next);
        }
    }
    let safe = safe.trim_matches('-');
    // `node` is where npm has its things.
    let is_name = !safe.is_empty() && !safe.starts_with('.') && safe != "node";
    let safe = if is_name { safe } else { "skill" };
    if safe == key && safe.len() <= MAX_KEY {
        return safe.to_owned();
    }
    let hash = prowess_fs::sha256_hex(key.as_bytes());
    format!("{}-{}", &safe[..safe.len().min(MAX_KEY)], &hash[..10])
}

/// The folder that a download goes to: the skill's own, or one below it.
pub(super) fn target_folder(root: &Path, wanted: Option<&str>, home: &Path) -> Result<PathBuf, ToolsError> {
    let Some(wanted) = wanted.map(str::trim).filter(|wanted| !wanted.is_empty()) else {
        return Ok(root.to_owned());
    };
    let is_drive = wanted.as_bytes().get(1) == Some(&b':')
        && wanted.starts_with(|first: char| first.is_ascii_alphabetic());
    let resolved = match wanted.strip_prefix('~') {
        Some(rest) => spelled_out(&home.join(rest.trim_start_matches(['/', '\\']))),
        None if is_drive => PathBuf::from(wanted),
        None => spelled_out(&root.join(wanted)),
    };
    // On other systems a backslash separates folders too.
    let is_inside = resolved.starts_with(spelled_out(root)) && !wanted.contains('\\');
    if is_inside {
        Ok(resolved)
    } else {
        Err(ToolsError::Outside { wanted: wanted.to_owned(), resolved, root: root.to_owned() })
    }
}

/// Makes a folder for this user only, with the folders above it.
pub(super) fn make_private(folder: &Path) -> Result<(), ToolsError> {
    prowess_fs::make_private_folders(folder).map_err(at(folder))
}

/// Makes the folders from a root, which is there, down to a folder below it. None of them may be a link.
pub(super) fn make_below(root: &Path, folder: &Path) -> Result<(), ToolsError> {
    let below = folder.strip_prefix(root).map_err(|_| ToolsError::InTheWay(folder.to_owned()))?;
    let mut path = root.to_owned();
    for part in below.components() {
        path.push(part);
        match prowess_fs::condition(&path).map_err(at(&path))? {
            Some(found) if found.kind == ConditionKind::Folder => {}
            Some(_) => return Err(ToolsError::InTheWay(path)),
            None => prowess_fs::make_folder(&path).map_err(at(&path))?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_names_of_folders() {
        let plain = ["weather", "a.b-c_d", "x"];
        for key in plain {
            assert_eq!(segment(key), key);
        }
        let table = [
            ("a/b", "a-b-"),
            ("..", "skill-"),
            (".hidden", "skill-"),
            ("a  b", "a-b-"),
            ("", "skill-"),
            ("node", "skill-"),
            ("--x--", "x-"),
            ("C:\\x", "C-x-"),
            ("日本", "skill-"),
        ];
        for (key, start) in table {
            let made = segment(key);
            assert!(made.starts_with(start) && made.len() == start.len() + 10, "{key:?} became {made}");
        }
        assert_ne!(segment("a/b"), segment("a:b"));
        let long = segment(&"k".repeat(100));
        assert_eq!((long.len(), &long[..60]), (71, "k".repeat(60).as_str()));
    }

    #[test]
    fn a_target_stays_inside() {
        let (root, home) = (Path::new("/s/tools/w"), Path::new("/home/me"));
        let target = |wanted| target_folder(root, wanted, home);
        assert_eq!(target(None).unwrap(), root);
        assert_eq!(target(Some("  ")).unwrap(), root);
        assert_eq!(target(Some("a/./b/../c")).unwrap(), Path::new("/s/tools/w/a/c"));
        assert_eq!(target(Some("/s/tools/w/x")).unwrap(), Path::new("/s/tools/w/x"));
        for wanted in ["..", "../w2", "a/../../x", "/etc", "~", "~/x", "C:\\x", "a\\..\\..\\x", "/s/tools/w2"]
        {
            assert!(matches!(target(Some(wanted)), Err(ToolsError::Outside { .. })), "{wanted}");
        }
        assert_eq!(
            target(Some("../x")).unwrap_err().to_string(),
            "Refusing to install outside the skill tools directory. targetDir=\"../x\" resolves to \
             \"/s/tools/x\". Allowed root: \"/s/tools/w\"."
        );
        assert!(target(Some("~/x")).unwrap_err().to_string().contains("resolves to \"/home/me/x\""));
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_made_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        make_below(root, &root.join("a/b")).unwrap();
        make_below(root, &root.join("a/b")).unwrap();
        assert!(root.join("a/b").is_dir());
        std::os::unix::fs::symlink("/", root.join("link")).unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        for wanted in ["link", "link/tmp", "file", "file/x"] {
            assert!(make_below(root, &root.join(wanted)).is_err(), "{wanted}");
        }
        assert!(make_below(root, Path::new("/elsewhere")).is_err());
    }
}
