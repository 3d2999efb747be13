//! The text of a draft.

use serde_json::{Value, json};

use crate::action::{Action, identifier};
use crate::calendar::iso;
use crate::description::descriptions;
use crate::episode::{Episode, EpisodeStep};
use crate::fingerprint::COUNTED;
use crate::material::DraftOptions;
use crate::material::{Draft, Material, MaterialLayout};
use crate::words::one_line;
use crate::words::{Filter, is_plain, told};

const DRAFT_TITLE: &str = "# Skill Draft: ";
const DRAFT_STATUS: &str = "- Status: draft (auto-generated, needs review)";
const PROMOTED_STATUS: &str = "- Status: promoted (auto-generated, tested)";
/// Lengths in UTF-16 units.
const TITLE: usize = 180;
const INTENT: usize = 160;
const OBSERVED: usize = 180;
const OUTCOME: usize = 500;
const SESSION_FILE: usize = 400;
/// Words of a phrase that calls for a skill, at least.
const TRIGGER_WORDS: usize = 2;
/// The longest description and statement of needs that the specification allows, with some room.
const DESCRIPTION: usize = 900;
const COMPATIBILITY: usize = 480;

/// The text of a draft as it stands after its promotion.
///
/// ```
/// let draft = "# Skill Draft: count\n\n- Status: draft (auto-generated, needs review)\n";
/// assert_eq!(prowess_forge::promoted(draft), "# count\n\n- Status: promoted (auto-generated, tested)\n");
/// ```
pub fn promoted(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix(DRAFT_TITLE) {
        Some(title) => format!("# {title}\n"),
        None if line == DRAFT_STATUS => format!("{PROMOTED_STATUS}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// A draft with another description, and the one it had. None if the frontmatter has none on a line of its own.
///
/// ```
/// let draft = "---\nname: a\ndescription: \"Old.\"\n---\n\nText.\n";
/// let (before, text) = prowess_forge::redescribed(draft, "Says \"new\".").expect("it has one");
/// assert_eq!(before, "Old.");
/// assert_eq!(text, "---\nname: a\ndescription: \"Says \\\"new\\\".\"\n---\n\nText.\n");
/// ```
pub fn redescribed(text: &str, description: &str) -> Option<(String, String)> {
    const FIELD: &str = "\ndescription: ";
    let end = text.strip_prefix("---\n")?.find("\n---")? + "---\n".len();
    let start = text[..end].find(FIELD)? + FIELD.len();
    let line_end = text[start..].find('\n')? + start;
    let before: String = serde_json::from_str(&text[start..line_end]).ok()?;
    Some((before, format!("{}{}{}", &text[..start], Value::from(description), &text[line_end..])))
}

/// The whole text: frontmatter and body.
pub(crate) fn text(material: &Material<'_>) -> String {
    format!("{}\n{}", frontmatter(material), body(material))
}

fn frontmatter(material: &Material<'_>) -> String {
    let Material { draft, episode, options, .. } = material;
    let description =
        options.description.map_or_else(|| description(draft, episode), |said| one_line(said, DESCRIPTION));
    let head = format!("---\nname: {}\ndescription: {}\n", draft.name, Value::from(description));
    let session = session(material);
    let trigger = trigger(draft);
    let rest = match draft.layout {
        MaterialLayout::Folder => {
            let needs = compatibility(draft).map(|needs| format!("compatibility: {}\n", Value::from(needs)));
            let triggers =
                trigger.map(|said| format!("  triggers: {}\n", Value::from(said))).unwrap_or_default();
            format!(
                "{}metadata:\n{triggers}  generated-from: {}\n  behavior-fingerprint: \"{}\"\n",
                needs.unwrap_or_default(),
                Value::from(session),
                draft.fingerprint
            )
        }
        // One line of JSON is all that OpenPocket reads.
        MaterialLayout::LoneFile | MaterialLayout::StrictFolder => {
            let mut block = json!({
                "generated": {"kind": "auto_skill_draft", "source_session": session},
                "triggers": {"any": Vec::from_iter(trigger)},
            });
            if !draft.needs.bins.is_empty() || !draft.needs.env.is_empty() {
                block["requires"] = json!({"bins": draft.needs.bins, "env": draft.needs.env});
            }
            format!("metadata: {}\n", json!({ "openclaw": block }))
        }
    };
    format!("{head}{rest}---\n")
}

/// What the skill is for, in the words of the task.
fn description(draft: &Draft, episode: &Episode) -> String {
    if let Some(said) = descriptions(episode).into_iter().next() {
        return one_line(&said, DESCRIPTION);
    }
    let steps = episode.steps.len();
    let bins = draft.needs.bins.join(", ");
    let with = if bins.is_empty() { String::new() } else { format!(" with {bins}") };
    one_line(
        &format!("Repeats {steps} steps{with} that worked before. Use when asked to do them again."),
        DESCRIPTION,
    )
}

/// A phrase that calls for the skill. A single word would call for it in any sentence.
fn trigger(draft: &Draft) -> Option<String> {
    let core = draft.wording.as_ref().map(|wording| wording.core.clone()).filter(|core| !core.is_empty());
    core.or_else(|| (draft.words.len() >= TRIGGER_WORDS).then(|| draft.words.join(" ")))
}

fn compatibility(draft: &Draft) -> Option<String> {
    let needs = &draft.needs;
    let parts = [("programs", &needs.bins), ("variables", &needs.env), ("settings", &needs.config)];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(what, list)| format!("{what} {}", list.join(", ")))
        .collect();
    (!parts.is_empty()).then(|| one_line(&format!("Needs {}", parts.join("; ")), COMPATIBILITY))
}

/// The file of the session, or its id, which may come from another program.
fn session(material: &Material<'_>) -> String {
    match material.options.session_file {
        Some(file) => one_line(&file.replace(char::is_control, " "), SESSION_FILE),
        None => identifier(&material.episode.session),
    }
}

fn body(material: &Material<'_>) -> String {
    let Material { draft, episode, options, .. } = material;
    let DraftOptions { filter, now, .. } = options;
    let phrase = draft.wording.as_ref().map(|wording| wording.phrase.as_str());
    let title = phrase.map_or_else(|| draft.name.clone(), |phrase| one_line(phrase, TITLE));
    let mut text = format!(
        "{DRAFT_TITLE}{title}\n\n{DRAFT_STATUS}\n- Confidence: {}\n- Generated: {}\n- Source session: {}\n\
         - behavior_fingerprint: {}\n",
        draft.confidence.name(),
        iso(*now),
        session(material),
        draft.fingerprint
    );
    if draft.has_data_risk {
        text += "\n> ⚠️ Data risk: a step used a capability of the phone (camera, microphone, location, photos or \
                 payment) and no person was asked. Review it before you use it.\n";
    }
    text += "\n## When To Use\n\n";
    text += &match &draft.wording {
        None => "- The same steps are asked for again.\n".to_owned(),
        Some(wording) if wording.is_action => format!("- The task is to {}.\n", wording.phrase),
        Some(wording) => format!("- The task is about this: {}.\n", wording.phrase),
    };
    text += &preconditions(draft);
    text += "\n## Procedure (Draft)\n\n";
    // As many steps as count for the fingerprint; the script has all of them.
    for (step, action) in episode.steps.iter().zip(material.actions).take(COUNTED) {
        text += &procedure(step, action, *filter);
    }
    if episode.steps.len() > COUNTED {
        text += &format!("\n{} more steps are in the script.\n", episode.steps.len() - COUNTED);
    }
    let outcome = told(*filter, &episode.answer, OUTCOME);
    text += "\n## Completion Criteria\n\n- Every step ended without an error.\n";
    if let Some(outcome) = &outcome {
        text += &format!("- The outcome is reported: {outcome}.\n");
    }
    text += "\n## Last Known Outcome\n\n";
    text +=
        &outcome.map_or_else(|| "It succeeded.\n".to_owned(), |outcome| format!("It succeeded: {outcome}\n"));
    text += "\n## Refinement Checklist\n\n- [ ] The description says what the skill is for and when to use it.\n\
             - [ ] Every step is needed, and none is missing.\n- [ ] The parameters have telling names.\n\
             - [ ] It says what to do when a step fails.\n";
    text
}

fn preconditions(draft: &Draft) -> String {
    let mut text = "\n## Preconditions\n\n".to_owned();
    let code = |list: &[String]| list.iter().map(|item| format!("`{item}`")).collect::<Vec<_>>().join(", ");
    let needs = &draft.needs;
    for (what, list) in [("Programs", &needs.bins), ("Variables", &needs.env), ("Settings", &needs.config)] {
        if !list.is_empty() {
            text += &format!("- {what}: {}\n", code(list));
        }
    }
    for parameter in &draft.parameters {
        text += &format!("- `{}` is set to {}\n", parameter.name, parameter.kind.told());
    }
    if draft.script.is_some() {
        text += &format!("- The steps as a script: `{}`\n", draft.script_path());
    }
    if text.ends_with("\n\n") {
        text += "- None that is known.\n";
    }
    text
}

fn procedure(step: &EpisodeStep, action: &Action, filter: Filter<'_>) -> String {
    let app =
        step.app.as_deref().filter(|app| !app.is_empty()).map_or_else(|| "unknown".to_owned(), identifier);
    let mut text = format!("{}. {} (app={app})\n", step.number, action.summary);
    let thought = step.thought.as_deref().and_then(|thought| told(filter, thought, INTENT));
    text += &format!("   - intent: {}\n", thought.as_deref().unwrap_or("not told"));
    let target = ui_target(step, filter);
    if !target.is_empty() {
        text += &format!("   - ui_target: {target}\n");
    }
    let observed = told(filter, &step.result, OBSERVED);
    text + &format!("   - observed: {}\n", observed.as_deref().unwrap_or("it worked"))
}

/// The element that was acted on. Identifiers are its developer's, its words may be a person's.
fn ui_target(step: &EpisodeStep, filter: Filter<'_>) -> String {
    let text = |name: &str| step.ui_target.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let words = |name: &str| text(name).filter(|text| is_plain(filter, text));
    let code = |name: &str| text(name).filter(|text| identifier(text) == **text);
    let fields = [
        ("text", words("text")),
        ("resourceId", code("resourceId")),
        ("contentDesc", words("contentDesc")),
        ("class", code("className")),
    ];
    let mut shown: Vec<String> = fields
        .iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", Value::from((*value)?))))
        .collect();
    if let Some(clickable) = step.ui_target.get("clickable").and_then(Value::as_bool) {
        shown.push(format!("clickable={clickable}"));
    }
    shown.join(", ")
}
