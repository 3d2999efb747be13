//! The trigger cases that skills bring along: messages that should load a skill, and messages that should not.
//!
//! Two shapes are read: ours (`{"should": […], "shouldNot": […]}`) and the community's (a list, or a list under
//! `evals` or `queries`, of `{"query" | "prompt": "…", "should_trigger": true}`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prowess_context::{ChooseError, Context};
use prowess_inventory::{MatchRequest, MessageMatch, skill_files};
use prowess_select::metrics::{Interval, Share};
use prowess_skill::SkillInput;
use prowess_text::describe_error;
use serde::Serialize;
use serde_json::Value;

use super::cases::CaseKind;
use crate::choose::{Progress, Selector, document};

/// The files in a skill's folder that may hold cases; the first that exists is read.
const FILES: [&str; 5] = [
    "evals/triggers.json",
    "evals/trigger-eval.json",
    "evals/trigger_eval.json",
    "trigger-eval.json",
    "trigger_eval.json",
];
/// Larger files are not read.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Options for running cases.
#[derive(Clone, Copy, Debug)]
pub struct TriggerOptions {
    /// The number of runs of each message.
    pub runs: usize,
    /// Confidence from which a skill is loaded, instead of the configured one.
    pub load: Option<f32>,
}

/// How the cases of a set of skills came out.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TriggerReport {
    /// Skills in the pool.
    pub skills: usize,
    /// Messages that should load a skill, counted with their repetitions.
    pub should: usize,
    /// Share of those for which the skill was first.
    pub recall_at_1: f64,
    /// Share of those for which it was among the first five.
    pub recall_at_5: f64,
    /// Share of those for which it was loaded.
    pub loaded: f64,
    /// Messages that should not load a skill.
    pub should_not: usize,
    /// Share of those for which it was loaded all the same.
    pub false_loads: f64,
    /// Near misses: messages close to a skill that should not load it.
    pub near_misses: usize,
    /// Share of those for which it was loaded.
    pub near_miss_loads: f64,
    /// All messages that came out right: the skill was loaded where it should be, and only there.
    pub right: Share,
    /// The intervals of 95 % of the shares.
    pub intervals: TriggerIntervals,
    /// The skills that have cases.
    pub by_skill: Vec<TriggerSkill>,
    /// Who was first instead of whom.
    pub confusions: Vec<Confusion>,
    /// What could not be read.
    pub issues: Vec<TriggerIssue>,
}

/// The intervals of the shares of a report.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TriggerIntervals {
    /// Of `recallAt1`.
    pub recall_at_1: Interval,
    /// Of `recallAt5`.
    pub recall_at_5: Interval,
    /// Of `loaded`.
    pub loaded: Interval,
    /// Of `falseLoads`.
    pub false_loads: Interval,
    /// Of `nearMissLoads`.
    pub near_miss_loads: Interval,
}

/// How the cases of one skill came out.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TriggerSkill {
    /// Its name.
    pub name: String,
    /// Messages that should load it.
    pub should: usize,
    /// It was first for so many of them.
    pub first: usize,
    /// It was among the first five for so many.
    pub in_five: usize,
    /// It was loaded for so many.
    pub loaded: usize,
    /// Messages that should not load it.
    pub should_not: usize,
    /// It was loaded for so many of them.
    pub false_loads: usize,
    /// Near misses.
    pub near_misses: usize,
    /// The number of those for which it was loaded.
    pub near_miss_loads: usize,
    /// The messages that went wrong.
    pub failures: Vec<String>,
}

/// A skill that took the place of another.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confusion {
    /// The skill that was meant.
    pub meant: String,
    /// The one that was first.
    pub got: String,
    /// How often.
    pub count: usize,
    /// One such message.
    pub example: String,
}

/// A file that could not be read.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TriggerIssue {
    /// The file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

/// The cases of one skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// Messages that must load the skill.
    pub should: Vec<String>,
    /// Messages that must not.
    pub should_not: Vec<String>,
    /// Messages close to the skill that must not load it either.
    pub near_misses: Vec<String>,
}

impl Cases {
    fn len(&self) -> usize {
        self.should.len() + self.should_not.len() + self.near_misses.len()
    }

    fn messages(&self) -> impl Iterator<Item = (&String, CaseKind)> {
        let should = self.should.iter().map(|message| (message, CaseKind::Request));
        let none = self.should_not.iter().map(|message| (message, CaseKind::None));
        let near = self.near_misses.iter().map(|message| (message, CaseKind::NearMiss));
        should.chain(none).chain(near)
    }
}

