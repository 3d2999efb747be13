//! Programs in the background.

use std::time::Duration;

use prowess_run::process::{
    AfterWriting, End, IsOnTerminal, JobError, JobReport, JobState, Jobs, ProgramInput,
};
use prowess_testkit::eventually;
use tokio_util::sync::CancellationToken;

use super::{assert_gone, is_alive, number_in, shell, usual};

const LONG: Duration = Duration::from_mins(1);

async fn start(jobs: &Jobs, command: &str, folder: &std::path::Path, input: ProgramInput) -> u32 {
    let running = shell(command, folder).input(input).spawn(&usual()).await.unwrap().watch(1024);
    let terminal = if input == ProgramInput::Terminal { IsOnTerminal::Yes } else { IsOnTerminal::No };
    jobs.start(command, running, terminal, &CancellationToken::new()).unwrap()
}

/// Polls until the job has said something that ends as expected.
async fn hear(jobs: &Jobs, job: u32, end: &str) -> String {
    let mut heard = String::new();
    eventually(end, async || {
        heard.push_str(&jobs.poll(job, Duration::ZERO).await.unwrap().output.text);
        heard.ends_with(end).then_some(())
    })
    .await;
    heard
}

#[tokio::test]
async fn each_poll_tells_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = Jobs::default();
    let job =
        start(&jobs, "echo one; read line; echo got $line; exit 4", folder.path(), ProgramInput::Piped).await;
    assert_eq!(hear(&jobs, job, "one\n").await, "one\n");
    assert_eq!(jobs.poll(job, Duration::ZERO).await.unwrap().state, JobState::Running);
    jobs.write(job, "two\n", AfterWriting::KeepOpen).await.unwrap();
    let JobReport { state, output, .. } = jobs.poll(job, LONG).await.unwrap();
    assert_eq!((state, output.text.as_str()), (JobState::Ended(End::Exited(4)), "got two\n"));
    let again = jobs.poll(job, LONG).await.unwrap();
    assert_eq!((again.state, again.output.text.as_str()), (JobState::Ended(End::Exited(4)), ""));
    let error = jobs.write(job, "three\n", AfterWriting::KeepOpen).await.unwrap_err();
    assert!(matches!(error, JobError::InputClosed(_)), "{error}");
}

#[tokio::test]
async fn closing_the_input_is_seen_by_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = Jobs::default();
    for input in [ProgramInput::Piped, ProgramInput::Terminal] {
        let job = start(&jobs, "cat > got; echo ended", folder.path(), input).await;
        jobs.write(job, "text\n", AfterWriting::Close).await.unwrap();
        let report = jobs.poll(job, LONG).await.unwrap();
        assert_eq!(report.state, JobState::Ended(End::Exited(0)), "{input:?}");
        assert_eq!(std::fs::read_to_string(folder.path().join("got")).unwrap(), "text\n");
    }
}

#[tokio::test]
async fn killing_ends_the_job_and_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = Jobs::default();
    let job =
        start(&jobs, "echo up; sleep 600 & echo $! > child; wait", folder.path(), ProgramInput::Piped).await;
    let child = number_in(folder.path().join("child")).await;
    let report = jobs.kill(job).await.unwrap();
    assert_eq!((report.state, report.output.text.as_str()), (JobState::Ended(End::Cancelled), "up\n"));
    assert_gone(child).await;
    assert_eq!(jobs.kill(job).await.unwrap().state, JobState::Ended(End::Cancelled), "twice does no harm");
}

#[tokio::test]
async fn all_jobs_end_with_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = Jobs::default();
    let mut children = Vec::new();
    for (name, input) in [("a", ProgramInput::Piped), ("b", ProgramInput::Terminal)] {
        let command =
            format!("sh -c 'trap \"\" TERM HUP; echo $$ > {name}; while :; do sleep 600; done'; true");
        start(&jobs, &command, folder.path(), input).await;
        children.push(number_in(folder.path().join(name)).await);
    }
    assert!(children.iter().all(|child| is_alive(*child)));
    drop(jobs);
    for child in children {
        assert_gone(child).await;
    }
}

#[tokio::test]
async fn cancelling_the_run_ends_its_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = Jobs::default();
    let run = CancellationToken::new();
    let running =
        shell("echo $$ > child; sleep 600", folder.path()).spawn(&usual()).await.unwrap().watch(1024);
    let job = jobs.start("sleep", running, IsOnTerminal::No, &run).unwrap();
    let child = number_in(folder.path().join("child")).await;
    run.cancel();
    assert_eq!(jobs.poll(job, LONG).await.unwrap().state, JobState::Ended(End::Cancelled));
    assert_gone(child).await;
}

#[tokio::test]
async fn there_are_not_too_many_jobs_and_ended_ones_make_room() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = Jobs::default();
    let first = start(&jobs, "true", folder.path(), ProgramInput::None).await;
    jobs.poll(first, LONG).await.unwrap();
    for _ in 0..32 {
        start(&jobs, "sleep 600", folder.path(), ProgramInput::None).await;
    }
    assert!(matches!(jobs.poll(first, LONG).await, Err(JobError::Unknown(_))), "the ended one was forgotten");
    let running = shell("sleep 600", folder.path()).spawn(&usual()).await.unwrap().watch(1024);
    let error = jobs.start("sleep", running, IsOnTerminal::No, &CancellationToken::new()).unwrap_err();
    assert!(matches!(error, JobError::TooMany), "{error}");
    assert_eq!(jobs.list().len(), 32);
}

#[tokio::test]
async fn an_unknown_job_is_an_error() {
    let error = Jobs::default().poll(7, LONG).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no job `7`");
}
