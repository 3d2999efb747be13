//! What the methods about skills remember between calls: reports that still hold, installs that run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use prowess_match::AgentView;
use prowess_types::{ErrorKind, IgnorePoison as _};

use crate::kept_plans::KeptPlans;
use crate::message::Written;
use crate::refusal::Refusal;
use crate::uploads::Uploads;

/// Installs that may run at once.
const MAX_INSTALLS: usize = 8;

/// What the methods about skills remember.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    /// By agent.
    reports: Mutex<BTreeMap<String, Report>>,
    /// By what is installed: how it is stopped.
    installs: Mutex<BTreeMap<String, Arc<AtomicBool>>>,
    pub(crate) uploads: Uploads,
    pub(crate) plans: KeptPlans,
}

/// A report, and the view that it was made of.
#[derive(Debug)]
struct Report {
    view: Arc<AgentView>,
    written: Written,
}

impl Desk {
    /// The report about a view, made anew only if the view is another.
    pub(crate) fn report(
        &self,
        view: &Arc<AgentView>,
        make: impl FnOnce() -> Result<Written, Refusal>,
    ) -> Result<Written, Refusal> {
        let agent = &view.inventory().agent_id;
        if let Some(known) =
            self.reports.lock().ignore_poison().get(agent).filter(|known| Arc::ptr_eq(&known.view, view))
        {
            return Ok(known.written.clone());
        }
        let written = make()?;
        let report = Report { view: Arc::clone(view), written: written.clone() };
        self.reports.lock().ignore_poison().insert(agent.clone(), report);
        Ok(written)
    }

    /// Notes that something is being installed, until the answer is dropped.
    pub(crate) fn begin(&self, what: &str) -> Result<Installing<'_>, Refusal> {
        let mut running = self.installs.lock().ignore_poison();
        if running.contains_key(what) {
            return Err(Refusal::new(ErrorKind::Busy, format!("`{what}` is being installed already")));
        }
        if running.len() >= MAX_INSTALLS {
            return Err(Refusal::new(
                ErrorKind::Busy,
                format!("{MAX_INSTALLS} installs run already; wait for one of them"),
            ));
        }
        let cancel = Arc::new(AtomicBool::new(false));
        running.insert(what.to_owned(), Arc::clone(&cancel));
        Ok(Installing { desk: self, what: what.to_owned(), cancel })
    }

    /// Asks an install to stop. Tells whether there was one.
    pub(crate) fn cancel(&self, what: &str) -> bool {
        let running = self.installs.lock().ignore_poison();
        running.get(what).map(|cancel| cancel.store(true, Ordering::Relaxed)).is_some()
    }
}

/// Something that is being installed.
#[derive(Debug)]
pub(crate) struct Installing<'a> {
    desk: &'a Desk,
    what: String,
    /// The cancellation flag.
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Drop for Installing<'_> {
    fn drop(&mut self) {
        self.desk.installs.lock().ignore_poison().remove(&self.what);
    }
}
