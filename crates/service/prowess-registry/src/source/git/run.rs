//! Running git: a clean environment, a bounded answer, an end.

use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{GitError, GitOptions};

/// How much of git's complaints is kept.
const MAX_COMPLAINT: u64 = 16 * 1024;

/// A repository of its own, and the time that is left for it. Both end with the session.
pub(super) struct Session<'a> {
    options: &'a GitOptions<'a>,
    folder: TempDir,
    end: Instant,
}

impl<'a> Session<'a> {
    pub(super) fn start(options: &'a GitOptions<'a>) -> Result<Self, GitError> {
        let folder = tempfile::Builder::new().prefix("prowess-git-").tempdir().map_err(|error| {
            GitError::Failed { action: "make a temporary folder", message: error.to_string() }
        })?;
        Ok(Self { options, folder, end: Instant::now() + options.time_limit })
    }

    /// Runs one command to its end and returns what it printed.
    pub(super) fn git(
        &self,
        action: &'static str,
        arguments: &[&str],
        input: &[u8],
        limit: u64,
    ) -> Result<Vec<u8>, GitError> {
        let failed = |message: String| GitError::Failed { action, message };
        let mut child = self.spawn(arguments)?;
        if let Some(mut stdin) = child.stdin.take() {
            let input = input.to_vec();
            // A git that does not read its input must not stop us.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        let output = collect(child.stdout.take(), limit);
        let complaint = collect(child.stderr.take(), MAX_COMPLAINT);
        let ended = self.wait(&mut child, &output, &complaint, limit);
        if ended.is_err() {
            prowess_fs::kill_group(&child);
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| failed(error.to_string()))?;
        let (output, complaint) = ended?;
        if status.success() { Ok(output) } else { Err(failed(words(&complaint))) }
    }

    fn spawn(&self, arguments: &[&str]) -> Result<Child, GitError> {
        let options = self.options;
        let mut command = Command::new(options.program);
        let inherited =
            options.environment.iter().filter(|(name, _)| !name.to_ascii_uppercase().starts_with("GIT_"));
        command.env_clear().envs(inherited.map(|(name, value)| (name, value)));
        command.envs(settings(self.folder.path(), options.allow_local));
        command.args(["-c", "core.hooksPath=/dev/null", "-c", "protocol.version=2", "-c", "gc.auto=0"]);
        command.args(["-c", "http.followRedirects=false", "-c", "credential.helper=", "-c", "core.askPass="]);
        command.args(["-c", "submodule.recurse=false", "-c", "maintenance.auto=false"]);
        command.args(arguments).current_dir(self.folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let program = options.program.to_owned();
        command.spawn().map_err(|source| GitError::Start { program, source })
    }

    /// Both outputs, once they have ended and the process has too.
    fn wait(
        &self,
        child: &mut Child,
        output: &Receiver<Vec<u8>>,
        complaint: &Receiver<Vec<u8>>,
        limit: u64,
    ) -> Result<(Vec<u8>, Vec<u8>), GitError> {
        let late = || GitError::TimedOut { limit: self.options.time_limit };
        let left = || self.end.saturating_duration_since(Instant::now());
        let next = |pieces: &Receiver<Vec<u8>>| match pieces.recv_timeout(left()) {
            Ok(bytes) => Ok(bytes),
            Err(RecvTimeoutError::Timeout) => Err(late()),
            Err(RecvTimeoutError::Disconnected) => Ok(Vec::new()),
        };
        let output = next(output)?;
        if output.len() as u64 > limit {
            return Err(GitError::TooLarge { limit });
        }
        let complaint = next(complaint)?;
        while child.try_wait().is_ok_and(|status| status.is_none()) {
            if left().is_zero() {
                return Err(late());
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok((output, complaint))
    }
}

/// The environment that keeps git to itself.
fn settings(folder: &Path, allow_local: bool) -> Vec<(&'static str, String)> {
    let nothing = if cfg!(windows) { "NUL" } else { "/dev/null" };
    let protocols = if allow_local { "https:ssh:http:file" } else { "https:ssh" };
    vec![
        ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
        ("GIT_CONFIG_SYSTEM", nothing.to_owned()),
        ("GIT_CONFIG_GLOBAL", nothing.to_owned()),
        ("GIT_ATTR_NOSYSTEM", "1".to_owned()),
        ("GIT_DIR", folder.display().to_string()),
        ("GIT_CEILING_DIRECTORIES", folder.display().to_string()),
        ("GIT_TERMINAL_PROMPT", "0".to_owned()),
        ("GIT_ALLOW_PROTOCOL", protocols.to_owned()),
        ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes".to_owned()),
        ("GIT_OPTIONAL_LOCKS", "0".to_owned()),
        ("LC_ALL", "C".to_owned()),
    ]
}

/// Reads a pipe aside: up to one byte more than allowed, which tells what is too large.
fn collect(pipe: Option<impl Read + Send + 'static>, limit: u64) -> Receiver<Vec<u8>> {
    let (sender, pieces) = mpsc::channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.by_ref().take(limit.saturating_add(1)).read_to_end(&mut bytes);
            let is_full = bytes.len() as u64 > limit;
            let _ = sender.send(bytes);
            // What is not kept is still taken, so that git can end.
            if is_full {
                let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            }
        });
    }
    pieces
}

/// Git's last words, on one line.
fn words(complaint: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaint);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines.len().saturating_sub(3);
    let text: String =
        lines[last..].join("; ").chars().filter(|letter| !letter.is_control()).take(500).collect();
    if text.is_empty() { "it does not say why".to_owned() } else { text }
}
