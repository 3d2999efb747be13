use proptest::prelude::*;

use super::*;

fn names() -> Vec<String> {
    ["file", "file-name", "to"].map(str::to_owned).to_vec()
}

/// What a text becomes with arguments and named arguments.
fn expanded(body: &str, arguments: &str) -> Expanded {
    let names = names();
    let context = TemplateContext {
        arguments,
        argument_names: &names,
        skill_dir: "/skills/x y",
        session_id: Some("s-1"),
    };
    expand(body, &context)
}

fn text(body: &str, arguments: &str) -> String {
    expanded(body, arguments).text
}

#[test]
fn positions_count_from_zero() {
    let table = [
        ("$0, $1 and $ARGUMENTS[1]", "alpha 'b c'", "alpha, b c and b c"),
        ("all: $ARGUMENTS", "alpha 'b c'", "all: alpha 'b c'"),
        ("all: $ARGUMENTS.", "", "all: ."),
        ("$0 costs $0.01 and $200K", "a", "a costs a.01 and $200K"),
        ("$0 $2 $10 $ARGUMENTS[7]", "a b", "a $2 $10 $ARGUMENTS[7]"),
        ("$1st $ARGUMENTSX $ARGUMENTS_ $0", "a b", "$1st $ARGUMENTSX $ARGUMENTS_ a"),
        ("$ARGUMENTS[x] $ARGUMENTS[]", "a", "a[x] a[]"),
        ("$ARGUMENTS[99999999999999999999999] $0", "a", "$ARGUMENTS[99999999999999999999999] a"),
        ("fenced\n```\nawk '{print $0}'\n```", "a", "fenced\n```\nawk '{print a}'\n```"),
    ];
    for (body, arguments, expected) in table {
        assert_eq!(text(body, arguments), expected, "{body:?} {arguments:?}");
    }
}

#[test]
fn names_stand_for_positions_and_are_empty_without_an_argument() {
    let table = [
        ("$file > $to", "a b c", "a > c"),
        ("$file-name $file", "a b c", "b a"),
        ("$file|$to|$filex|$other", "a", "a||$filex|$other"),
        ("$file", "", ""),
    ];
    for (body, arguments, expected) in table {
        assert_eq!(text(body, arguments), expected, "{body:?} {arguments:?}");
    }
}

#[test]
fn places_and_the_session() {
    let body = "{baseDir} ${CLAUDE_SKILL_DIR}/a ${PROWESS_SKILL_DIR} ${OPENCLAW_SKILL_DIR} ${CLAUDE_SESSION_ID} \
                ${HOME} {other} ${CLAUDE_EFFORT}";
    let folder = "/skills/x y";
    assert_eq!(
        text(body, ""),
        format!("{folder} {folder}/a {folder} {folder} s-1 ${{HOME}} {{other}} ${{CLAUDE_EFFORT}}")
    );
    let alone = expand("${CLAUDE_SESSION_ID}", &TemplateContext::default());
    assert_eq!(alone.text, "${CLAUDE_SESSION_ID}");
}

#[test]
fn a_backslash_keeps_a_placeholder_as_text() {
    let table = [
        ("\\$ARGUMENTS $0", "$ARGUMENTS a"),
        ("\\$0.01 \\$ARGUMENTS[0] \\$file \\{baseDir} $0", "$0.01 $ARGUMENTS[0] $file {baseDir} a"),
        ("\\${CLAUDE_SKILL_DIR} $0", "${CLAUDE_SKILL_DIR} a"),
        ("\\$9 $0", "$9 a"),
        // Nothing to keep, so nothing is taken away.
        ("\\$HOME \\n \\\\ \\ $0", "\\$HOME \\n \\\\ \\ a"),
        ("\\\\$0 $0", "\\$0 a"),
    ];
    for (body, expected) in table {
        assert_eq!(text(body, "a"), expected, "{body:?}");
    }
}

#[test]
fn arguments_without_a_place_follow_the_text() {
    assert_eq!(text("Do it.\n", "now \"or never\""), "Do it.\n\nARGUMENTS: now \"or never\"");
    assert_eq!(text("Cut at $4.", "now"), "Cut at $4.\n\nARGUMENTS: now");
    assert_eq!(text("\\$0", "now"), "$0\n\nARGUMENTS: now");
    assert_eq!(text("Do it.\n", "  "), "Do it.\n");
    assert_eq!(text("", "now"), "\n\nARGUMENTS: now");
}

