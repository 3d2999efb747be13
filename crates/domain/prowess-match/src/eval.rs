//! How well messages find their skills: judged pools, and the trigger cases that skills bring along.

mod pool;
mod triggers;

pub use pool::{evaluate_pool, GroupReport, Latency, PerQuery, PoolError, PoolGate, PoolReport};
pub use triggers::{evaluate_triggers, Cases, cases_of};
pub use triggers::{Confusion, TriggerIssue, TriggerOptions, TriggerReport, TriggerSkill};
