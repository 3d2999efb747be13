//! One question to a program: written to its input, the answer read from its output, within time and size.

use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use prowess_types::Secret;

/// What a program may use up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversation {
    /// How long it may take.
    pub(super) timeout: Duration,
    /// How long it may be silent.
    pub(super) silence: Duration,
    /// How much it may write.
    pub(super) max_output: usize,
}

/// Why there is no answer. What the program wrote is not in it: that may be a secret.
#[derive(Debug, thiserror::Error)]
pub(super) enum Silence {
    /// It did not start.
    #[error("cannot be started: {0}")]
    Start(std::io::Error),
    /// It took too long.
    #[error("took longer than {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// It wrote too much.
    #[error("wrote more than {0} bytes")]
    TooMuch(usize),
    /// It failed.
    #[error("ended with {0}")]
    Failed(std::process::ExitStatus),
}

/// Asks a program. It and everything it started is gone afterwards.
pub(super) fn converse(
    mut command: Command,
    input: &Secret,
    limits: Conversation,
) -> Result<Vec<u8>, Silence> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(Silence::Start)?;
    let output = exchange(&mut child, input, limits);
    if output.is_err() {
        prowess_fs::kill_group(&child);
        let _ = child.kill();
    }
    let status = child.wait().map_err(Silence::Start)?;
    let output = output?;
    if status.success() { Ok(output) } else { Err(Silence::Failed(status)) }
}

fn exchange(child: &mut Child, input: &Secret, limits: Conversation) -> Result<Vec<u8>, Silence> {
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.clone();
        // A program that does not read its input must not stop us.
        thread::spawn(move || drop(stdin.write_all(input.expose().as_bytes())));
    }
    let (sender, pieces) = mpsc::channel();
    if let Some(mut stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(length @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
    }
    collect(&pieces, limits)
}

fn collect(pieces: &Receiver<Vec<u8>>, limits: Conversation) -> Result<Vec<u8>, Silence> {
    let start = Instant::now();
    let mut answer = Vec::new();
    loop {
        let left = limits.timeout.saturating_sub(start.elapsed());
        match pieces.recv_timeout(left.min(limits.silence)) {
            Ok(piece) => {
                answer.extend(piece);
                if answer.len() > limits.max_output {
                    return Err(Silence::TooMuch(limits.max_output));
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                return Err(Silence::TimedOut(limits.timeout.min(limits.silence)));
            }
        }
    }
}
