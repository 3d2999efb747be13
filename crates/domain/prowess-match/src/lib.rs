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
    AddedCase, CaseKind, CaseOrigin, CaseReport, Cases, Confusion, FollowUpScores, GateKind, GroupReport,
    Latency, MessageCase, OriginShare, OwnCasesError, PerQuery, PoolError, PoolGate, PoolReport,
    TriggerIntervals, TriggerIssue, TriggerOptions, TriggerReport, TriggerSkill, WrongCase, add_own_case,
    cases_of, evaluate_cases, evaluate_pool, evaluate_triggers, own_cases_file, read_case_folder, read_cases,
    read_own_cases,
};
pub use prowess_select::metrics::{Interval, Share};

pub use live::{LiveEvent, LiveOptions, LiveStatus, LiveViewStatus, LiveViews, PrepareAhead, Subscription};
pub use view::{AgentView, StaleEdit, read_inventory};
