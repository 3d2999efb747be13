//! The ignore files in the root of a skill, in the syntax of `.gitignore`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use prowess_types::Bundle;

/// The files that are read, in this order; later rules win.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".clawhubignore", ".clawdhubignore"];

/// The files of a skill that are not published.
#[derive(Clone, Debug)]
pub struct IgnoreRules(Gitignore);

impl IgnoreRules {
    /// The rules a skill carries in its root.
    pub fn of(bundle: &Bundle) -> Self {
        let texts = IGNORE_FILES.iter().filter_map(|name| {
            let file = bundle.files.iter().find(|file| file.path == *name)?;
            Some(String::from_utf8_lossy(&file.bytes))
        });
        Self::parse(&texts.collect::<Vec<_>>().join("\n"))
    }

    /// The rules of one text. A line that is not a pattern matches nothing.
    ///
    /// ```
    /// let rules = prowess_registry::IgnoreRules::parse("*.log\n!keep.log\n/build/");
    /// assert!(rules.matches("a/b.log") && rules.matches("build/x"));
    /// assert!(!rules.matches("keep.log") && !rules.matches("src/build/x"));
    /// ```
    pub fn parse(text: &str) -> Self {
        let mut builder = GitignoreBuilder::new("");
        // As in git, a class that does not end matches nothing.
        builder.allow_unclosed_class(false);
        for line in text.lines() {
            // Braces mean themselves in a `.gitignore`, unlike in the globs that the builder makes of its lines.
            let line = line.replace('{', "[{]").replace('}', "[}]");
            let _ = builder.add_line(None, &line);
        }
        Self(builder.build().unwrap_or_else(|_| Gitignore::empty()))
    }

    /// Returns whether a file is ignored, because of its own name or because a folder above it is.
    pub fn matches(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        folders.any(|folder| self.0.matched(folder, true).is_ignore())
            || self.0.matched(path, false).is_ignore()
    }
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
