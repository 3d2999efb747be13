//! Skills that are not what their authors think: broken, hidden, refused, or in want of something.

use std::collections::BTreeMap;
use std::path::Path;

use prowess_config::Select;
use prowess_context::BundledFrom;
use prowess_gate::Trust;
use prowess_inventory::{Inventory, PromptRequest, SkillEntry};
use prowess_text::{and_more, backtick_list};
use prowess_types::{Loss, LossReason, Requirements, Tier};

use super::{DoctorCheck, DoctorFinding, Examination, checks, counted};

/// The depth, and the number of files, to which a `SKILL.md` is looked for in a folder.
const MAX_DEPTH: usize = 4;
const MAX_ENTRIES: usize = 2_000;
/// Names that are listed before the rest is only counted.
const SHOWN: usize = 6;

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    findings.extend(bundled(examination));
    let Some(inventory) = &examination.inventory else { return };
    let ready = inventory.entries.iter().filter(|entry| entry.is_usable()).count();
    let message = format!("{ready} of {} skills are ready", inventory.entries.len());
    findings.push(DoctorFinding::new(&checks::SKILLS_READY, message));
    losses(inventory, findings);
    findings.extend(unlisted(inventory));
    for root in own_roots(examination) {
        without_file(&root, inventory, findings);
    }
    for entry in &inventory.entries {
        misnamed(entry, findings);
    }
    needs(inventory, findings);
    let is_open = |trust: &Trust| matches!(trust, Trust::Undecided | Trust::Unknowable(_));
    for foreign in inventory.foreign.iter().filter(|foreign| is_open(&foreign.trust)) {
        let message =
            format!("`{}` came with a repository and is neither trusted nor denied yet", foreign.name);
        findings.push(DoctorFinding::new(&checks::SKILLS_UNTRUSTED, message).at(&foreign.file));
    }
}

fn bundled(examination: &Examination<'_>) -> Option<DoctorFinding> {
    // One that cannot be unpacked was told already.
    Some(match examination.context.bundled().ok()? {
        None => DoctorFinding::new(&checks::BUNDLED_NONE, "there are no bundled skills"),
        Some((folder, BundledFrom::Override)) if !matches!(prowess_fs::is_folder(&folder), Ok(true)) => {
            let message = format!("the bundled folder `{}` does not exist", folder.display());
            DoctorFinding::new(&checks::BUNDLED_MISSING, message).at(&folder)
        }
        Some((folder, from)) => {
            let how = match from {
                BundledFrom::Override => "named by the environment",
                BundledFrom::Executable => "beside the program",
                BundledFrom::Embedded => "unpacked from the program",
            };
            DoctorFinding::new(&checks::BUNDLED_FOUND, format!("`{}`, {how}", folder.display())).at(&folder)
        }
    })
}

/// The skills that the list of all skills leaves out, in one line.
fn unlisted(inventory: &Inventory) -> Option<DoctorFinding> {
    let cuts = inventory.explain_prompt(&PromptRequest::default()).cuts;
    let told: Vec<String> = cuts.iter().map(|cut| cut.message.clone()).collect();
    let told = (!told.is_empty()).then(|| told.join("; "))?;
    if inventory.settings.select == Select::Message {
        let message = format!("each message chooses from all skills; in the list of all skills, {told}");
        return Some(DoctorFinding::new(&checks::SKILLS_CHOSEN, message));
    }
    let help = cuts.iter().map(|cut| format!("`{}`", cut.help)).collect::<Vec<_>>().join(", ");
    let help = format!("`prowess config set skills.prompt.select message`, or {help}");
    Some(DoctorFinding::new(&checks::SKILLS_UNLISTED, told).help(help))
}

/// Skills beyond a limit, one line for each limit.
fn over_limit(inventory: &Inventory, findings: &mut Vec<DoctorFinding>) {
    let mut by_message: BTreeMap<&str, Vec<&Loss>> = BTreeMap::new();
    for loss in inventory.losses.iter().filter(|loss| loss.reason == LossReason::OverSourceLimit) {
        by_message.entry(&loss.message).or_default().push(loss);
    }
    for (message, losses) in by_message {
        let skills = counted(losses.len(), "skill is not loaded", "skills are not loaded");
        findings.push(
            DoctorFinding::new(&checks::SKILLS_LIMIT, format!("{skills}: {message}")).at(&losses[0].path),
        );
    }
}

fn losses(inventory: &Inventory, findings: &mut Vec<DoctorFinding>) {
    over_limit(inventory, findings);
    for loss in &inventory.losses {
        let Some(check) = check_of(loss.reason) else { continue };
        if loss.reason == LossReason::OverSourceLimit {
            continue;
        }
        // A copy with the same text is harmless, and so is one that was made for other programs.
        if loss.message.starts_with("Identical") || loss.message.starts_with("it is a copy that") {
            continue;
        }
        let message = match &loss.winner {
            Some(winner) if loss.reason == LossReason::Shadowed => {
                let name = loss.name.as_deref().unwrap_or("a skill");
                format!("`{name}` from `{}` is used, and hides `{}`", winner.display(), loss.path.display())
            }
            _ => format!("`{}`: {}", loss.path.display(), loss.message),
        };
        findings.push(DoctorFinding::new(check, message).at(&loss.path));
    }
}

