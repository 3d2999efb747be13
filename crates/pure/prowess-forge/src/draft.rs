//! A draft: everything that a session that worked has to say to the next one.

use std::collections::BTreeSet;

use crate::action::{Action, action};
use crate::document;
use crate::episode::{Episode, EpisodeStep};
use crate::fingerprint::{COUNTED, fingerprint};
use crate::material::{
    Confidence, Draft, DraftOptions, Forged, Material, MaterialLayout, Needs, TriggerCases,
};
use crate::parameter::Values;
use crate::script::script;
use crate::slug::{mixed_slug, strict_slug};
use crate::wording::{Wording, wording};
use crate::words::{Filter, MAX_WORDS, phrase};
use crate::{phone, stamp, worth};

/// Words of a name.
const NAME_WORDS: usize = 5;
/// Messages that should not find the skill.
const NEAR_MISSES: usize = 5;
/// Words that make a message.
const MESSAGE_WORDS: usize = 2;
/// The tools that every run has.
const OWN_TOOLS: [&str; 8] =
    ["read", "write", "exec", "job", "skill_search", "report_outcome", "spawn", "sessions_spawn"];

/// Makes a draft of a run.
pub fn draft(episode: &Episode, options: &DraftOptions<'_>) -> Forged {
    let mut values = Values::default();
    let actions: Vec<Action> =
        episode.steps.iter().map(|step| action_of(step, episode, options.filter, &mut values)).collect();
    let wording = wording(&episode.task).or_else(|| options.wording.cloned());
    let words = words(episode, wording.as_ref(), options);
    let needs = needs(episode, &actions);
    let name = options.name.map_or_else(|| name(&words, &needs, options), str::to_owned);
    let (script, replay) = script(&name, &episode.steps, &actions, &values);
    let mut draft = Draft {
        fingerprint: fingerprint(&episode.steps),
        confidence: if worth::is_substantial(&episode.steps) { Confidence::Medium } else { Confidence::Low },
        layout: options.layout,
        skill_md: String::new(),
        script,
        replay,
        parameters: values.parameters(),
        has_data_risk: has_data_risk(&episode.steps),
        triggers: triggers(episode, wording.as_ref(), &words, options),
        name,
        words,
        wording,
        needs,
    };
    let material = Material { draft: &draft, episode, actions: &actions, options };
    draft.skill_md = document::text(&material);
    let expanded = expanded(&draft.name, episode, options);
    Forged { draft, values, expanded }
}

/// The script without parameters: what was done, word for word.
fn expanded(name: &str, episode: &Episode, options: &DraftOptions<'_>) -> Option<String> {
    let mut values = Values::expanded();
    let actions: Vec<Action> =
        episode.steps.iter().map(|step| action_of(step, episode, options.filter, &mut values)).collect();
    script(name, &episode.steps, &actions, &Values::default()).0
}

impl Draft {
    /// Where the script belongs, relative to the skill's folder, or to the workspace in OpenPocket's layouts.
    pub fn script_path(&self) -> String {
        let name = match self.layout {
            MaterialLayout::Folder | MaterialLayout::LoneFile => self.name.clone(),
            // The folder is named in ASCII, the script is not.
            MaterialLayout::StrictFolder => {
                match self.name.get(..16).filter(|_| crate::has_stamp(&self.name)) {
                    Some(stamp) => format!("{stamp}{}", mixed_slug(&self.words.join(" "))),
                    None => self.name.clone(),
                }
            }
        };
        format!("scripts/auto/{name}.sh")
    }
}

fn words(episode: &Episode, wording: Option<&Wording>, options: &DraftOptions<'_>) -> Vec<String> {
    let mut words = phrase(options.filter, &episode.task, MAX_WORDS);
    // Too little to be told from others, or nothing that a folder can be named after.
    let is_nameless = options.layout != MaterialLayout::LoneFile && !words.iter().any(|word| word.is_ascii());
    // The wording may say the same in more words: "turn on dark mode" for "turn mode".
    let says_more = |wording: &Wording| words.iter().all(|word| wording.words.contains(word));
    let is_better = |wording: &&Wording| {
        words.len() < MESSAGE_WORDS || is_nameless || (words.len() == MESSAGE_WORDS && says_more(wording))
    };
    if let Some(wording) = wording.filter(is_better) {
        words.clone_from(&wording.words);
    }
    for word in options.words {
        if !words.contains(word) {
            words.push(word.clone());
        }
    }
    words.truncate(MAX_WORDS);
    words
}

