//! The text of a draft.

use serde_json::{Value, json};

use crate::action::{Action, identifier};
use crate::calendar::iso;
use crate::episode::EpisodeStep;
use crate::fingerprint::COUNTED;
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
    let Material { draft, episode, .. } = material;
    let description = description(draft, episode.steps.len());
    let head = format!("---\nname: {}\ndescription: {}\n", draft.name, Value::from(description));
    let session = session(&episode.session);
    let rest = match draft.layout {
        MaterialLayout::Folder => {
            let needs = compatibility(draft).map(|needs| format!("compatibility: {}\n", Value::from(needs)));
            let triggers = Value::from(draft.words.join(" "));
            let triggers =
                if draft.words.is_empty() { String::new() } else { format!("  triggers: {triggers}\n") };
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
                "triggers": {"any": [draft.words.join(" ")]},
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
fn description(draft: &Draft, steps: usize) -> String {
    let bins = draft.needs.bins.join(", ");
    let with = if bins.is_empty() { String::new() } else { format!(" with {bins}") };
    if draft.words.is_empty() {
        return one_line(
            &format!("Repeats {steps} steps{with} that worked before. Use when asked to do them again."),
            DESCRIPTION,
        );
    }
    let words = draft.words.join(" ");
    one_line(&format!("{}{with}. Use when asked to {words}.", capital(&words)), DESCRIPTION)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
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

/// The id of a session, which may come from another program.
fn session(id: &str) -> String {
    identifier(id)
}

fn body(material: &Material<'_>) -> String {
    let Material { draft, episode, filter, now, .. } = material;
    let title = told(*filter, &draft.words.join(" "), TITLE).unwrap_or_else(|| draft.name.clone());
    let mut text = format!(
        "{DRAFT_TITLE}{title}\n\n{DRAFT_STATUS}\n- Confidence: {}\n- Generated: {}\n- Source session: {}\n\
         - behavior_fingerprint: {}\n",
        draft.confidence.name(),
        iso(*now),
        session(&episode.session),
        draft.fingerprint
    );
    if draft.has_data_risk {
        text += "\n> ⚠️ Data risk: a step used a capability of the phone (camera, microphone, location, photos or \
                 payment) and no person was asked. Review it before you use it.\n";
    }
    let words = draft.words.join(" ");
    text += "\n## When To Use\n\n";
    text += &if words.is_empty() {
        "- The same steps are asked for again.\n".to_owned()
    } else {
        format!("- The task is to {words}.\n")
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
