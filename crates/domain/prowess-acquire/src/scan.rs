//! Scanning skills on disk, and what an install may do with the result.
//!
//! The folder is listed whole: hidden files, dependencies, links and pipes included. What is not read is not
//! forgotten: it goes to the scanner as unread, with the reason.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_context::Context;
use prowess_fs::{EntryKind, ListedEntry};
use prowess_inventory::{is_plain_working_copy, skill_files};
use prowess_scan::{
    Accepted, Baseline, BaselineError, Content, File, Report, ScanFinding, ScanSeverity, UnscannedReason,
    Verdict,
};
use prowess_skill::{ParseOptions, SkillInput};
use prowess_types::{Bundle, Skill, SkillLayout};
use serde::Serialize;
use serde_json::Value;

use crate::policy::{self, PolicyAnswer, PolicyDecision, PolicyRequest};

/// Entries of one skill that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 64;
/// Size of a file that is read.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Size of all files of a skill that are read.
const MAX_SKILL_BYTES: u64 = 64 * 1024 * 1024;

/// The time to wait for another process that holds a baseline.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// A skill that was scanned.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scanned {
    /// Its folder, or its file if it has none.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Its name.
    pub name: Option<String>,
    /// What was found.
    #[serde(flatten)]
    pub report: Report,
}

/// Whether something may be installed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Admission {
    /// What shall happen.
    pub decision: PolicyDecision,
    /// Why it is blocked, or what to look at before agreeing.
    pub warnings: Vec<String>,
    /// What the operator's command said, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyAnswer>,
}

/// A file by its place, with its bytes or the size and the reason why it was not read.
type Opened<'a> = (Cow<'a, str>, Result<Cow<'a, [u8]>, (u64, UnscannedReason)>);

/// Scans what a path stands for: a skill, every skill below a folder, or a folder or file that is none as it is.
pub fn scan_path(path: &Path, options: &ParseOptions) -> Result<Vec<Scanned>, prowess_fs::FileReadError> {
    let is_folder = prowess_fs::is_folder(path)?;
    let is_skill_file =
        |file: &Path| file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    if !is_folder && !is_skill_file(path) {
        return Ok(vec![scan_file(path, options)]);
    }
    // A skill that cannot even be listed, such as one whose `SKILL.md` is a pipe, is still a folder.
    let found = skill_files(path)?;
    let refused = found.refused.into_iter().map(|refused| refused.path);
    let mut scanned: Vec<Scanned> = Vec::new();
    for file in found.files.into_iter().chain(refused) {
        let folder = file.parent().filter(|_| is_skill_file(&file));
        let one = match folder {
            Some(folder) => scan_folder(folder, options),
            None if prowess_fs::is_folder(&file).unwrap_or(false) => scan_folder(&file, options),
            None => scan_file(&file, options),
        };
        if !scanned.iter().any(|known| known.path == one.path) {
            scanned.push(one);
        }
    }
    if scanned.is_empty() {
        scanned.push(scan_folder(path, options));
    }
    Ok(scanned)
}

