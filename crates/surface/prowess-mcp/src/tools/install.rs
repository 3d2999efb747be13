//! `skill_install`: a plan, the question whether it shall be done, and the doing.
//!
//! Nothing is written without the user's consent to exactly this plan. An address that a model names is not even fetched
//! from without consent to that. Malicious skills are always refused.

use std::time::Duration;

use prowess::Engine;
use prowess_acquire::{AcquireOptions, Action, Done, InstallConsent, InstallOptions, InstallScope, Plan};
use prowess_fs::ChangeReason;
use prowess_registry::{GitRepository, SourceReference};
use prowess_scan::ScanSeverity;
use prowess_text::{describe_error, printable};
use rmcp::model::{ElicitationSchema, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Asker, Outcome, Question, Reply};
use crate::core::Caller;
use crate::fault::Fault;
use crate::tool_answer::{ToolAnswer, Worded};

/// Findings and files that are named one by one.
const NAMED: usize = 12;
/// The interval and the number of checks for an installed skill before the answer.
const ROUND: Duration = Duration::from_millis(200);
const ROUNDS: usize = 25;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The skill to install: a skill of the registry (`weather`, `@ada/weather`), of a repository (`owner/repo/path`), a folder,
    /// an archive or an address.
    #[schemars(length(min = 1, max = 2048))]
    reference: String,
    /// The version, tag or branch.
    version: Option<String>,
    /// For all workspaces, not only for this one.
    #[serde(default)]
    global: bool,
    /// True if a skill that is there gives way; what was edited is kept in the trash.
    #[serde(default)]
    replace: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The skill's name.
    name: String,
    /// Its current location.
    path: String,
    /// The verdict of the scanner: `clean`, `suspicious` or `malicious`.
    #[schemars(with = "String")]
    verdict: prowess_types::ScanVerdict,
    /// True if the agent can use it now.
    ready: bool,
    /// The reason against it.
    reasons: Vec<String>,
    /// Further notes.
    warnings: Vec<String>,
}

pub(super) fn tool() -> Tool {
    super::tool::<Input, Worded<Output>>(
        "skill_install",
        "Install a skill",
        "Installs a skill after the user agreed: they are shown where it comes from, what it can do and what the scanner \
         found. Malicious skills are never installed.",
        ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(true),
    )
}

impl Input {
    /// The command that does the same.
    fn command(&self) -> String {
        let version =
            self.version.as_ref().map(|version| format!(" --version {}", shell(version))).unwrap_or_default();
        let global = if self.global { " --global" } else { "" };
        format!("prowess install {}{version}{global}", shell(&self.reference))
    }

    fn options(&self, caller: &Caller) -> AcquireOptions {
        AcquireOptions {
            agent: caller.agent.clone(),
            scope: if self.global { InstallScope::Global } else { InstallScope::Workspace },
            ..AcquireOptions::new(caller.core.options.clock.clone())
        }
    }
}

/// A word as a shell takes it.
fn shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "@/._-:#+=".contains(letter);
    let word = printable(word);
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

pub(super) async fn run(caller: Caller, input: Input, asker: Asker) -> Outcome {
    let wanted = input.clone();
    let address = desk(&caller, &input, move |desk| {
        let reference = desk.reference(&wanted.reference, wanted.version.as_deref()).map_err(told)?;
        Ok(address(&reference).then(|| reference.to_string()))
    })
    .await?;
    if let Some(address) = address {
        let message =
            format!("Shall `{}` be fetched and looked at? Nothing is installed yet.", printable(&address));
        agreed(&asker, message, "fetch", "Fetch it", &input).await?;
    }
    let wanted = input.clone();
    let plan = desk(&caller, &input, move |desk| {
        let reference = desk.reference(&wanted.reference, wanted.version.as_deref()).map_err(told)?;
        let options = InstallOptions { replace: wanted.replace };
        desk.plan_install(&reference, &options, &mut |_, _| {}).map_err(told)
    })
    .await?;
    let Some(consent) = plan.needs() else {
        return Err(format!("`{}` is refused: {}", plan.name, plan.review.reasons.join("; ")));
    };
    let (field, label) = match consent {
        InstallConsent::Given => ("install", "Install it"),
        InstallConsent::DespiteWarnings => ("installDespiteWarnings", "Install it despite the warnings"),
    };
    agreed(&asker, shown(&plan), field, label, &input).await?;
    let (name, verdict) = (plan.name.clone(), plan.review.verdict);
    let done = desk(&caller, &input, move |desk| desk.apply(&plan, consent).map_err(told)).await?;
    if done.readiness.is_ready {
        wait_for(&caller, done.readiness.name.clone()).await?;
    }
    Ok(answer(name, verdict, done))
}

