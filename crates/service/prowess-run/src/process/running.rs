//! A program from its start to its end.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite};
use tokio::process::{Child, Command};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::capture::Output;
use super::group::{Extent, Group, Signal};
use super::sandbox::Confinement;

/// The time that a program has to clean up before it is killed.
const GRACE: Duration = Duration::from_secs(1);
/// The time to wait for the end of its output: a process that left the group may hold the other end open.
const DRAIN: Duration = Duration::from_millis(500);
/// The time that the kernel has to end a killed program.
const REAP: Duration = Duration::from_secs(5);
const CHUNK: usize = 32 * 1024;

/// The input of a program.
pub type ProcessInput = Box<dyn AsyncWrite + Send + Unpin>;

/// A program that was started, with its pipes. Dropping it ends it and everything it started.
#[derive(Debug)]
pub struct Spawned {
    pub(crate) child: Child,
    pub(crate) group: Arc<Group>,
    channel: Channel,
    confinement: Confinement,
}

/// How one hears what a program says.
#[derive(Debug)]
pub(super) enum Channel {
    /// Its two pipes.
    Pipes,
    /// Its two pipes as one text, where there is no better way.
    PipesTogether,
    /// One pipe for both streams.
    #[cfg(unix)]
    OnePipe(tokio::net::unix::pipe::Receiver),
    /// A terminal.
    Terminal(Terminal),
}

impl Spawned {
    pub(super) fn piped(child: Child, channel: Channel) -> Self {
        Self::new(child, Extent::Group, channel)
    }

    fn new(child: Child, extent: Extent, channel: Channel) -> Self {
        // A child that was not waited for always has its number.
        let group = Arc::new(Group::new(child.id().unwrap_or_default(), extent));
        Self { child, group, channel, confinement: Confinement::NotAsked }
    }

    pub(super) fn confined(mut self, confinement: Confinement) -> Self {
        self.confinement = confinement;
        self
    }

    /// Returns the reason it is not confined although it should be where that is possible.
    pub fn why_not_confined(&self) -> Option<&str> {
        match &self.confinement {
            Confinement::Impossible(reason) => Some(reason),
            Confinement::NotAsked | Confinement::Enforced => None,
        }
    }

    /// Its output and its input, for a conversation with it, and the task that collects what it says beside that.
    pub(crate) fn take_pipes(
        &mut self,
        errors: &Output,
    ) -> (Box<dyn AsyncRead + Send + Unpin>, ProcessInput, JoinHandle<()>) {
        let beside = self.child.stderr.take();
        let errors = errors.clone();
        let collector = tokio::spawn(async move {
            if let Some(stream) = beside {
                collect(stream, errors).await;
            }
        });
        let reader: Box<dyn AsyncRead + Send + Unpin> = match self.child.stdout.take() {
            Some(stream) => Box::new(stream),
            None => Box::new(tokio::io::empty()),
        };
        let writer: ProcessInput = match self.child.stdin.take() {
            Some(stream) => Box::new(stream),
            None => Box::new(tokio::io::sink()),
        };
        (reader, writer, collector)
    }

    /// Collects what it says, within a bound for each stream.
    pub fn watch(mut self, max_bytes: usize) -> Running {
        let output = Output::new(max_bytes);
        let mut errors = Output::new(max_bytes);
        let mut readers = JoinSet::new();
        let mut input = self.child.stdin.take().map(|input| Box::new(input) as ProcessInput);
        match self.channel {
            Channel::Pipes => {}
            Channel::PipesTogether => errors = output.clone(),
            #[cfg(unix)]
            Channel::OnePipe(reader) => {
                readers.spawn(collect(reader, output.clone()));
            }
            #[cfg(unix)]
            Channel::Terminal(Terminal { master, .. }) => {
                let (reader, writer) = master.into_split();
                readers.spawn(collect(reader, output.clone()));
                input = Some(Box::new(writer));
            }
            #[cfg(not(unix))]
            Channel::Terminal(_) => {}
        }
        if let Some(stream) = self.child.stdout.take() {
            readers.spawn(collect(stream, output.clone()));
        }
        if let Some(stream) = self.child.stderr.take() {
            readers.spawn(collect(stream, errors.clone()));
        }
        Running { child: self.child, group: self.group, input, output, errors, readers }
    }
}

