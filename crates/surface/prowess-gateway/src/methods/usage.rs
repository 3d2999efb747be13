//! What runs used up.

use std::collections::BTreeMap;

use prowess_sessions::{SessionFilter, SessionListing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::summary::key_of;
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

const READ: Access = Access::Operator(Scope::Read);
const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// The default number of days.
const USUAL_DAYS: u64 = 30;
/// Default number of listed sessions.
const USUAL_SESSIONS: usize = 50;

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("usage.cost", READ, "What runs used up, by day", usage_cost),
        method("sessions.usage", READ, "What runs used up, by session", sessions_usage),
    ]
}

/// Which days.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct UsageParams {
    /// The number of days until today.
    days: Option<u64>,
    /// Only what this agent used.
    agent_id: Option<String>,
    /// Only this session.
    key: Option<String>,
    /// The maximum number of sessions.
    limit: Option<usize>,
    /// The first day, as `YYYY-MM-DD`.
    start_date: Option<String>,
    /// The last day.
    end_date: Option<String>,
}

/// The usage.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Totals {
    /// Tokens that models read.
    input: u64,
    /// Tokens that models wrote.
    output: u64,
    /// Both.
    total_tokens: u64,
    /// What that cost in dollars; null, because nobody here knows the prices.
    total_cost: Option<f64>,
    /// Runs whose cost is not known: all of them.
    missing_cost_entries: u64,
}

/// What was used up on a day.
#[derive(Debug, Serialize, JsonSchema)]
struct Day {
    /// The day in UTC, as `YYYY-MM-DD`.
    date: String,
    /// The usage.
    #[serde(flatten)]
    totals: Totals,
}

/// What was used up, by day.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Cost {
    /// When this was counted, in milliseconds since 1970.
    updated_at: u64,
    /// The number of days.
    days: u64,
    /// The days on which something was used up.
    daily: Vec<Day>,
    /// All of them.
    totals: Totals,
}

/// What a session used up.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SessionUsage {
    /// Its key.
    key: String,
    /// The agent.
    agent_id: String,
    /// When it was last written.
    updated_at: u64,
    /// What it used up.
    usage: Totals,
}

/// What was used up, by session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Usage {
    /// When this was counted, in milliseconds since 1970.
    updated_at: u64,
    /// The first day, as `YYYY-MM-DD`.
    start_date: String,
    /// The last day.
    end_date: String,
    /// The sessions, those written last first.
    sessions: Vec<SessionUsage>,
    /// All of them.
    totals: Totals,
}

async fn usage_cost(call: Call, params: UsageParams) -> Result<Cost, Refusal> {
    call.work(move |gateway| {
        let span = Span::of(gateway, &params)?;
        let mut daily: BTreeMap<String, Totals> = BTreeMap::new();
        let mut totals = Totals::default();
        for session in span.sessions(gateway, &params) {
            for run in session.summary.runs.iter().filter(|run| span.has(run.started)) {
                daily.entry(date(run.started)).or_default().add(&run.usage);
                totals.add(&run.usage);
            }
        }
        let daily = daily.into_iter().map(|(date, totals)| Day { date, totals }).collect();
        let days = (span.end - span.start).div_ceil(DAY_MS);
        Ok(Cost { updated_at: gateway.options.clock.now_ms(), days, daily, totals })
    })
    .await
}

async fn sessions_usage(call: Call, params: UsageParams) -> Result<Usage, Refusal> {
    call.work(move |gateway| {
        let span = Span::of(gateway, &params)?;
        let mut totals = Totals::default();
        let mut sessions = Vec::new();
        for session in span.sessions(gateway, &params) {
            let mut usage = Totals::default();
            for run in session.summary.runs.iter().filter(|run| span.has(run.started)) {
                usage.add(&run.usage);
                totals.add(&run.usage);
            }
            sessions.push(SessionUsage {
                key: key_of(&session),
                agent_id: session.summary.agent.clone(),
                updated_at: session.summary.ended,
                usage,
            });
        }
        sessions.truncate(params.limit.unwrap_or(USUAL_SESSIONS));
        Ok(Usage {
            updated_at: gateway.options.clock.now_ms(),
            start_date: date(span.start),
            end_date: date(span.end.saturating_sub(1)),
            sessions,
            totals,
        })
    })
    .await
}

/// From when to when, in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u64,
    end: u64,
}

impl Span {
    fn of(gateway: &Gateway, params: &UsageParams) -> Result<Self, Refusal> {
        let today = gateway.options.clock.now_ms() / DAY_MS;
        let end = params.end_date.as_deref().map(day).transpose()?.unwrap_or(today) + 1;
        let usual = end.saturating_sub(params.days.unwrap_or(USUAL_DAYS).clamp(1, 3660));
        let start = params.start_date.as_deref().map(day).transpose()?.unwrap_or(usual);
        if start >= end {
            return Err(Refusal::invalid("the first day is after the last"));
        }
        Ok(Self { start: start * DAY_MS, end: end * DAY_MS })
    }

    fn has(self, moment: u64) -> bool {
        (self.start..self.end).contains(&moment)
    }

    fn sessions(self, gateway: &Gateway, params: &UsageParams) -> impl Iterator<Item = SessionListing> {
        let filter = SessionFilter { agent: params.agent_id.clone(), limit: None };
        let wanted = params.key.clone();
        let sessions = gateway.live.engine().sessions().list(&filter).into_iter();
        sessions.filter(move |session| {
            session.summary.ended >= self.start
                && session.summary.started < self.end
                && wanted.as_ref().is_none_or(|key| *key == key_of(session))
        })
    }
}

impl Totals {
    fn add(&mut self, usage: &prowess_types::Usage) {
        // Imported counts may be anything.
        self.input = self.input.saturating_add(usage.input_tokens);
        self.output = self.output.saturating_add(usage.output_tokens);
        self.total_tokens = self.input.saturating_add(self.output);
        self.missing_cost_entries += 1;
    }
}

/// The day of a moment, in UTC.
fn date(moment: u64) -> String {
    let moment = i64::try_from(moment).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    moment.map(|moment| moment.strftime("%Y-%m-%d").to_string()).unwrap_or_default()
}

/// Returns the number of a day since 1970.
fn day(text: &str) -> Result<u64, Refusal> {
    let refused = || Refusal::invalid(format!("`{text}` is not a day; write YYYY-MM-DD"));
    let day: jiff::civil::Date = text.trim().parse().map_err(|_| refused())?;
    let since = day.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| refused())?.timestamp().as_millisecond();
    Ok(u64::try_from(since).map_err(|_| refused())? / DAY_MS)
}
