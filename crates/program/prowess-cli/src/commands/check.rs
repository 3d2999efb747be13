//! `prowess check`

use prowess_inventory::{EmptyPrompt, ListCut, PromptRequest};
use prowess_text::printable;

use super::{missing, shown};
use crate::args::CheckArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, DIM, paint};

pub(crate) fn run(context: &Context, args: &CheckArgs) -> Result<Outcome, Failure> {
    let request = PromptRequest { max_chars: args.budget, ..PromptRequest::default() };
    let report = context.view()?.inventory().check_list(&request);
    if context.json {
        output::json(&report)?;
        return Ok(Outcome::Fine);
    }
    let summary = report.summary;
    let mut text = format!("{}\nAgent: {}\n\n", paint(BOLD, "Skills check"), report.agent_id);
    for (label, count) in [
        ("Total", summary.total),
        ("Ready", summary.eligible),
        ("Visible to the model", summary.model_visible),
        ("Available as commands", summary.command_visible),
        ("Disabled", summary.disabled),
        ("Blocked by allowBundled", summary.blocked),
        ("Excluded for this agent", summary.agent_filtered),
        ("Ready but hidden from the model", summary.not_injected),
        ("Missing requirements", summary.missing_requirements),
        ("Found and not loaded", summary.not_loaded),
    ] {
        text += &format!("{label}: {count}\n");
    }
    if !report.list_cuts.is_empty() {
        text += &format!("In the list of all skills: {} of {}\n", summary.listed, summary.model_visible);
    }
    if let Some(empty) = &report.empty_prompt {
        text += &emptiness("The prompt has no skills", empty);
    }
    if let Some(empty) =
        report.empty_list.as_ref().filter(|empty| report.empty_prompt.as_ref() != Some(*empty))
    {
        text += &emptiness("The list of all skills is empty", empty);
    }
    let is_chosen = report.select == "message" && report.empty_prompt.is_none();
    if is_chosen && !report.list_cuts.is_empty() {
        text += &format!(
            "Each message chooses from all {} skills that the model may see.\n",
            summary.model_visible
        );
    }
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text += &format!("\n{}\n", paint(BOLD, format!("{title}:")));
            for line in lines {
                text += &format!("  {line}\n");
            }
        }
    };
    section("Left out of the list of all skills", report.list_cuts.iter().flat_map(cut).collect());
    section(
        "Ready and visible to the model",
        report.model_visible.iter().map(|name| printable(name)).collect(),
    );
    section(
        "Ready but hidden from the model",
        report
            .not_injected
            .iter()
            .map(|hidden| format!("{} {}", printable(&hidden.name), paint(DIM, &hidden.reason)))
            .collect(),
    );
    section("Excluded for this agent", report.agent_filtered.iter().map(|name| printable(name)).collect());
    section(
        "Missing requirements",
        report
            .missing_requirements
            .iter()
            .flat_map(|one| {
                let install = one.install.first().map(|option| format!(" → {}", printable(&option.label)));
                let install = paint(DIM, install.unwrap_or_default());
                let line = format!("{} ({}){install}", printable(&one.name), missing(&one.missing));
                let refused =
                    one.refused.iter().map(|refused| format!("  {}", printable(&refused.to_string())));
                std::iter::once(line).chain(refused)
            })
            .collect(),
    );
    section(
        "Not trusted",
        report
            .untrusted
            .iter()
            .map(|one| format!("{} {}", printable(&one.name), paint(DIM, printable(&one.reason))))
            .collect(),
    );
    section(
        "Found and not loaded",
        report
            .not_loaded
            .iter()
            .map(|loss| format!("{}: {}", shown(&loss.path), printable(&loss.message)))
            .collect(),
    );
    output::out(&text)?;
    Ok(Outcome::Fine)
}

/// A cut and the skills that it left out.
fn cut(cut: &ListCut) -> [String; 2] {
    let names: Vec<String> = cut.names.iter().map(|name| printable(name)).collect();
    [
        format!("{} → {}", cut.message, paint(DIM, &cut.help)),
        format!("  `{}` {}: {}", cut.limit, cut.value, names.join(", ")),
    ]
}

/// The reason there are no skills, and the remedy.
pub(super) fn emptiness(what: &str, empty: &EmptyPrompt) -> String {
    format!("{what}: {}\n  {}\n", printable(&empty.message), paint(DIM, printable(&empty.help)))
}
