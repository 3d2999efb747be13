//! Automations: messages that agents get at set times, kept in `cron/jobs.json` in OpenClaw's shape.
//!
//! [`expr`] and [`schedule`] say when, [`job`] what, [`store`] keeps it, [`runner`] does it. Who wants to run a job
//! must first claim it in the file, under its lock: so two processes never run the same occurrence.

mod expr;
mod job;
mod keeper;
mod schedule;
mod store;

pub(crate) use job::{CronJob, Due, JobState, Payload, SessionTarget};
pub(crate) use keeper::{Cron, Manual, zone};
pub(crate) use schedule::{Schedule, Zone};
pub(crate) use store::{CronError, Entry, RunEntry, Store};
