//! `prowess publish`

use prowess_acquire::{PublishOptions, PublishPlan, PublishState, Supply};
use prowess_registry::protocol::{PublicationStatus, PublishAnswer};
use prowess_scan::{ScanFinding, ScanSeverity, Verdict};
use prowess_text::printable;
use prowess_types::{ErrorKind, Severity as Weight, SpecLevel};

use super::{can_ask, not_logged_in, open};
use crate::answers::PublishResult;
use crate::args::PublishArgs;
use crate::commands::count;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, ProgressLine, Table, WARN, paint};
use crate::prompt::agrees;

pub(crate) fn run(context: &Context, args: &PublishArgs) -> Result<Outcome, Failure> {
    let supply = open(context, &args.at)?;
    if !args.dry_run && !supply.is_logged_in() {
        return Err(not_logged_in(&supply.registry()));
    }
    let Some(folder) = args.path.to_str() else {
        return Err(Failure::usage("the folder's path is not text".to_owned()));
    };
    let options = PublishOptions {
        slug: args.slug.clone(),
        name: args.name.clone(),
        owner: args.owner.clone(),
        version: args.version.clone(),
        changelog: args.changelog.clone(),
        tags: args.tags.clone(),
        topics: args.topics.clone(),
        categories: args.categories.clone(),
    };
    let plan = supply.plan_publication(folder, &options, &context.engine.parse_options())?;
    if let PublishState::Unchanged { version } = &plan.state {
        let text =
            format!("`{}` is already published as version {}.\n", plan.request.slug, printable(version));
        return said(context, &plan, "unchanged", None, &text);
    }
    if !context.json {
        output::out(&described(&plan))?;
    }
    if let Some(failure) = obstacle(context, args, &plan) {
        return Err(failure);
    }
    if args.dry_run {
        return said(context, &plan, "dry-run", None, "Nothing was sent.\n");
    }
    if !agreed(context, args, &plan)? {
        output::err("Nothing was published.\n");
        return Ok(Outcome::Stopped);
    }
    let answer = upload(&supply, &plan)?;
    let (slug, version) = (&plan.request.slug, &plan.request.version);
    let text = match answer.publication_status {
        Some(PublicationStatus::Published) => format!("Published {slug} {version}.\n"),
        Some(PublicationStatus::Pending) => {
            format!("Published {slug} {version}; others see it once the registry has scanned it.\n")
        }
        None => format!("Submitted {slug} {version}.\n"),
    };
    said(context, &plan, "published", Some(&answer), &text)
}

/// What stands in the way of a publication, whatever the user says.
fn obstacle(context: &Context, args: &PublishArgs, plan: &PublishPlan) -> Option<Failure> {
    if plan.scan.verdict == Verdict::Malicious {
        let rules: Vec<&str> =
            plan.scan.at_least(ScanSeverity::Critical).map(|finding| finding.rule.as_ref()).collect();
        return Some(
            Failure::new(
                ErrorKind::Refused,
                format!("this looks malicious and is not published: {}", rules.join(", ")),
            )
            .hint(format!(
                "`prowess scan {}` shows every finding",
                printable(&args.path.display().to_string())
            )),
        );
    }
    if args.dry_run || can_ask(context) {
        return None;
    }
    if let Some(secret) = plan.secrets.first() {
        let place = format!("{}:{}", printable(&secret.file), secret.line);
        return Some(
            Failure::new(ErrorKind::Refused, format!("the files contain a secret at {place}"))
                .hint("remove and revoke it, or add the file to `.clawhubignore`"),
        );
    }
    if plan.scan.verdict == Verdict::Suspicious && !args.allow_suspicious {
        return Some(
            Failure::new(ErrorKind::Refused, "the scan verdict is suspicious".to_owned())
                .hint("review the findings; `--allow-suspicious` publishes anyway"),
        );
    }
    if !args.yes {
        return Some(
            Failure::usage("publishing requires confirmation, and there is no terminal".to_owned())
                .hint("review it with `--dry-run`, then confirm with `--yes`; nothing was published"),
        );
    }
    None
}

/// Asks for everything that needs an answer.
fn agreed(context: &Context, args: &PublishArgs, plan: &PublishPlan) -> Result<bool, Failure> {
    if !can_ask(context) {
        return Ok(true);
    }
    let asks_about_secrets = !plan.secrets.is_empty();
    if asks_about_secrets && !agrees("These files contain secrets. Publish anyway?")? {
        return Ok(false);
    }
    let is_suspicious = plan.scan.verdict == Verdict::Suspicious && !args.allow_suspicious;
    if is_suspicious && !agrees("The scan verdict is suspicious. Publish anyway?")? {
        return Ok(false);
    }
    let request = &plan.request;
    let question = format!(
        "Publish {} {} to {}, {}?",
        request.slug,
        request.version,
        printable(&plan.registry),
        match plan.license_terms.as_ref().or(plan.license.as_ref()) {
            Some(license) => format!("under {}", printable(license)),
            None => "without a licence".to_owned(),
        }
    );
    Ok(args.yes || agrees(&question)?)
}

