//! `cortex.json`: the documented schema, with our additions and room for those of others.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::constants::LESSON_CONFIDENCE;
use crate::{CortexCandidate, Day, TaskVector};

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Document")]
pub struct CortexFile {
    /// Always 1.
    pub version: u64,
    /// The learned state.
    #[serde(default)]
    pub cortex: Memory,
    /// `slug` or `slug@version` that are never listed.
    #[serde(default)]
    pub blacklist: Vec<String>,
    /// Counts.
    #[serde(default)]
    pub stats: Stats,
    /// Observations that may become lessons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ledger: Vec<LedgerEntry>,
    /// Skills that the user has anyway, with what was learned about them. Changes here are not taken over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub long_term: Vec<LongTermRecord>,
    /// How many events of the log it is the fold of; none in a file that was not made from a log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<u64>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A skill the user has anyway, and how it did for a kind of task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LongTermRecord {
    /// The kind of task.
    pub region: String,
    /// Words of such tasks; the pattern of a region without candidates is not kept elsewhere.
    #[serde(default)]
    pub signals: Vec<String>,
    /// Meanings of such tasks.
    #[serde(default, deserialize_with = "readable_vectors", skip_serializing_if = "Vec::is_empty")]
    pub vectors: Vec<TaskVector>,
    /// Its record.
    pub candidate: CortexCandidate,
}

/// The learned state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Memory {
    /// What tasks sound like.
    #[serde(default)]
    pub sensory: Sensory,
    /// What to use, by region.
    #[serde(default)]
    pub motor: BTreeMap<String, Region>,
    /// The lessons.
    #[serde(default)]
    pub prefrontal: Prefrontal,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What tasks sound like.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Sensory {
    /// One pattern a region, in the order they were learned.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Words that name a region.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Pattern {
    /// Lower case, oldest first.
    #[serde(default)]
    pub signal: Vec<String>,
    /// The region.
    pub region: String,
    /// The vectors of such tasks, after the entity filter.
    #[serde(default, deserialize_with = "readable_vectors", skip_serializing_if = "Vec::is_empty")]
    pub vectors: Vec<TaskVector>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A file may say anything here: values that are not vectors are left out.
fn readable_vectors<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TaskVector>, D::Error> {
    let values = match Value::deserialize(deserializer)? {
        Value::Array(values) => values,
        _ => Vec::new(),
    };
    let vectors = values.into_iter().filter_map(|value| serde_json::from_value::<TaskVector>(value).ok());
    Ok(vectors.filter(|vector| vector.unit().is_some()).collect())
}

/// A kind of task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Region {
    /// Skills for it, in the order they were learned.
    #[serde(default)]
    pub candidates: Vec<CortexCandidate>,
    /// When one of them was used last; none if the file has no date that can be read.
    #[serde(default, deserialize_with = "crate::day::lenient")]
    pub last_used: Option<Day>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Region {
    /// The candidate of this name.
    pub fn candidate(&self, slug: &str) -> Option<&CortexCandidate> {
        self.candidates.iter().find(|candidate| candidate.slug == slug)
    }
}

/// The lessons.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Prefrontal {
    /// Lessons, in the order they were learned.
    #[serde(default, deserialize_with = "known_lessons")]
    pub lessons: Vec<Lesson>,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A lesson of one of the three types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct Lesson {
    /// Its text.
    pub kind: LessonKind,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// When it was learned.
    pub created: Option<Day>,
    /// Fields that other programs wrote here.
    pub extra: Map<String, Value>,
}

impl TryFrom<Map<String, Value>> for Lesson {
    type Error = serde_json::Error;

    fn try_from(mut fields: Map<String, Value>) -> Result<Self, Self::Error> {
        let kind = LessonKind::deserialize(&Value::Object(fields.clone()))?;
        let confidence = fields.shift_remove("confidence").map_or(Ok(LESSON_CONFIDENCE), f64::deserialize)?;
        let created = fields.shift_remove("created");
        let created = created.as_ref().and_then(Value::as_str).and_then(Day::parse);
        fields.retain(|name, _| !kind.fields().contains_key(name));
        Ok(Self { kind, confidence, created, extra: fields })
    }
}

impl From<Lesson> for Map<String, Value> {
    fn from(lesson: Lesson) -> Self {
        let mut fields = lesson.kind.fields();
        fields.insert("confidence".into(), lesson.confidence.into());
        fields.insert("created".into(), lesson.created.map_or(Value::Null, |day| day.to_string().into()));
        fields.extend(lesson.extra);
        fields
    }
}

/// Lessons of a file: those of a type that does not exist here are left out.
fn known_lessons<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Lesson>, D::Error> {
    let found = Vec::<Map<String, Value>>::deserialize(deserializer)?;
    let is_known = |lesson: &Map<String, Value>| {
        lesson.get("type").and_then(Value::as_str).is_none_or(|name| LessonKind::NAMES.contains(&name))
    };
    found.into_iter().filter(is_known).map(|lesson| lesson.try_into().map_err(Error::custom)).collect()
}

/// What a lesson says. There is no fourth type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LessonKind {
    /// Look for this program before installing a skill for such tasks.
    DependencyWarning {
        /// The region.
        region: String,
        /// The program.
        key: String,
        /// Always `check_bin_before_install`.
        #[serde(default = "check_action")]
        action: String,
    },
    /// The skill does not do what it says.
    SkillQualityWarning {
        /// The skill.
        slug: String,
        /// What it cannot do.
        #[serde(default)]
        detail: String,
    },
    /// The variable tends to be set for such tasks. Its value is never here.
    EnvReady {
        /// The region.
        region: String,
        /// The name of the variable.
        key: String,
    },
}

