//! The same question about many folders that lie side by side.

use std::path::{Path, PathBuf};

use crate::folder::is_taken;
use crate::platform::Folder;

/// Looks for names in folders that have the same parent, as the skills of a root do. The parent is opened once, so that
/// each look follows two names and not a whole path.
///
/// ```
/// let root = tempfile::tempdir()?;
/// std::fs::create_dir_all(root.path().join("weather/.git"))?;
/// let mut neighbours = prowess_fs::Neighbours::default();
/// assert!(neighbours.has(&root.path().join("weather"), ".git"));
/// assert!(!neighbours.has(&root.path().join("weather"), ".openclaw"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Default)]
pub struct Neighbours {
    /// The parent that was asked for last; none if it cannot be listed.
    parent: Option<(PathBuf, Option<Folder>)>,
}

impl Neighbours {
    /// Returns true if anything at all has that name in a folder, be it a link that leads nowhere.
    pub fn has(&mut self, folder: &Path, name: &str) -> bool {
        let (Some(parent), Some(own_name)) = (folder.parent(), folder.file_name()) else {
            return is_taken(&folder.join(name));
        };
        if self.parent.as_ref().is_none_or(|(known, _)| known != parent) {
            self.parent = Some((parent.to_owned(), Folder::open(parent).ok()));
        }
        match &self.parent {
            Some((_, Some(opened))) => matches!(opened.child(Path::new(own_name).join(name)), Ok(Some(_))),
            _ => is_taken(&folder.join(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn it_answers_as_a_look_at_the_whole_path_does() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["one/a/.mark", "one/b", "two/a", "two/c/.mark"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        fs::write(root.path().join("one/b/.mark"), "").unwrap();
        fs::write(root.path().join("two/file"), "").unwrap();
        let mut neighbours = Neighbours::default();
        for folder in
            ["one/a", "one/b", "one/gone", "two/a", "two/c", "two/file", "gone/a", "one/a", "one", ""]
        {
            let folder = root.path().join(folder);
            for name in [".mark", "a"] {
                let whole = is_taken(&folder.join(name));
                assert_eq!(neighbours.has(&folder, name), whole, "{} {name}", folder.display());
            }
        }
        assert!(neighbours.has(Path::new("/"), "tmp") == is_taken(Path::new("/tmp")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_something() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("a")).unwrap();
        std::os::unix::fs::symlink("gone", root.path().join("a/.mark")).unwrap();
        assert!(Neighbours::default().has(&root.path().join("a"), ".mark"));
    }
}
