//! The table of requirements: what each row names as its proof must exist and work.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use crate::home::Home;
use crate::process::{crate_file, root};

/// The place where proofs are files of the root and not of `crates`: the tests of the Studio.
const STUDIO: &str = "studio/";

/// What stands for the words that a reader fills in.
const PLACEHOLDERS: [(&str, &str); 3] = [("NAME", "sample"), ("PATH", "skills/sample"), ("ID", "main")];

struct Row<'a> {
    id: &'a str,
    shown_by: &'a str,
}

/// The problem in the table.
pub(crate) fn wrong(table: &str, prowess: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let mut commands: BTreeMap<&str, &str> = BTreeMap::new();
    for row in rows(table) {
        let proofs: Vec<&str> = row.shown_by.split('`').skip(1).step_by(2).collect();
        if proofs.is_empty() {
            problems.push(format!("{} names neither a command nor a test", row.id));
        }
        for proof in proofs {
            if proof.starts_with("prowess ") {
                commands.entry(proof).or_insert(row.id);
            } else if let Some(problem) = missing_test(proof) {
                problems.push(format!("{}: {problem}", row.id));
            }
        }
    }
    let home = Home::new(prowess)?;
    home.run("prowess new sample")?;
    for (command, id) in commands {
        let (printed, exit) = home.run(&filled(command))?;
        if exit != 0 {
            problems.push(format!("{id}: `{command}` exits with {exit}:\n{printed}"));
        }
    }
    Ok(problems)
}

/// The rows of the tables whose first cell is an id such as `S3-12`.
fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.rsplitn(3, " | ");
        let (shown_by, _part) = (cells.next()?.trim(), cells.next()?);
        let id = cells.next()?.split(' ').next()?;
        let is_id = id.starts_with('S') && id.contains('-');
        is_id.then_some(Row { id, shown_by })
    })
}

/// The problem with `crate/path/file.rs` or `crate/path/file.rs::name_of_a_test`, below `crates`, or with
/// `studio/e2e/file.spec.ts::S1`, which means a test whose title begins with `S1`.
fn missing_test(proof: &str) -> Option<String> {
    let (file, name) = proof.split_once("::").unwrap_or((proof, ""));
    let is_studio = file.starts_with(STUDIO);
    let place = if is_studio { root().join(file) } else { crate_file(file) };
    let Ok(text) = std::fs::read_to_string(place) else {
        return Some(format!("there is no test file `{file}`"));
    };
    let has_it = || if is_studio { has_title(&text, name) } else { text.contains(&format!("fn {name}(")) };
    (!name.is_empty() && !has_it()).then(|| format!("`{file}` has no test `{name}`"))
}

/// Returns true if a file of TypeScript has a test whose title begins with these words. Tests that are skipped do not
/// count.
fn has_title(text: &str, words: &str) -> bool {
    let begins =
        |title: &str| title.strip_prefix(words).is_some_and(|rest| rest.starts_with([' ', '"', '`']));
    let calls = text.split("test(").skip(1).map(str::trim_start);
    calls.filter_map(|call| call.strip_prefix(['"', '`'])).any(begins)
}

fn filled(command: &str) -> String {
    let fill = |word| PLACEHOLDERS.iter().find(|(name, _)| *name == word).map_or(word, |(_, value)| *value);
    command.split(' ').map(fill).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_taken_apart_from_the_right() {
        let table = "| id | requirement | part | shown by |\n|---|---|---|---|\n\
                     | S3-7 | `a | b` | 1 | `prowess info NAME`, `x/y.rs` |\n| S3 | no | row | here |\n";
        let rows: Vec<Row<'_>> = rows(table).collect();
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].id, rows[0].shown_by), ("S3-7", "`prowess info NAME`, `x/y.rs`"));
    }

    #[test]
    fn tests_are_looked_for_by_file_and_by_name() {
        let place = "prowess-gate/src/filter.rs";
        let name = "an_empty_list_hides_all_and_no_list_hides_nothing";
        assert_eq!(missing_test(place), None);
        assert_eq!(missing_test(&format!("{place}::{name}")), None);
        assert!(missing_test(&format!("{place}::nothing")).is_some());
        assert!(missing_test("gate").is_some());
    }

    #[test]
    fn tests_of_the_studio_are_looked_for_by_the_beginning_of_their_title() {
        let text = "test(\"S1 a page\", x);\ntest(\n  \"S22 another\", x);\ntest.skip(\"S3 none\", x);\n// \"S4 no test\"\n";
        assert!(has_title(text, "S1") && has_title(text, "S1 a page") && has_title(text, "S22"));
        for words in ["S2", "S3", "S4", "page"] {
            assert!(!has_title(text, words), "{words}");
        }
        assert!(missing_test("studio/e2e/nothing.spec.ts::S1").is_some());
    }

    #[test]
    fn every_finding_names_its_tests_or_its_part() {
        let page = std::fs::read_to_string(root().join("docs/findings-closed.md")).unwrap();
        let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
        let rows = rows.filter(|row| !row.starts_with("finding "));
        let mut findings = 0;
        for row in rows {
            let ended_by = row.rsplit(" | ").next().unwrap_or_default();
            let tests: Vec<&str> = ended_by.split('`').skip(1).step_by(2).collect();
            let problems: Vec<String> = tests.iter().filter_map(|test| missing_test(test)).collect();
            assert!(problems.is_empty(), "{row}: {problems:?}");
            assert!(!tests.is_empty() || ended_by.contains("part") || ended_by.starts_with("with "), "{row}");
            findings += 1;
        }
        assert!(findings > 100, "{findings}");
    }

    #[test]
    fn placeholders_are_whole_words() {
        assert_eq!(filled("prowess info NAME --json"), "prowess info sample --json");
        assert_eq!(filled("prowess x NAMES"), "prowess x NAMES");
    }
}
