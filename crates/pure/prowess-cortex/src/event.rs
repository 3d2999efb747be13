//! What can be in the log: one event a row, never changed, never removed.
//!
//! A row that a newer version wrote is kept as [`EventKind::Unknown`]: it is counted, shown and written back as it
//! was, but nothing is learned from it.

use prowess_types::OutcomeResult;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::document::{LessonRef, LongTermRecord};
use crate::{TaskVector, ValueDelta};

/// The version of the format of events.
pub const EVENT_FORMAT: u32 = 1;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// A ULID as text; unique in the log.
    pub id: String,
    /// Milliseconds since 1970, UTC, as the writer's clock had it.
    pub clock: i64,
    /// The snapshot the skill was chosen from.
    pub snapshot: Option<String>,
    /// The session it happened in.
    pub session: Option<String>,
    /// The event.
    pub kind: EventKind,
}

/// The event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "most events are outcomes, and few are in memory at once")]
pub enum EventKind {
    /// A skill was used for a task, and this came out: one a task, whatever was retried.
    Outcome(OutcomeEvent),
    /// A registry was searched.
    Searched {},
    /// A skill was installed for a task.
    Installed {
        /// The skill that is meant.
        slug: String,
        /// Which version, if known.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        version: String,
    },
    /// A skill could not be installed. That is not a run: no weight changes.
    InstallFailed {
        /// The skill that is meant.
        slug: String,
    },
    /// A task was recognised and its region had a candidate to offer.
    CacheHit {
        /// The region.
        region: String,
    },
    /// The fast path was entered and not cancelled.
    ReflexFired {
        /// The region.
        region: String,
        /// Whose reflex.
        slug: String,
    },
    /// The fast path was announced and the user said no.
    ReflexCancelled {
        /// The region.
        region: String,
        /// Whose reflex.
        slug: String,
    },
    /// The fast path was announced, and the text that came was not the one that earned it.
    ReflexWithdrawn {
        /// The skill.
        slug: String,
        /// The reason.
        #[serde(default, rename = "reason")]
        why: ReflexWithdrawal,
    },
    /// The user keeps the skill: it leaves the candidates and is remembered as a long-term skill.
    RetentionAccepted(RetentionEvent),
    /// The user does not keep it; the question rests for 30 days.
    RetentionDeclined(RetentionEvent),
    /// The user, or a confirmed malware verdict of the registry, bans `slug` or `slug@version`.
    BlacklistAdded {
        /// What is banned.
        slug: String,
    },
    /// The ban is lifted.
    BlacklistRemoved {
        /// What is allowed again.
        slug: String,
    },
    /// A lesson proved right.
    LessonValidated(LessonRef),
    /// A lesson proved wrong.
    LessonContradicted(LessonRef),
    /// The user wants something forgotten.
    Forgotten(Forgotten),
    /// A file from outside was merged.
    Imported(Box<Import>),
    /// The registry offers this version of a skill now.
    VersionSeen {
        /// The skill.
        slug: String,
        /// The version.
        version: String,
    },
    /// What nobody here understands, whole.
    #[serde(skip)]
    Unknown {
        /// What it calls itself.
        kind: String,
        /// Everything but the fields every event has.
        payload: Map<String, Value>,
    },
}

/// The reason that a reflex ended before the skill was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReflexWithdrawal {
    /// Other files under the same version.
    #[default]
    Changed,
    /// The scanner or the registry refuses it.
    Refused,
    /// The same files are now known to change something.
    SideEffects,
}

/// How the use of a skill for a task ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutcomeEvent {
    /// The kind of task.
    pub region: String,
    /// The skill.
    pub slug: String,
    /// `clawhub`, `github` or another registry's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Its version; empty if nobody knows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Success or the kind of failure. From [`OutcomeResult::Unknown`] nothing is learned.
    pub result: OutcomeResult,
    /// What the failure was about, from structured data: the missing program, the variable, the missing ability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// One line about the failure, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Words of the task, after the entity filter; learned when the task was not recognised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<String>,
    /// The vector of the task, after the entity filter; none if it has no words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<TaskVector>,
    /// What the skill does to the world (`verb:target`); none if nobody looked, which counts as `shell:`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side_effects: Option<Vec<String>>,
    /// The side effects of the run itself. They widen what is known and never narrow it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<String>,
    /// Characters (Unicode scalars) of its `SKILL.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_md_chars: Option<u64>,
    /// Bytes of its `SKILL.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_md_bytes: Option<u64>,
    /// The hash of its files; none if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// Names of the variables the skill needs that were set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env_ready: Vec<String>,
    /// Names of the variables it needs that were not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env_missing: Vec<String>,
    /// Whether the skill was there only for the task.
    #[serde(default, skip_serializing_if = "Tenure::is_task")]
    pub tenure: Tenure,
}

