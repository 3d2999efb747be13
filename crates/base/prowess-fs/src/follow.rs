//! A program that works for a while: what it says is passed on as it comes, within time, and until nobody wants it
//! any more.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::kill_group;
use crate::pipe::{PENDING, Piece, Stream, Tail, forward};
use crate::trusted::ask_group_to_end;

/// How soon an end, or the wish for one, is noticed.
const LOOK: Duration = Duration::from_millis(20);
/// The time that a program has to clean up before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// The time to wait for the end of the output: something that it started may hold the other end open.
const DRAIN: Duration = Duration::from_millis(500);

/// What a program may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowLimits {
    /// The time limit.
    pub timeout: Duration,
    /// How much of the end of each stream is kept, in bytes.
    pub kept: usize,
}

/// The end of a program, and its last output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The way it ended.
    pub end: FollowEnd,
    /// The end of its output.
    pub stdout: String,
    /// The end of its messages.
    pub stderr: String,
}

/// The way a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowEnd {
    /// By itself, with a code.
    Exited(i32),
    /// By a signal that was not ours.
    Killed,
    /// Its time was up.
    TimedOut,
    /// Nobody wanted it any more.
    Cancelled,
}

/// Runs a program that reads nothing, and passes on what it says. It leads a process group; whatever is left of that
/// in the end is ended.
///
/// ```
/// # use std::{process::Command, sync::atomic::AtomicBool, time::Duration};
/// use prowess_fs::{FollowEnd, FollowLimits, follow};
/// let limits = FollowLimits { timeout: Duration::from_secs(60), kept: 1000 };
/// # if cfg!(unix) {
/// let mut command = Command::new("/bin/echo");
/// command.arg("done");
/// let followed = follow(command, limits, &AtomicBool::new(false), &mut |_, _| {})?;
/// assert_eq!((followed.end, followed.stdout.as_str()), (FollowEnd::Exited(0), "done\n"));
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn follow(
    mut command: Command,
    limits: FollowLimits,
    cancel: &AtomicBool,
    on_piece: &mut dyn FnMut(Stream, &[u8]),
) -> io::Result<Followed> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let (sender, pieces) = mpsc::sync_channel(PENDING);
    forward(child.stdout.take(), Stream::Output, &sender);
    forward(child.stderr.take(), Stream::Errors, &sender);
    drop(sender);
    let mut heard =
        Heard { pieces, output: Tail::new(limits.kept), errors: Tail::new(limits.kept), on_piece };
    let end = heard.until_the_end(&mut child, start + limits.timeout, cancel);
    if end.is_ok() {
        heard.drain();
    }
    kill_group(&child);
    if end.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    Ok(Followed { end: end?, stdout: heard.output.into_text(), stderr: heard.errors.into_text() })
}

/// What was said so far, and who is told.
struct Heard<'a> {
    pieces: Receiver<Piece>,
    output: Tail,
    errors: Tail,
    on_piece: &'a mut dyn FnMut(Stream, &[u8]),
}

impl Heard<'_> {
    fn until_the_end(
        &mut self,
        child: &mut Child,
        deadline: Instant,
        cancel: &AtomicBool,
    ) -> io::Result<FollowEnd> {
        loop {
            self.listen();
            if let Some(status) = child.try_wait()? {
                return Ok(how(status));
            }
            let unwanted = if cancel.load(Ordering::Relaxed) {
                FollowEnd::Cancelled
            } else if Instant::now() >= deadline {
                FollowEnd::TimedOut
            } else {
                continue;
            };
            self.stop(child)?;
            return Ok(unwanted);
        }
    }

    /// Asks it to end, and ends it if it does not.
    fn stop(&mut self, child: &mut Child) -> io::Result<()> {
        ask_group_to_end(child);
        let deadline = Instant::now() + GRACE;
        while child.try_wait()?.is_none() {
            if Instant::now() >= deadline {
                kill_group(child);
                let _ = child.kill();
                child.wait()?;
                break;
            }
            self.listen();
        }
        Ok(())
    }

    /// Waits a moment for the next piece. Says whether there can be another.
    fn listen(&mut self) -> bool {
        match self.pieces.recv_timeout(LOOK) {
            Ok((stream, piece)) => {
                match stream {
                    Stream::Output => self.output.push(&piece),
                    Stream::Errors => self.errors.push(&piece),
                }
                (self.on_piece)(stream, &piece);
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => {
                // It closed its output and goes on.
                thread::sleep(LOOK);
                false
            }
        }
    }

    fn drain(&mut self) {
        let deadline = Instant::now() + DRAIN;
        while self.listen() && Instant::now() < deadline {}
    }
}

fn how(status: ExitStatus) -> FollowEnd {
    status.code().map_or(FollowEnd::Killed, FollowEnd::Exited)
}

#[cfg(test)]
#[cfg(unix)]
#[path = "follow_tests.rs"]
mod tests;
