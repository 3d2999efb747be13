//! Skills that belong to files: their globs against the files that the work touches.

use std::collections::{BTreeMap, HashSet};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// The globs of all rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    set: GlobSet,
    /// Row and text of each glob.
    owners: Vec<(u32, String)>,
    rows: HashSet<u32>,
}

/// The file and the glob that brought a row in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) file: String,
    pub(crate) glob: String,
}

impl Paths {
    /// Collects the globs of `(row, globs)`. One that cannot be read as a glob stands for the file of that name.
    pub(crate) fn new<'a>(rows: impl Iterator<Item = (u32, &'a [String])>) -> Self {
        let mut builder = GlobSetBuilder::new();
        let mut owners = Vec::new();
        for (row, globs) in rows {
            for text in globs.iter().map(|glob| glob.trim()).filter(|glob| !glob.is_empty()) {
                if let Ok(glob) = compile(text).or_else(|_| compile(&globset::escape(text))) {
                    builder.add(glob);
                    owners.push((row, text.to_owned()));
                }
            }
        }
        match builder.build() {
            Ok(set) => Self { set, rows: owners.iter().map(|(row, _)| *row).collect(), owners },
            Err(_) => Self::default(),
        }
    }

    /// Returns true if no row has globs.
    pub(crate) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// Returns true if the row belongs to certain files only.
    pub(crate) fn limits(&self, row: u32) -> bool {
        self.rows.contains(&row)
    }

    /// The rows that one of the files brings in: those given, and those the message names.
    pub(crate) fn touched(&self, files: &[&str], message: &str) -> BTreeMap<u32, Touched> {
        let mut touched = BTreeMap::new();
        if self.owners.is_empty() {
            return touched;
        }
        for file in files.iter().copied().chain(named_files(message)) {
            let relative = file.trim_start_matches("./");
            for index in self.set.matches(relative) {
                let (row, glob) = &self.owners[index];
                touched.entry(*row).or_insert_with(|| Touched { file: file.to_owned(), glob: glob.clone() });
            }
        }
        touched
    }
}

/// A glob without a folder is meant for files in every folder.
fn compile(text: &str) -> Result<Glob, globset::Error> {
    let text = text.trim_start_matches("./");
    let anywhere = if text.contains('/') { text.to_owned() } else { format!("**/{text}") };
    GlobBuilder::new(&anywhere).literal_separator(true).build()
}

/// What looks like a file in a message: it has a folder or an ending, and is no address.
fn named_files(message: &str) -> impl Iterator<Item = &str> {
    let is_edge = |letter: char| {
        matches!(letter, '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | ';' | ':' | '?' | '!')
    };
    let pieces = message.split_whitespace().map(move |piece| {
        piece.trim_start_matches(is_edge).trim_end_matches(move |letter| is_edge(letter) || letter == '.')
    });
    pieces.filter(|piece| {
        let has_ending = piece.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && (1..=8).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric)
        });
        (has_ending || piece.contains('/')) && !piece.contains("://")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(globs: &[&str], files: &[&str], message: &str) -> Option<String> {
        let globs: Vec<String> = globs.iter().map(|&glob| glob.to_owned()).collect();
        let paths = Paths::new(std::iter::once((0, &globs[..])));
        paths.touched(files, message).remove(&0).map(|touched| touched.file)
    }

    #[test]
    fn globs_match_touched_files() {
        assert_eq!(touched(&["*.rs"], &["src/main.rs"], ""), Some("src/main.rs".to_owned()));
        assert_eq!(touched(&["src/**/*.{ts,tsx}"], &["src/a/b.tsx"], ""), Some("src/a/b.tsx".to_owned()));
        assert_eq!(touched(&["src/*.ts"], &["src/a/b.ts"], ""), None);
        assert_eq!(touched(&["./docs/*.md"], &["./docs/a.md"], ""), Some("./docs/a.md".to_owned()));
    }

    #[test]
    fn globs_match_files_that_the_message_names() {
        assert_eq!(touched(&["*.docx"], &[], "Convert (\"report.docx\")."), Some("report.docx".to_owned()));
        assert_eq!(touched(&["**/*"], &[], "see https://example.com/a.rs"), None);
        assert_eq!(touched(&["**/*"], &[], "nothing at all."), None);
    }

    #[test]
    fn what_is_no_glob_is_a_name() {
        assert_eq!(touched(&["a[.txt"], &["a[.txt"], ""), Some("a[.txt".to_owned()));
        assert_eq!(touched(&["", " "], &["a"], ""), None);
    }

    #[test]
    fn rows_with_globs_are_limited() {
        let globs = ["*.rs".to_owned()];
        let paths = Paths::new([(3, &globs[..]), (4, &[][..])].into_iter());
        assert!(paths.limits(3) && !paths.limits(4));
    }
}
