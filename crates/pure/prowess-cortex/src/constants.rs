//! Every number of the rules, by name.

/// The weight of a skill nobody used yet.
pub const INITIAL_WEIGHT: f64 = 0.5;
/// How far a lone success moves a weight towards 1.
pub const LEARNING_RATE: f64 = 0.15;
/// Successes in so many days share their effect.
pub const RECENT_WINDOW_DAYS: i64 = 7;
/// The age at which the line of decay as written would reach 0.
pub const DECAY_HORIZON_DAYS: f64 = 180.0;
/// The least that decay as written leaves.
pub const DECAY_FLOOR: f64 = 0.3;
/// Candidates below this are not listed.
pub const LIST_THRESHOLD: f64 = 0.3;
/// Candidates below this are removed.
pub const PRUNE_THRESHOLD: f64 = 0.1;
/// Successes a reflex needs.
pub const REFLEX_SUCCESSES: u64 = 5;
/// The weight a reflex needs, and the effective weight the fast path needs.
pub const REFLEX_WEIGHT: f64 = 0.9;
/// Successes in a row that the fast path needs.
pub const REFLEX_STREAK: u64 = 5;
/// Side effects that begin with one of these bar a reflex.
pub const BLOCKING_PREFIXES: [&str; 3] = ["write:", "delete:", "shell:"];
/// Successes before keeping a skill is offered.
pub const RETENTION_SUCCESSES: u64 = 3;
/// The weight before keeping a skill is offered.
pub const RETENTION_WEIGHT: f64 = 0.8;
/// Longer skills are not offered to be kept.
pub const RETENTION_CHARS: u64 = 8_000;
/// After a no, the question rests for so many days.
pub const RETENTION_REST_DAYS: i64 = 30;
/// The confidence of a new lesson.
pub const LESSON_CONFIDENCE: f64 = 0.6;
/// What a validation adds, up to 1.
pub const LESSON_STEP: f64 = 0.1;
/// What a contradiction takes.
pub const LESSON_SETBACK: f64 = 0.2;
/// Lessons below this are removed.
pub const LESSON_THRESHOLD: f64 = 0.3;
/// Observations that make a lesson.
pub const LESSON_OBSERVATIONS: u64 = 2;
/// What a fully trusted quality warning takes from the sort key.
pub const QUALITY_PENALTY: f64 = 0.1;
/// A quality warning about a skill that is no candidate any more lasts so many days.
pub const QUALITY_DAYS: i64 = 180;
/// Candidates in a region.
pub const MAX_CANDIDATES: usize = 5;
/// Regions.
pub const MAX_REGIONS: usize = 80;
/// Signals in a pattern.
pub const MAX_SIGNALS: usize = 10;
/// Vectors of tasks in a pattern.
pub const MAX_VECTORS: usize = 6;
/// Lessons.
pub const MAX_LESSONS: usize = 30;
/// Rows of the ledger.
pub const MAX_LEDGER: usize = 100;
/// Long-term skills whose outcomes are remembered for selection.
pub const MAX_LONG_TERM: usize = 400;
/// Candidates taken from a search.
pub const MAX_SEARCHED: usize = 3;
/// The maximum number of switches of a task to the next candidate.
pub const MAX_SWITCHES: usize = 2;
/// Signals taken from a task, at most; at least two are sought.
pub const MAX_NEW_SIGNALS: usize = 4;
/// The time to wait before the one retry after an `api_error`, in milliseconds.
pub const API_RETRY_MS: u64 = 3_000;

/// Repaired rules: nothing is forgotten for so many days after a use.
pub const GRACE_DAYS: i64 = 30;
/// Repaired rules: after the grace, what is not proven halves in so many days.
pub const HALF_LIFE_DAYS: f64 = 180.0;
/// Repaired rules: the most that proof adds to [`DECAY_FLOOR`].
pub const PROVEN_SHARE: f64 = 0.5;
/// Repaired rules: so many successes without a failure are half of all proof.
pub const PROOF_HALF: f64 = 3.0;
/// Repaired rules: more dates of successes than these are not kept.
pub const MAX_SUCCESS_DATES: usize = 64;
