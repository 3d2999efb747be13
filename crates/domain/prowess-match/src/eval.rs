//! The measured quality of matching: judged pools, and the trigger cases that skills bring along.

mod pool;
mod triggers;

pub use pool::{GroupReport, Latency, PerQuery, PoolError, PoolGate, PoolReport, evaluate_pool};
pub use triggers::{Cases, cases_of, evaluate_triggers};
pub use triggers::{Confusion, TriggerIssue, TriggerOptions, TriggerReport, TriggerSkill};