pub(crate) fn check_action() -> String {
    "check_bin_before_install".to_owned()
}

impl LessonKind {
    const NAMES: [&str; 3] = ["dependency_warning", "skill_quality_warning", "env_ready"];

    fn fields(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        }
    }

    /// Returns true if this is the lesson that is meant.
    pub fn is(&self, meant: &LessonRef) -> bool {
        match (self, meant) {
            (
                Self::DependencyWarning { region, key, .. },
                LessonRef::DependencyWarning { region: in_region, key: about },
            )
            | (Self::EnvReady { region, key }, LessonRef::EnvReady { region: in_region, key: about }) => {
                (region, key) == (in_region, about)
            }
            (
                Self::SkillQualityWarning { slug, detail },
                LessonRef::SkillQualityWarning { slug: of, detail: about },
            ) => slug == of && about.as_ref().is_none_or(|about| about == detail),
            _ => false,
        }
    }

    /// The region it belongs to, and goes with.
    pub fn region(&self) -> Option<&str> {
        match self {
            Self::DependencyWarning { region, .. } | Self::EnvReady { region, .. } => Some(region),
            Self::SkillQualityWarning { .. } => None,
        }
    }
}

/// Counts of what was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Stats {
    /// Searches of a registry.
    #[serde(default)]
    pub searches: u64,
    /// Installations that worked.
    #[serde(default)]
    pub installs: u64,
    /// Tasks that were recognised, with something to offer.
    #[serde(default)]
    pub cache_hits: u64,
    /// Fast paths entered and not cancelled.
    #[serde(default)]
    pub reflexes_fired: u64,
    /// Fields that other programs wrote here.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// How often something was observed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LedgerEntry {
    /// In which region.
    pub region: String,
    /// What: a kind of failure, or `env_ready`.
    #[serde(rename = "type")]
    pub kind: String,
    /// About which program, variable or ability.
    pub key: String,
    /// The frequency.
    pub count: u64,
    /// When last.
    #[serde(default, deserialize_with = "crate::day::lenient")]
    pub last: Option<Day>,
}

impl Default for CortexFile {
    fn default() -> Self {
        Self {
            version: 1,
            cortex: Memory::default(),
            blacklist: Vec::new(),
            stats: Stats::default(),
            ledger: Vec::new(),
            long_term: Vec::new(),
            events: None,
            extra: Map::new(),
        }
    }
}

/// Names a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LessonRef {
    /// This program tends to be missing for this kind of task.
    DependencyWarning {
        /// The region.
        region: String,
        /// The program.
        key: String,
    },
    /// This skill does not do what it says.
    SkillQualityWarning {
        /// The skill.
        slug: String,
        /// What it cannot do; with none, every such lesson about the skill is meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// This variable tends to be set.
    EnvReady {
        /// The region.
        region: String,
        /// The name of the variable.
        key: String,
    },
}

impl LessonRef {
    pub(crate) fn region(&self) -> Option<&str> {
        match self {
            Self::DependencyWarning { region, .. } | Self::EnvReady { region, .. } => Some(region),
            Self::SkillQualityWarning { .. } => None,
        }
    }
}
