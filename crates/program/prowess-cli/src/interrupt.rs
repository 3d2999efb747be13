//! Ctrl-C, and the wish of the system that the program ends.
//!
//! One thread gets these signals once the first listener asks for them, and hands each to the newest listener. Where
//! none listens any more, the program ends: a signal is never swallowed because a handler was installed earlier.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use prowess_types::IgnorePoison as _;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::failure::Failure;
use crate::input;
use crate::output::{self, WARN, paint};

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Changes that were made; held while one is made. Signals come to the whole program, and so does this.
static CHANGES: Mutex<usize> = Mutex::new(0);

static LISTENERS: Mutex<Listeners> =
    Mutex::new(Listeners { next: 0, newest_last: Vec::new(), is_watched: false });

/// Whether the system wants the program to end.
static IS_TERMINATING: AtomicBool = AtomicBool::new(false);

/// A signal that ends a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The wish of the system.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has it"))]
    Terminate,
}

struct Listeners {
    next: u64,
    newest_last: Vec<(u64, UnboundedSender<Signal>)>,
    is_watched: bool,
}

/// Takes a listener off the list when it is dropped.
struct Registration(u64);

impl Drop for Registration {
    fn drop(&mut self) {
        let mut listeners = LISTENERS.lock().ignore_poison();
        listeners.newest_last.retain(|(id, _)| *id != self.0);
    }
}

/// The signals that come while this is the newest listener.
pub(crate) struct Interrupts {
    signals: UnboundedReceiver<Signal>,
    _registration: Registration,
}

impl Interrupts {
    /// Listens until it is dropped.
    pub(crate) fn listen() -> io::Result<Self> {
        let (registration, signals) = register()?;
        Ok(Self { signals, _registration: registration })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> Signal {
        match self.signals.recv().await {
            Some(signal) => signal,
            None => std::future::pending().await,
        }
    }
}

fn register() -> io::Result<(Registration, UnboundedReceiver<Signal>)> {
    let mut listeners = LISTENERS.lock().ignore_poison();
    if !listeners.is_watched {
        watch()?;
        listeners.is_watched = true;
    }
    let (sender, signals) = unbounded_channel();
    let id = listeners.next;
    listeners.next += 1;
    listeners.newest_last.push((id, sender));
    Ok((Registration(id), signals))
}

/// Starts the thread that gets the signals; they are caught when this returns.
fn watch() -> io::Result<()> {
    let (is_ready, ready) = std::sync::mpsc::channel();
    let work = move || {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(is_ready.send(Err(error))),
        };
        runtime.block_on(async {
            match Signals::catch() {
                Ok(mut signals) => {
                    let _ = is_ready.send(Ok(()));
                    loop {
                        deliver(signals.next().await);
                    }
                }
                Err(error) => drop(is_ready.send(Err(error))),
            }
        });
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(work)?;
    ready.recv().map_err(|_| io::Error::other("the thread for signals did not start"))?
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn catch() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn catch() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Signal {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal::Interrupt
    }
}

fn deliver(signal: Signal) {
    if signal == Signal::Terminate {
        IS_TERMINATING.store(true, Ordering::Relaxed);
    }
    let listeners = LISTENERS.lock().ignore_poison();
    let is_heard = listeners.newest_last.last().is_some_and(|(_, listener)| listener.send(signal).is_ok());
    drop(listeners);
    if !is_heard {
        output::err("\n");
        std::process::exit(INTERRUPTED);
    }
}

/// Returns whether the system asked the program to end.
pub(crate) fn is_terminating() -> bool {
    IS_TERMINATING.load(Ordering::Relaxed)
}

/// Completes at the first signal. Signals are caught from the call on, so a server calls this before it says that it is
/// ready. Later signals are ignored: the program is ending already.
pub(crate) fn interrupted() -> impl Future<Output = ()> + Send {
    let listening = Interrupts::listen();
    async move {
        let Ok(mut interrupts) = listening else {
            return std::future::pending().await;
        };
        interrupts.next().await;
        std::mem::forget(interrupts);
    }
}

/// Does something that ends soon after the flag is set, and sets it when the program is interrupted. The second time
/// the program ends at once.
pub(crate) fn until_interrupted<T>(cancel: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> io::Result<T> {
    let (registration, mut signals) = register()?;
    let flag = Arc::clone(cancel);
    let stop = async move {
        if signals.recv().await.is_none() {
            return;
        }
        flag.store(true, Ordering::Relaxed);
        output::err(&format!("{}\n", paint(WARN, "Stopping… press Ctrl-C again to exit immediately.")));
        if signals.recv().await.is_some() {
            std::process::exit(INTERRUPTED);
        }
    };
    std::thread::Builder::new().spawn(move || input::wait(stop))?;
    let result = work();
    drop(registration);
    Ok(result)
}

/// From now on an interruption ends the program between two changes, and says whether there were any. Whatever
/// changes something must do it in [`change`].
pub(crate) fn end_between_changes(json: bool) -> io::Result<()> {
    let mut interrupts = Interrupts::listen()?;
    let wait = move || {
        input::wait(interrupts.next());
        // Nothing is begun any more.
        let changes = CHANGES.lock().ignore_poison();
        let message = match *changes {
            0 => "interrupted; nothing was changed",
            _ => "interrupted; what was done before stays, the rest was not begun",
        };
        output::clear_line();
        Failure::interrupted(message).report(json);
        std::process::exit(INTERRUPTED);
    };
    std::thread::Builder::new().spawn(wait).map(drop)
}

/// Makes one change, which an interruption waits for.
pub(crate) fn change<T, E>(make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut changes = CHANGES.lock().ignore_poison();
    let made = make()?;
    *changes += 1;
    Ok(made)
}
