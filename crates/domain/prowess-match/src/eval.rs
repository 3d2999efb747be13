//! The measured quality of matching: judged pools, and the trigger cases that skills bring along.

mod cases;
mod own;
mod pool;
mod triggers;

pub use cases::{
    CaseKind, CaseOrigin, CaseReport, MessageCase, OriginShare, WrongCase, evaluate_cases, read_case_folder,
    read_cases,
};
pub use own::{AddedCase, OwnCasesError, add_own_case, own_cases_file, read_own_cases};
pub use pool::{
    FollowUpScores, GateKind, GroupReport, Latency, PerQuery, PoolError, PoolGate, PoolReport, evaluate_pool,
};
pub use triggers::{Cases, cases_of, evaluate_triggers};
pub use triggers::{Confusion, TriggerIntervals, TriggerIssue, TriggerOptions, TriggerReport, TriggerSkill};