#[test]
fn what_is_filled_in_is_never_looked_at_again() {
    assert_eq!(text("$0 $1", "'$1' '$0'"), "$1 $0");
    assert_eq!(text("$ARGUMENTS", "{baseDir} \\$0"), "{baseDir} \\$0");
    let sly = expanded("Hello $ARGUMENTS", "!`rm -r x`");
    assert_eq!((sly.text.as_str(), sly.commands.len()), ("Hello !`rm -r x`", 0));
    // Neither does a value make a command of the signs around it.
    assert!(expanded("!$0`", "`ls").commands.is_empty());
}

#[test]
fn commands_are_shown_and_not_run() {
    let found = expanded("Now:\n!`git diff $0`\nand !`date`.", "HEAD");
    assert_eq!(found.text, "Now:\n`git diff HEAD` (not run)\nand `date` (not run).");
    let shown: Vec<&str> = found.commands.iter().map(|block| &found.text[block.span.clone()]).collect();
    assert_eq!(shown, ["`git diff HEAD` (not run)", "`date` (not run)"]);
    let commands: Vec<&str> = found.commands.iter().map(|block| block.command.as_str()).collect();
    assert_eq!(commands, ["git diff HEAD", "date"]);
}

#[test]
fn blocks_with_an_exclamation_mark_are_commands() {
    let found = expanded("a\n  ```!\n  ls\n  pwd\n  ```\nb\n````!  \necho ```\n````", "");
    assert_eq!(found.commands.len(), 2);
    assert_eq!(found.commands[0].command, "  ls\n  pwd");
    assert_eq!(found.commands[1].command, "echo ```");
    assert_eq!(found.text, "a\n  ```sh\n  ls\n  pwd\n```\n(not run)\nb\n```` echo ``` ```` (not run)");
}

#[test]
fn signs_that_only_look_like_commands() {
    let bodies = [
        "KEY=!`cmd`",
        "wow!`x`",
        "! `cmd`",
        "!``",
        "!`a\nb`",
        "!`a``",
        "```!\nnever closed",
        "```! sh\nx\n```",
        "!",
    ];
    for body in bodies {
        let found = expanded(body, "");
        assert_eq!((found.text.as_str(), found.commands.len()), (body, 0), "{body:?}");
    }
}

#[test]
fn outputs_take_the_place_of_commands() {
    let run = |command: &str| match command {
        "bad" => Err("it failed".to_owned()),
        other => Ok(format!("<{other}> $0 !`x`\n")),
    };
    let found = expanded("a !`one` b !`bad` c", "");
    assert_eq!(found.with_outputs(run), "a <one> $0 !`x` b `bad` (not run: it failed) c");
    let appended = expanded("!`one`", "later");
    assert_eq!(appended.with_outputs(run), "<one> $0 !`x`\n\nARGUMENTS: later");
}

#[test]
fn a_value_that_a_shell_would_read_keeps_a_command_from_running() {
    for value in ["1; rm -r x", "$(date)", "`date`", "a|b", "a&b", "it's", "\"x\"", "a>b", "*", "~", "a\\\nb"]
    {
        let quoted = format!("'{}'", value.replace('\'', "'\\''"));
        let found = expanded("!`gh pr view $0`", &quoted);
        let refusal = found.commands[0].refusal.as_deref();
        assert!(refusal.is_some_and(|reason| reason.contains("shell")), "{value:?}");
        let text = found.with_outputs(|_| panic!("{value:?} was run"));
        assert!(text.contains("not run: "), "{text}");
    }
    let plain = expanded("!`git log $ARGUMENTS`", "--since=2024-01-01 v1.2..main päth/a@b:c,d+e%");
    assert_eq!(plain.commands[0].refusal, None);
}

proptest! {
    #[test]
    fn any_text_can_be_expanded(
        body in "([a-z !`\\n\\\\$\\[\\]{}0-3é🎉]|ARGUMENTS|baseDir|file|```!?){0,24}",
        arguments in "[a-z '\"\\\\$`!0-2é]{0,20}",
    ) {
        let found = expanded(&body, &arguments);
        for block in &found.commands {
            prop_assert!(found.text.get(block.span.clone()).is_some_and(|shown| shown.contains(&block.command)));
        }
        let starts: Vec<usize> = found.commands.iter().map(|block| block.span.start).collect();
        prop_assert!(starts.is_sorted());
        found.with_outputs(|_| Ok(String::new()));
    }

    #[test]
    fn a_text_without_signs_stays_as_it_is(body in "[a-zA-Z0-9 .,\\n#`*é🎉-]{0,80}") {
        prop_assert_eq!(text(&body, ""), body);
    }
}
