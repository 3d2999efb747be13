//! The history, event by event.

use prowess_cortex::Event;
use serde::Serialize;

use super::{Cortex, CortexError};

/// The filter of events.
#[derive(Clone, Copy, Debug, Default)]
pub struct HistoryFilter<'a> {
    /// Only those about this skill.
    pub slug: Option<&'a str>,
    /// Only those about this region.
    pub region: Option<&'a str>,
    /// The maximum number, the latest.
    pub limit: Option<usize>,
}

/// An event of the log, and its place in it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Remembered {
    /// Its number.
    pub seq: i64,
    /// What happened, as the log has it.
    #[schemars(with = "serde_json::Value")]
    #[serde(serialize_with = "as_logged")]
    pub event: Event,
}

fn as_logged<S: serde::Serializer>(event: &Event, serializer: S) -> Result<S::Ok, S::Error> {
    let value: serde_json::Value = serde_json::from_str(&event.to_json()).unwrap_or_default();
    value.serialize(serializer)
}

impl Cortex<'_> {
    /// Events, the earliest first.
    pub fn history(&self, filter: HistoryFilter<'_>) -> Result<Vec<Remembered>, CortexError> {
        let is_meant = |event: &Event| {
            filter.slug.is_none_or(|slug| event.kind.slug() == Some(slug))
                && filter.region.is_none_or(|region| event.kind.region() == Some(region))
        };
        let mut events: Vec<Remembered> = self
            .log
            .read_since(0)?
            .into_iter()
            .filter(|logged| is_meant(&logged.event))
            .map(|logged| Remembered { seq: logged.seq, event: logged.event })
            .collect();
        let surplus = events.len().saturating_sub(filter.limit.unwrap_or(usize::MAX));
        events.drain(..surplus);
        Ok(events)
    }
}
