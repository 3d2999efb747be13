//! Programs that go on while the agent does something else.
//!
//! They belong to one run: dropping [`Jobs`] ends them all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use prowess_types::IgnorePoison as _;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::capture::{Captured, Output};
use super::group::Group;
use super::running::{End, ProcessInput, Running};

/// The maximum number of jobs of a run, those included that ended and were not forgotten yet.
const MAX_JOBS: usize = 32;
/// The time limit of a program for reading its input.
const WRITE_LIMIT: Duration = Duration::from_secs(10);
/// What a terminal takes as the end of its input, at the beginning of a line.
const END_OF_INPUT: &[u8] = &[4];

/// The background programs of one run, by number.
#[derive(Default)]
pub struct Jobs {
    registry: Mutex<Registry>,
}

#[derive(Default)]
struct Registry {
    last: u32,
    by_number: BTreeMap<u32, Arc<Job>>,
}

struct Job {
    command: String,
    output: Output,
    input: tokio::sync::Mutex<Option<ProcessInput>>,
    is_on_terminal: bool,
    state: watch::Receiver<JobState>,
    stop: CancellationToken,
    group: Arc<Group>,
    supervisor: JoinHandle<()>,
}

/// Whether a job goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It does.
    Running,
    /// It ended; [`End::Cancelled`] if it was told to.
    Ended(End),
}

/// What there is to say about a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobReport {
    /// Its number.
    pub job: u32,
    /// What was started.
    pub command: String,
    /// Whether it goes on.
    pub state: JobState,
    /// What it said since the last report.
    pub output: Captured,
}

/// The reason a job could not be started or reached.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// There is none of that number.
    #[error("there is no job `{0}`")]
    Unknown(u32),
    /// There are too many.
    #[error("{MAX_JOBS} jobs are already running; stop one first")]
    TooMany,
    /// Nothing can be written to it any more.
    #[error("the input of job `{0}` is closed")]
    InputClosed(u32),
    /// It does not read.
    #[error("job `{0}` does not read its input")]
    NotReading(u32),
}

impl Jobs {
    /// Takes over a program. It ends with the run.
    pub fn start(
        &self,
        command: impl Into<String>,
        mut running: Running,
        terminal: IsOnTerminal,
        run: &CancellationToken,
    ) -> Result<u32, JobError> {
        let mut registry = self.lock();
        registry.make_room()?;
        registry.last += 1;
        let number = registry.last;
        let (state_sender, state) = watch::channel(JobState::Running);
        let stop = run.child_token();
        let job = Job {
            command: command.into(),
            output: running.output(),
            input: tokio::sync::Mutex::new(running.take_input()),
            is_on_terminal: terminal == IsOnTerminal::Yes,
            state,
            stop: stop.clone(),
            group: running.group(),
            supervisor: tokio::spawn(async move {
                let end = running.finish(None, &stop).await;
                // Nobody may be interested any more.
                let _ = state_sender.send(JobState::Ended(end));
            }),
        };
        registry.by_number.insert(number, Arc::new(job));
        Ok(number)
    }

    /// What a job said since the last time, after waiting for its end for a while.
    pub async fn poll(&self, number: u32, wait: Duration) -> Result<JobReport, JobError> {
        let job = self.get(number)?;
        if !wait.is_zero() {
            let _ = timeout(wait, job.ended()).await;
        }
        Ok(job.report(number))
    }

    /// Writes to a job's input, and may close it.
    pub async fn write(&self, number: u32, text: &str, and_then: AfterWriting) -> Result<(), JobError> {
        let job = self.get(number)?;
        let mut input = job.input.lock().await;
        let writer = input.as_mut().ok_or(JobError::InputClosed(number))?;
        let closes = and_then == AfterWriting::Close;
        let write = async {
            writer.write_all(text.as_bytes()).await?;
            if closes && job.is_on_terminal {
                writer.write_all(END_OF_INPUT).await?;
            }
            writer.flush().await
        };
        match timeout(WRITE_LIMIT, write).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(JobError::InputClosed(number)),
            Err(_) => return Err(JobError::NotReading(number)),
        }
        if closes && !job.is_on_terminal {
            *input = None;
        }
        Ok(())
    }

    /// Ends a job and everything it started.
    pub async fn kill(&self, number: u32) -> Result<JobReport, JobError> {
        let job = self.get(number)?;
        job.stop.cancel();
        job.ended().await;
        Ok(job.report(number))
    }

    /// All jobs, without their output.
    pub fn list(&self) -> Vec<JobReport> {
        let report = |(number, job): (&u32, &Arc<Job>)| JobReport {
            job: *number,
            command: job.command.clone(),
            state: *job.state.borrow(),
            output: Captured::default(),
        };
        self.lock().by_number.iter().map(report).collect()
    }

    /// What a job runs.
    pub fn command(&self, number: u32) -> Result<String, JobError> {
        self.get(number).map(|job| job.command.clone())
    }

    fn get(&self, number: u32) -> Result<Arc<Job>, JobError> {
        self.lock().by_number.get(&number).cloned().ok_or(JobError::Unknown(number))
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().ignore_poison()
    }
}

impl Registry {
    /// Forgets the oldest job that ended, if there are too many.
    fn make_room(&mut self) -> Result<(), JobError> {
        if self.by_number.len() < MAX_JOBS {
            return Ok(());
        }
        let ended = self.by_number.iter().find(|(_, job)| *job.state.borrow() != JobState::Running);
        let number = ended.map(|(number, _)| *number).ok_or(JobError::TooMany)?;
        self.by_number.remove(&number);
        Ok(())
    }
}

/// Whether a job has a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsOnTerminal {
    /// It has.
    Yes,
    /// It has pipes.
    No,
}

/// What becomes of a job's input after something was written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterWriting {
    /// More may follow.
    KeepOpen,
    /// The program sees the end of it.
    Close,
}

impl Job {
    async fn ended(&self) {
        let mut state = self.state.clone();
        // An error means that the supervisor is gone, and with it the program.
        let _ = state.wait_for(|state| *state != JobState::Running).await;
    }

    fn report(&self, number: u32) -> JobReport {
        let state = *self.state.borrow();
        let output = match state {
            JobState::Running => self.output.take_so_far(),
            JobState::Ended(_) => self.output.take_all(),
        };
        JobReport { job: number, command: self.command.clone(), state, output }
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        for job in self.lock().by_number.values() {
            // At once, and not only when the runtime gets round to dropping the supervisor.
            job.group.end();
            job.supervisor.abort();
        }
    }
}
