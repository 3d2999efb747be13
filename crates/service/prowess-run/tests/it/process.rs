//! Programs and their children, for real.
#![cfg(unix)]

mod confined;
mod ends;
mod jobs;
mod streams;

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_run::Environment;
use prowess_run::process::{Captured, End, Program};
use prowess_testkit::{eventually, reached};
use prowess_types::Secret;
use tokio_util::sync::CancellationToken;

/// An environment of these variables and no others.
pub(crate) fn environment(vars: &[(&str, &str)]) -> Environment {
    Environment::new(vars.iter().map(|(name, value)| ((*name).to_owned(), Secret::new(*value))))
}

/// One in which the usual programs are found.
pub(crate) fn usual() -> Environment {
    environment(&[("PATH", "/usr/local/bin:/usr/bin:/bin")])
}

/// A shell command in a folder.
fn shell(command: &str, workdir: &Path) -> Program {
    Program::shell(command, &usual(), workdir)
}

/// Runs a program to its end, with a limit that only a fault reaches.
async fn finish(program: &Program, environment: &Environment) -> (End, Captured) {
    let running = program.spawn(environment).await.expect("a start").watch(64 * 1024);
    let output = running.output();
    let end = running.finish(Some(Duration::from_mins(1)), &CancellationToken::new()).await;
    (end, output.take_all())
}

/// Waits until a program wrote a number into a file.
pub(crate) async fn number_in(file: PathBuf) -> i32 {
    eventually("a number in a file", async || {
        let text = std::fs::read_to_string(&file).ok()?;
        text.strip_suffix('\n')?.trim().parse().ok()
    })
    .await
}

/// Whether a process is there and does anything: one that was killed may wait for its parent to notice.
pub(crate) fn is_alive(process: i32) -> bool {
    let process = rustix::process::Pid::from_raw(process).expect("a process number");
    let is_there = rustix::process::test_kill_process(process).is_ok();
    let state = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    let is_zombie =
        state.is_ok_and(|state| state.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")));
    is_there && !is_zombie
}

/// Gives the kernel a moment to carry out what was signalled.
pub(crate) async fn assert_gone(process: i32) {
    reached("the end of a process", || !is_alive(process)).await;
}
