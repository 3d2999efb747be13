//! What goes into a program and what comes out of it.

use std::fmt::Write as _;

use prowess_run::process::{End, Program, ProgramInput, StartError, find_program};
use tokio::io::AsyncWriteExt as _;
use tokio_util::sync::CancellationToken;

use super::{environment, finish, shell, usual};

#[tokio::test]
async fn the_environment_is_exactly_what_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::new("/usr/bin/env", folder.path());
    let (end, output) = finish(&program, &environment(&[("ONE", "1"), ("TWO", "a b\nc=$d")])).await;
    assert_eq!(end, End::Exited(0));
    assert_eq!(output.text, "ONE=1\nTWO=a b\nc=$d\n");
    let (_, output) = finish(&program, &environment(&[])).await;
    assert_eq!(output.text, "", "not even the variables of this test");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_runs_never_see_each_others_variables() {
    let folder = tempfile::tempdir().unwrap();
    let mut runs = tokio::task::JoinSet::new();
    for run in 0..40 {
        let program = Program::new("/usr/bin/env", folder.path());
        runs.spawn(async move {
            let (name, value) = (format!("KEY_OF_{run}"), format!("planted-{run}"));
            let (_, output) = finish(&program, &environment(&[(&name, &value), ("SHARED", &value)])).await;
            assert_eq!(output.text, format!("{name}={value}\nSHARED={value}\n"));
        });
    }
    let done = runs.join_all().await;
    assert_eq!(done.len(), 40);
}

#[tokio::test]
async fn both_streams_come_in_one_text_or_apart() {
    let folder = tempfile::tempdir().unwrap();
    let program = shell("for n in 1 2 3 4 5; do echo out $n; echo err $n >&2; done; exit 3", folder.path());
    let (end, output) = finish(&program, &usual()).await;
    assert_eq!(end, End::Exited(3));
    let in_order = (1..=5).map(|n| format!("out {n}\nerr {n}\n")).collect::<Vec<_>>().concat();
    assert_eq!(output.text, in_order);
    let program = shell("echo out; echo err >&2", folder.path()).keep_streams_apart();
    let running = program.spawn(&usual()).await.unwrap().watch(1024);
    let (output, errors) = (running.output(), running.errors());
    running.finish(None, &CancellationToken::new()).await;
    assert_eq!((output.take_all().text.as_str(), errors.take_all().text.as_str()), ("out\n", "err\n"));
}

#[tokio::test]
async fn a_program_reads_nothing_unless_something_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (end, output) = finish(&shell("cat; echo end", folder.path()), &usual()).await;
    assert_eq!((end, output.text.as_str()), (End::Exited(0), "end\n"));
    let mut running =
        shell("cat", folder.path()).input(ProgramInput::Piped).spawn(&usual()).await.unwrap().watch(1024);
    let output = running.output();
    let mut input = running.take_input().unwrap();
    input.write_all(b"said").await.unwrap();
    drop(input);
    running.finish(None, &CancellationToken::new()).await;
    assert_eq!(output.take_all().text, "said");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_hundred_megabytes_of_output_take_little_memory() {
    fn peak_kilobytes() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
    const MEGABYTES: u64 = 100;
    let folder = tempfile::tempdir().unwrap();
    let command = format!("echo first; head -c {MEGABYTES}M /dev/zero | tr '\\0' x; echo; echo last");
    let before = peak_kilobytes();
    let (end, output) = finish(&shell(&command, folder.path()), &usual()).await;
    let grown = peak_kilobytes() - before;
    assert_eq!(end, End::Exited(0));
    assert!(output.text.starts_with("first\nxxx") && output.text.ends_with("xx\nlast\n"));
    assert_eq!(output.omitted_bytes, MEGABYTES * 1024 * 1024 + "first\n\nlast\n".len() as u64 - 64 * 1024);
    assert!(grown < 40 * 1024, "{grown} kB more than before");
}

#[tokio::test]
async fn a_terminal_is_one_for_all_three_streams() {
    let folder = tempfile::tempdir().unwrap();
    let check = "test -t 0 && test -t 1 && test -t 2 && echo terminal || echo none";
    let (_, output) = finish(&shell(check, folder.path()), &usual()).await;
    assert_eq!(output.text, "none\n");
    let (end, output) = finish(&shell(check, folder.path()).input(ProgramInput::Terminal), &usual()).await;
    assert_eq!((end, output.text.trim_end()), (End::Exited(0), "terminal"));
}

#[tokio::test]
async fn many_arguments_arrive_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["", "a b", "$(id)", "`id`", "\"'\\", "*", "-n", "ü\u{202e}"];
    let program = Program::new("/usr/bin/printf", folder.path()).args(["[%s]\n"]).args(arguments);
    let (_, output) = finish(&program, &usual()).await;
    let expected = arguments.iter().fold(String::new(), |mut text, argument| {
        writeln!(text, "[{argument}]").unwrap();
        text
    });
    assert_eq!(output.text, expected);
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let error = Program::new("/nowhere/tool", folder.path()).spawn(&usual()).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/nowhere/tool`");
    let error = Program::new("/bin/true", folder.path().join("none")).spawn(&usual()).await.unwrap_err();
    assert!(matches!(error, StartError::Workdir(_)), "{error}");
    let error = shell("echo \0", folder.path()).spawn(&usual()).await.unwrap_err();
    assert!(matches!(error, StartError::Refused { .. }), "{error}");
}

#[test]
fn programs_are_never_found_through_relative_folders() {
    let folder = tempfile::tempdir().unwrap();
    let found = |name: &str, path: &str| find_program(name, &environment(&[("PATH", path)]));
    assert_eq!(found("sh", "/nowhere:/bin"), Some("/bin/sh".into()));
    assert_eq!(found("/bin/sh", ""), Some("/bin/sh".into()));
    for (name, path) in
        [("sh", ""), ("sh", ".:bin"), ("./sh", "/bin"), ("../bin/sh", "/usr"), ("none", "/bin")]
    {
        assert_eq!(found(name, path), None, "{name} in {path}");
    }
    let absent = folder.path().join("absent");
    assert_eq!(found(absent.to_str().unwrap(), "/bin"), None);
}
