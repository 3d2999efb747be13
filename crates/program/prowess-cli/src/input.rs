//! Standard input, which has one owner.
//!
//! One thread reads, and only while a caller waits for input. Every prompt, the chat loop and every command that takes
//! its input from a pipe gets lines and bytes from here, so no caller can hold the input while another one waits for it.
//! A caller that stops waiting loses nothing: what arrives later goes to the next caller.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _, Read as _};
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use tokio::sync::{Mutex, MutexGuard, mpsc as channel};

use crate::failure::Failure;

/// At least as much as the buffer of [`io::stdin`], which is bypassed then: nothing waits where `poll` cannot see it.
const CHUNK: usize = 16 * 1024;

static INPUT: Mutex<Option<Input>> = Mutex::const_new(None);

/// Returns whether standard input is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Waits for the next line, lines that were typed ahead of a question included. None at the end of the input.
pub(crate) async fn next_line() -> io::Result<Option<String>> {
    own().await?.next_line().await
}

/// Asks a question and waits for a line that was typed after it. Lines that were typed before stay for
/// [`next_line`]: text that was pasted into a conversation must not agree to anything.
pub(crate) async fn answer(ask: impl FnOnce()) -> io::Result<Option<String>> {
    let mut input = own().await?;
    input.set_aside_typed_lines().await?;
    ask();
    input.fresh_line().await
}

/// Blocks until there is a line. None at the end of the input.
pub(crate) fn line() -> io::Result<Option<String>> {
    wait(next_line())
}

/// Blocks until the end of the input, or until `limit` bytes were read.
pub(crate) fn rest(limit: usize) -> io::Result<Vec<u8>> {
    wait(async { own().await?.rest(limit).await })
}

/// Blocks until a future is done, on any thread. It needs no runtime, and works inside of one.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    // A task's budget is renewed by its runtime only, which is not asked here.
    let mut future = pin!(tokio::task::unconstrained(future));
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The input, held by one caller.
pub(crate) struct Held(MutexGuard<'static, Option<Input>>);

pub(crate) async fn own() -> io::Result<Held> {
    let mut held = INPUT.lock().await;
    if held.is_none() {
        *held = Some(Input::start()?);
    }
    Ok(Held(held))
}

/// The reading thread as its callers see it.
pub(crate) struct Input {
    /// Bytes that were read and not taken yet.
    buffer: Vec<u8>,
    /// Lines that were typed before a question was asked.
    typed_ahead: VecDeque<Vec<u8>>,
    /// True if the thread was told to read and has not answered yet.
    is_reading: bool,
    demand: mpsc::Sender<()>,
    chunks: channel::UnboundedReceiver<io::Result<Vec<u8>>>,
}

impl Input {
    fn start() -> io::Result<Self> {
        let (demand, demanded) = mpsc::channel();
        let (found, chunks) = channel::unbounded_channel();
        std::thread::Builder::new().name("input".to_owned()).spawn(move || pump(&demanded, &found))?;
        Ok(Self { buffer: Vec::new(), typed_ahead: VecDeque::new(), is_reading: false, demand, chunks })
    }
}

/// Reads once for every demand; an empty chunk is the end of the input.
fn pump(demanded: &mpsc::Receiver<()>, found: &channel::UnboundedSender<io::Result<Vec<u8>>>) {
    let mut input = io::stdin().lock();
    let mut chunk = vec![0; CHUNK];
    while demanded.recv().is_ok() {
        let read = loop {
            match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        if found.send(read.map(|length| chunk[..length].to_vec())).is_err() {
            break;
        }
    }
}

impl Held {
    fn input(&mut self) -> io::Result<&mut Input> {
        self.0.as_mut().ok_or_else(gone)
    }

    /// Reads more into the buffer; false at the end of the input. May be given up and called again.
    async fn fill(&mut self) -> io::Result<bool> {
        let input = self.input()?;
        if !input.is_reading {
            input.demand.send(()).map_err(|_| gone())?;
            input.is_reading = true;
        }
        let chunk = input.chunks.recv().await.ok_or_else(gone)?;
        input.take(chunk)
    }

    async fn next_line(&mut self) -> io::Result<Option<String>> {
        match self.input()?.typed_ahead.pop_front() {
            Some(line) => Ok(Some(text(&line))),
            None => self.fresh_line().await,
        }
    }

    async fn fresh_line(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some(line) = self.input()?.take_line() {
                return Ok(Some(text(&line)));
            }
            if !self.fill().await? {
                let rest = std::mem::take(&mut self.input()?.buffer);
                return Ok((!rest.is_empty()).then(|| text(&rest)));
            }
        }
    }

    /// Moves the lines that are there already to where only [`Held::next_line`] takes them from.
    async fn set_aside_typed_lines(&mut self) -> io::Result<()> {
        let input = self.input()?;
        if input.is_reading
            && let Ok(chunk) = input.chunks.try_recv()
        {
            input.take(chunk)?;
        }
        while !self.input()?.is_reading && is_ready() && self.fill().await? {}
        let input = self.input()?;
        while let Some(line) = input.take_line() {
            input.typed_ahead.push_back(line);
        }
        Ok(())
    }

    async fn rest(&mut self, limit: usize) -> io::Result<Vec<u8>> {
        while self.input()?.buffer.len() < limit && self.fill().await? {}
        let buffer = &mut self.input()?.buffer;
        let length = buffer.len().min(limit);
        Ok(buffer.drain(..length).collect())
    }

    /// Waits for a byte; none at the end of the input.
    pub(crate) async fn key(&mut self) -> io::Result<Option<u8>> {
        if self.input()?.buffer.is_empty() && !self.fill().await? {
            return Ok(None);
        }
        Ok(Some(self.input()?.buffer.remove(0)))
    }

    /// Forgets what was read and not taken.
    pub(crate) fn discard(&mut self) -> io::Result<()> {
        let input = self.input()?;
        input.buffer.clear();
        input.typed_ahead.clear();
        Ok(())
    }
}

impl Input {
    fn take(&mut self, chunk: io::Result<Vec<u8>>) -> io::Result<bool> {
        self.is_reading = false;
        let chunk = chunk?;
        self.buffer.extend_from_slice(&chunk);
        Ok(!chunk.is_empty())
    }

    fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.buffer.iter().position(|byte| *byte == b'\n')?;
        Some(self.buffer.drain(..=end).collect())
    }
}

/// A line as text, without its end.
fn text(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    String::from_utf8_lossy(line).into_owned()
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the thread that reads standard input is gone")
}

/// Returns whether a read would not wait.
#[cfg(unix)]
fn is_ready() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = io::stdin();
    let mut waiting = [PollFd::new(&input, PollFlags::IN)];
    let ready = poll(&mut waiting, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    ready.is_ok_and(|count| count > 0) && waiting[0].revents().contains(PollFlags::IN)
}

#[cfg(not(unix))]
fn is_ready() -> bool {
    false
}

pub(crate) fn not_text() -> Failure {
    Failure::usage("a secret must be text".to_owned()).hint("it must be UTF-8")
}
