//! `prowess pin`, `unpin`, `uninstall` and `restore`

use prowess_acquire::{Acquire, RemovalPlan, Trashed};
use prowess_text::printable;
use prowess_types::ErrorKind;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::{count, shown};
use super::consent::Agreement;
use super::{desk, restore_command};
use crate::answers::{
    NamedAnswer, PinResult, RemovalAnswer, RemovalResult, RemovalRow, TrashAnswer, TrashRow, TrashScope,
    UnpinDone,
};
use crate::args::{PinArgs, RestoreArgs, TargetArgs, UninstallArgs, UnpinArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, DIM, GOOD, Table, paint};
use crate::prompt::agrees;

pub(crate) fn pin(context: &Context, args: &PinArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, None)?;
    let mut results = Vec::new();
    for name in &args.names {
        let pinned = desk.pin(name, args.reason.as_deref());
        results.push((name.as_str(), pinned.map_err(Failure::from)));
    }
    finish(context, results, |name| format!("{} is pinned", printable(name)))
}

pub(crate) fn unpin(context: &Context, args: &UnpinArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, None)?;
    let mut results = Vec::new();
    for name in &args.names {
        let unpinned = desk.unpin(name);
        let done = unpinned.map(|was_pinned| UnpinDone { was_pinned });
        results.push((name.as_str(), done.map_err(Failure::from)));
    }
    finish(context, results, |name| format!("{} can be updated", printable(name)))
}

/// One line, or one value, for each name.
fn finish<T: Serialize + JsonSchema>(
    context: &Context,
    outcomes: Vec<(&str, Result<T, Failure>)>,
    told: impl Fn(&str) -> String,
) -> Result<Outcome, Failure> {
    let (mut results, mut outcome) = (Vec::new(), Outcome::Fine);
    for (asked, result) in outcomes {
        match result {
            Ok(done) => {
                if !context.json {
                    output::out(&format!("{}\n", told(asked)))?;
                }
                results.push(PinResult::Done { asked, done });
            }
            Err(failure) => {
                if !context.json {
                    failure.tell();
                }
                outcome = outcome.and(failure.outcome());
                results.push(PinResult::Failed { asked, error: failure.detail() });
            }
        }
    }
    if context.json {
        output::json(&NamedAnswer { results })?;
    }
    Ok(outcome)
}

pub(crate) fn uninstall(context: &Context, args: &UninstallArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, None)?;
    let agreement = Agreement::new(context, args.consent, false);
    let (mut results, mut outcome) = (Vec::new(), Outcome::Fine);
    for asked in &args.names {
        let (result, ended) = match remove(context, &desk, asked, agreement) {
            Ok(answer) => answer,
            Err(failure) => {
                if !context.json {
                    failure.tell();
                }
                (RemovalResult::Failed { error: failure.detail() }, failure.outcome())
            }
        };
        results.push(RemovalRow { asked, result });
        outcome = outcome.and(ended);
    }
    if context.json {
        output::json(&RemovalAnswer { results })?;
    }
    Ok(outcome)
}

fn remove(
    context: &Context,
    desk: &Acquire<'_>,
    name: &str,
    agreement: Agreement,
) -> Result<(RemovalResult, Outcome), Failure> {
    let plan = desk.plan_uninstall(name)?;
    if !context.json {
        output::out(&removal(&plan))?;
    }
    if agreement.dry_run {
        return Ok((RemovalResult::Planned { plan: Box::new(plan) }, Outcome::Fine));
    }
    let folder = printable(&plan.skill.folder);
    let has_consent =
        agreement.yes || (agreement.is_asked && agrees(&format!("Move `{folder}` to the trash?"))?);
    if !has_consent {
        if !context.json {
            output::err(&format!("`{folder}` was not changed; confirm with `--yes`.\n"));
        }
        return Ok((RemovalResult::NeedsConsent { plan: Box::new(plan) }, Outcome::Findings));
    }
    let removed = desk.uninstall(&plan)?;
    if !context.json {
        let mut text = format!("{} uninstalled {}\n", paint(GOOD, "✓"), paint(BOLD, &folder));
        if let Some(id) = &removed.trash_id {
            text += &format!("  {}\n", paint(DIM, restore_command(context, id)));
        }
        output::out(&text)?;
    }
    Ok((RemovalResult::Done { done: Box::new(removed) }, Outcome::Fine))
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
    let trashes = trashes(context, args)?;
    let Some(id) = &args.id else { return list(context, &trashes) };
    let desk = holder(&trashes, id)?;
    let restored = desk.restore(id, args.force)?;
    if context.json {
        output::json(&restored)?;
    } else {
        let mut text = format!("{} restored {}\n", paint(GOOD, "✓"), paint(BOLD, shown(&restored.path)));
        if let Some(replaced) = &restored.replaced {
            text += &format!("  replaced folder: {}\n", restore_command(context, replaced));
        }
        if !restored.is_listed {
            text += "  it is not in the lock file, so it gets no updates\n";
        }
        output::out(&text)?;
    }
    Ok(Outcome::Fine)
}

