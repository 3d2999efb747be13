use super::*;
use crate::shell::split;
use crate::test_support::few_words;

fn cleaned(line: &str) -> (Cleaned, Vec<(String, String)>) {
    let mut values = Values::default();
    let cleaned = clean(&split(line).expect("a simple line"), "/ws", &few_words, &mut values);
    let values = values.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    (cleaned, values)
}

#[test]
fn what_belongs_to_one_task_becomes_a_parameter() {
    for (line, expected) in [
        ("git log --oneline -n 20", "git log --oneline -n 20"),
        (
            "git log --author='Ada Lovelace' --since=2026-03-14",
            "git log --author=\"$TEXT_1\" --since=\"$DATE_1\"",
        ),
        ("grep -rn lovelace /home/ada/notes", "grep -rn \"$TEXT_1\" \"$FILE_1\""),
        ("cat a.txt | sort > b.txt 2>&1", "cat \"$FILE_1\" | sort > \"$FILE_2\" 2>&1"),
        ("cd /ws/sub && make test", "cd \"$TEXT_1\" && make test"),
        ("gh pr list ada", "gh pr \"$TEXT_1\" \"$TEXT_2\""),
        ("KEY=abc123 curl -s \"$URL/x\"", "KEY=\"$TEXT_1\" curl -s \"$URL\"\"$FILE_1\""),
        ("mysql -psecret99 -uroot", "mysql \"$TEXT_1\" \"$TEXT_2\""),
        ("./build.sh --verbose", "\"$FILE_1\" --verbose"),
        ("find . -name '*.tmp' -delete", "find . -name \"$FILE_1\" -delete"),
        ("ls *.txt", "ls *.txt"),
        ("echo report ''", "echo report ''"),
    ] {
        assert_eq!(cleaned(line).0.line, expected, "{line}");
    }
}

#[test]
fn programs_and_variables_are_known() {
    let (cleaned, values) =
        cleaned("cd /ws && T=1 jq . \"$INPUT\" | jq -r \"$T\" && echo \"$HOME\" && git status");
    assert_eq!(cleaned.programs, ["jq", "git"]);
    assert_eq!(cleaned.variables, ["INPUT"]);
    assert!(values.is_empty(), "the workspace is the folder itself: {values:?}");
}

#[test]
fn paths_in_the_workspace_are_relative() {
    for (text, expected) in
        [("/ws/a/b", "a/b"), ("/ws", "."), ("/ws/", "."), ("/wsx/a", "/wsx/a"), ("/other", "/other")]
    {
        assert_eq!(relative(text, "/ws"), expected);
        assert_eq!(relative(text, "/ws/"), expected);
    }
    assert_eq!(relative("/a", ""), "/a");
}
