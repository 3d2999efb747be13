//! match.

mod choose;
mod eval;
mod live;
mod view;

pub use choose::{
    OverlappingPair, Progress, Selector, TextVectors, document, is_damaged, likeness, likeness_to,
};
pub use eval::{
    Cases, Confusion, GroupReport, Latency, PerQuery, PoolError, PoolGate, PoolReport, TriggerIssue,
    TriggerOptions, TriggerReport, TriggerSkill, cases_of,
};
pub use eval::{evaluate_pool, evaluate_triggers};
pub use live::{LiveEvent, LiveOptions, LiveStatus, LiveViewStatus, LiveViews, StaleEdit, Subscription};
pub use view::AgentView;
pub use view::read_inventory;
