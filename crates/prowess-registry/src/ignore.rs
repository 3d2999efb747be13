//! The ignore files in the root of a skill, in the syntax of `.gitignore`.

use globset::{GlobBuilder, GlobMatcher};
use prowess_types::Bundle;

/// The files that are read, in this order; later rules win.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".clawhubignore", ".clawdhubignore"];

/// Which files of a skill are not published.
#[derive(Clone, Debug, Default)]
pub struct IgnoreRules(Vec<Rule>);

#[derive(Clone, Debug)]
struct Rule {
    matcher: GlobMatcher,
    is_exception: bool,
    only_folders: bool,
}

impl IgnoreRules {
    /// The rules a skill carries in its root.
    pub fn of(bundle: &Bundle) -> Self {
        let texts = IGNORE_FILES.iter().filter_map(|name| {
            let file = bundle.files.iter().find(|file| file.path == *name)?;
            Some(String::from_utf8_lossy(&file.bytes))
        });
        Self(texts.flat_map(|text| text.lines().filter_map(rule).collect::<Vec<_>>()).collect())
    }

    /// The rules of one text. A line that is no pattern matches nothing.
    ///
    /// ```
    /// let rules = prowess_registry::IgnoreRules::parse("*.log\n!keep.log\n/build/");
    /// assert!(rules.matches("a/b.log") && rules.matches("build/x"));
    /// assert!(!rules.matches("keep.log") && !rules.matches("src/build/x"));
    /// ```
    pub fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(rule).collect())
    }

    /// Whether a file is ignored, because of its own name or because a folder above it is.
    pub fn matches(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        folders.into_iter().any(|folder| self.decides(folder, true)) || self.decides(path, false)
    }

    /// The last rule that knows the name decides.
    fn decides(&self, path: &str, is_folder: bool) -> bool {
        let concerned = |rule: &&Rule| (is_folder || !rule.only_folders) && rule.matcher.is_match(path);
        self.0.iter().rev().find(concerned).is_some_and(|rule| !rule.is_exception)
    }
}

fn rule(line: &str) -> Option<Rule> {
    let line = without_trailing_spaces(line);
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (is_exception, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
    let (only_folders, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
    if line.is_empty() {
        return None;
    }
    let is_anchored = line.contains('/');
    let pattern = line.strip_prefix('/').unwrap_or(line);
    let pattern = if is_anchored { pattern.to_owned() } else { format!("**/{pattern}") };
    // Braces mean themselves here, unlike in the globs of the matcher.
    let pattern = pattern.replace('{', "[{]").replace('}', "[}]");
    let matcher = GlobBuilder::new(&pattern).literal_separator(true).backslash_escape(true).build().ok()?;
    Some(Rule { matcher: matcher.compile_matcher(), is_exception, only_folders })
}

/// Spaces at the end do not count unless the first of them is escaped.
fn without_trailing_spaces(line: &str) -> &str {
    let trimmed = line.trim_end_matches([' ', '\t', '\r']);
    let is_escaped = trimmed.ends_with('\\') && !trimmed.ends_with("\\\\") && trimmed.len() < line.len();
    if is_escaped { &line[..=trimmed.len()] } else { trimmed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_as_git_reads_them() {
        let cases = [
            ("*.log", "a.log", true),
            ("*.log", "d/a.log", true),
            ("*.log", "a.log.txt", false),
            ("/a", "a", true),
            ("/a", "d/a", false),
            ("d/*.txt", "d/a.txt", true),
            ("d/*.txt", "d/e/a.txt", false),
            ("d/**", "d/e/a.txt", true),
            ("**/e", "d/e/f", true),
            ("d/**/f", "d/f", true),
            ("build/", "build", false),
            ("build/", "build/x", true),
            ("# note", "# note", false),
            ("\\#note", "#note", true),
            ("\\!important", "!important", true),
            ("a\\ ", "a ", true),
            ("a ", "a", true),
            ("a\r", "a", true),
            ("{x,y}", "x", false),
            ("{x,y}", "{x,y}", true),
            ("[a-c].md", "b.md", true),
            ("[", "[", false),
            ("/", "a", false),
            ("*\n!keep", "keep", false),
            ("d\n!d/keep", "d/keep", true),
            ("!a\na", "a", true),
        ];
        for (rules, path, expected) in cases {
            assert_eq!(IgnoreRules::parse(rules).matches(path), expected, "{rules:?} and {path:?}");
        }
    }
}
