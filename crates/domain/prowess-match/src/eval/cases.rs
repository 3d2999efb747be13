//! Cases that name their skill: messages with what should have been loaded for them.
//!
//! A file of cases is a list, or a list under `evals` or `queries`, of `{"query": "…", "skill": "name",
//! "should_trigger": true}`. Without a skill nothing should be loaded. A folder of such files is measured with the skills
//! of an agent as they are now; the user's own corrections are such a file.

use std::path::Path;

use prowess_context::ChooseError;
use prowess_inventory::{Conversation, MatchRequest, MessageMatch};
use prowess_select::metrics::Share;
use prowess_text::describe_error;
use serde::Serialize;
use serde_json::Value;

use super::triggers::TriggerIssue;
use crate::choose::Progress;
use crate::view::AgentView;

/// Larger files are not read.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The kind of a message, as far as loading goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CaseKind {
    /// It asks for its skill.
    Request,
    /// It is about the topic of a skill and asks for nothing.
    NearMiss,
    /// It asks for something close by that no skill can do.
    Adjacent,
    /// It has nothing to do with a skill.
    None,
}

impl CaseKind {
    /// The kind of a case in a file.
    pub(super) fn of(case: &Value, should: bool) -> Self {
        match case.get("kind").and_then(Value::as_str) {
            _ if should => Self::Request,
            Some("near-miss") => Self::NearMiss,
            Some("adjacent") => Self::Adjacent,
            _ => Self::None,
        }
    }
}

/// The origin of a case. A word of the user outranks what a record suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CaseOrigin {
    /// Written by a person.
    Written,
    /// The user corrected the choice.
    Corrected,
    /// The model read the skill although it was not chosen.
    Read,
    /// The skill was chosen and turned out to be for something else.
    Dropped,
}

impl CaseOrigin {
    /// The word in a file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Corrected => "corrected",
            Self::Read => "read",
            Self::Dropped => "dropped",
        }
    }
}

/// A message and what should be loaded for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageCase {
    /// The message.
    pub message: String,
    /// The skill that it is about; none if no skill should be loaded.
    pub skill: Option<String>,
    /// True if the skill should be loaded.
    pub should: bool,
    /// Its kind.
    pub kind: CaseKind,
    /// Earlier messages of the conversation, the oldest first.
    pub previous: Vec<String>,
    /// Its origin.
    pub origin: CaseOrigin,
}

impl MessageCase {
    /// Reads a case of a file; none if it is not understood.
    fn parse(case: &Value) -> Option<Self> {
        let message = case.get("query").or_else(|| case.get("prompt"))?.as_str()?.to_owned();
        let skill = match case.get("skill") {
            None | Some(Value::Null) => None,
            Some(name) => Some(name.as_str()?.to_owned()),
        };
        let should = match case.get("should_trigger").or_else(|| case.get("shouldTrigger")) {
            None => skill.is_some(),
            Some(should) => should.as_bool()? && skill.is_some(),
        };
        let previous = match case.get("previous") {
            None => Vec::new(),
            Some(list) => {
                let texts = list.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
                texts.collect::<Option<_>>()?
            }
        };
        let origin = match case.get("origin").and_then(Value::as_str) {
            Some("corrected") => CaseOrigin::Corrected,
            Some("read") => CaseOrigin::Read,
            Some("dropped") => CaseOrigin::Dropped,
            _ => CaseOrigin::Written,
        };
        Some(Self { message, skill, should, kind: CaseKind::of(case, should), previous, origin })
    }

    /// Returns true if an answer is what the case wants.
    fn is_right(&self, loaded: &[&str]) -> bool {
        match &self.skill {
            None => loaded.is_empty(),
            Some(skill) => loaded.contains(&skill.as_str()) == self.should,
        }
    }
}

/// The list of cases in a file.
pub(crate) fn list_of(value: &Value) -> Option<&Vec<Value>> {
    let list = value.as_array().or_else(|| value.get("evals")?.as_array());
    list.or_else(|| value.get("queries")?.as_array())
}

/// Reads a file of cases. A case that is not understood is an issue.
pub fn read_cases(path: &Path, issues: &mut Vec<TriggerIssue>) -> Vec<MessageCase> {
    let mut note = |message: String| issues.push(TriggerIssue { path: path.to_owned(), message });
    let bytes = match prowess_fs::read_file(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            note(describe_error(&error));
            return Vec::new();
        }
    };
    let value: Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => {
            note(error.to_string());
            return Vec::new();
        }
    };
    let Some(list) = list_of(&value) else {
        note("expected a list of `{\"query\": \"…\", \"skill\": \"name\"}`, or one under `evals`".to_owned());
        return Vec::new();
    };
    let mut cases = Vec::new();
    for (place, case) in list.iter().enumerate() {
        match MessageCase::parse(case) {
            Some(case) => cases.push(case),
            None => note(format!("case {} is not understood", place + 1)),
        }
    }
    cases
}

/// Reads every `.json` file of a folder of cases, in the order of their names. Links are left out.
pub fn read_case_folder(folder: &Path, issues: &mut Vec<TriggerIssue>) -> Vec<MessageCase> {
    let mut files: Vec<std::path::PathBuf> = match prowess_fs::children(folder) {
        Ok(children) => children.into_iter().map(|child| folder.join(child.name)).collect(),
        Err(error) => {
            issues.push(TriggerIssue { path: folder.to_owned(), message: error.to_string() });
            return Vec::new();
        }
    };
    files.retain(|file| {
        file.extension().is_some_and(|it| it == "json") && prowess_fs::link_target(file).is_err()
    });
    files.sort();
    files.iter().flat_map(|file| read_cases(file, issues)).collect()
}

