//! Other agent programs: their hooks, the folders that were filled for them, and that they are here at all.

use std::path::Path;

use prowess_connect::harness::{SkillFormat, ViewReport, ViewScope, ViewSyncOptions};
use prowess_connect::hook::{HookHarness, HookPresence, HookScope, HookStatus};
use prowess_types::BinRule;

use super::{DoctorFinding, Examination, checks, counted};

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    hooks(examination, findings);
    for scope in [ViewScope::Project, ViewScope::User] {
        drift(examination, scope, findings);
    }
    for known in
        prowess_connect::harness::known_harnesses(examination.context, examination.agent).unwrap_or_default()
    {
        if known.is_installed && known.harness.format == SkillFormat::Skills {
            let (id, title) = (&known.harness.id, &known.harness.name);
            let finding = DoctorFinding::new(&checks::HARNESS_FOUND, format!("{title} is here")).about(id);
            findings.push(finding.help(format!(
                "`prowess import --from {id} --dry-run` shows its skills; nothing of it is changed"
            )));
        }
    }
}

fn hooks(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let context = examination.context;
    for harness in HookHarness::all() {
        for scope in [HookScope::User, HookScope::Project] {
            let Ok(status) = prowess_connect::hook::hook_status(context, harness, scope, "") else {
                continue;
            };
            if let HookPresence::Unknown(reason) = &status.presence {
                findings.push(DoctorFinding::new(&checks::HOOKS_FILE, reason.clone()).at(&status.file));
            }
            findings.extend(gone(examination, &status));
        }
    }
    let problems = prowess_connect::hook::hook_problems(context);
    if let Some(last) = problems.last() {
        let message = format!(
            "{} in hooks, the last one in {}",
            counted(problems.len(), "problem", "problems"),
            last.harness
        );
        findings.push(
            DoctorFinding::new(&checks::HOOKS_PROBLEMS, message)
                .at(&prowess_connect::hook::hook_problems_file(context)),
        );
    }
}

/// Returns a finding for a hook whose program no longer exists.
fn gone(examination: &Examination<'_>, status: &HookStatus) -> Option<DoctorFinding> {
    let path = examination.context.env().get("PATH").unwrap_or_default();
    let is_there = |program: &str| {
        if Path::new(program).is_absolute() {
            prowess_fs::is_folder(Path::new(program)).is_ok_and(|is_folder| !is_folder)
        } else {
            prowess_fs::find_in_path(program, path.as_ref(), BinRule::ExecutableFile)
        }
    };
    let mut programs = status.commands.iter().filter_map(|command| first_word(command));
    let program = programs.find(|program| !is_there(program))?;
    let message = format!(
        "the hook of {} in `{}` runs `{program}`, which is gone",
        status.harness.title(),
        status.file.display()
    );
    let scope = if status.scope == HookScope::Project { " --project" } else { "" };
    let help = format!("`prowess hook install {}{scope}` names this program instead", status.harness);
    Some(DoctorFinding::new(&checks::HOOKS_PROGRAM, message).at(&status.file).help(help))
}

/// The program of a command line, without its quotes.
fn first_word(command: &str) -> Option<String> {
    let command = command.trim_start();
    let quote = command.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let word = match quote {
        Some(quote) => command[1..].split(quote).next(),
        None => command.split_whitespace().next(),
    };
    word.filter(|word| !word.is_empty()).map(str::to_owned)
}

/// Folders that were filled once, and are not as they would be filled now.
fn drift(examination: &Examination<'_>, scope: ViewScope, findings: &mut Vec<DoctorFinding>) {
    let context = examination.context;
    let records = prowess_inventory::view_records(context);
    if records.is_empty() {
        return;
    }
    let options = ViewSyncOptions { scope, dry_run: true, ..ViewSyncOptions::default() };
    let Ok(report) = prowess_connect::harness::sync_harnesses(context, examination.agent, &options) else {
        return;
    };
    let is_filled = |view: &&ViewReport| records.has(&view.folder);
    for view in report.views.iter().filter(is_filled) {
        let changed = view.steps.iter().filter(|step| step.change.is_drift()).count();
        let problem = match &view.error {
            Some(error) => error.clone(),
            None if changed > 0 => counted(changed, "skill differs", "skills differ"),
            None => continue,
        };
        let flag = if scope == ViewScope::User { " --user" } else { "" };
        let message = format!("`{}` is out of date: {problem}", view.folder.display());
        let help =
            format!("`prowess sync{flag} --check` shows the differences, `prowess sync{flag}` updates it");
        findings.push(DoctorFinding::new(&checks::SYNC_DRIFT, message).at(&view.folder).help(help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_a_command_line() {
        let table = [
            ("prowess hook run codex", Some("prowess")),
            ("'/my tools/prowess' hook run codex", Some("/my tools/prowess")),
            ("\"C:/x y/prowess\" hook", Some("C:/x y/prowess")),
            ("", None),
            ("''", None),
        ];
        for (command, expected) in table {
            assert_eq!(first_word(command).as_deref(), expected, "{command}");
        }
    }
}
