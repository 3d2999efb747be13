//! Selectors that are ready before the first message: one thread that gets views ready, the newest of each agent.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex, Weak};

use prowess_types::IgnorePoison as _;

use crate::choose::{ChooseError, Selector};
use crate::view::AgentView;

/// The messages that selectors are ready for before the first one is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrepareAhead {
    /// None: the first message waits.
    #[default]
    Nothing,
    /// Messages in English.
    English,
    /// Messages in English, and those in other languages after that.
    AllLanguages,
}

/// Gets views ready in the background.
pub(super) struct Preparer {
    waiting: Mutex<Option<Sender<Weak<AgentView>>>>,
    is_closed: Arc<AtomicBool>,
}

impl Preparer {
    /// Starts the thread, if there is anything for it to do.
    pub(super) fn start(ahead: PrepareAhead) -> std::io::Result<Option<Self>> {
        if ahead == PrepareAhead::Nothing {
            return Ok(None);
        }
        let (waiting, views) = mpsc::channel();
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        let thread = std::thread::Builder::new().name("prowess-prepare".to_owned());
        // It holds nothing but views, and ends with the part that it works on: no caller has to wait for that.
        drop(thread.spawn(move || work(&views, ahead, &closed))?);
        Ok(Some(Self { waiting: Mutex::new(Some(waiting)), is_closed }))
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

/// English for every view comes before other languages for any.
fn work(views: &Receiver<Weak<AgentView>>, ahead: PrepareAhead, is_closed: &AtomicBool) {
    let is_over = || is_closed.load(Ordering::Relaxed);
    let mut later: VecDeque<Weak<AgentView>> = VecDeque::new();
    loop {
        let next = if later.is_empty() {
            views.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            views.try_recv()
        };
        if is_over() {
            return;
        }
        match next {
            Ok(view) => {
                prepare(&view, |selector| selector.prepare_english(&is_over));
                if ahead == PrepareAhead::AllLanguages {
                    later.push_back(view);
                }
            }
            Err(TryRecvError::Empty) => {
                let view = later.pop_front().unwrap_or_default();
                prepare(&view, |selector| selector.prepare_other_languages(&is_over));
            }
            Err(TryRecvError::Disconnected) => return,
        }
    }
}

/// Prepares a view, unless it was replaced meanwhile: then it is gone, or only held by a caller that prepares it itself.
fn prepare(view: &Weak<AgentView>, prepare: impl FnOnce(&Selector) -> Result<(), ChooseError>) {
    if let Some(selector) = view.upgrade().and_then(|view| view.selector().ok()) {
        // A failure here happens again, visibly, for the first message.
        let _ = prepare(&selector);
    }
}
