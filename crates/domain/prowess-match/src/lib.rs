//! The selector over an inventory, its evaluation, and the views of an agent.
//!
//! An [`AgentView`] is one agent at one moment. It is made in one place, fresh for a command and live for a server.

mod choose;
mod eval;
mod live;
mod view;

pub use choose::{
    OverlappingPair, Progress, Selector, TextVectors, document, is_damaged, likeness, likeness_to,
};
pub use eval::{
    Cases, Confusion, GroupReport, Latency, PerQuery, PoolError, PoolGate, PoolReport, TriggerIssue,
    TriggerOptions, TriggerReport, TriggerSkill, cases_of, evaluate_pool, evaluate_triggers,
};
pub use live::{LiveEvent, LiveOptions, LiveStatus, LiveViewStatus, LiveViews, Subscription};
pub use view::{AgentView, StaleEdit, read_inventory};
