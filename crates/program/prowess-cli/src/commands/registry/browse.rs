//! `prowess registry explore`, `inspect` and `moderation`

use std::io::{IsTerminal as _, Write as _};

use prowess_registry::protocol::{
    Moderation, ModerationDetail, SkillDetail, SkillSummary, VersionDetail, VersionList,
};
use prowess_registry::{ListQuery, ModerationStatus, RegistryClient, RegistryError, RegistryReference};
use prowess_text::printable;

use super::search::{dim, one_line};
use super::{id, open, skill};
use crate::answers::{FileAnswer, InspectAnswer};
use crate::args::{ExploreArgs, InspectArgs, SkillArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

pub(super) fn explore(context: &Context, args: &ExploreArgs) -> Result<Outcome, Failure> {
    let supply = open(context, &args.at)?;
    let query = ListQuery {
        limit: Some(args.limit),
        cursor: args.cursor.as_deref(),
        sort: args.sort.wire(),
        prefix: None,
    };
    let page = supply.registry().list(&query)?;
    if context.json {
        output::json(&page)?;
        return Ok(Outcome::Fine);
    }
    if page.items.is_empty() {
        output::out("No more skills.\n")?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Slug", "Version", "Name", "Downloads", "Stars", "Summary"], 5);
    for item in &page.items {
        let latest = item.latest_version.as_ref().map(|latest| latest.version.as_str());
        table.row([
            printable(&item.skill.slug).into(),
            printable(latest.or_else(|| item.skill.tag("latest")).unwrap_or("-")).into(),
            printable(&item.skill.display_name).into(),
            stat(&item.skill, "downloads").into(),
            stat(&item.skill, "stars").into(),
            dim(one_line(item.skill.summary.as_deref().unwrap_or_default())),
        ]);
    }
    let mut text = table.text();
    if let Some(cursor) = &page.next_cursor {
        text += &paint(DIM, format!("More: --cursor {}", printable(cursor)));
        text.push('\n');
    }
    output::out(&text)?;
    Ok(Outcome::Fine)
}

fn stat(skill: &SkillSummary, name: &str) -> String {
    skill.stats.get(name).filter(|value| value.is_number()).map(ToString::to_string).unwrap_or_default()
}

pub(super) fn inspect(context: &Context, args: &InspectArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.skill)?;
    let wanted = args.version.as_deref().or(args.tag.as_deref()).or(reference.version.as_deref());
    let supply = open(context, &args.at)?;
    let registry = supply.registry();
    if let Some(path) = &args.file {
        let bytes = registry.file(id(&reference), path, wanted)?;
        return file(context, path, bytes);
    }
    let detail = registry.inspect(id(&reference)).map_err(|error| {
        let failure = Failure::about_error(&error);
        let is_about_it = matches!(error, RegistryError::NotFound { .. } | RegistryError::Blocked { .. })
            || matches!(error, RegistryError::Deleted { .. } | RegistryError::Pending { .. });
        if supply.is_logged_in() && is_about_it { explained(&registry, &reference, failure) } else { failure }
    })?;
    let Some(summary) = &detail.skill else {
        return Err(Failure::about_error(&RegistryError::NotFound {
            message: format!("there is no skill `{reference}`"),
        }));
    };
    let chosen = chosen(&registry, &reference, &detail, wanted, args.files)?;
    let versions = if args.versions { Some(registry.versions(id(&reference), None, None)?) } else { None };
    if context.json {
        let (version, versions) = (chosen.as_ref(), versions.as_ref());
        output::json(&InspectAnswer { detail: &detail, version, versions })?;
    } else {
        output::out(&text(&detail, summary, chosen.as_ref(), versions.as_ref()))?;
    }
    Ok(match ModerationStatus::of(&detail) {
        ModerationStatus::Good => Outcome::Fine,
        _ => Outcome::Findings,
    })
}

/// A refusal, with what the moderators say to somebody who is logged in.
fn explained(registry: &RegistryClient<'_>, reference: &RegistryReference, failure: Failure) -> Failure {
    let answer = registry.moderation(id(reference)).ok().and_then(|answer| answer.moderation);
    match answer
        .as_ref()
        .map(|detail| &detail.moderation)
        .and_then(|moderation| moderation.summary.as_deref())
    {
        Some(summary) => failure.hint(format!("the moderators say: {}", one_line(summary))),
        None => failure,
    }
}

/// The version that is meant, with its files; asked for only if somebody wants to see it.
fn chosen(
    registry: &RegistryClient<'_>,
    reference: &RegistryReference,
    detail: &SkillDetail,
    wanted: Option<&str>,
    files: bool,
) -> Result<Option<VersionDetail>, Failure> {
    if wanted.is_none() && !files {
        return Ok(None);
    }
    let latest = detail.latest_version.as_ref().map(|latest| latest.version.as_str());
    let tagged = |tag: &str| detail.skill.as_ref()?.tag(tag);
    let version = match wanted {
        None => latest,
        Some(number) if number.starts_with(|first: char| first.is_ascii_digit()) => Some(number),
        Some(tag) => tagged(tag).or(latest.filter(|_| tag == "latest")),
    };
    let missing = || {
        let wanted = printable(wanted.unwrap_or("latest"));
        Failure::not_found(format!("`{reference}` has no version `{wanted}`"))
            .hint(format!("`prowess registry inspect {reference} --versions` lists them"))
    };
    let version = version.ok_or_else(missing)?;
    match registry.version(id(reference), version) {
        Ok(answer) => answer.version.map(Some).ok_or_else(missing),
        Err(RegistryError::NotFound { .. }) => Err(missing()),
        Err(error) => Err(Failure::about_error(&error)),
    }
}

fn file(context: &Context, path: &str, bytes: Vec<u8>) -> Result<Outcome, Failure> {
    match String::from_utf8(bytes) {
        Ok(text) if context.json => output::json(&FileAnswer { path, text: &text })?,
        // What somebody else wrote does not get to command the terminal.
        Ok(text) if std::io::stdout().is_terminal() => output::out(&(printable(&text) + "\n"))?,
        Ok(text) => output::out_exact(&text)?,
        Err(_) if context.json || std::io::stdout().is_terminal() => {
            return Err(Failure::not_found(format!("`{}` is not text", printable(path)))
                .hint("redirect it into a file: `… --file PATH > FILE`"));
        }
        Err(error) => std::io::stdout().lock().write_all(error.as_bytes())?,
    }
    Ok(Outcome::Fine)
}

fn text(
    detail: &SkillDetail,
    skill: &SkillSummary,
    version: Option<&VersionDetail>,
    versions: Option<&VersionList>,
) -> String {
    let owner = detail.owner.as_ref().and_then(|owner| owner.handle.as_deref());
    let name = owner.map_or_else(|| skill.slug.clone(), |owner| format!("@{owner}/{}", skill.slug));
    let mut text =
        format!("{} {}\n", paint(BOLD, printable(&skill.display_name)), paint(DIM, printable(&name)));
    if let Some(summary) = &skill.summary {
        text += &format!("{}\n", one_line(summary));
    }
    let mut line = |label: &str, value: String| {
        if !value.is_empty() {
            text += &format!("  {} {}\n", paint(DIM, format!("{label}:")), printable(&value));
        }
    };
    if let Some(latest) = &detail.latest_version {
        line("latest", format!("{} ({})", latest.version, day(latest.created_at.0)));
        line("licence", latest.stated_license().unwrap_or("none stated").to_owned());
    }
    let tags = skill.tags.as_object().into_iter().flatten();
    let tags: Vec<String> =
        tags.filter_map(|(tag, version)| Some(format!("{tag} {}", version.as_str()?))).collect();
    line("tags", tags.join(", "));
    line("downloads", stat(skill, "downloads"));
    line("stars", stat(skill, "stars"));
    line("updated", day(skill.updated_at.0));
    let metadata = detail.metadata.as_ref();
    let setup = metadata.map(|metadata| metadata.setup.as_slice()).unwrap_or_default();
    let needs: Vec<String> = setup
        .iter()
        .map(|key| if key.required { key.key.clone() } else { format!("{} (optional)", key.key) })
        .collect();
    line("needs", needs.join(", "));
    line("systems", metadata.and_then(|metadata| metadata.os.clone()).unwrap_or_default().join(", "));
    if let Some(moderation) = &detail.moderation {
        text += &verdict(moderation);
    }
    if let Some(version) = version {
        text += &one_version(version);
    }
    for item in versions.iter().flat_map(|versions| &versions.items) {
        let when = paint(DIM, day(item.created_at.0));
        text += &format!("{} {when} {}\n", paint(BOLD, printable(&item.version)), one_line(&item.changelog));
    }
    if versions.is_some_and(|versions| versions.next_cursor.is_some()) {
        text += &paint(DIM, "and older ones\n");
    }
    text
}

fn one_version(version: &VersionDetail) -> String {
    let summary = &version.summary;
    let mut text = format!("{} {}\n", paint(BOLD, printable(&summary.version)), one_line(&summary.changelog));
    let Some(files) = &version.files else { return text };
    let mut table = Table::new(&["File", "Bytes", "SHA-256"], 0);
    for file in files {
        table.row([
            printable(&file.path).into(),
            file.size.to_string().into(),
            Cell::styled(DIM, printable(&file.sha256)),
        ]);
    }
    text += &table.text();
    text
}

/// What the registry thinks of it, in a line.
fn verdict(moderation: &Moderation) -> String {
    let (style, word) = if moderation.is_malware_blocked {
        (BAD.bold(), "✗ blocked as malware")
    } else if moderation.is_suspicious {
        (WARN, "△ suspicious")
    } else {
        (GOOD, "✓ nothing found")
    };
    let mut text = format!("  {}", paint(style, word));
    let reasons = moderation.reason_codes.as_deref().unwrap_or_default().join(", ");
    if !reasons.is_empty() {
        text += &format!(" ({})", printable(&reasons));
    }
    if let Some(summary) = &moderation.summary {
        text += &format!(": {}", one_line(summary));
    }
    text + "\n"
}

pub(super) fn moderation(context: &Context, args: &SkillArgs) -> Result<Outcome, Failure> {
    let reference = skill(&args.skill)?;
    let supply = open(context, &args.at)?;
    let answer = supply.registry().moderation(id(&reference))?;
    if context.json {
        output::json(&answer)?;
    } else {
        output::out(&match &answer.moderation {
            Some(detail) => told(detail),
            None => format!("The registry has no moderation notes on `{reference}`.\n"),
        })?;
    }
    let is_bad =
        |detail: &ModerationDetail| detail.moderation.is_suspicious || detail.moderation.is_malware_blocked;
    Ok(if answer.moderation.as_ref().is_some_and(is_bad) { Outcome::Findings } else { Outcome::Fine })
}

fn told(detail: &ModerationDetail) -> String {
    let mut text = verdict(&detail.moderation);
    for one in &detail.evidence {
        let place = if one.file.is_empty() { String::new() } else { format!("{}:{}", one.file, one.line) };
        text += &format!(
            "  {} {} {}\n",
            paint(WARN, printable(&one.severity)),
            paint(BOLD, printable(&one.code)),
            printable(&place)
        );
        for line in [&one.evidence, &one.message].into_iter().filter(|line| !line.is_empty()) {
            text += &format!("    {}\n", one_line(line));
        }
    }
    text
}

/// A time in milliseconds as a day.
fn day(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis)
        .map(|time| time.to_string().chars().take(10).collect())
        .unwrap_or_default()
}
