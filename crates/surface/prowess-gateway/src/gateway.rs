//! The work of a gateway beside its methods: runs, automations, approvals, one-time codes, held changes.

mod approvals;
mod automations;
mod codes;
mod held;
mod run_events;
mod run_start;

pub(crate) use codes::with_code;
pub(crate) use held::resolve_held;
pub(crate) use run_start::Order;
