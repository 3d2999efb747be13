use proptest::prelude::*;
use prowess_text::posix_word;

use super::*;

fn text(text: &str) -> Piece {
    Piece::Word(vec![Part::Text(text.to_owned())])
}

#[test]
fn simple_lines_are_taken_apart() {
    assert_eq!(
        split("git log --since='2 days' | wc -l >\"a b\" 2>&1 && ls *.txt\n# done\n"),
        Ok(vec![
            text("git"),
            text("log"),
            text("--since=2 days"),
            Piece::Operator("|"),
            text("wc"),
            text("-l"),
            Piece::Operator(">"),
            text("a b"),
            Piece::Operator("2>&1"),
            Piece::Operator("&&"),
            text("ls"),
            Piece::Word(vec![Part::Pattern("*.txt".to_owned())]),
        ])
    );
    assert_eq!(
        split("A=1 curl \"$URL/x\" ~/y ''"),
        Ok(vec![
            text("A=1"),
            text("curl"),
            Piece::Word(vec![Part::Variable("URL".to_owned()), Part::Text("/x".to_owned())]),
            Piece::Word(vec![Part::Variable("HOME".to_owned()), Part::Text("/y".to_owned())]),
            text(""),
        ])
    );
    assert_eq!(split("one\ntwo"), Ok(vec![text("one"), Piece::Operator(";"), text("two")]));
    assert_eq!(split("one |\n two"), Ok(vec![text("one"), Piece::Operator("|"), text("two")]));
    assert_eq!(split("a \\\n b"), Ok(vec![text("a"), text("b")]));
    assert_eq!(split(r#"echo "a\"b\$c\d" \$x"#), Ok(vec![text("echo"), text(r#"a"b$c\d"#), text("$x")]));
}

#[test]
fn what_is_not_simple_is_left_whole() {
    for line in [
        "",
        "   # only a comment",
        "echo $(date)",
        "echo \"$(date)\"",
        "echo `date`",
        "for x in 1 2; do echo; done",
        "cat <<EOF\nx\nEOF",
        "diff <(a) <(b)",
        "f() { x; }",
        "sleep 5 &",
        "echo ${x:-y}",
        "echo $1 $? $$",
        "echo 'open",
        "echo \"open",
        "ls ada*",
        "echo {a,b}",
        "ls ~ada",
        "a ;; b",
        "a &&",
        "| a",
        "exec 3>&1",
        "echo x\\",
    ] {
        assert_eq!(split(line), Err(NotSimple), "{line}");
    }
}

proptest! {
    #[test]
    fn nothing_panics(line in "\\PC{0,60}|[ -~\n]{0,60}") {
        let _ = split(&line);
    }

    #[test]
    fn quoted_text_is_one_word(value in "[^\0]{0,40}") {
        let line = format!("x {}", posix_word(&value));
        prop_assert_eq!(split(&line), Ok(vec![text("x"), text(&value)]));
    }
}