fn check_of(reason: LossReason) -> Option<&'static DoctorCheck> {
    Some(match reason {
        LossReason::Shadowed => &checks::SKILLS_SHADOWED,
        LossReason::Invalid => &checks::SKILLS_INVALID,
        LossReason::Unreadable | LossReason::NotAFile => &checks::SKILLS_UNREADABLE,
        LossReason::BrokenLink => &checks::SKILLS_BROKEN_LINK,
        LossReason::OverCandidateLimit
        | LossReason::OverSourceLimit
        | LossReason::Oversize
        | LossReason::TooDeep => &checks::SKILLS_LIMIT,
        LossReason::SymlinkEscape
        | LossReason::PathEscape
        | LossReason::BundledSymlinkEscape
        | LossReason::BundledRootEscape
        | LossReason::HardLink
        | LossReason::Link => &checks::SKILLS_OUTSIDE,
        LossReason::PluginPathMissing | LossReason::PluginPathEscape | LossReason::PluginInvalid => {
            &checks::SKILLS_PLUGIN
        }
        LossReason::Gated => return None,
    })
}

/// The folders that people put skills into themselves.
fn own_roots(examination: &Examination<'_>) -> Vec<std::path::PathBuf> {
    let places = examination.context.places();
    let workspace = &examination.workspace;
    let own = [workspace.join("skills"), workspace.join(".agents/skills"), places.managed()];
    own.into_iter().chain(places.personal.clone()).collect()
}

/// Reports folders that look like skills to people, and to no program.
fn without_file(root: &Path, inventory: &Inventory, findings: &mut Vec<DoctorFinding>) {
    for folder in prowess_fs::subfolders(root) {
        let is_known = inventory.entries.iter().any(|entry| entry.origin.base.starts_with(&folder))
            || inventory.losses.iter().any(|loss| loss.path.starts_with(&folder));
        if is_known {
            continue;
        }
        let listing = prowess_fs::list_all(&folder, MAX_ENTRIES, MAX_DEPTH);
        let name_of = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let near = listing
            .entries
            .iter()
            .find_map(|entry| name_of(&entry.path).filter(|name| name.eq_ignore_ascii_case("SKILL.md")));
        let message = match near.as_deref() {
            Some("SKILL.md") => continue,
            Some(near) => format!("`{}` has `{near}`, and skills are in `SKILL.md`", folder.display()),
            None => format!("`{}` has no `SKILL.md`, so it is not a skill", folder.display()),
        };
        findings.push(DoctorFinding::new(&checks::SKILLS_NO_FILE, message).at(&folder));
    }
}

fn misnamed(entry: &SkillEntry, findings: &mut Vec<DoctorFinding>) {
    let is_own = !matches!(entry.origin.tier, Tier::Bundled);
    if is_own && entry.skill.diagnostics.iter().any(|diagnostic| diagnostic.rule == "name/folder-mismatch") {
        let file = &entry.origin.file;
        let message = format!("`{}` calls itself `{}`", file.display(), entry.skill.name);
        findings.push(DoctorFinding::new(&checks::SKILLS_NAME, message).at(file));
    }
}

/// Skills that lack something: each of the user's own, the bundled ones together.
fn needs(inventory: &Inventory, findings: &mut Vec<DoctorFinding>) {
    let lacks = |entry: &&SkillEntry| {
        let verdict = &entry.verdict;
        let is_out = verdict.disabled || verdict.blocked_by_allowlist || verdict.platform_incompatible;
        !verdict.eligible && !is_out && what(&verdict.missing).is_some()
    };
    let mut bundled = Vec::new();
    for entry in inventory.entries.iter().filter(lacks) {
        let name = &entry.skill.name;
        if entry.is_bundled() {
            bundled.push(name.as_str());
            continue;
        }
        let missing = &entry.verdict.missing;
        let refused = inventory.refused_installs(entry);
        let reasons =
            refused.iter().fold(String::new(), |reasons, refused| reasons + &format!("; {refused}"));
        let message = format!("`{name}` lacks {}{reasons}", what(missing).unwrap_or_default());
        let mut help = help(name, missing);
        if let Some(refused) = refused.first().filter(|_| entry.install.is_empty()) {
            help += &format!("; {}", refused.help);
        }
        findings.push(DoctorFinding::new(&checks::SKILLS_NEEDS, message).about(name).help(help));
    }
    if !bundled.is_empty() {
        let message = format!(
            "{} something: {}",
            counted(bundled.len(), "bundled skill lacks", "bundled skills lack"),
            named(&bundled)
        );
        let help = "`prowess check` shows what is missing; `prowess deps NAME` installs it";
        findings.push(DoctorFinding::new(&checks::SKILLS_NEEDS, message).help(help));
    }
}

/// Describes the missing requirements.
fn what(missing: &Requirements) -> Option<String> {
    let parts = [
        ("the program ", backtick_list(&missing.bins, ", ")),
        ("the program ", backtick_list(&missing.any_bins, " or ")),
        ("the variable ", backtick_list(&missing.env, ", ")),
        ("the setting ", backtick_list(&missing.config, ", ")),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(kind, names)| format!("{kind}{names}"))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The commands that get what is missing.
fn help(name: &str, missing: &Requirements) -> String {
    let mut steps = Vec::new();
    if !missing.bins.is_empty() || !missing.any_bins.is_empty() {
        steps.push(format!("`prowess deps {name}`"));
    }
    steps.extend(missing.env.iter().map(|variable| format!("`prowess secret set {name} --env {variable}`")));
    steps.extend(missing.config.iter().map(|key| format!("`prowess config set {key} VALUE`")));
    steps.join(", ")
}

/// The first few names, and how many more there are.
pub(super) fn named(names: &[&str]) -> String {
    let (shown, more) = and_more(names, SHOWN);
    let more = more.map(|more| format!(", {more}")).unwrap_or_default();
    format!("{}{more}", backtick_list(shown, ", "))
}