/// Runs the trigger cases of every skill below the given folders, with those skills as the pool.
pub fn evaluate_triggers(
    context: &Context,
    folders: &[PathBuf],
    options: TriggerOptions,
    mut progress: impl FnMut(&'static str, Progress),
) -> Result<TriggerReport, ChooseError> {
    let mut issues = Vec::new();
    let mut documents = Vec::new();
    let mut cases = Vec::new();
    for file in files(folders, &mut issues) {
        let Some((skill, text)) = read(context, &file, &mut issues) else { continue };
        cases.push(cases_of(&file, &mut issues));
        documents.push(document(&skill, text.get(skill.body_start..).unwrap_or_default()));
    }
    let names: Vec<String> = documents.iter().map(|document| document.name.clone()).collect();
    let selector = Selector::over_documents(context, documents)?;
    let total = cases.iter().map(Cases::len).sum();
    let mut done = 0;
    let mut confusions: BTreeMap<(usize, usize), Confusion> = BTreeMap::new();
    let mut by_skill = Vec::new();
    for (row, cases) in cases.iter().enumerate() {
        let mut result = TriggerSkill { name: names[row].clone(), ..TriggerSkill::default() };
        for (message, kind) in cases.messages() {
            selector.prepare_for(message, |done| progress("skills", done))?;
            progress("messages", Progress { done, total });
            done += 1;
            for _ in 0..options.runs.max(1) {
                let request = MatchRequest { load: options.load, ..MatchRequest::new(message) };
                let answer = selector.find(&request)?;
                result.count(row, message, kind, &answer);
                let is_request = kind == CaseKind::Request;
                let first = answer.results.first().filter(|first| is_request && first.row != row);
                if let Some(first) = first {
                    let confusion = confusions.entry((row, first.row)).or_insert_with(|| Confusion {
                        meant: names[row].clone(),
                        got: names[first.row].clone(),
                        count: 0,
                        example: message.clone(),
                    });
                    confusion.count += 1;
                }
            }
        }
        by_skill.push(result);
    }
    by_skill.retain(|skill| skill.should + skill.should_not + skill.near_misses > 0);
    let mut confusions: Vec<Confusion> = confusions.into_values().collect();
    confusions.sort_by_key(|confusion| std::cmp::Reverse(confusion.count));
    Ok(TriggerReport::new(names.len(), by_skill, confusions, issues))
}

fn read(
    context: &Context,
    file: &Path,
    issues: &mut Vec<TriggerIssue>,
) -> Option<(prowess_types::Skill, String)> {
    let options = context.parse_options();
    let bytes = match prowess_fs::read_file(file, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            issues.push(TriggerIssue { path: file.to_owned(), message: describe_error(&error) });
            return None;
        }
    };
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let skill = prowess_skill::parse(&SkillInput::folder(&bytes, &folder), &options);
    let text = prowess_skill::decode(&bytes, options.dialect).text.into_owned();
    skill.is_loadable().then_some((skill, text))
}

/// Every skill file that the folders hold.
fn files(folders: &[PathBuf], issues: &mut Vec<TriggerIssue>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in folders {
        match skill_files(folder) {
            Ok(found) => {
                files.extend(found.files);
                issues.extend(found.refused.into_iter().map(|refused| TriggerIssue {
                    message: refused.error.unwrap_or_default(),
                    path: refused.path,
                }));
            }
            Err(error) => {
                issues.push(TriggerIssue { path: folder.clone(), message: describe_error(&error) });
            }
        }
    }
    files
}

impl TriggerSkill {
    fn count(&mut self, row: usize, message: &str, kind: CaseKind, answer: &MessageMatch) {
        let rank = answer.results.iter().position(|result| result.row == row);
        let is_loaded = rank.is_some_and(|rank| answer.results[rank].loaded);
        let is_right = if kind == CaseKind::Request { rank == Some(0) } else { !is_loaded };
        match kind {
            CaseKind::Request => {
                self.should += 1;
                self.first += usize::from(rank == Some(0));
                self.in_five += usize::from(rank.is_some_and(|rank| rank < 5));
                self.loaded += usize::from(is_loaded);
            }
            CaseKind::None => {
                self.should_not += 1;
                self.false_loads += usize::from(is_loaded);
            }
            CaseKind::NearMiss | CaseKind::Adjacent => {
                self.near_misses += 1;
                self.near_miss_loads += usize::from(is_loaded);
            }
        }
        if !is_right && self.failures.last().is_none_or(|last| last != message) {
            self.failures.push(message.to_owned());
        }
    }
}

