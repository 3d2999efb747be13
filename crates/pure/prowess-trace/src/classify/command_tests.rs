use serde_json::json;

use super::*;

fn names(line: &str) -> Vec<String> {
    programs(line).into_iter().map(|program| program.name).collect()
}

#[test]
fn the_program_of_each_statement_is_found() {
    let cases: [(&str, &[&str]); 14] = [
        ("ls", &["ls"]),
        ("cd /x && FOO=1 sudo -E /usr/bin/python3.12 a.py | tail -5", &["python"]),
        ("a; b\nc || d", &["a", "b", "c", "d"]),
        ("echo 'a; b && c' \"d | e\"", &["echo"]),
        ("a 2>&1 | b", &["a"]),
        ("(cd x && make)", &["make"]),
        ("export A=1", &[]),
        ("", &[]),
        ("   ;;  && ", &[]),
        ("\"unclosed && x", &["unclosed"]),
        ("7z x a.7z", &["7z"]),
        ("env -i A=1 ./run.sh", &["run.sh"]),
        ("timeout 2.5m npm test", &["npm"]),
        ("command -v jq", &["command"]),
    ];
    for (line, expected) in cases {
        assert_eq!(names(line), expected, "{line}");
    }
}

#[test]
fn command_lines_come_as_text_or_as_lists() {
    let step = |input| Step::of("shell", &input);
    let expected = step(json!({ "command": "cd x && git push origin" }));
    assert_eq!(step(json!({ "command": ["bash", "-lc", "cd x && git push origin"] })), expected);
    assert_eq!(step(json!({ "cmd": ["git", "push", "origin"] })), expected);
    assert_eq!(step(json!({ "command": 7 })), Step::Tool("shell".into()));
    assert_eq!(step(json!({ "command": "x ".repeat(MAX_COMMAND_BYTES) })), Step::Tool("shell".into()));
    assert_eq!(step(json!({ "path": "a" })), Step::Tool("shell".into()));
    assert_eq!(step(json!("git push")), Step::Tool("shell".into()));
}

#[test]
fn flags_and_redirections_are_no_arguments() {
    let [program] = programs("git -C x push --force > log 2>/dev/null").try_into().unwrap();
    assert_eq!(program.words, ["x", "push", "log"]);
}
