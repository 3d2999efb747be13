//! What a harness will make of a skill that it is given.

use prowess_types::Skill;
use serde::Serialize;

use crate::{Harness, NameRule, SkillFormat};

/// The longest name of the specification.
const MAX_NAME: usize = 64;
/// The field that keeps a skill from the model.
const PEOPLE_ONLY: &str = "disable-model-invocation";

/// A skill, as a harness will see it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// What it is called in the view.
    pub name: &'a str,
    /// True if the settings keep it from the model.
    pub is_manual: bool,
    /// True if there are skills inside its folder.
    pub has_nested: bool,
    /// True if it has more files than one.
    pub has_files: bool,
}

/// Something that a harness does otherwise than the skill's author may expect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Note")]
pub struct HarnessNote {
    /// The skill.
    pub skill: String,
    /// What it does; the same words for every skill.
    pub text: String,
}

/// What a harness will ignore, refuse or do otherwise.
///
/// ```
/// use prowess_harness::{Subject, find, notes};
/// use prowess_skill::{ParseOptions, SkillInput, parse};
///
/// let text = "---\nname: greet\ndescription: Says hello.\nallowed-tools: Read\n---\nHello!\n";
/// let skill = parse(&SkillInput::folder(text.as_bytes(), "greet"), &ParseOptions::default());
/// let subject = Subject { skill: &skill, name: "greet", is_manual: false, has_nested: false, has_files: false };
/// assert!(notes(find("claude-code")?, &subject).is_empty());
/// assert_eq!(notes(find("codex")?, &subject)[0].text, "ignores the field `allowed-tools`");
/// # Ok::<(), prowess_harness::ViewError>(())
/// ```
pub fn notes(harness: &Harness, subject: &Subject<'_>) -> Vec<HarnessNote> {
    let skill = subject.skill;
    let mut texts = Vec::new();
    let unknown = skill.frontmatter.keys().filter(|field| !harness.knows(field));
    texts.extend(
        unknown.filter(|field| *field != PEOPLE_ONLY).map(|field| format!("ignores the field `{field}`")),
    );
    let is_people_only = skill.invocation.disable_model_invocation;
    if subject.is_manual || (is_people_only && !harness.knows(PEOPLE_ONLY)) {
        texts.push("offers it to the model, although it is meant for people only".to_owned());
    }
    if harness.name_rule == NameRule::Spec && !is_portable_name(subject.name) {
        texts.push("takes only names of lower-case letters, digits and hyphens".to_owned());
    }
    if let Some(most) = harness.max_description.filter(|most| skill.description.chars().count() > *most) {
        texts.push(format!("takes at most {most} characters of a description"));
    }
    if !harness.gates && !skill.requirements.is_empty() {
        texts.push("does not check what it requires".to_owned());
    }
    match harness.format {
        SkillFormat::Skills if subject.has_nested && harness.depth > 1 => {
            texts.push("also offers the skills inside its folder".to_owned());
        }
        SkillFormat::Skills if subject.has_nested => {
            texts.push("does not see the skills inside its folder".to_owned());
        }
        SkillFormat::CursorRules if subject.has_files => {
            texts.push("gets only its text, without its other files".to_owned());
        }
        _ => {}
    }
    texts.into_iter().map(|text| HarnessNote { skill: skill.name.clone(), text }).collect()
}

fn is_portable_name(name: &str) -> bool {
    let is_fine = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    (1..=MAX_NAME).contains(&name.len())
        && name.chars().all(is_fine)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

#[cfg(test)]
mod tests {
    use prowess_skill::{ParseOptions, SkillInput, parse};

    use super::*;
    use crate::find;

    fn told(harness: &str, name: &str, fields: &str) -> Vec<String> {
        let text = format!("---\nname: {name}\ndescription: Does things.\n{fields}---\nBody.\n");
        let skill = parse(&SkillInput::folder(text.as_bytes(), name), &ParseOptions::default());
        let subject = Subject { skill: &skill, name, is_manual: false, has_nested: false, has_files: true };
        notes(find(harness).unwrap(), &subject).into_iter().map(|note| note.text).collect()
    }

    #[test]
    fn fields_that_are_not_known_are_told() {
        let fields = "license: MIT\nhooks: {}\nversion: 1.0.0\n";
        assert_eq!(told("claude-code", "greet", fields), ["ignores the field `version`"]);
        assert_eq!(
            told("opencode", "greet", fields),
            ["ignores the field `hooks`", "ignores the field `version`"]
        );
    }

    #[test]
    fn a_skill_for_people_is_told_where_it_becomes_one_for_models() {
        let fields = "disable-model-invocation: true\n";
        assert!(told("cursor", "greet", fields).is_empty());
        let expected = ["offers it to the model, although it is meant for people only"];
        assert_eq!(told("amp", "greet", fields), expected);
        assert!(told("amp", "greet", "disable-model-invocation: false\n").is_empty());
    }

    #[test]
    fn names_descriptions_requirements_and_files() {
        assert_eq!(
            told("cursor", "Greet_All", ""),
            ["takes only names of lower-case letters, digits and hyphens"]
        );
        assert!(told("goose", "Greet_All", "").is_empty());
        let long = format!("description: {}\n", "x".repeat(2_000));
        let text = format!("---\nname: greet\n{long}---\nBody.\n");
        let skill = parse(&SkillInput::folder(text.as_bytes(), "greet"), &ParseOptions::default());
        let subject =
            Subject { skill: &skill, name: "greet", is_manual: true, has_nested: true, has_files: false };
        let texts: Vec<String> =
            notes(find("codex").unwrap(), &subject).into_iter().map(|note| note.text).collect();
        assert_eq!(
            texts,
            [
                "offers it to the model, although it is meant for people only",
                "takes at most 1024 characters of a description",
                "also offers the skills inside its folder",
            ]
        );
        let requires = "metadata: {\"openclaw\":{\"requires\":{\"bins\":[\"gh\"]}}}\n";
        assert_eq!(told("kiro", "greet", requires), ["does not check what it requires"]);
        assert!(told("openclaw", "greet", requires).is_empty());
        assert_eq!(told("cursor-rules", "greet", ""), ["gets only its text, without its other files"]);
    }
}
