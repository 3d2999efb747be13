//! One question to a program that the user named in a file: written to its input, the answer read from its output,
//! within time and size.

use std::io::{self, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use prowess_types::Secret;

use crate::kill_group;
use crate::pipe::{PENDING, Piece, Stream, forward};

/// The interval at which a program is checked that has closed its output and has not ended yet.
const LOOK: Duration = Duration::from_millis(5);

/// What a program may use up to answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The time limit.
    pub timeout: Duration,
    /// The longest silence allowed.
    pub silence: Duration,
    /// How much it may write, its messages included.
    pub max_output: usize,
}

/// The reason there is no answer. What the program wrote is not in it: that may be a secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConverseError {
    /// It did not start.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// It took too long.
    #[error("gave no answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// It wrote too much.
    #[error("wrote more than {0} bytes")]
    TooMuch(usize),
    /// It failed.
    #[error("ended with {0}")]
    Failed(ExitStatus),
}

/// Asks a program, and gives what it wrote to its output. What it writes as messages counts, and is thrown away.
///
/// A program that does not answer is ended, with everything it started.
pub fn converse(
    mut command: Command,
    question: &Secret,
    patience: Patience,
) -> Result<Vec<u8>, ConverseError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let start = Instant::now();
    let mut child = command.spawn().map_err(ConverseError::Start)?;
    let answer = exchange(&mut child, question, start, patience)
        .and_then(|answer| Ok((answer, wait(&mut child, start, patience)?)));
    match answer {
        Ok((answer, status)) if status.success() => Ok(answer),
        Ok((_, status)) => Err(ConverseError::Failed(status)),
        Err(error) => {
            kill_group(&child);
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

fn exchange(
    child: &mut Child,
    question: &Secret,
    start: Instant,
    patience: Patience,
) -> Result<Vec<u8>, ConverseError> {
    if let Some(mut stdin) = child.stdin.take() {
        let question = question.clone();
        // A program that does not read its input must not stop us.
        thread::spawn(move || drop(stdin.write_all(question.expose().as_bytes())));
    }
    let (sender, pieces) = mpsc::sync_channel(PENDING);
    forward(child.stdout.take(), Stream::Output, &sender);
    forward(child.stderr.take(), Stream::Errors, &sender);
    drop(sender);
    collect(&pieces, start, patience)
}

fn collect(pieces: &Receiver<Piece>, start: Instant, patience: Patience) -> Result<Vec<u8>, ConverseError> {
    let mut answer = Vec::new();
    let mut total = 0;
    loop {
        let left = patience.timeout.saturating_sub(start.elapsed());
        let written = match pieces.recv_timeout(left.min(patience.silence)) {
            Ok((Stream::Output, piece)) => {
                answer.extend_from_slice(&piece);
                piece.len()
            }
            // Not for us.
            Ok((Stream::Errors, piece)) => piece.len(),
            Err(RecvTimeoutError::Disconnected) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => return Err(timed_out(patience)),
        };
        total += written;
        if total > patience.max_output {
            return Err(ConverseError::TooMuch(patience.max_output));
        }
    }
}

/// Waits for the end of a program that closed its output.
fn wait(child: &mut Child, start: Instant, patience: Patience) -> Result<ExitStatus, ConverseError> {
    loop {
        if let Some(status) = child.try_wait().map_err(ConverseError::Start)? {
            return Ok(status);
        }
        if start.elapsed() >= patience.timeout {
            return Err(timed_out(patience));
        }
        thread::sleep(LOOK);
    }
}

fn timed_out(patience: Patience) -> ConverseError {
    ConverseError::TimedOut(patience.timeout.min(patience.silence))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str, question: &str, patience: Patience) -> Result<Vec<u8>, ConverseError> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        converse(command, &Secret::new(question), patience)
    }

    const PATIENT: Patience =
        Patience { timeout: Duration::from_secs(30), silence: Duration::from_secs(30), max_output: 1000 };
    const IMPATIENT: Patience = Patience { timeout: Duration::from_millis(200), ..PATIENT };

    #[test]
    fn the_answer_is_what_it_writes_to_its_output() {
        let answer = shell("read -r name; echo noise >&2; echo \"Hello $name\"", "Ada\n", PATIENT);
        assert_eq!(answer.expect("an answer"), b"Hello Ada\n");
        // Nobody reads the question, which is longer than a pipe holds.
        assert_eq!(shell("echo hi", &"x".repeat(1 << 20), PATIENT).expect("an answer"), b"hi\n");
    }

    #[test]
    fn what_goes_wrong_has_a_name() {
        let failed = shell("exit 3", "", PATIENT).expect_err("no answer");
        assert!(matches!(&failed, ConverseError::Failed(status) if status.code() == Some(3)), "{failed}");
        for script in ["yes", "yes >&2"] {
            let error = shell(script, "", PATIENT).expect_err("no answer");
            assert!(matches!(error, ConverseError::TooMuch(1000)), "{script}: {error}");
        }
        let quiet = Patience { silence: Duration::from_millis(200), ..PATIENT };
        for patience in [IMPATIENT, quiet] {
            let error = shell("echo half; sleep 30", "", patience).expect_err("no answer");
            assert!(matches!(error, ConverseError::TimedOut(_)), "{error}");
        }
        let error = converse(Command::new("/nonexistent"), &Secret::new(""), PATIENT).expect_err("no answer");
        assert!(matches!(error, ConverseError::Start(_)), "{error}");
    }

    #[test]
    fn one_that_closes_its_output_and_stays_is_not_waited_for() {
        let error = shell("exec >&- 2>&-; sleep 30", "", IMPATIENT).expect_err("no answer");
        assert!(matches!(error, ConverseError::TimedOut(_)), "{error}");
    }
}
