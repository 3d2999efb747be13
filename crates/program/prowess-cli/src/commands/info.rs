//! `prowess info NAME`

use prowess_inventory::{Inventory, SkillEntry};
use prowess_text::printable;
use prowess_types::Requirements;

use super::{find, shown, state, title};
use crate::answers::InfoAnswer;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, paint};

pub(crate) fn run(context: &Context, name: &str) -> Result<Outcome, Failure> {
    let view = context.view()?;
    let inventory = view.inventory();
    let entry = match find(inventory, name) {
        Ok(entry) => entry,
        // OpenClaw's programs read one answer here, and nothing on standard error.
        Err(failure) if context.json => {
            failure.about(name).write();
            return Ok(Outcome::Findings);
        }
        Err(failure) => return Err(failure),
    };
    if context.json {
        let mut status = inventory.skill_status(entry);
        context.engine.profile().source_name(&entry.origin.source).clone_into(&mut status.source);
        output::json(&InfoAnswer {
            status,
            frontmatter: &entry.skill.frontmatter,
            extensions: &entry.skill.extensions,
            triggers: &entry.skill.metadata.triggers,
        })?;
    } else {
        output::out(&describe(entry, inventory, context))?;
    }
    Ok(Outcome::Fine)
}

fn describe(entry: &SkillEntry, inventory: &Inventory, context: &Context) -> String {
    let profile = context.engine.profile();
    let skill = &entry.skill;
    let mut text = format!("{} {}\n\n", paint(BOLD, title(entry)), state(entry).painted());
    text += &format!("{}\n\n", printable(&skill.description));
    text += &heading("Details");
    let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
    let mut details = vec![
        ("Source", profile.source_name(&entry.origin.source).to_owned()),
        ("Path", shown(&entry.origin.file)),
        ("Level", format!("{:?}", skill.level).to_lowercase()),
        ("Visible to model", yes(entry.is_model_visible())),
        ("Available as command", yes(entry.is_command_visible())),
    ];
    if let Some(homepage) = &skill.metadata.homepage {
        details.push(("Homepage", printable(homepage)));
    }
    if let Some(primary) = &skill.metadata.primary_env {
        details.push(("Primary env", printable(primary)));
    }
    if skill.key() != skill.name {
        details.push(("Config key", printable(skill.key())));
    }
    for (label, value) in details {
        text += &format!("  {label}: {value}\n");
    }
    text += &requirements(&skill.requirements, &entry.verdict.missing);
    if !entry.verdict.reasons.is_empty() {
        text += &format!("\n{}", heading("Not ready because"));
        for reason in &entry.verdict.reasons {
            text += &format!("  {}\n", printable(reason));
        }
    }
    if !entry.install.is_empty() && !entry.verdict.eligible {
        text += &format!("\n{}", heading("Install options"));
        for option in &entry.install {
            text += &format!("  → {} {}\n", printable(&option.label), paint(DIM, &option.id));
        }
    }
    let refused = inventory.refused_installs(entry);
    if !refused.is_empty() && !entry.verdict.eligible {
        text += &format!("\n{}", heading("Refused install options"));
        text.extend(refused.iter().map(super::refused_install));
    }
    if !entry.shadowed.is_empty() {
        text += &format!("\n{}", heading("Hides"));
        for origin in &entry.shadowed {
            text +=
                &format!("  {} {}\n", shown(&origin.file), paint(DIM, profile.source_name(&origin.source)));
        }
    }
    text
}

fn heading(title: &str) -> String {
    format!("{}\n", paint(BOLD, format!("{title}:")))
}

fn requirements(needs: &Requirements, missing: &Requirements) -> String {
    if needs.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}", heading("Requirements"));
    let mut line = |label: &str, wanted: &[String], missing: &[String]| {
        if wanted.is_empty() {
            return;
        }
        let marks: Vec<String> = wanted
            .iter()
            .map(|item| {
                let mark = if missing.contains(item) { paint(BAD, "✗") } else { paint(GOOD, "✓") };
                format!("{mark} {}", printable(item))
            })
            .collect();
        text += &format!("  {label}: {}\n", marks.join(", "));
    };
    line("Platform", &needs.os, &missing.os);
    line("Programs", &needs.bins, &missing.bins);
    line("One of", &needs.any_bins, &missing.any_bins);
    line("Environment", &needs.env, &missing.env);
    line("Config", &needs.config, &missing.config);
    text
}