/// A program whose output is being collected. Dropping it ends it and everything it started.
pub struct Running {
    child: Child,
    group: Arc<Group>,
    input: Option<ProcessInput>,
    output: Output,
    errors: Output,
    readers: JoinSet<()>,
}

impl Running {
    /// Returns its output.
    pub fn output(&self) -> Output {
        self.output.clone()
    }

    /// Its errors, if they are kept apart.
    pub fn errors(&self) -> Output {
        self.errors.clone()
    }

    /// Where to write what it reads; once.
    pub fn take_input(&mut self) -> Option<ProcessInput> {
        self.input.take()
    }

    pub(super) fn group(&self) -> Arc<Group> {
        Arc::clone(&self.group)
    }

    /// Waits for its end, and brings it about when the time is up or the run is over. Afterwards nothing of it is
    /// left, and its output is complete.
    pub async fn finish(mut self, limit: Option<Duration>, cancel: &CancellationToken) -> End {
        let time_is_up = async {
            match limit {
                Some(limit) => sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        let end = tokio::select! {
            biased;
            () = cancel.cancelled() => {
                self.stop().await;
                End::Cancelled
            }
            status = self.child.wait() => End::of(status),
            () = time_is_up => {
                self.stop().await;
                End::TimedOut
            }
        };
        self.group.end();
        self.input = None;
        let _ = timeout(DRAIN, async { while self.readers.join_next().await.is_some() {} }).await;
        end
    }

    async fn stop(&mut self) {
        self.group.signal(Signal::Terminate);
        if timeout(GRACE, self.child.wait()).await.is_err() {
            self.group.signal(Signal::Kill);
            let _ = self.child.start_kill();
            let _ = timeout(REAP, self.child.wait()).await;
        }
    }
}

/// The way a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with a code.
    Exited(i32),
    /// By a signal that was not ours; none if the system did not say which.
    Killed(Option<i32>),
    /// Its time was up.
    TimedOut,
    /// The run was stopped.
    Cancelled,
}

impl End {
    fn of(status: io::Result<ExitStatus>) -> Self {
        match status {
            Ok(status) => status.code().map_or_else(|| Self::Killed(signal_of(status)), Self::Exited),
            Err(_) => Self::Killed(None),
        }
    }

    /// Its exit code; for a signal what a shell would say.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Exited(code) => Some(code),
            Self::Killed(signal) => signal.map(|signal| 128 + signal),
            Self::TimedOut | Self::Cancelled => None,
        }
    }
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// Reads to the end. The end of a terminal looks like an error.
async fn collect(mut stream: impl AsyncRead + Unpin, output: Output) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(size @ 1..) = stream.read(&mut chunk).await {
        output.push(&chunk[..size]);
    }
}

/// A terminal of our own.
#[cfg(unix)]
pub(super) struct Terminal {
    master: pty_process::Pty,
    program_side: Option<pty_process::Pts>,
}

#[cfg(unix)]
impl std::fmt::Debug for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Terminal")
    }
}

#[cfg(unix)]
impl Terminal {
    const ROWS: u16 = 40;
    const COLUMNS: u16 = 120;

    pub(super) fn open() -> io::Result<Self> {
        let (master, program_side) = pty_process::open().map_err(io::Error::other)?;
        master.resize(pty_process::Size::new(Self::ROWS, Self::COLUMNS)).map_err(io::Error::other)?;
        Ok(Self { master, program_side: Some(program_side) })
    }

    /// Starts a program on it, as the leader of a session.
    pub(super) fn spawn(mut self, command: Command) -> io::Result<Spawned> {
        let side = self.program_side.take().ok_or_else(|| io::Error::other("the terminal is in use"))?;
        let child = pty_process::Command::from(command).spawn(side).map_err(|error| match error {
            pty_process::Error::Io(error) => error,
            error => io::Error::other(error),
        })?;
        Ok(Spawned::new(child, Extent::Session, Channel::Terminal(self)))
    }
}

/// There are none here.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Terminal;

#[cfg(not(unix))]
impl Terminal {
    pub(super) fn open() -> io::Result<Self> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    pub(super) fn spawn(self, _command: Command) -> io::Result<Spawned> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}
