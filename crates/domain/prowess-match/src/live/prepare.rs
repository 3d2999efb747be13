//! Selectors that are ready before the first message: one thread that gets views ready, the newest of each agent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, Weak};

use prowess_types::IgnorePoison as _;

use crate::view::AgentView;

/// Gets views ready in the background.
pub(super) struct Preparer {
    waiting: Mutex<Option<Sender<Weak<AgentView>>>>,
    is_closed: Arc<AtomicBool>,
}

impl Preparer {
    pub(super) fn start() -> std::io::Result<Self> {
        let (waiting, views) = mpsc::channel();
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        let thread = std::thread::Builder::new().name("prowess-prepare".to_owned());
        // It holds nothing but views, and ends with the part that it works on: no caller has to wait for that.
        drop(thread.spawn(move || work(&views, &closed))?);
        Ok(Self { waiting: Mutex::new(Some(waiting)), is_closed })
    }

    /// Gets a view ready, unless another one takes its place before.
    pub(super) fn prepare(&self, view: &Arc<AgentView>) {
        if let Some(waiting) = &*self.waiting.lock().ignore_poison() {
            // The thread ends before this one only if it panicked, which was reported.
            let _ = waiting.send(Arc::downgrade(view));
        }
    }

    /// Stops after the part that is being encoded, without waiting for it: an endpoint may take its time.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        drop(self.waiting.lock().ignore_poison().take());
    }
}

fn work(views: &Receiver<Weak<AgentView>>, is_closed: &AtomicBool) {
    let is_over = || is_closed.load(Ordering::Relaxed);
    while let Ok(view) = views.recv() {
        // One that was replaced meanwhile is gone, or only held by a caller that prepares it itself.
        let Some(view) = view.upgrade().filter(|_| !is_over()) else { continue };
        // A failure here happens again, visibly, for the first message.
        if let Ok(selector) = view.selector() {
            let _ = selector.prepare_unless(&is_over);
        }
    }
}