/// The trash of one place.
struct PlaceOfTrash<'a> {
    scope: TrashScope,
    desk: Acquire<'a>,
}

/// The trash of this workspace and of all workspaces, or the one that is named.
fn trashes<'a>(context: &'a Context, args: &RestoreArgs) -> Result<Vec<PlaceOfTrash<'a>>, Failure> {
    let open = |scope: TrashScope| {
        let target = TargetArgs { global: scope == TrashScope::Managed };
        Ok::<_, Failure>(PlaceOfTrash { scope, desk: desk(context, &target, None)? })
    };
    if args.global || args.local {
        let scope = if args.global { TrashScope::Managed } else { TrashScope::Workspace };
        return Ok(vec![open(scope)?]);
    }
    let mut trashes = vec![open(TrashScope::Workspace)?];
    let managed = open(TrashScope::Managed)?;
    if trashes.iter().all(|other| other.desk.trash_folder() != managed.desk.trash_folder()) {
        trashes.push(managed);
    }
    Ok(trashes)
}

/// The desk whose trash has the id.
fn holder<'t, 'a>(trashes: &'t [PlaceOfTrash<'a>], id: &str) -> Result<&'t Acquire<'a>, Failure> {
    let mut holders = Vec::new();
    for trash in trashes {
        if trash.desk.has_trashed(id)? {
            holders.push(&trash.desk);
        }
    }
    let shown = printable(id);
    match holders[..] {
        [desk] => Ok(desk),
        [] => Err(Failure::new(ErrorKind::NotFound, format!("`{shown}` is not in the trash"))
            .hint("`prowess restore` lists the trash; `--workspace DIR` names another workspace")),
        _ => {
            let message =
                format!("`{shown}` is in the trash of this workspace and in that of all workspaces");
            Err(Failure::new(ErrorKind::Ambiguous, message)
                .hint("`--local` takes the one of this workspace, `--global` the other"))
        }
    }
}

fn list(context: &Context, trashes: &[PlaceOfTrash<'_>]) -> Result<Outcome, Failure> {
    let mut found = Vec::new();
    for trash in trashes {
        found.extend(trash.desk.trashed()?.into_iter().map(|one| (trash.scope, one)));
    }
    if context.json {
        let row = |(scope, one): &(TrashScope, Trashed)| TrashRow {
            id: one.id.clone(),
            scope: *scope,
            from: one.from.display().to_string(),
            removed_at: one.removed_at,
        };
        output::json(&TrashAnswer { trash: found.iter().map(row).collect() })?;
        return Ok(Outcome::Fine);
    }
    if found.is_empty() {
        output::out("The trash is empty.\n")?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Id", "Removed", "For", "From"], 3);
    for (scope, one) in &found {
        let time =
            i64::try_from(one.removed_at).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        let time = time.map(|time| time.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default();
        let whom = match scope {
            TrashScope::Workspace => "this workspace",
            TrashScope::Managed => "all workspaces",
        };
        table.row([printable(&one.id).into(), time.into(), whom.to_owned().into(), shown(&one.from).into()]);
    }
    let text = table.text() + &format!("{}: prowess restore ID\n", count(found.len(), "folder", "folders"));
    output::out(&text)?;
    Ok(Outcome::Fine)
}