impl TriggerReport {
    fn new(
        skills: usize,
        by_skill: Vec<TriggerSkill>,
        confusions: Vec<Confusion>,
        issues: Vec<TriggerIssue>,
    ) -> Self {
        let sum = |count: fn(&TriggerSkill) -> usize| by_skill.iter().map(count).sum::<usize>();
        let (should, should_not) = (sum(|skill| skill.should), sum(|skill| skill.should_not));
        let near_misses = sum(|skill| skill.near_misses);
        let first = Share::of(sum(|skill| skill.first), should);
        let in_five = Share::of(sum(|skill| skill.in_five), should);
        let loaded = Share::of(sum(|skill| skill.loaded), should);
        let false_loads = Share::of(sum(|skill| skill.false_loads), should_not);
        let near_miss_loads = Share::of(sum(|skill| skill.near_miss_loads), near_misses);
        let wrong = false_loads.count + near_miss_loads.count + (should - loaded.count);
        let messages = should + should_not + near_misses;
        Self {
            skills,
            should,
            recall_at_1: first.share,
            recall_at_5: in_five.share,
            loaded: loaded.share,
            should_not,
            false_loads: false_loads.share,
            near_misses,
            near_miss_loads: near_miss_loads.share,
            right: Share::of(messages - wrong, messages),
            intervals: TriggerIntervals {
                recall_at_1: first.interval,
                recall_at_5: in_five.interval,
                loaded: loaded.interval,
                false_loads: false_loads.interval,
                near_miss_loads: near_miss_loads.interval,
            },
            by_skill,
            confusions,
            issues,
        }
    }
}

/// The cases beside a skill file; none if it brings none.
pub fn cases_of(skill: &Path, issues: &mut Vec<TriggerIssue>) -> Cases {
    let folder = skill.parent().unwrap_or(Path::new("."));
    let Some(path) = FILES.iter().map(|name| folder.join(name)).find(|path| prowess_fs::is_taken(path))
    else {
        return Cases::default();
    };
    let read = || -> Result<Cases, String> {
        let bytes = prowess_fs::read_file(&path, MAX_BYTES).map_err(|error| describe_error(&error))?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        parse(&value).ok_or_else(|| {
            "expected `{\"should\": […], \"shouldNot\": […]}` or a list of \
             `{\"query\": \"…\", \"should_trigger\": true}`"
                .to_owned()
        })
    };
    read().unwrap_or_else(|message| {
        issues.push(TriggerIssue { path: path.clone(), message });
        Cases::default()
    })
}

fn parse(value: &Value) -> Option<Cases> {
    let list = value.as_array().or_else(|| value.get("evals")?.as_array());
    if let Some(list) = list.or_else(|| value.get("queries")?.as_array()) {
        let mut cases = Cases::default();
        for case in list {
            let text = case.get("query").or_else(|| case.get("prompt"))?.as_str()?.to_owned();
            let should = case.get("should_trigger").or_else(|| case.get("shouldTrigger"))?.as_bool()?;
            let list = match CaseKind::of(case, should) {
                CaseKind::Request => &mut cases.should,
                CaseKind::None => &mut cases.should_not,
                CaseKind::NearMiss | CaseKind::Adjacent => &mut cases.near_misses,
            };
            list.push(text);
        }
        return Some(cases);
    }
    let texts = |name: &str| match value.get(name) {
        None => Some(Vec::new()),
        Some(list) => list.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect(),
    };
    let cases = Cases {
        should: texts("should")?,
        should_not: texts("shouldNot")?,
        near_misses: texts("nearMisses")?,
    };
    (cases != Cases::default()).then_some(cases)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_shapes_are_read_and_others_are_refused() {
        let expected = Cases {
            should: vec!["a".to_owned(), "b".to_owned()],
            should_not: vec!["c".to_owned()],
            near_misses: vec!["d".to_owned()],
        };
        let list = json!([
            {"query": "a", "should_trigger": true},
            {"prompt": "c", "should_trigger": false},
            {"query": "b", "shouldTrigger": true, "note": 1},
            {"query": "d", "should_trigger": false, "kind": "near-miss"},
        ]);
        for value in [
            json!({"skill": "x", "should": ["a", "b"], "shouldNot": ["c"], "nearMisses": ["d"]}),
            list.clone(),
            json!({"evals": list}),
            json!({"queries": list}),
        ] {
            assert_eq!(parse(&value), Some(expected.clone()), "{value}");
        }
        for value in [json!({}), json!("x"), json!([{"query": "a"}]), json!({"should": [1]}), json!([1])] {
            assert_eq!(parse(&value), None, "{value}");
        }
    }
}
