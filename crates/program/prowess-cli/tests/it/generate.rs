//! `prowess completions`, `man`, `--help` and `--version`

use crate::support::{Home, Program as _, files_below};

#[test]
fn completions_for_every_shell() {
    let home = Home::new();
    for (shell, sign) in
        [("bash", "complete -F"), ("zsh", "#compdef prowess"), ("fish", "complete -c prowess")]
    {
        let script = home.good(&["completions", shell]);
        assert!(script.contains(sign), "{shell}");
        assert!(script.contains("completions") && script.contains("validate"), "{shell}");
    }
    assert_eq!(home.run(&["completions", "abacus"]).code, 2);
}

#[test]
fn manual_pages() {
    let home = Home::new();
    let page = home.good(&["man"]);
    assert!(page.contains(".TH prowess 1") && page.contains("Exit codes"), "{page}");
    assert_eq!(home.good(&["man", "--out", "pages"]), "");
    let pages = files_below(&home.tree.path("ws/pages"));
    for name in ["prowess.1", "prowess-list.1", "prowess-config-set.1"] {
        assert!(pages.iter().any(|page| page == name), "{name} is not in {pages:?}");
    }
}

#[test]
fn neither_needs_a_home() {
    let home = Home::new();
    for args in [&["man"][..], &["completions", "bash"], &["--version"], &["--help"]] {
        let ran = home.finish(home.command().env_remove("HOME").args(args));
        assert_eq!(ran.code, 0, "{args:?}");
    }
}

#[test]
fn help_shows_examples() {
    let home = Home::new();
    let help = home.good(&["--help"]);
    assert!(help.contains("Examples:\n  prowess list"), "{help}");
    assert!(help.contains("Exit codes: 0 success, 1 findings, 2 usage error,"), "{help}");
    for flag in ["--profile", "--home", "--config", "--workspace", "--agent", "--json", "--color"] {
        assert!(help.contains(flag), "{flag}");
    }
    for command in ["list", "info", "prompt", "validate", "why", "config set", "new", "completions"] {
        let mut args: Vec<&str> = command.split(' ').collect();
        args.push("--help");
        let help = home.good(&args);
        assert!(help.contains("Example"), "{command}: {help}");
    }
}

#[test]
fn without_a_command_the_help_is_shown() {
    let ran = Home::new().run(&[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("Usage: prowess"), "{}", ran.stderr);
}

#[test]
fn version() {
    assert_eq!(Home::new().good(&["--version"]), concat!("prowess ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_usage() {
    let home = Home::new();
    for args in [
        &["list", "--no-such-flag"][..],
        &["no-such-command"],
        &["info"],
        &["--profile", "x", "list"],
        &["--color", "blue", "list"],
    ] {
        let ran = home.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
    let ran = home.run(&["lst"]);
    insta::assert_snapshot!(ran.stderr, @"
    error: unrecognized subcommand 'lst'

      tip: some similar subcommands exist: 'lint', 'list'

    Usage: prowess [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
}