/// The results of cases.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseReport {
    /// All cases that came out right.
    pub right: Share,
    /// Messages that ask for a skill, and got it.
    pub requests: Share,
    /// Near misses and adjacent messages for which a skill was loaded that should not be.
    pub near_misses: Share,
    /// Other messages for which a skill was loaded that should not be.
    pub none: Share,
    /// The cases by origin: those that came out right.
    pub by_origin: Vec<OriginShare>,
    /// The cases that did not, in their order.
    pub wrong: Vec<WrongCase>,
    /// Cases about skills that the agent does not have; they are not counted.
    pub unknown: Vec<String>,
    /// Files and cases that could not be read.
    pub issues: Vec<TriggerIssue>,
}

/// The cases of one origin.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
pub struct OriginShare {
    /// The origin.
    pub origin: CaseOrigin,
    /// Those that came out right.
    pub right: Share,
}

/// A case that came out wrong.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WrongCase {
    /// The message.
    pub message: String,
    /// The skill that was meant; null if none was.
    pub meant: Option<String>,
    /// The skills that were loaded.
    pub chosen: Vec<String>,
    /// Probability that the best one is asked for.
    pub confidence: f32,
    /// The kind of the case.
    pub kind: CaseKind,
    /// Its origin.
    pub origin: CaseOrigin,
}

/// Measures cases with an agent's skills as they are now. What was learned counts, at the time `now`.
pub fn evaluate_cases(
    view: &AgentView,
    cases: &[MessageCase],
    load: Option<f32>,
    now: u64,
    mut progress: impl FnMut(&'static str, Progress),
) -> Result<CaseReport, ChooseError> {
    let selector = view.selector()?;
    let names: Vec<&str> = view.inventory().entries.iter().map(|entry| entry.skill.name.as_str()).collect();
    let is_known = |case: &MessageCase| case.skill.as_deref().is_none_or(|skill| names.contains(&skill));
    let mut counted: Vec<(&MessageCase, bool)> = Vec::new();
    let mut wrong = Vec::new();
    let mut unknown = Vec::new();
    for (place, case) in cases.iter().enumerate() {
        if !is_known(case) {
            unknown.extend(case.skill.clone());
            continue;
        }
        for text in case.previous.iter().chain([&case.message]) {
            selector.prepare_for(text, |done| progress("skills", done))?;
        }
        progress("messages", Progress { done: place, total: cases.len() });
        let previous: Vec<&str> = case.previous.iter().map(String::as_str).collect();
        let after = Conversation { previous: &previous, loaded: &[] };
        let request = MatchRequest { load, after, now: Some(now), ..MatchRequest::new(&case.message) };
        let answer: MessageMatch = selector.find(&request)?;
        let loaded = answer.loaded();
        let is_right = case.is_right(&loaded);
        counted.push((case, is_right));
        if !is_right {
            wrong.push(WrongCase {
                message: case.message.clone(),
                meant: case.skill.clone().filter(|_| case.should),
                chosen: loaded.into_iter().map(str::to_owned).collect(),
                confidence: answer.confidence,
                kind: case.kind,
                origin: case.origin,
            });
        }
    }
    unknown.sort();
    unknown.dedup();
    Ok(CaseReport::new(&counted, wrong, unknown))
}

impl CaseReport {
    fn new(counted: &[(&MessageCase, bool)], wrong: Vec<WrongCase>, unknown: Vec<String>) -> Self {
        let share = |wants_right: bool, is_meant: &dyn Fn(&MessageCase) -> bool| {
            let meant = || counted.iter().filter(|(case, _)| is_meant(case));
            Share::of(meant().filter(|(_, is_right)| *is_right == wants_right).count(), meant().count())
        };
        let mut origins: Vec<CaseOrigin> = counted.iter().map(|(case, _)| case.origin).collect();
        origins.sort();
        origins.dedup();
        let of_origin =
            |origin: CaseOrigin| OriginShare { origin, right: share(true, &|case| case.origin == origin) };
        Self {
            right: share(true, &|_| true),
            requests: share(true, &|case| case.kind == CaseKind::Request),
            near_misses: share(false, &|case| matches!(case.kind, CaseKind::NearMiss | CaseKind::Adjacent)),
            none: share(false, &|case| case.kind == CaseKind::None),
            by_origin: origins.into_iter().map(of_origin).collect(),
            wrong,
            unknown,
            issues: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(value: &Value) -> Option<MessageCase> {
        MessageCase::parse(value)
    }

    #[test]
    fn a_case_says_what_should_be_loaded() {
        let wanted = case(&json!({ "query": "rain?", "skill": "weather", "note": 1 })).expect("a case");
        assert!(wanted.should && wanted.kind == CaseKind::Request && wanted.origin == CaseOrigin::Written);
        assert!(wanted.is_right(&["weather", "maps"]) && !wanted.is_right(&[]));
        let none = case(&json!({ "query": "lovely rain", "kind": "near-miss" })).expect("a case");
        assert!(
            !none.should && none.kind == CaseKind::NearMiss && none.is_right(&[]) && !none.is_right(&["x"])
        );
        let not_this =
            json!({ "query": "q", "skill": "weather", "should_trigger": false, "origin": "dropped" });
        let not_this = case(&not_this).expect("a case");
        assert!(not_this.is_right(&["maps"]) && !not_this.is_right(&["weather"]));
        assert_eq!(not_this.origin, CaseOrigin::Dropped);
    }

    #[test]
    fn other_values_are_refused() {
        for value in [json!({}), json!({ "query": 1 }), json!({ "query": "a", "skill": 1 }), json!("a")] {
            assert_eq!(case(&value), None, "{value}");
        }
    }
}
