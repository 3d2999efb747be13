//! The stores on disk: caches, the cortex, recorded sessions.

use std::path::Path;

use prowess_learn::cortex::{LogHealth, PendingTask};
use prowess_sessions::{SessionFilter, Sessions};

use super::fix::Fix;
use super::{DoctorFinding, Examination, checks};

/// Sessions that are looked at, those written last first.
const MAX_SESSIONS: usize = 200;

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let options = examination.options;
    let wants = |group: &str| options.wants(group) || options.only.iter().any(|only| only.starts_with(group));
    if wants("cache") {
        caches(examination, findings);
    }
    if wants("cortex") {
        learned(examination, findings);
    }
    if wants("sessions") {
        sessions(examination, findings);
    }
}

fn caches(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let cache = &examination.context.places().cache;
    let skills = prowess_fs::cache_files(&cache.join("skills"), "bin");
    let mut damaged: Vec<_> = skills.into_iter().filter(|file| prowess_inventory::is_damaged(file)).collect();
    for folder in prowess_fs::subfolders(&cache.join("vectors")) {
        let vectors = prowess_fs::cache_files(&folder, "vec").into_iter();
        damaged.extend(vectors.filter(|file| prowess_match::is_damaged(file)));
    }
    for file in damaged {
        let message = format!("`{}` is damaged, and not used", file.display());
        let fix = Fix::RemoveFile { root: examination.own_home().to_owned(), path: file.clone() };
        findings.push(DoctorFinding::new(&checks::CACHE_DAMAGED, message).at(&file).mended_by(fix));
    }
}

fn learned(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let (log, export) = prowess_learn::cortex::places(examination.context);
    for (note, task) in prowess_learn::cortex::pending_tasks(examination.context) {
        let PendingTask { slug: skill, workspace, .. } = task;
        let message = format!("a task was interrupted and has left `{skill}` in `{}`", workspace.display());
        let fix = Fix::SettleTask { note: note.clone(), skill, workspace };
        findings.push(DoctorFinding::new(&checks::CORTEX_TASK, message).at(&note).mended_by(fix));
    }
    let health = prowess_learn::cortex::log_health(&log, &export);
    let damage = matches!(health, LogHealth::Damaged(_) | LogHealth::Unusable(_));
    if let LogHealth::Damaged(problem) | LogHealth::Unusable(problem) = &health {
        let message = format!("`{}` is damaged: {problem}", log.display());
        let finding = DoctorFinding::new(&checks::CORTEX_LOG, message).at(&log);
        // A file that may not be opened is not damaged, and stays where it is.
        findings.push(if matches!(health, LogHealth::Damaged(_)) {
            finding.mended_by(Fix::RebuildLog { file: export.clone(), log: log.clone() })
        } else {
            let message = format!("`{}` cannot be used: {problem}", log.display());
            DoctorFinding::new(&checks::CORTEX_LOG, message)
                .at(&log)
                .help("correct the rights of the file and its folder")
        });
    }
    let Some(problem) = export_problem(&export) else { return };
    let message = format!("`{}` cannot be read: {problem}", export.display());
    let finding = DoctorFinding::new(&checks::CORTEX_EXPORT, message).at(&export);
    // Without the log there is nothing to write it from, and a link leads to what is not ours.
    let is_ours = matches!(prowess_fs::condition(&export), Ok(Some(found))
        if found.kind == prowess_fs::ConditionKind::File && found.is_ours);
    findings.push(if is_ours && !damage && log.is_file() {
        finding.mended_by(Fix::RewriteExport { file: export, log })
    } else {
        finding
    });
}

fn export_problem(export: &Path) -> Option<String> {
    match prowess_fs::read_file(export, prowess_learn::cortex::MAX_EXPORT_BYTES) {
        Ok(bytes) => {
            prowess_cortex::read_document(&bytes).err().map(|error| prowess_text::describe_error(&error))
        }
        Err(error) if error.is_missing() => None,
        Err(error) => Some(prowess_text::describe_error(&error)),
    }
}

fn sessions(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let filter = SessionFilter { limit: Some(MAX_SESSIONS), ..SessionFilter::default() };
    for listing in Sessions::of(examination.context).list(&filter) {
        let problem = match (&listing.error, listing.unread_lines) {
            (Some(error), _) => error.clone(),
            (None, 0) => continue,
            (None, lines) => format!("lines of it that were not understood: {lines}"),
        };
        let message = format!("session `{}`: {problem}", listing.id);
        findings.push(DoctorFinding::new(&checks::SESSIONS_DAMAGED, message).about(listing.id.as_str()));
    }
}
