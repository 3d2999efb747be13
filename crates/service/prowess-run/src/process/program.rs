//! What is to be started, and how it is started.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use prowess_types::BinRule;
use tokio::process::Command;
use tokio::sync::oneshot;

use super::running::{Channel, Spawned, Terminal};
use super::sandbox::{self, Confinement, Sandbox, SandboxError};
use crate::Environment;

/// What a program reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgramInput {
    /// Nothing: it sees the end at once.
    #[default]
    None,
    /// What is written to its [`ProcessInput`](super::ProcessInput).
    Piped,
    /// The same, through a terminal which is also where it writes to.
    Terminal,
}

/// A program with its arguments. No shell is involved.
///
/// ```
/// let program = prowess_run::process::Program::new("/bin/echo", "/").args(["one", "two words"]);
/// assert!(format!("{program:?}").contains("two words"));
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    args: Vec<String>,
    workdir: PathBuf,
    input: ProgramInput,
    streams: Streams,
    sandbox: Option<Sandbox>,
}

/// Where a program writes what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Streams {
    /// Output and errors to one pipe, in the order in which they are written.
    Together,
    /// Each to its own.
    Apart,
}

impl Program {
    /// The program at a path, working in a folder.
    pub fn new(path: impl Into<PathBuf>, workdir: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            args: Vec::new(),
            workdir: workdir.into(),
            input: ProgramInput::None,
            streams: Streams::Together,
            sandbox: None,
        }
    }

    /// A command line for the system's shell.
    pub fn shell(command: &str, environment: &Environment, workdir: impl Into<PathBuf>) -> Self {
        let (shell, flag, usual) =
            if cfg!(windows) { ("cmd", "/C", "cmd.exe") } else { ("sh", "-c", "/bin/sh") };
        let shell = find_program(shell, environment).unwrap_or_else(|| usual.into());
        Self::new(shell, workdir).args([flag, command])
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Says what it reads.
    #[must_use]
    pub fn input(mut self, input: ProgramInput) -> Self {
        self.input = input;
        self
    }

    /// Keeps its output and its errors apart. Else both are one text.
    #[must_use]
    pub fn keep_streams_apart(mut self) -> Self {
        self.streams = Streams::Apart;
        self
    }

    /// Confines it.
    #[must_use]
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = Some(sandbox);
        self
    }

    /// Starts it with exactly these variables.
    pub async fn spawn(&self, environment: &Environment) -> Result<Spawned, StartError> {
        if !self.workdir.is_dir() {
            return Err(StartError::Workdir(self.workdir.clone()));
        }
        let mut command = std::process::Command::new(&self.path);
        command.args(&self.args).current_dir(&self.workdir);
        environment.give(&mut command);
        let channel = self.connect(&mut command)?;
        match self.sandbox.clone().filter(Sandbox::is_on) {
            None => self.launch(command, channel, Confinement::NotAsked),
            Some(sandbox) => self.launch_confined(command, channel, sandbox).await,
        }
    }

    /// Decides where it reads from and writes to.
    fn connect(&self, command: &mut std::process::Command) -> Result<Channel, StartError> {
        if self.input == ProgramInput::Terminal {
            return Terminal::open().map(Channel::Terminal).map_err(StartError::Terminal);
        }
        let input = if self.input == ProgramInput::Piped { Stdio::piped() } else { Stdio::null() };
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            std::os::unix::process::CommandExt::process_group(command, 0);
            if self.streams == Streams::Together {
                return one_pipe(command).map_err(|source| self.refused(source));
            }
        }
        Ok(if self.streams == Streams::Together { Channel::PipesTogether } else { Channel::Pipes })
    }

    fn launch(
        &self,
        command: std::process::Command,
        channel: Channel,
        confinement: Confinement,
    ) -> Result<Spawned, StartError> {
        let mut command = Command::from(command);
        command.kill_on_drop(true);
        let spawned = match channel {
            Channel::Terminal(terminal) => terminal.spawn(command),
            channel => command.spawn().map(|child| Spawned::piped(child, channel)),
        };
        let spawned = spawned.map_err(|source| self.refused(source))?;
        Ok(spawned.confined(confinement))
    }

    /// The kernel's rules bind a thread and its children, so that a thread is made for this one program: it takes
    /// the rules upon itself, starts the program and ends. The engine's own threads stay as they are.
    async fn launch_confined(
        &self,
        command: std::process::Command,
        channel: Channel,
        sandbox: Sandbox,
    ) -> Result<Spawned, StartError> {
        let runtime = tokio::runtime::Handle::current();
        let program = self.clone();
        let (sender, receiver) = oneshot::channel();
        let confined = move || {
            let _guard = runtime.enter();
            let spawned = sandbox::confine_this_thread(&sandbox)
                .map_err(StartError::Sandbox)
                .and_then(|confinement| program.launch(command, channel, confinement));
            // If nobody waits any more, dropping it ends the program.
            let _ = sender.send(spawned);
        };
        std::thread::Builder::new()
            .name("confined-start".into())
            .spawn(confined)
            .map_err(|source| self.refused(source))?;
        receiver.await.unwrap_or_else(|_| Err(self.refused(io::Error::other("its thread ended early"))))
    }

    fn refused(&self, source: io::Error) -> StartError {
        StartError::Refused { path: self.path.clone(), source }
    }
}

/// Output and errors through one pipe: with two, nobody could tell what was written first.
#[cfg(unix)]
fn one_pipe(command: &mut std::process::Command) -> io::Result<Channel> {
    let (reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    tokio::net::unix::pipe::Receiver::from_owned_fd(reader.into()).map(Channel::OnePipe)
}

/// The reason a program was not started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// There is no such folder to work in.
    #[error("the working folder `{}` does not exist", .0.display())]
    Workdir(PathBuf),
    /// There is no terminal to be had.
    #[error("cannot open a terminal")]
    Terminal(#[source] io::Error),
    /// It must be confined, but cannot be.
    #[error(transparent)]
    Sandbox(SandboxError),
    /// The system refused.
    #[error("cannot start `{}`", path.display())]
    Refused {
        /// The program.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

/// The program that a name stands for: an absolute path as it is, a bare name through the absolute folders of the
/// environment's `PATH`. Relative paths are nobody's: what lies there depends on the folder one is in.
pub fn find_program(name: &str, environment: &Environment) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.is_absolute() {
        return path.is_file().then(|| path.to_owned());
    }
    if name.contains(['/', '\\']) {
        return None;
    }
    let folders = environment.get("PATH").map(|folders| OsStr::new(folders.expose()))?;
    std::env::split_paths(folders)
        .filter(|folder| folder.is_absolute())
        .find(|folder| prowess_fs::find_in_path(name, folder.as_os_str(), BinRule::ExecutableFile))
        .map(|folder| folder.join(name))
}
