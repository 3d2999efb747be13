//! `prowess installed` and `verify`

use prowess_acquire::{Drift, InstallListing, InstallState, InstalledSkill};
use prowess_text::printable;

use super::super::{count, shown};
use super::desk;
use crate::answers::VerifyAnswer;
use crate::args::InstalledArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, Cell, DIM, GOOD, Table, WARN, paint};

pub(crate) fn installed(context: &Context, args: &InstalledArgs) -> Result<Outcome, Failure> {
    let listing = desk(context, &args.target, None)?.installed(&args.names)?;
    if context.json {
        output::json(&listing)?;
        return Ok(Outcome::Fine);
    }
    let mut text =
        if listing.skills.is_empty() { "No installed skills.\n".to_owned() } else { table(&listing) };
    if !listing.unlisted.is_empty() {
        text += "Not installed, but there:\n";
        listing.unlisted.iter().for_each(|path| text += &format!("  {}\n", shown(path)));
    }
    output::out(&(text + &problems(&listing)))?;
    Ok(Outcome::Fine)
}

fn table(listing: &InstallListing) -> String {
    let mut table = Table::new(&["Skill", "Version", "State", "From", "Note"], 3);
    for skill in &listing.skills {
        let mut notes: Vec<String> = skill.tool.iter().map(|tool| format!("by {tool}")).collect();
        if let Some(pin) = &skill.pinned {
            let reason = pin.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            notes.push(format!("pinned{reason}"));
        }
        let is_known_clean =
            |verdict: &&prowess_types::StoredVerdict| verdict.verdict() == prowess_types::ScanVerdict::Clean;
        notes
            .extend(skill.verdict.iter().filter(|verdict| !is_known_clean(verdict)).map(ToString::to_string));
        let version = skill.version.clone().or_else(|| skill.commit.clone()).unwrap_or_default();
        table.row([
            printable(&skill.folder).into(),
            printable(&version.chars().take(12).collect::<String>()).into(),
            state(skill.state),
            printable(&skill.source).into(),
            Cell::styled(DIM, printable(&notes.join("; "))),
        ]);
    }
    table.text()
}

fn state(state: InstallState) -> Cell {
    match state {
        InstallState::Intact => Cell::styled(GOOD, "✓ intact"),
        InstallState::Edited => Cell::styled(WARN, "△ edited"),
        InstallState::Gone => Cell::styled(BAD, "✗ gone"),
        InstallState::Replaced => Cell::styled(BAD, "✗ not a folder"),
        InstallState::Unknown => Cell::styled(DIM, "? unknown"),
    }
}

fn problems(listing: &InstallListing) -> String {
    let line = |problem: &String| format!("{}: {}\n", paint(WARN, "not read"), printable(problem));
    listing.problems.iter().map(line).collect()
}

pub(crate) fn verify(context: &Context, args: &InstalledArgs) -> Result<Outcome, Failure> {
    let listing = desk(context, &args.target, None)?.installed(&args.names)?;
    let drifted = listing.skills.iter().filter(|skill| skill.state.is_drift()).count();
    if context.json {
        let InstallListing { skills, problems, .. } = &listing;
        output::json(&VerifyAnswer { ok: drifted == 0, skills, problems })?;
    } else {
        let mut text: String = listing.skills.iter().map(verified).collect();
        text += &problems(&listing);
        text += &format!(
            "{}, {drifted} not as installed\n",
            count(listing.skills.len(), "installed skill", "installed skills")
        );
        output::out(&text)?;
    }
    Ok(if drifted == 0 { Outcome::Fine } else { Outcome::Findings })
}

fn verified(skill: &InstalledSkill) -> String {
    let tool =
        skill.tool.as_ref().map(|tool| paint(DIM, format!(" (installed by {tool})"))).unwrap_or_default();
    let mut text = format!("{} {}{tool}\n", state(skill.state).painted(), printable(&skill.folder));
    let empty = Drift::default();
    let drift = skill.drift.as_ref().unwrap_or(&empty);
    let lists = [
        ("missing", &drift.missing),
        ("changed", &drift.changed),
        ("extra", &drift.extra),
        ("mode", &drift.mode),
    ];
    for (word, paths) in lists {
        for path in paths {
            text += &format!("  {word:<8} {}\n", printable(path));
        }
    }
    for (path, what) in &drift.odd {
        text += &format!("  {:<8} {} ({what})\n", "odd", printable(path));
    }
    text
}