impl OutcomeEvent {
    /// An outcome with what every outcome has; set the other fields as they are known.
    pub fn new(region: &str, slug: &str, version: &str, result: OutcomeResult) -> Self {
        Self {
            region: region.to_owned(),
            slug: slug.to_owned(),
            version: version.to_owned(),
            result,
            ..Self::default()
        }
    }
}

/// Whether a skill was there only for a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tenure {
    /// Installed for the task: it is a candidate of its region.
    #[default]
    Task,
    /// The user has it anyway: it is never a candidate, but selection learns from it.
    LongTerm,
}

impl Tenure {
    fn is_task(&self) -> bool {
        *self == Self::Task
    }
}

/// Which candidate an answer about retention is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetentionEvent {
    /// Its region.
    pub region: String,
    /// The skill.
    pub slug: String,
}

/// What is to be forgotten. The log keeps its rows; the state starts anew there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Forgotten {
    /// Everything but the blacklist.
    Everything,
    /// A region with its pattern, candidates, lessons and counts.
    Region {
        /// The one that is meant.
        region: String,
    },
    /// A skill, in one region or in all.
    Skill {
        /// The skill.
        slug: String,
        /// Only here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<String>,
    },
    /// One signal of a region.
    Signal {
        /// The region.
        region: String,
        /// The word.
        signal: String,
    },
    /// A lesson.
    Lesson {
        /// The one that is meant.
        lesson: LessonRef,
    },
}

impl Event {
    /// An event outside any session.
    pub fn new(id: &str, clock: i64, kind: EventKind) -> Self {
        Self { id: id.to_owned(), clock, snapshot: None, session: None, kind }
    }

    /// The event as JSON text on one line.
    pub fn to_json(&self) -> String {
        Value::Object(self.fields()).to_string()
    }

    /// Reads what [`to_json`](Self::to_json) wrote, here or in a newer version.
    pub fn from_json(text: &str) -> Result<Self, MalformedEvent> {
        let mut fields: Map<String, Value> = serde_json::from_str(text)?;
        let mut text_field = |name: &str| match fields.shift_remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let (id, snapshot, session) = (text_field("id"), text_field("snapshot"), text_field("session"));
        let clock = fields.shift_remove("clock").and_then(|clock| clock.as_i64());
        let format = fields.shift_remove("v");
        let (Some(id), Some(clock)) = (id, clock) else {
            return Err(MalformedEvent::Unnamed);
        };
        Ok(Self { id, clock, snapshot, session, kind: read_kind(fields, format) })
    }

    fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("v".into(), EVENT_FORMAT.into());
        fields.insert("id".into(), self.id.clone().into());
        fields.insert("clock".into(), self.clock.into());
        for (name, value) in [("snapshot", &self.snapshot), ("session", &self.session)] {
            if let Some(value) = value {
                fields.insert(name.into(), value.clone().into());
            }
        }
        fields.extend(self.kind.fields());
        fields
    }
}

/// A kind of a newer format or an unknown name is kept whole, with its format.
fn read_kind(mut fields: Map<String, Value>, format: Option<Value>) -> EventKind {
    let is_ours = format.as_ref().and_then(Value::as_u64) == Some(EVENT_FORMAT.into());
    if is_ours && let Ok(kind) = EventKind::deserialize(&Value::Object(fields.clone())) {
        return kind;
    }
    let kind = match fields.shift_remove("kind") {
        Some(Value::String(kind)) => kind,
        _ => String::new(),
    };
    if let Some(format) = format.filter(|_| !is_ours) {
        fields.insert("v".into(), format);
    }
    EventKind::Unknown { kind, payload: fields }
}

