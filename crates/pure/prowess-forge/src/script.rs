//! The script that repeats what was done.

use crate::action::{Action, Repeat};
use crate::episode::EpisodeStep;
use crate::material::Replay;
use crate::parameter::Values;
use crate::phone::QUOTING;
use crate::quote::comment;

/// The script of steps, or none if no step can be repeated; and how much of the work it repeats.
pub(crate) fn script(
    name: &str,
    steps: &[EpisodeStep],
    actions: &[Action],
    values: &Values,
) -> (Option<String>, Replay) {
    if !actions.iter().any(Action::is_repeated) {
        return (None, Replay::None);
    }
    let mut text =
        format!("#!/bin/sh\n# {}: repeats the steps of a session that worked.\nset -eu\n", comment(name));
    for parameter in values.parameters() {
        text += &format!(": \"${{{}?set it to {}}}\"\n", parameter.name, parameter.kind.told());
    }
    let uses_quoting =
        |action: &Action| matches!(&action.replay, Repeat::Lines(lines) if lines.contains(" $("));
    if steps.iter().zip(actions).any(|(step, action)| step.is_phone && uses_quoting(action)) {
        text += &format!("{QUOTING}\n");
    }
    let mut left_out = Vec::new();
    for (step, action) in steps.iter().zip(actions) {
        let kind = comment(&crate::action::identifier(&step.kind));
        match &action.replay {
            Repeat::Lines(lines) => text += &format!("\n# step {}: {kind}\n{lines}\n", step.number),
            Repeat::Nothing => text += &format!("\n# step {}: {kind} (changes nothing)\n", step.number),
            Repeat::Not(reason) => {
                left_out.push(step.number);
                text += &format!("\n# step {}: {kind} (not repeated: {reason})\n", step.number);
            }
        }
    }
    let replay = if steps.iter().any(|step| step.is_phone) {
        Replay::OnPhone
    } else if left_out.is_empty() {
        Replay::Whole
    } else {
        Replay::Partial { left_out }
    };
    (Some(text), replay)
}