/// Scans a skill's folder. If it is a working copy of git, its own `.git` is not part of the skill and is reported as
/// unread, unless its settings run programs.
pub fn scan_folder(folder: &Path, options: &ParseOptions) -> Scanned {
    let listing = prowess_fs::list_all(folder, MAX_ENTRIES, MAX_DEPTH);
    let mut room = MAX_SKILL_BYTES;
    let mut read: Vec<Opened<'_>> = Vec::new();
    let is_working_copy = is_plain_working_copy(folder, &listing);
    if is_working_copy {
        read.push((".git".into(), Err((0, UnscannedReason::WorkingCopy))));
    }
    for entry in listing.entries.iter().filter(|entry| !is_working_copy || !entry.is_gits()) {
        read.push((entry.relative.as_str().into(), open(entry, &mut room).map(Cow::Owned)));
    }
    for (relative, _) in listing.unread {
        if is_working_copy && prowess_fs::is_gits(&relative) {
            continue;
        }
        read.push((relative.into(), Err((0, UnscannedReason::Unreadable))));
    }
    if listing.is_cut {
        read.push((".".into(), Err((0, UnscannedReason::TooMany))));
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    judge(folder, &name, &read, SkillLayout::Folder, options)
}

/// Scans a skill in memory as if it lay in a folder.
pub fn scan_bundle(bundle: &Bundle, folder: &Path, options: &ParseOptions) -> Scanned {
    let mut room = MAX_SKILL_BYTES;
    let mut read: Vec<Opened<'_>> = Vec::new();
    for file in bundle.files.iter().take(MAX_ENTRIES) {
        let size = file.bytes.len() as u64;
        let is_read = size <= MAX_FILE_BYTES && size <= room;
        let content = if is_read {
            room -= size;
            Ok(Cow::Borrowed(file.bytes.as_slice()))
        } else {
            Err((size, UnscannedReason::TooLarge))
        };
        read.push((file.path.as_str().into(), content));
    }
    if bundle.files.len() > MAX_ENTRIES {
        read.push((".".into(), Err((0, UnscannedReason::TooMany))));
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    judge(folder, &name, &read, SkillLayout::Folder, options)
}

/// Scans one file: a skill without a folder if it is Markdown, anything else as it is.
fn scan_file(file: &Path, options: &ParseOptions) -> Scanned {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let content = prowess_fs::read_file(file, MAX_FILE_BYTES).map_err(|error| match error {
        prowess_fs::FileReadError::Oversize { .. } => (0, UnscannedReason::TooLarge),
        prowess_fs::FileReadError::NotAFile { .. } => (0, UnscannedReason::Special),
        _ => (0, UnscannedReason::Unreadable),
    });
    let id = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_markdown = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    let layout = if is_markdown { SkillLayout::LoneFile } else { SkillLayout::Folder };
    judge(file, &id, &[(name.into(), content.map(Cow::Owned))], layout, options)
}

fn open(entry: &ListedEntry, room: &mut u64) -> Result<Vec<u8>, (u64, UnscannedReason)> {
    match entry.kind {
        EntryKind::LinkOutside => Err((0, UnscannedReason::LinkOutside)),
        EntryKind::LinkDangling => Err((0, UnscannedReason::LinkDangling)),
        // The target of the link is in the list itself.
        EntryKind::LinkInside => Ok(Vec::new()),
        EntryKind::Special => Err((0, UnscannedReason::Special)),
        EntryKind::File { size, .. } if !entry.is_text_name => Err((size, UnscannedReason::BadName)),
        EntryKind::File { size, is_shared: true } => Err((size, UnscannedReason::HardLink)),
        EntryKind::File { size, .. } if size > MAX_FILE_BYTES || size > *room => {
            Err((size, UnscannedReason::TooLarge))
        }
        EntryKind::File { size, .. } => {
            *room -= size;
            prowess_fs::read_file(&entry.path, MAX_FILE_BYTES)
                .map_err(|_| (size, UnscannedReason::Unreadable))
        }
    }
}

fn judge(path: &Path, id: &str, read: &[Opened<'_>], layout: SkillLayout, options: &ParseOptions) -> Scanned {
    let files: Vec<File<'_>> = read
        .iter()
        .map(|(path, content)| File {
            path,
            content: match content {
                Ok(bytes) => Content::Bytes(bytes),
                Err((size, reason)) => Content::Unread { size: *size, reason: *reason },
            },
        })
        .collect();
    let is_skill = |path: &str| layout == SkillLayout::LoneFile || path.eq_ignore_ascii_case("SKILL.md");
    let text = read.iter().find(|(path, _)| is_skill(path)).and_then(|(_, content)| content.as_ref().ok());
    let skill: Option<Skill> =
        text.map(|bytes| prowess_skill::parse(&SkillInput { bytes, id, layout }, options));
    Scanned {
        path: path.to_owned(),
        name: skill.as_ref().map(|skill| skill.name.clone()),
        report: prowess_scan::scan(&files, skill.as_ref()),
    }
}

/// A finding in a line.
pub fn told(finding: &ScanFinding) -> String {
    format!("{} in `{}`, line {}: {}", finding.rule, finding.file, finding.line, finding.reason)
}

/// Decides if something that was scanned may be installed. Critical findings block, warnings are shown; the operator's
/// command, if there is one, gets the findings and has the last word.
pub fn admit(context: &Context, scanned: &Scanned, origin: Value, request: Value) -> Admission {
    let report = &scanned.report;
    let shown = |severity: ScanSeverity| -> Vec<String> { report.at_least(severity).map(told).collect() };
    let (decision, mut warnings) = match report.verdict {
        Verdict::Malicious => (PolicyDecision::Block, shown(ScanSeverity::Critical)),
        Verdict::Suspicious => (PolicyDecision::Warn, shown(ScanSeverity::Warn)),
        Verdict::Clean => (PolicyDecision::Allow, Vec::new()),
    };
    let Some(settings) = context.config().install_policy() else {
        return Admission { decision, warnings, policy: None };
    };
    let asked = PolicyRequest {
        target_type: "skill".to_owned(),
        target_name: scanned.name.clone().unwrap_or_default(),
        source_path_kind: if scanned.path.is_dir() { "directory" } else { "file" }.to_owned(),
        source_path: scanned.path.clone(),
        origin,
        request,
        scan: serde_json::to_value(report).unwrap_or(Value::Null),
    };
    let answer = policy::ask(&settings, context.env(), &asked);
    if answer.decision != PolicyDecision::Allow {
        warnings.push(answer.reason.clone());
    }
    Admission { decision: answer.decision, warnings, policy: Some(answer) }
}

/// Takes accepted findings out of what was scanned. Returns those that were accepted for other content.
pub fn apply_baseline(baseline: &Baseline, scanned: &mut [Scanned]) -> Vec<Accepted> {
    scanned.iter_mut().flat_map(|one| baseline.apply(&mut one.report).stale).collect()
}

/// Reads a file of accepted findings.
pub fn read_baseline(path: &Path) -> Result<Baseline, BaselineFileError> {
    let bytes = prowess_fs::read_file(path, MAX_FILE_BYTES)?;
    Ok(Baseline::parse(&String::from_utf8_lossy(&bytes))?)
}

/// Accepts every warning of what was scanned, with a reason, in a file: atomically, under a lock, from a fresh read.
pub fn accept_findings(
    path: &Path,
    scanned: &[Scanned],
    reason: &str,
) -> Result<Baseline, BaselineFileError> {
    let mut accepted = Baseline::default();
    prowess_fs::update_file(path, LOCK_TIMEOUT, |text| -> Result<Option<String>, BaselineError> {
        let mut baseline = text.as_deref().map(Baseline::parse).transpose()?.unwrap_or_default();
        for one in scanned {
            baseline.accept(&one.report, reason);
        }
        accepted = baseline;
        Ok(Some(accepted.to_json()))
    })?;
    Ok(accepted)
}

/// The reason accepted findings cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineFileError {
    /// The file cannot be read.
    #[error("cannot read the baseline")]
    Read(#[from] prowess_fs::FileReadError),
    /// It is not a baseline.
    #[error(transparent)]
    Parse(#[from] BaselineError),
    /// It cannot be written.
    #[error("cannot write the baseline")]
    Write(#[from] prowess_fs::UpdateError<BaselineError>),
}

impl prowess_types::Classify for BaselineFileError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Files)
    }
}
