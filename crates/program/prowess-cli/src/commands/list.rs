//! `prowess list`

use prowess_inventory::SkillEntry;
use prowess_text::printable;

use super::{count, missing, shown, state, title};
use crate::answers::ListAnswer;
use crate::args::ListArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, Cell, DIM, Table, paint};

pub(crate) fn run(context: &Context, args: &ListArgs) -> Result<Outcome, Failure> {
    let view = context.view()?;
    let inventory = view.inventory();
    let keep = |entry: &SkillEntry| !args.eligible || entry.is_usable();
    if context.json {
        let not_loaded = args.all.then_some(inventory.losses.as_slice());
        output::json(&ListAnswer { report: inventory.list(keep), not_loaded })?;
        return Ok(Outcome::Fine);
    }
    let listed: Vec<&SkillEntry> = inventory.entries.iter().filter(|entry| keep(entry)).collect();
    let ready = listed.iter().filter(|entry| entry.is_usable()).count();
    let mut text = format!("{} ({ready}/{} ready)\n", paint(BOLD, "Skills"), listed.len());
    let mut headers = vec!["Status", "Skill", "Description", "Source"];
    if args.verbose {
        headers.push("Missing");
    }
    let mut table = Table::new(&headers, 2);
    for entry in &listed {
        let description = printable(&entry.skill.description);
        let mut row: Vec<Cell> = vec![
            state(entry),
            title(entry).into(),
            description.split_whitespace().collect::<Vec<_>>().join(" ").into(),
            context.engine.profile().source_name(&entry.origin.source).into(),
        ];
        if args.verbose {
            let trust = entry.trust().objection(&entry.skill.name).map(|reason| printable(&reason));
            let parts = trust.into_iter().chain(Some(missing(&entry.verdict.missing)));
            row.push(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ").into());
        }
        table.row(row);
    }
    if listed.is_empty() {
        text += &paint(DIM, "No skills yet. `prowess new NAME` creates one in the workspace.\n");
    } else {
        text += &table.text();
    }
    if let Some(empty) = inventory.empty_prompt().filter(|_| !inventory.entries.is_empty()) {
        text += &super::check::emptiness("The prompt has no skills", &empty);
    }
    if args.all {
        text += &format!("\n{} ({})\n", paint(BOLD, "Not loaded"), inventory.losses.len());
        for loss in &inventory.losses {
            let reason = serde_json::to_value(loss.reason).unwrap_or_default();
            text += &format!(
                "  {} {}\n    {}\n",
                reason.as_str().unwrap_or_default(),
                shown(&loss.path),
                paint(DIM, printable(&loss.message))
            );
        }
    } else if !inventory.losses.is_empty() {
        let more = count(inventory.losses.len(), "other was", "others were");
        text += &paint(DIM, format!("{more} found and not loaded: prowess list --all\n"));
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}
