//! Colours only where they are wanted, and a reader that goes away ends the program in silence.

use std::io::Read as _;
use std::process::Stdio;

use crate::support::{Home, Program as _};

const COMMANDS: &[&[&str]] = &[
    &["list"],
    &["list", "--all"],
    &["check"],
    &["info", "github"],
    &["why", "github"],
    &["doctor"],
    &["prompt", "--explain"],
    &["validate"],
];

#[test]
fn colours_only_where_they_are_wanted() {
    let home = Home::full();
    for args in COMMANDS {
        let plain = home.run(args).stdout;
        assert!(!plain.contains('\u{1b}'), "{args:?}: no terminal, no colours");
        let painted = home.finish(home.command().args(*args).args(["--color", "always"])).stdout;
        assert!(painted.contains('\u{1b}'), "{args:?}");
        let stripped = strip(&painted);
        assert_eq!(stripped, plain, "{args:?}: colours change no text");
        let never = home.finish(home.command().args(*args).args(["--color", "never"])).stdout;
        assert_eq!(never, plain, "{args:?}");
    }
}

#[test]
fn no_color_is_honoured_and_a_flag_beats_it() {
    let home = Home::full();
    let run = |vars: &[(&str, &str)], args: &[&str]| {
        let mut command = home.command();
        command.envs(vars.iter().copied()).arg("list").args(args);
        home.finish(&mut command).stdout.contains('\u{1b}')
    };
    assert!(!run(&[("NO_COLOR", "1")], &[]));
    assert!(!run(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    assert!(run(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!run(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], &[]));
    assert!(run(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(run(&[("PROWESS_COLOR", "always")], &[]));
}

#[test]
fn json_never_has_colours() {
    let home = Home::full();
    for args in [&["list"][..], &["check"], &["status"], &["doctor"], &["why", "github"], &["validate"]] {
        let ran = home.finish(home.command().args(args).args(["--json", "--color", "always"]));
        assert!(!ran.stdout.contains('\u{1b}'), "{args:?}");
        serde_json::from_str::<serde_json::Value>(&ran.stdout).expect("JSON and nothing else");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let home = Home::new();
    for number in 0..300 {
        home.skill(&format!("ws/skills/s{number}"), &format!("s{number}"), "");
    }
    home.config("{skills: {limits: {maxSkillsLoadedPerSource: 300}}}");
    for args in [
        &["man"][..],
        &["list"],
        &["list", "--json"],
        &["status", "--json"],
        &["check"],
        &["prompt"],
        &["completions", "bash"],
    ] {
        let mut child = home
            .process()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut first = [0_u8; 1];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut first).expect("a first byte");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr, "", "{args:?}");
        assert!(output.status.success(), "{args:?}: {}", output.status);
    }
}

#[test]
fn terminal_codes_of_others_are_not_printed() {
    let home = Home::new();
    let text = "---\nname: evil\ndescription: \"a\\e[31mred\\e[0m\\a b\"\n---\n";
    home.tree.write("ws/skills/evil/SKILL.md", text);
    // Names of folders come with a repository too.
    home.tree.write("ws/skills/\u{1b}[31mred/SKILL.md", "refused");
    home.skill("ws/skills/\u{1b}[32mgreen", "green", "");
    let mut offenders = Vec::new();
    for line in [
        "list",
        "list --all",
        "list --json",
        "info evil",
        "info green",
        "check",
        "why evil",
        "why green",
        "commands",
        "doctor",
        "validate",
        "validate --compat openpocket",
        "validate --compat skills-ref",
        "lint",
        "prompt --explain",
        "--profile openpocket --workspace . skills list",
        "--profile openpocket --workspace . skills validate",
    ] {
        // Without a terminal our own colours are gone; with colours only ours may be there.
        for color in ["auto", "always"] {
            let ran = home.finish(home.command().args(["--color", color]).args(line.split(' ')));
            let all = ran.stdout + &ran.stderr;
            if ["\u{1b}[31mred", "\u{1b}[32mgreen", "\\u001b", "\u{7}"]
                .iter()
                .any(|theirs| all.contains(theirs))
            {
                offenders.push(format!("{line} --color {color}"));
            }
        }
    }
    assert_eq!(offenders, [""; 0]);
}

/// Text without colour codes.
fn strip(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let start = parts.next().unwrap_or_default().to_owned();
    parts.fold(start, |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}
