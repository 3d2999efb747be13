//! Everything that was learned, as one answer.

use prowess_cortex::{CortexCandidate, CortexState, Day, Lesson, Listed, Rules, Stats, Unlisted};
use serde::Serialize;

use super::file::Damaged;
use super::{Cortex, CortexError};

/// Everything that was learned.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CortexView {
    /// The live export.
    pub file: String,
    /// The rules that hold.
    pub rules: String,
    /// How many events it is the fold of.
    pub events: u64,
    /// The kinds of task.
    pub regions: Vec<RegionView>,
    /// Skills that the user kept.
    pub long_term: Vec<LongTermView>,
    /// What to mind.
    pub lessons: Vec<Lesson>,
    /// What is never used.
    pub blacklist: Vec<String>,
    /// Counts.
    pub stats: Stats,
    /// The export that could not be read, if that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damaged: Option<Damaged>,
}

/// A kind of task.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegionView {
    /// Its name.
    pub region: String,
    /// Words that stand for such tasks.
    pub signals: Vec<String>,
    /// When one of its candidates was used last.
    pub last_used: Option<Day>,
    /// Who may be offered, the best first.
    pub candidates: Vec<Listed>,
    /// Who may not, and why.
    pub hidden: Vec<Unlisted>,
}

/// A skill that the user kept.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct LongTermView {
    /// The kind of task.
    pub region: String,
    /// What is known about it.
    pub skill: CortexCandidate,
}

impl Cortex<'_> {
    /// Everything that was learned, or what was learned about one kind of task.
    pub fn view(&self, region: Option<&str>) -> Result<CortexView, CortexError> {
        let state = self.state()?;
        if let Some(region) = region
            && state.region(region).is_none()
        {
            return Err(CortexError::Unknown(format!("tasks of the kind `{region}`")));
        }
        Ok(self.view_of(&state, self.rules, region))
    }

    /// A state under some rules, as [`view`](Self::view) shows it.
    pub fn view_of(&self, state: &CortexState, rules: Rules, region: Option<&str>) -> CortexView {
        let now = self.now();
        let is_meant = |name: &str| region.is_none_or(|only| only == name);
        let shown = state.regions().filter(|(name, _)| is_meant(name)).map(|(name, found)| {
            let pattern = state.patterns().iter().find(|pattern| pattern.region == name);
            RegionView {
                region: name.to_owned(),
                signals: pattern.map(|pattern| pattern.signal.clone()).unwrap_or_default(),
                last_used: found.last_used,
                candidates: state.listing(name, now, rules),
                hidden: state.unlisted(name, now, rules),
            }
        });
        let kept = state.long_term().filter(|(name, _)| is_meant(name));
        CortexView {
            file: self.file.display().to_string(),
            rules: rules.name().to_owned(),
            events: state.events(),
            regions: shown.collect(),
            long_term: kept
                .map(|(name, skill)| LongTermView { region: name.to_owned(), skill: skill.clone() })
                .collect(),
            lessons: state.lessons().to_vec(),
            blacklist: state.blacklist().to_vec(),
            stats: state.stats().clone(),
            damaged: self.damaged.clone(),
        }
    }
}
