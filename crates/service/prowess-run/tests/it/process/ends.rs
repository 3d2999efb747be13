//! However a program ends, nothing of it is left.

use std::time::Duration;

use prowess_run::process::{End, ProgramInput};
use tokio_util::sync::CancellationToken;

use super::{assert_gone, finish, is_alive, number_in, shell, usual};

/// A shell with a child that has a child; all would go on for ten minutes, and the innermost does not listen.
const FAMILY: &str =
    "sh -c 'trap \"\" TERM; echo $$ > inner; while :; do sleep 600; done' & echo $! > outer; wait";

#[tokio::test]
async fn the_time_limit_ends_the_whole_family() {
    let folder = tempfile::tempdir().unwrap();
    let running = shell(FAMILY, folder.path()).spawn(&usual()).await.unwrap().watch(1024);
    let inner = number_in(folder.path().join("inner")).await;
    assert!(is_alive(inner));
    let end = running.finish(Some(Duration::from_millis(10)), &CancellationToken::new()).await;
    assert_eq!(end, End::TimedOut);
    assert_gone(inner).await;
}

#[tokio::test]
async fn cancelling_ends_the_whole_family() {
    let folder = tempfile::tempdir().unwrap();
    let running = shell(FAMILY, folder.path()).spawn(&usual()).await.unwrap().watch(1024);
    let cancel = CancellationToken::new();
    let waiting = tokio::spawn({
        let cancel = cancel.clone();
        async move { running.finish(None, &cancel).await }
    });
    let inner = number_in(folder.path().join("inner")).await;
    cancel.cancel();
    assert_eq!(waiting.await.unwrap(), End::Cancelled);
    assert_gone(inner).await;
}

#[tokio::test]
async fn dropping_ends_the_whole_family() {
    let folder = tempfile::tempdir().unwrap();
    let running = shell(FAMILY, folder.path()).spawn(&usual()).await.unwrap().watch(1024);
    let inner = number_in(folder.path().join("inner")).await;
    drop(running);
    assert_gone(inner).await;
}

#[tokio::test]
async fn a_dropped_wait_ends_the_whole_family() {
    let folder = tempfile::tempdir().unwrap();
    let running = shell(FAMILY, folder.path()).spawn(&usual()).await.unwrap().watch(1024);
    let waiting = tokio::spawn(async move { running.finish(None, &CancellationToken::new()).await });
    let inner = number_in(folder.path().join("inner")).await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert_gone(inner).await;
}

#[tokio::test]
async fn what_a_program_leaves_behind_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (end, output) =
        finish(&shell("sleep 600 & echo $! > left; echo done", folder.path()), &usual()).await;
    assert_eq!((end, output.text.as_str()), (End::Exited(0), "done\n"));
    assert_gone(number_in(folder.path().join("left")).await).await;
}

#[tokio::test]
async fn a_daemon_that_holds_the_output_open_delays_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let command = "setsid sh -c 'echo $$ > daemon; exec sleep 600' & while ! test -s daemon; do sleep 0.05; done; echo done";
    let (end, output) = finish(&shell(command, folder.path()), &usual()).await;
    assert_eq!((end, output.text.as_str()), (End::Exited(0), "done\n"));
    let daemon = number_in(folder.path().join("daemon")).await;
    let daemon = rustix::process::Pid::from_raw(daemon).unwrap();
    // It left the group, so ending it is up to us.
    rustix::process::kill_process(daemon, rustix::process::Signal::KILL).unwrap();
}

#[tokio::test]
async fn a_program_may_put_its_things_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let command = "trap 'echo tidy; exit 0' TERM; echo $$ > ready; while :; do sleep 0.05; done";
    let running = shell(command, folder.path()).spawn(&usual()).await.unwrap().watch(1024);
    let output = running.output();
    number_in(folder.path().join("ready")).await;
    let end = running.finish(Some(Duration::from_millis(1)), &CancellationToken::new()).await;
    let said = output.take_all().text;
    assert_eq!(end, End::TimedOut);
    assert!(said.ends_with("tidy\n"), "{said}");
}

#[tokio::test]
async fn signals_are_told_from_codes() {
    let folder = tempfile::tempdir().unwrap();
    let (end, _) = finish(&shell("kill -9 $$", folder.path()), &usual()).await;
    assert_eq!((end, end.code()), (End::Killed(Some(9)), Some(137)));
    let (end, _) = finish(&shell("exit 137", folder.path()), &usual()).await;
    assert_eq!(end, End::Exited(137));
}

#[tokio::test]
async fn ending_a_terminal_ends_every_group_on_it() {
    let folder = tempfile::tempdir().unwrap();
    // With job control each command is a group of its own, as in an interactive shell.
    let command = "set -m; sh -c 'trap \"\" TERM HUP; echo $$ > inner; while :; do sleep 600; done' & wait";
    let program = shell(command, folder.path()).input(ProgramInput::Terminal);
    let running = program.spawn(&usual()).await.unwrap().watch(1024);
    let inner = number_in(folder.path().join("inner")).await;
    let end = running.finish(Some(Duration::from_millis(10)), &CancellationToken::new()).await;
    assert_eq!(end, End::TimedOut);
    if cfg!(target_os = "linux") {
        assert_gone(inner).await;
    }
}

#[test]
fn an_ending_runtime_ends_its_programs() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let inner = runtime.block_on(async {
        let running = shell(FAMILY, folder.path()).spawn(&usual()).await.unwrap().watch(1024);
        tokio::spawn(async move { running.finish(None, &CancellationToken::new()).await });
        number_in(folder.path().join("inner")).await
    });
    drop(runtime);
    tokio::runtime::Runtime::new().unwrap().block_on(assert_gone(inner));
}
