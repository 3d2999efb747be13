//! Which folder of many files is the skill.

use prowess_types::{Bundle, BundleFile};

use super::SourceError;

/// Returns true if a path is the file that makes its folder a skill. Some older skills write it in lower case.
pub(super) fn is_skill_file(name: &str) -> bool {
    matches!(name, "SKILL.md" | "skill.md")
}

/// The answer of [`skill_folder`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The folder, empty for the root.
    One(String),
    /// No skill there; others of that name.
    None(Vec<String>),
    /// Several, and none was named.
    Several(Vec<String>),
}

/// The skill's folder among the paths of a repository or archive, as its path or its last name says.
pub(super) fn skill_folder<'a>(
    paths: impl Iterator<Item = &'a str>,
    path: Option<&str>,
    name: Option<&str>,
) -> Choice {
    let mut folders: Vec<&str> = paths
        .filter_map(|path| match path.rsplit_once('/') {
            Some((folder, file)) => is_skill_file(file).then_some(folder),
            None => is_skill_file(path).then_some(""),
        })
        .collect();
    folders.sort_unstable();
    folders.dedup();
    let last = |folder: &str| folder.rsplit('/').next().unwrap_or_default().to_owned();
    let owned = |folders: &[&str]| folders.iter().map(|folder| (*folder).to_owned()).collect::<Vec<String>>();
    if let Some(name) = name {
        let named: Vec<&str> = folders.iter().copied().filter(|folder| last(folder) == name).collect();
        let usual = format!("skills/{name}");
        return match named[..] {
            [] => Choice::None(owned(&folders)),
            [one] => Choice::One(one.to_owned()),
            _ if named.contains(&usual.as_str()) => Choice::One(usual),
            _ => Choice::Several(owned(&named)),
        };
    }
    let path = path.unwrap_or_default();
    if folders.contains(&path) {
        return Choice::One(path.to_owned());
    }
    let is_below = |folder: &&str| {
        folder.strip_prefix(path).is_some_and(|rest| path.is_empty() || rest.starts_with('/'))
    };
    let below: Vec<&str> = folders.iter().copied().filter(is_below).collect();
    match below[..] {
        [] => {
            let same: Vec<&str> =
                folders.iter().copied().filter(|folder| last(folder) == last(path)).collect();
            Choice::None(owned(&same))
        }
        [one] => Choice::One(one.to_owned()),
        _ => Choice::Several(owned(&below)),
    }
}

/// The skill of an unpacked archive: at its root, or in the one folder that wraps everything.
pub(super) fn at_root(place: &str, bundle: Bundle) -> Result<Bundle, SourceError> {
    if bundle.files.iter().any(|file| is_skill_file(&file.path)) {
        return Ok(bundle);
    }
    let nothing = |candidates| SourceError::NotASkill { place: place.to_owned(), candidates };
    let Some((wrap, _)) = bundle.files.first().and_then(|file| file.path.split_once('/')) else {
        return Err(nothing(Vec::new()));
    };
    let wrap = format!("{wrap}/");
    let is_wrapped = bundle.files.iter().all(|file| file.path.starts_with(&wrap));
    let is_skill = |file: &BundleFile| file.path.strip_prefix(&wrap).is_some_and(is_skill_file);
    if !is_wrapped || !bundle.files.iter().any(is_skill) {
        return Err(nothing(Vec::new()));
    }
    let files =
        bundle.files.into_iter().map(|file| BundleFile { path: file.path[wrap.len()..].to_owned(), ..file });
    Ok(Bundle { files: files.collect() })
}

/// The order every bundle has.
pub(super) fn sorted(mut files: Vec<BundleFile>) -> Bundle {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Bundle { files }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(paths: &[&str], path: Option<&str>, name: Option<&str>) -> Choice {
        skill_folder(paths.iter().copied(), path, name)
    }

    fn several(folders: &[&str]) -> Choice {
        Choice::Several(folders.iter().map(|folder| (*folder).to_owned()).collect())
    }

    #[test]
    fn the_folder_of_a_skill() {
        let one = |folder: &str| Choice::One(folder.to_owned());
        let many = ["README.md", "skills/a/SKILL.md", "skills/b/SKILL.md", "more/b/SKILL.md", "more/c/x.md"];
        assert_eq!(choose(&["SKILL.md", "x/SKILL.md"], None, None), one(""));
        assert_eq!(choose(&["x/skill.md", "README.md"], None, None), one("x"));
        assert_eq!(choose(&many, None, None), several(&["more/b", "skills/a", "skills/b"]));
        assert_eq!(choose(&many, Some("skills/a"), None), one("skills/a"));
        assert_eq!(choose(&many, Some("skills"), None), several(&["skills/a", "skills/b"]));
        assert_eq!(choose(&many, Some("more"), None), one("more/b"));
        assert_eq!(choose(&many, Some("mor"), None), Choice::None(Vec::new()));
        assert_eq!(choose(&many, Some("x/a"), None), Choice::None(vec!["skills/a".into()]));
        assert_eq!(choose(&many, None, Some("b")), one("skills/b"));
        assert_eq!(choose(&many, None, Some("a")), one("skills/a"));
        assert_eq!(choose(&many[..2], None, Some("z")), Choice::None(vec!["skills/a".into()]));
        assert_eq!(choose(&["x/b/SKILL.md", "y/b/SKILL.md"], None, Some("b")), several(&["x/b", "y/b"]));
    }

    #[test]
    fn a_wrapping_folder_is_taken_off() {
        let bundle = |paths: &[&str]| {
            let file =
                |path: &&str| BundleFile { path: (*path).into(), bytes: Vec::new(), executable: false };
            Bundle { files: paths.iter().map(file).collect() }
        };
        let root = |paths: &[&str]| at_root("x.zip", bundle(paths)).ok();
        assert_eq!(root(&["SKILL.md", "a/b"]), Some(bundle(&["SKILL.md", "a/b"])));
        assert_eq!(root(&["w/SKILL.md", "w/a/b"]), Some(bundle(&["SKILL.md", "a/b"])));
        assert_eq!(root(&["w/SKILL.md", "x/b"]), None);
        assert_eq!(root(&["w/v/SKILL.md"]), None);
        assert_eq!(root(&[]), None);
    }
}