/// Waits until the agent has the skill: files that were written a moment ago are looked at once they rest.
async fn wait_for(caller: &Caller, name: String) -> Result<(), String> {
    for _ in 0..ROUNDS {
        let name = name.clone();
        let is_there = caller.work(move |desk| {
            desk.caller.core.live.refresh(ChangeReason::Manual);
            Ok(desk
                .caller
                .core
                .live
                .view(desk.caller.agent.as_deref())?
                .snapshot()
                .skills
                .iter()
                .any(|skill| skill.name == name))
        });
        if is_there.await.map_err(|fault| fault.to_string())? {
            break;
        }
        tokio::time::sleep(ROUND).await;
    }
    Ok(())
}

/// Works at the desk where skills are installed.
async fn desk<T, F>(caller: &Caller, input: &Input, work: F) -> Result<T, String>
where
    T: Send + 'static,
    F: FnOnce(&prowess_acquire::Acquire<'_>) -> Result<T, String> + Send + 'static,
{
    let options = input.options(caller);
    let engine: Engine = caller.core.live.engine();
    let task = tokio::task::spawn_blocking(move || work(&engine.acquire(options).map_err(told)?));
    task.await.unwrap_or_else(|error| Err(Fault::internal(&error).to_string()))
}

fn told(error: prowess_acquire::AcquireError) -> String {
    describe_error(&error)
}

/// Returns true if a reference names an address of its own, which could be one inside the user's network.
fn address(reference: &SourceReference) -> bool {
    match reference {
        SourceReference::Registry(_)
        | SourceReference::SkillsSh { .. }
        | SourceReference::Folder(_)
        | SourceReference::Archive(_) => false,
        SourceReference::Git(git) => !matches!(git.repository, GitRepository::GitHub { .. }),
        SourceReference::Download { .. } | SourceReference::Site { .. } => true,
    }
}

async fn agreed(
    asker: &Asker,
    message: String,
    field: &str,
    label: &str,
    input: &Input,
) -> Result<(), String> {
    let form = ElicitationSchema::builder()
        .required_bool_with(field, |form| form.title(label.to_owned()).with_default(false))
        .build_unchecked();
    match asker.ask(Question { message, form }).await {
        reply if reply.agrees(field) => Ok(()),
        Reply::NobodyToAsk => Err(format!(
            "nothing was installed: this client cannot ask the user. They can do it themselves with `{}`",
            input.command()
        )),
        _ => Err("nothing was installed: the user did not agree".to_owned()),
    }
}

/// Everything that consent is given to.
fn shown(plan: &Plan) -> String {
    let (from, review) = (&plan.provenance, &plan.review);
    let doing = match plan.action {
        Action::Install => "Install the skill",
        Action::Replace => "Replace the existing folder by the skill",
        Action::Restore => "Put back the skill",
        Action::Update(_) => "Update the skill",
    };
    let version = from
        .version
        .as_ref()
        .or(from.commit.as_ref())
        .map(|version| format!(" {version}"))
        .unwrap_or_default();
    let mut lines = vec![
        format!("{doing} `{}`{version}?", plan.name),
        format!("What it is for: {}", review.description),
        format!(
            "From: {}{}",
            from.source,
            from.registry.as_ref().map(|base| format!(" ({base})")).unwrap_or_default()
        ),
        format!("To: {}", plan.path.display()),
    ];
    let runnable = plan.files.iter().filter(|file| file.executable).count();
    let names: Vec<&str> = plan.files.iter().take(NAMED).map(|file| file.path.as_str()).collect();
    let more = if plan.files.len() > NAMED { ", …" } else { "" };
    lines.push(format!("Files: {} ({runnable} can be run): {}{more}", plan.files.len(), names.join(", ")));
    lines.push(format!("Scan: {}", review.verdict));
    let findings = review.findings.iter().filter(|finding| finding.severity >= ScanSeverity::Warn);
    for finding in findings.take(NAMED) {
        lines.push(format!(
            "  {} ({}, line {}): {}",
            finding.rule, finding.file, finding.line, finding.reason
        ));
    }
    if !review.capabilities.is_empty() {
        lines.push(format!("It can: {}", review.capabilities));
    }
    if !review.reasons.is_empty() {
        lines.push(format!("Against it: {}", review.reasons.join("; ")));
    }
    lines.extend(review.warnings.iter().map(|warning| format!("Note: {warning}")));
    lines.iter().map(|line| printable(line)).collect::<Vec<_>>().join("\n")
}

fn answer(name: String, verdict: prowess_types::ScanVerdict, done: Done) -> ToolAnswer {
    let output = Output {
        path: done.path.display().to_string(),
        verdict,
        ready: done.readiness.is_ready,
        reasons: done.readiness.reasons,
        warnings: done.warnings,
        name,
    };
    let state = if output.ready {
        "It can be used now.".to_owned()
    } else {
        format!("It cannot be used yet: {}", output.reasons.join("; "))
    };
    ToolAnswer::worded(format!("Installed `{}` in {}. {state}", output.name, output.path), output)
}
