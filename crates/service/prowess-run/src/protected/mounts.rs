//! Other names that mounts give to a place: a bind mount shows a folder a second time.

use std::path::{Path, PathBuf};

use super::identity::Identity;
use super::{Reach, ReachMap};

/// A row of the kernel's table of mounts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    /// The file system, as `major:minor`.
    device: String,
    /// The folder of that file system which is mounted.
    root: PathBuf,
    /// Its mount point.
    point: PathBuf,
}

/// Further paths of the places in a map, each with what holds there.
pub(super) fn aliases(map: &ReachMap) -> Vec<(PathBuf, Reach)> {
    if map.marks.is_empty() {
        return Vec::new();
    }
    // Where the table cannot be read, there are no mounts to know of.
    let table = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let found = aliases_in(&parse(&table), map);
    // A mount may lie under another one, and then shows nothing.
    let is_same = |(alias, original, _): &(PathBuf, PathBuf, Reach)| {
        Identity::at(alias).is_some_and(|identity| Identity::at(original) == Some(identity))
    };
    found.into_iter().filter(is_same).map(|(alias, _, reach)| (alias, reach)).collect()
}

/// The further paths with the paths that they stand for.
fn aliases_in(mounts: &[Mount], map: &ReachMap) -> Vec<(PathBuf, PathBuf, Reach)> {
    let mut found = Vec::new();
    for mark in &map.marks {
        let Some(home) = mount_of(&mark.path, mounts) else { continue };
        let Ok(below) = mark.path.strip_prefix(&home.point) else { continue };
        let inside = joined(&home.root, below);
        for other in mounts.iter().filter(|other| other.device == home.device && *other != home) {
            if let Ok(rest) = inside.strip_prefix(&other.root) {
                found.push((joined(&other.point, rest), mark.path.clone(), mark.reach));
            } else if let Ok(rest) = other.root.strip_prefix(&home.root)
                && other.root.starts_with(&inside)
            {
                let original = joined(&home.point, rest);
                let reach = if map.hides_spelling(&original) { Reach::Hidden } else { Reach::Open };
                found.push((other.point.clone(), original, reach));
            }
        }
    }
    found.retain(|(alias, original, _)| alias != original);
    found
}

/// The mount that a path is on: the innermost, and of several at one place the last.
fn mount_of<'a>(path: &Path, mounts: &'a [Mount]) -> Option<&'a Mount> {
    let around = mounts.iter().filter(|mount| path.starts_with(&mount.point));
    around.max_by_key(|mount| mount.point.components().count())
}

/// A path without the trailing separator that joining nothing leaves.
fn joined(base: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { base.to_owned() } else { base.join(rest) }
}

fn parse(table: &str) -> Vec<Mount> {
    let row = |line: &str| {
        let mut fields = line.split(' ').skip(2);
        let device = fields.next()?.to_owned();
        Some(Mount { device, root: unescaped(fields.next()?), point: unescaped(fields.next()?) })
    };
    table.lines().filter_map(row).collect()
}

/// A path as the table writes it: blanks and backslashes as three octal digits.
fn unescaped(text: &str) -> PathBuf {
    let mut path = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        path.push_str(before);
        match after.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) if byte.is_ascii() => {
                path.push(char::from(byte));
                rest = &after[3..];
            }
            _ => {
                path.push('\\');
                rest = after;
            }
        }
    }
    path.push_str(rest);
    PathBuf::from(path)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const TABLE: &str = "\
22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 0:5 / /proc rw - proc proc rw
30 22 8:2 / /home rw - ext4 /dev/sda2 rw
31 22 8:2 /me/.prowess/gateway /mnt/gate\\040way rw - ext4 /dev/sda2 rw
32 22 8:2 /me /srv/me rw - ext4 /dev/sda2 rw
33 22 8:2 /me/.prowess/skills/tea /srv/tea rw - ext4 /dev/sda2 rw
34 22 8:3 /me /srv/other rw - ext4 /dev/sdb rw
";

    #[test]
    fn a_bind_mount_is_another_name_of_the_same_place() {
        let mut map = ReachMap::default();
        map.add("/home/me/.prowess".into(), Reach::Hidden);
        map.add("/home/me/.prowess/skills".into(), Reach::Open);
        let found = aliases_in(&parse(TABLE), &map);
        let says = |path: &str| {
            let mut reach = found.iter().filter(|(alias, _, _)| alias == Path::new(path)).map(|row| row.2);
            let first = reach.next();
            assert!(reach.all(|next| Some(next) == first), "{path}");
            first
        };
        assert_eq!(says("/mnt/gate way"), Some(Reach::Hidden));
        assert_eq!(says("/srv/me/.prowess"), Some(Reach::Hidden));
        assert_eq!(says("/srv/me/.prowess/skills"), Some(Reach::Open));
        assert_eq!(says("/srv/tea"), Some(Reach::Open));
        assert_eq!(says("/srv/other/.prowess"), None, "another file system");
        let original = found.iter().find(|row| row.0 == Path::new("/mnt/gate way")).map(|row| row.1.clone());
        assert_eq!(original, Some("/home/me/.prowess/gateway".into()));
    }

    #[test]
    fn odd_rows_are_no_mounts() {
        assert!(parse("\n1\n1 2\n1 2 8:1 /\n").is_empty());
        assert_eq!(unescaped("a\\134b\\9\\040"), PathBuf::from("a\\b\\9 "));
    }
}
