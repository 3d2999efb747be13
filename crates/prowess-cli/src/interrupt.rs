//! Ctrl-C, and the wish of the system that the program ends.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::failure::Failure;
use crate::output::{self, WARN, paint};

/// Changes that were made; held while one is made. Signals come to the whole program, and so does this.
static CHANGES: Mutex<usize> = Mutex::new(0);

/// Over when somebody wants the program to end.
pub(crate) async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Does something that ends soon after the flag is set, and sets it when the program is interrupted. The second time
/// the program ends at once.
pub(crate) fn until_interrupted<T>(cancel: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> io::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let flag = Arc::clone(cancel);
    runtime.spawn(async move {
        interrupted().await;
        flag.store(true, Ordering::Relaxed);
        output::err(&format!("{}\n", paint(WARN, "stopping; once more ends it at once")));
        interrupted().await;
        std::process::exit(130);
    });
    let result = work();
    runtime.shutdown_background();
    Ok(result)
}

/// From now on an interruption ends the program between two changes, and says whether there were any. Whatever
/// changes something must do it in [`change`].
pub(crate) fn end_between_changes(json: bool) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let wait = move || {
        runtime.block_on(interrupted());
        // Nothing is begun any more.
        let changes = CHANGES.lock().unwrap_or_else(PoisonError::into_inner);
        let message = match *changes {
            0 => "interrupted; nothing was changed",
            _ => "interrupted; what was done before stays, the rest was not begun",
        };
        output::clear_line();
        Failure::interrupted(message).report(json);
        std::process::exit(130);
    };
    std::thread::Builder::new().spawn(wait).map(drop)
}

/// Makes one change, which an interruption waits for.
pub(crate) fn change<T, E>(make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut changes = CHANGES.lock().unwrap_or_else(PoisonError::into_inner);
    let made = make()?;
    *changes += 1;
    Ok(made)
}
