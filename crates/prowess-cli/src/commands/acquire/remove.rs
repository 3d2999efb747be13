//! `prowess pin`, `unpin`, `uninstall` and `restore`

use prowess::acquire::{Acquire, RemovalPlan, Trashed};
use prowess::printable;
use serde_json::{Value, json};

use super::super::{count, shown};
use super::consent::Agreement;
use super::desk;
use crate::args::{PinArgs, RestoreArgs, UninstallArgs, UnpinArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, DIM, GOOD, Table, paint};
use crate::prompt::agrees;

pub(crate) fn pin(context: &Context, args: &PinArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, None)?;
    let mut results = Vec::new();
    for name in &args.names {
        let pinned = desk.pin(name, args.reason.as_deref());
        results.push((name.as_str(), pinned.map(|skill| json!(skill)).map_err(Failure::from)));
    }
    finish(context, results, |name| format!("{} is pinned", printable(name)))
}

pub(crate) fn unpin(context: &Context, args: &UnpinArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, None)?;
    let mut results = Vec::new();
    for name in &args.names {
        let unpinned = desk.unpin(name);
        results.push((name.as_str(), unpinned.map(|was| json!({"wasPinned": was})).map_err(Failure::from)));
    }
    finish(context, results, |name| format!("{} can be updated", printable(name)))
}

/// One line, or one value, for each name.
fn finish(
    context: &Context,
    results: Vec<(&str, Result<Value, Failure>)>,
    told: impl Fn(&str) -> String,
) -> Result<Outcome, Failure> {
    let (mut values, mut outcome) = (Vec::new(), Outcome::Fine);
    for (name, result) in results {
        match result {
            Ok(value) => {
                if !context.json {
                    output::out(&format!("{}\n", told(name)))?;
                }
                values.push(json!({"asked": name, "status": "done", "done": value}));
            }
            Err(failure) => {
                if !context.json {
                    failure.tell();
                }
                outcome = outcome.and(failure.outcome());
                values.push(json!({"asked": name, "status": "failed", "error": failure.value()}));
            }
        }
    }
    if context.json {
        output::json(&json!({ "results": values }))?;
    }
    Ok(outcome)
}

pub(crate) fn uninstall(context: &Context, args: &UninstallArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, None)?;
    let agreement = Agreement::new(context, args.consent, false);
    let (mut values, mut outcome) = (Vec::new(), Outcome::Fine);
    for name in &args.names {
        let (value, ended) = match remove(context, &desk, name, agreement) {
            Ok(answer) => answer,
            Err(failure) => {
                if !context.json {
                    failure.tell();
                }
                (json!({"status": "failed", "error": failure.value()}), failure.outcome())
            }
        };
        let mut value = value;
        value["asked"] = json!(name);
        values.push(value);
        outcome = outcome.and(ended);
    }
    if context.json {
        output::json(&json!({ "results": values }))?;
    }
    Ok(outcome)
}

fn remove(
    context: &Context,
    desk: &Acquire<'_>,
    name: &str,
    agreement: Agreement,
) -> Result<(Value, Outcome), Failure> {
    let plan = desk.plan_uninstall(name)?;
    if !context.json {
        output::out(&removal(&plan))?;
    }
    if agreement.dry_run {
        return Ok((json!({"status": "planned", "plan": plan}), Outcome::Fine));
    }
    let folder = printable(&plan.skill.folder);
    let has_consent =
        agreement.yes || (agreement.is_asked && agrees(&format!("Move `{folder}` to the trash?"))?);
    if !has_consent {
        if !context.json {
            output::err(&format!("Nothing was done about `{folder}`: agree with `--yes`.\n"));
        }
        return Ok((json!({"status": "needsConsent", "plan": plan}), Outcome::Findings));
    }
    let removed = desk.uninstall(&plan)?;
    if !context.json {
        let mut text = format!("{} uninstalled {}\n", paint(GOOD, "✓"), paint(BOLD, &folder));
        if let Some(id) = &removed.trash_id {
            text += &format!("  {}\n", paint(DIM, format!("prowess restore {}", printable(id))));
        }
        output::out(&text)?;
    }
    Ok((json!({"status": "done", "done": removed}), Outcome::Fine))
}

fn removal(plan: &RemovalPlan) -> String {
    let skill = &plan.skill;
    let mut text = format!("{}\n", paint(BOLD, printable(&skill.folder)));
    let place = if plan.is_there { shown(&skill.path) } else { "its folder is gone already".to_owned() };
    text += &format!("  {} {place}\n", paint(DIM, "path   "));
    text += &format!("  {} {}\n", paint(DIM, "from   "), printable(&skill.source));
    if let Some(drift) = &skill.drift {
        text += &format!("  {} {}\n", paint(DIM, "edited "), printable(&drift.to_string()));
    }
    text
}

pub(crate) fn restore(context: &Context, args: &RestoreArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, None)?;
    let Some(id) = &args.id else { return list(context, &desk.trashed()?) };
    let restored = desk.restore(id, args.force)?;
    if context.json {
        output::json(&restored)?;
    } else {
        let mut text = format!("{} restored {}\n", paint(GOOD, "✓"), paint(BOLD, shown(&restored.path)));
        if let Some(replaced) = &restored.replaced {
            text += &format!("  what was there: prowess restore {}\n", printable(replaced));
        }
        if !restored.is_listed {
            text += "  it is not in the lock: updates do not know it\n";
        }
        output::out(&text)?;
    }
    Ok(Outcome::Fine)
}

fn list(context: &Context, trashed: &[Trashed]) -> Result<Outcome, Failure> {
    if context.json {
        let rows: Vec<Value> = trashed
            .iter()
            .map(|one| json!({"id": one.id, "from": one.from, "removedAt": one.removed_at}))
            .collect();
        output::json(&json!({ "trash": rows }))?;
        return Ok(Outcome::Fine);
    }
    if trashed.is_empty() {
        output::out("The trash is empty.\n")?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Id", "Removed", "From"], 2);
    for one in trashed {
        let time =
            i64::try_from(one.removed_at).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        let time = time.map(|time| time.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default();
        table.row([printable(&one.id).into(), time.into(), shown(&one.from).into()]);
    }
    let text = table.text() + &format!("{}: prowess restore ID\n", count(trashed.len(), "folder", "folders"));
    output::out(&text)?;
    Ok(Outcome::Fine)
}