fn name(words: &[String], needs: &Needs, options: &DraftOptions<'_>) -> String {
    let said = if words.is_empty() { &needs.bins } else { words };
    let said = said.iter().take(NAME_WORDS).map(String::as_str).collect::<Vec<_>>().join(" ");
    let stamp = || stamp(options.now);
    match options.layout {
        MaterialLayout::Folder => strict_slug(&said).trim_end_matches('-').to_owned(),
        MaterialLayout::LoneFile => format!("{}-{}", stamp(), mixed_slug(&said)),
        MaterialLayout::StrictFolder => {
            format!("{}-{}", stamp(), strict_slug(&said)).trim_end_matches('-').to_owned()
        }
    }
}

fn needs(episode: &Episode, actions: &[Action]) -> Needs {
    let gathered = |of: fn(&Action) -> &Vec<String>| -> Vec<String> {
        let all: BTreeSet<&String> = actions.iter().flat_map(of).collect();
        all.into_iter().cloned().collect()
    };
    let configured = episode.steps.iter().filter(|step| {
        episode.imported_from.is_none() && !step.is_phone && !OWN_TOOLS.contains(&step.kind.as_str())
    });
    let tools: BTreeSet<String> =
        configured.map(|step| format!("tools.{}", crate::action::identifier(&step.kind))).collect();
    let mut bins = gathered(|action| &action.programs);
    if episode.steps.iter().any(|step| step.is_phone) && actions.iter().any(Action::is_repeated) {
        bins.push("adb".to_owned());
    }
    Needs { bins, env: gathered(|action| &action.variables), config: tools.into_iter().collect() }
}

/// The capabilities of a phone were watched, something was seen, and no person was asked.
fn has_data_risk(steps: &[EpisodeStep]) -> bool {
    let asked = steps.iter().take(COUNTED).any(|step| step.kind == "request_human_auth");
    let seen = |step: &EpisodeStep| {
        ["capability_probe", "human_auth_probe"].iter().any(|sign| step.result.contains(sign))
    };
    !asked && steps.iter().any(seen)
}

fn triggers(
    episode: &Episode,
    wording: Option<&Wording>,
    words: &[String],
    options: &DraftOptions<'_>,
) -> TriggerCases {
    let own = phrase(options.filter, &episode.task, MAX_WORDS).join(" ");
    let mut should: Vec<String> = Vec::new();
    let mut add = |message: String| {
        if message.split(' ').count() >= MESSAGE_WORDS && !should.contains(&message) {
            should.push(message);
        }
    };
    add(own.clone());
    add((options.filter)(&episode.task).join(" "));
    if let Some(wording) = wording {
        add(wording.phrase.clone());
        add(wording.core.clone());
    }
    if should.is_empty() && !own.is_empty() {
        should.push(own);
    }
    TriggerCases { should, should_not: near_misses(words, options) }
}

/// What people said in other sessions, filtered: the nearest first, but nothing that could be meant as this task.
fn near_misses(words: &[String], options: &DraftOptions<'_>) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for message in options.others {
        let other = phrase(options.filter, message, MAX_WORDS);
        let shared = other.iter().filter(|word| words.contains(word)).count();
        let text = other.join(" ");
        let is_other = shared * 2 < other.len().min(words.len());
        if other.len() >= MESSAGE_WORDS && is_other && !found.iter().any(|(_, known)| *known == text) {
            found.push((shared, text));
        }
    }
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    found.into_iter().take(NEAR_MISSES).map(|(_, text)| text).collect()
}

fn action_of(step: &EpisodeStep, episode: &Episode, filter: Filter<'_>, values: &mut Values) -> Action {
    if step.is_phone {
        phone::action(step, filter, values)
    } else {
        action(step, &episode.workspace, filter, values)
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