fn upload(supply: &Supply, plan: &PublishPlan) -> Result<PublishAnswer, Failure> {
    let mut line = ProgressLine::new();
    let (mut done, total) = (0, plan.files.len());
    line.step("uploading", done, total);
    let answer = supply.publish(plan, &mut |_| {
        done += 1;
        line.step("uploading", done, total);
    });
    Ok(answer?)
}

fn said(
    context: &Context,
    plan: &PublishPlan,
    status: &str,
    answer: Option<&PublishAnswer>,
    text: &str,
) -> Result<Outcome, Failure> {
    if context.json {
        output::json(&PublishResult { status, plan, answer })?;
    } else {
        output::out(text)?;
    }
    Ok(Outcome::Fine)
}

/// Everything that would happen.
fn described(plan: &PublishPlan) -> String {
    let request = &plan.request;
    let owner = request.owner_handle.as_deref().map(|owner| format!("@{owner}/")).unwrap_or_default();
    let mut text = format!(
        "{} {}\n",
        paint(BOLD, printable(&format!("{owner}{} {}", request.slug, request.version))),
        paint(DIM, printable(&request.display_name)),
    );
    let state = match &plan.state {
        PublishState::Update { latest } => format!("new version, after {}", printable(latest)),
        _ => "new skill".to_owned(),
    };
    text += &format!("  {} {} ({state})\n", paint(DIM, "to:"), printable(&plan.registry));
    let mut line = |label: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("  {} {}\n", paint(DIM, format!("{label}:")), printable(value));
        }
    };
    line("licence", &license(plan));
    line("version", &plan.version_field.map(|field| format!("from `{field}`")).unwrap_or_default());
    line("changelog", &request.changelog);
    line("tags", &request.tags.as_deref().unwrap_or_default().join(", "));
    line("topics", &request.topics.as_deref().unwrap_or_default().join(", "));
    line("categories", &request.categories.as_deref().unwrap_or_default().join(", "));
    let mut table = Table::new(&["File", "Bytes"], 0);
    for file in &plan.files {
        table.row([printable(&file.path).into(), file.size.to_string().into()]);
    }
    text += &table.text();
    text += &format!("{}, {} bytes\n", count(plan.files.len(), "file", "files"), plan.bytes());
    for left in &plan.left_out {
        text +=
            &format!("{}\n", paint(DIM, format!("stays here: {} ({})", printable(&left.path), left.reason)));
    }
    text + &judged(plan)
}

/// The licence that it is published under.
fn license(plan: &PublishPlan) -> String {
    let declared = match (&plan.license, &plan.license_file) {
        (Some(license), _) => license.clone(),
        (None, Some(file)) => format!("none declared in SKILL.md ({file} is among the files)"),
        (None, None) => "none".to_owned(),
    };
    match (&plan.license_terms, &plan.license) {
        (Some(terms), Some(license)) if terms != license => {
            format!("{terms}, by the terms of the registry; SKILL.md declares {license}")
        }
        (Some(terms), None) => format!("{terms}, by the terms of the registry"),
        _ => declared,
    }
}

/// What speaks against it.
fn judged(plan: &PublishPlan) -> String {
    let (style, word) = match plan.scan.verdict {
        Verdict::Clean => (GOOD, "✓ the scan is clean"),
        Verdict::Suspicious => (WARN, "△ the scan is suspicious"),
        Verdict::Malicious => (BAD, "✗ the scan says malicious"),
    };
    let mut text = format!("{}\n", paint(style, word));
    plan.scan.at_least(ScanSeverity::Warn).for_each(|finding| text += &told(finding));
    for secret in &plan.secrets {
        let place = format!("{}:{}", printable(&secret.file), secret.line);
        text += &format!("{} {place} {}\n", paint(BAD, "✗ secret found in"), printable(&secret.evidence));
    }
    if plan.level < SpecLevel::Extended {
        text += &format!("{}\n", paint(WARN, "△ other engines may refuse it"));
    }
    for one in plan.diagnostics.iter().filter(|one| one.severity >= Weight::Warning) {
        text += &format!("  {} {}\n", paint(WARN, &one.rule), printable(&one.message));
    }
    text
}

fn told(finding: &ScanFinding) -> String {
    let place = format!("{}:{}", printable(&finding.file), finding.line);
    format!("  {} {place}: {}\n", paint(BOLD, &finding.rule), printable(&finding.reason))
}