impl EventKind {
    /// The name of the kind, as in the log.
    pub fn name(&self) -> &str {
        match self {
            Self::Outcome(_) => "outcome",
            Self::Searched {} => "searched",
            Self::Installed { .. } => "installed",
            Self::InstallFailed { .. } => "install_failed",
            Self::CacheHit { .. } => "cache_hit",
            Self::ReflexFired { .. } => "reflex_fired",
            Self::ReflexCancelled { .. } => "reflex_cancelled",
            Self::ReflexWithdrawn { .. } => "reflex_withdrawn",
            Self::RetentionAccepted(_) => "retention_accepted",
            Self::RetentionDeclined(_) => "retention_declined",
            Self::BlacklistAdded { .. } => "blacklist_added",
            Self::BlacklistRemoved { .. } => "blacklist_removed",
            Self::LessonValidated(_) => "lesson_validated",
            Self::LessonContradicted(_) => "lesson_contradicted",
            Self::Forgotten(_) => "forgotten",
            Self::Imported(_) => "imported",
            Self::VersionSeen { .. } => "version_seen",
            Self::Unknown { kind, .. } => kind,
        }
    }

    /// The region it is about, if it is about one.
    pub fn region(&self) -> Option<&str> {
        match self {
            Self::Outcome(outcome) => Some(&outcome.region),
            Self::CacheHit { region }
            | Self::ReflexFired { region, .. }
            | Self::ReflexCancelled { region, .. }
            | Self::Forgotten(Forgotten::Region { region } | Forgotten::Signal { region, .. }) => {
                Some(region)
            }
            Self::RetentionAccepted(answer) | Self::RetentionDeclined(answer) => Some(&answer.region),
            Self::Forgotten(Forgotten::Skill { region, .. }) => region.as_deref(),
            Self::LessonValidated(lesson) | Self::LessonContradicted(lesson) => lesson.region(),
            _ => None,
        }
    }

    /// The skill it is about, if it is about one.
    pub fn slug(&self) -> Option<&str> {
        match self {
            Self::Outcome(outcome) => Some(&outcome.slug),
            Self::Installed { slug, .. }
            | Self::InstallFailed { slug }
            | Self::ReflexFired { slug, .. }
            | Self::ReflexCancelled { slug, .. }
            | Self::ReflexWithdrawn { slug, .. }
            | Self::BlacklistAdded { slug }
            | Self::BlacklistRemoved { slug }
            | Self::VersionSeen { slug, .. }
            | Self::Forgotten(Forgotten::Skill { slug, .. })
            | Self::LessonValidated(LessonRef::SkillQualityWarning { slug, .. })
            | Self::LessonContradicted(LessonRef::SkillQualityWarning { slug, .. }) => Some(slug),
            Self::RetentionAccepted(answer) | Self::RetentionDeclined(answer) => Some(&answer.slug),
            _ => None,
        }
    }

    /// The version of the skill it is about, if it says one.
    pub fn version(&self) -> Option<&str> {
        match self {
            Self::Outcome(OutcomeEvent { version, .. })
            | Self::Installed { version, .. }
            | Self::VersionSeen { version, .. } => {
                Some(version.as_str()).filter(|version| !version.is_empty())
            }
            _ => None,
        }
    }

    /// The kind of failure, if it is an outcome that failed.
    pub fn failure(&self) -> Option<OutcomeResult> {
        match self {
            Self::Outcome(outcome) => Some(outcome.result).filter(|result| result.is_failure()),
            _ => None,
        }
    }

    fn fields(&self) -> Map<String, Value> {
        if let Self::Unknown { kind, payload } = self {
            let mut fields = payload.clone();
            if !kind.is_empty() {
                fields.insert("kind".into(), kind.clone().into());
            }
            return fields;
        }
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        }
    }
}

/// The reason a text is not an event.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MalformedEvent {
    /// It is not a JSON object.
    #[error("the event is not a JSON object")]
    Json(#[from] serde_json::Error),
    /// Nobody can tell which event it is.
    #[error("the event has no `id` or no `clock`")]
    Unnamed,
}

/// The change a file stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// Tells imports apart.
    pub digest: String,
    /// What changes.
    pub delta: ValueDelta,
    /// Long-term skills that the file knows in addition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub long_term: Vec<LongTermRecord>,
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod tests;
