//! Paths as the model should write them.

use std::borrow::Cow;

/// Writes a path below one of the home folders with `~`, which saves a few tokens an entry.
///
/// ```
/// # use prowess_catalog::compact_home;
/// assert_eq!(compact_home("/home/ada/skills/x", &["/home/ada"]), "~/skills/x");
/// assert_eq!(compact_home("/home/adalbert/x", &["/home/ada"]), "/home/adalbert/x");
/// ```
pub fn compact_home<'a>(path: &'a str, homes: &[&str]) -> Cow<'a, str> {
    let below = |home: &&str| {
        let home = home.trim_end_matches('/');
        let rest = path.strip_prefix(home).filter(|rest| rest.starts_with('/'));
        // With `/` for a home every path would be below it.
        rest.filter(|_| !home.is_empty())
    };
    match homes.iter().find_map(below) {
        Some(rest) => Cow::Owned(format!("~{rest}")),
        None => Cow::Borrowed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_a_home_are_compacted() {
        let table: [(&str, &[&str], &str); 8] = [
            ("/h/me/w/SKILL.md", &["/h/me"], "~/w/SKILL.md"),
            ("/h/me/w/SKILL.md", &["/h/me/"], "~/w/SKILL.md"),
            ("/real/me/w", &["/h/me", "/real/me"], "~/w"),
            ("/h/mestead/x", &["/h/me"], "/h/mestead/x"),
            ("/h/me", &["/h/me"], "/h/me"),
            ("/etc/x", &["/", ""], "/etc/x"),
            ("/x/h/me/y", &["/h/me"], "/x/h/me/y"),
            ("/h/me/y", &[], "/h/me/y"),
        ];
        for (path, homes, expected) in table {
            assert_eq!(compact_home(path, homes), expected, "{path} {homes:?}");
        }
    }
}
