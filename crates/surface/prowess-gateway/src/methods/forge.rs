//! `forge.*`: drafts of skills, made of runs that worked.

use std::collections::BTreeMap;
use std::sync::Arc;

use prowess_learn::forge::{
    DraftRecord, Forge, Improved, Promoted, PromotionConsent, ReplayPreview, ReplayState, Replaying,
    TestReport, Unused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Nothing;
use crate::access::{Access, Scope, Starts};
use crate::events::Event;
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

pub(super) fn methods() -> Vec<Method> {
    let (read, write) = (Access::Operator(Scope::Read), Access::Operator(Scope::Write));
    let admin = Access::Operator(Scope::Admin);
    vec![
        method("forge.list", read, "Every draft, and promoted skills that are not used", list),
        method("forge.show", read, "A draft with its files, its test and where it would go", show),
        method("forge.diff", read, "What promoting a draft would change", diff),
        method("forge.unused", read, "Promoted skills that were not used for thirty days", unused),
        method("forge.draft", write, "Makes a draft of a run that succeeded", draft),
        method("forge.improve", write, "Lets the model phrase the description of a draft", improve)
            .starts(Starts::Configured),
        method(
            "forge.test",
            write,
            "Measures a draft; its script runs only with an approver's consent",
            test,
        )
        .starts(Starts::Directly { when: runs_script }),
        method("forge.promote", admin, "Makes a tested draft a skill", promote),
        method("forge.reject", write, "Puts a draft away for good", reject),
        method("forge.rollback", admin, "Takes the last promotion back", rollback),
        method("forge.retire", admin, "Takes a promoted skill out of use; it can be restored", retire),
        method("forge.restore", admin, "Brings a retired skill back", restore),
    ]
}

/// Returns true if a test is asked to run the script. Anything but a clear no counts as a yes.
fn runs_script(params: &Value) -> bool {
    !matches!(params["runScript"], Value::Null | Value::Bool(false))
}

/// Runs a change of the forge on a blocking thread, and announces that drafts changed.
async fn change<T: Send + 'static>(
    call: &Call,
    reason: &'static str,
    work: impl FnOnce(Forge<'_>, u64) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = call.work(move |gateway| on_forge(gateway, work)).await?;
    call.gateway.events.publish(Event::new("forge.changed", json!({ "reason": reason })));
    Ok(done)
}

fn on_forge<T>(
    gateway: &Gateway,
    work: impl FnOnce(Forge<'_>, u64) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    work(gateway.live.engine().forge(), gateway.options.clock.now_ms())
}

/// Drafts.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Listed {
    /// Every draft, by name.
    drafts: Vec<DraftRecord>,
    /// Promoted skills that are not used.
    unused: Vec<Unused>,
    /// True if a tested draft needs no consent, as the user's config says.
    promotes_tested: bool,
}

async fn list(call: Call, _: Nothing) -> Result<Listed, Refusal> {
    call.work(|gateway| {
        on_forge(gateway, |forge, now| {
            let promotes_tested = forge.promotes_tested();
            Ok(Listed { drafts: forge.list()?, unused: forge.unused(now)?, promotes_tested })
        })
    })
    .await
}

/// A draft.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DraftParams {
    /// The draft by its name, its fingerprint, or the beginning of one.
    name: String,
    /// Whose workspace it would go to; the default agent's if none is named.
    agent_id: Option<String>,
}

/// A draft as it lies on disk now.
#[derive(Debug, Serialize, JsonSchema)]
struct Shown {
    /// Known facts about it.
    draft: DraftRecord,
    /// Its files, by their place below its folder.
    files: BTreeMap<String, String>,
    /// The hash of its files. A test holds for this content only.
    hash: String,
    /// True if it passed its test as it is now.
    passed: bool,
    /// The script of the draft, with parameters.
    script: Option<String>,
    /// The script as a test with consent runs it in a copy of the workspace: with the values of its session, scanned, and
    /// with the hash that consent names. Only for callers with `operator.approvals`.
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<ReplayPreview>,
    /// The files that promoting it writes.
    target: Vec<String>,
}

async fn show(call: Call, params: DraftParams) -> Result<Shown, Refusal> {
    let is_approver = call.caller.has(Scope::Approvals);
    call.work(move |gateway| {
        on_forge(gateway, |forge, _| {
            let draft = forge.show(&params.name)?;
            let replay = is_approver.then(|| forge.replay_preview(&draft));
            let target = forge.target(params.agent_id.as_deref(), &draft)?;
            Ok(Shown {
                passed: draft.has_passed(),
                script: draft.script().map(str::to_owned),
                replay,
                target: target.iter().map(|path| path.display().to_string()).collect(),
                draft: draft.record,
                files: draft.files,
                hash: draft.hash,
            })
        })
    })
    .await
}

/// What would change.
#[derive(Debug, Serialize, JsonSchema)]
struct Diff {
    /// The difference, line by line; empty if there is none.
    diff: String,
}

async fn diff(call: Call, params: NameParams) -> Result<Diff, Refusal> {
    call.work(move |gateway| on_forge(gateway, |forge, _| Ok(Diff { diff: forge.diff(&params.name)? }))).await
}

/// Promoted skills that are not used.
#[derive(Debug, Serialize, JsonSchema)]
struct AllUnused {
    /// The skills, the longest idle first.
    unused: Vec<Unused>,
}

async fn unused(call: Call, _: Nothing) -> Result<AllUnused, Refusal> {
    call.work(|gateway| on_forge(gateway, |forge, now| Ok(AllUnused { unused: forge.unused(now)? }))).await
}

/// A run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct MakeParams {
    /// The session by its id, the beginning of its id, or `last`.
    session: String,
    /// The run as its trace names it; the last one that the user started if none is named.
    run: Option<String>,
    /// Whose skills it is compared with; the default agent's if none is named.
    agent_id: Option<String>,
}

async fn draft(call: Call, params: MakeParams) -> Result<DraftRecord, Refusal> {
    let handle = tokio::runtime::Handle::current();
    let done = call
        .work(move |gateway| {
            let engine = gateway.live.engine();
            let session = engine.sessions().find(&params.session)?;
            let now = gateway.options.clock.now_ms();
            let view = gateway.live.view(params.agent_id.as_deref())?;
            let forge = engine.forge();
            let record = forge.draft(&view, &session, params.run.as_deref(), now)?;
            let agent = params.agent_id.as_deref();
            let phrased = handle.block_on(Box::pin(forge.phrase(agent, &record.name, now)))?;
            Ok(if phrased.is_some() { forge.show(&record.name)?.record } else { record })
        })
        .await?;
    call.gateway.events.publish(Event::new("forge.changed", json!({ "reason": "drafted" })));
    Ok(done)
}

/// A draft, and who phrases its description.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ImproveParams {
    /// The draft by its name, its fingerprint, or the beginning of one.
    name: String,
    /// The agent whose model is asked; the default one if none is named.
    agent_id: Option<String>,
    /// The model, as `provider/model`; the configured one if none is named.
    model: Option<String>,
}

async fn improve(call: Call, params: ImproveParams) -> Result<Improved, Refusal> {
    let handle = tokio::runtime::Handle::current();
    change(&call, "improved", move |forge, now| {
        let (agent, model) = (params.agent_id.as_deref(), params.model.as_deref());
        Ok(handle.block_on(Box::pin(forge.improve(agent, &params.name, model, now)))?)
    })
    .await
}

/// A draft to measure.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TestParams {
    /// The draft by its name, its fingerprint, or the beginning of one.
    name: String,
    /// Among whose skills it is measured; the default agent's if none is named.
    agent_id: Option<String>,
    /// `true`: a person read the draft's script with its values (`replay` of `forge.show`) and lets it run in a copy of
    /// the workspace. Needs `operator.approvals` and `scriptHash`. Without it the script does not run, and the test of a
    /// draft whose script could run is incomplete.
    #[serde(default)]
    run_script: bool,
    /// The hash of the script that the person read: `replay.hash` of `forge.show`.
    script_hash: Option<String>,
}

async fn test(call: Call, params: TestParams) -> Result<TestReport, Refusal> {
    let live = Arc::clone(&call.gateway.live);
    change(&call, "tested", move |forge, now| {
        let replaying = if params.run_script {
            agreed(forge, &params.name, params.script_hash)?
        } else {
            Replaying::Refused
        };
        let view = live.view(params.agent_id.as_deref())?;
        Ok(forge.test(&view, &params.name, replaying, now, |_| {})?)
    })
    .await
}

/// The consent of a person who read the script that would run now.
fn agreed(forge: Forge<'_>, name: &str, hash: Option<String>) -> Result<Replaying, Refusal> {
    let preview = forge.replay_preview(&forge.show(name)?);
    if preview.state != ReplayState::Ready || (hash.is_some() && hash == preview.hash) {
        return Ok(Replaying::Allowed { hash: hash.unwrap_or_default() });
    }
    Err(Refusal::invalid(match hash {
        Some(_) => "the script is not the one that was shown; look at it again with forge.show",
        None => "`runScript` needs `scriptHash`: the `replay.hash` that forge.show gives with the script",
    }))
}

/// A draft to promote.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PromoteParams {
    /// The draft by its name, its fingerprint, or the beginning of one.
    name: String,
    /// Whose workspace it goes to; the default agent's if none is named.
    agent_id: Option<String>,
    /// `true`: a person was shown the files that will be written (`forge.show`) and wants the skill. Without it only
    /// a policy of the user's own config can promote.
    #[serde(default)]
    consent: bool,
}

async fn promote(call: Call, params: PromoteParams) -> Result<Promoted, Refusal> {
    change(&call, "promoted", move |forge, now| {
        let consent = if params.consent { PromotionConsent::Person } else { PromotionConsent::Policy };
        Ok(forge.promote(params.agent_id.as_deref(), &params.name, consent, now)?)
    })
    .await
}

/// A draft to put away.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RejectParams {
    /// The draft by its name, its fingerprint, or the beginning of one.
    name: String,
    /// The reason.
    reason: Option<String>,
}

async fn reject(call: Call, params: RejectParams) -> Result<DraftRecord, Refusal> {
    change(&call, "rejected", move |forge, now| {
        Ok(forge.reject(&params.name, params.reason.as_deref(), now)?)
    })
    .await
}

/// A draft.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NameParams {
    /// The draft by its name, its fingerprint, or the beginning of one.
    name: String,
}

async fn rollback(call: Call, params: NameParams) -> Result<Promoted, Refusal> {
    change(&call, "rolledBack", move |forge, now| Ok(forge.rollback(&params.name, now)?)).await
}

async fn retire(call: Call, params: NameParams) -> Result<Promoted, Refusal> {
    change(&call, "retired", move |forge, now| Ok(forge.retire(&params.name, now)?)).await
}

async fn restore(call: Call, params: NameParams) -> Result<Promoted, Refusal> {
    change(&call, "restored", move |forge, now| Ok(forge.restore(&params.name, now)?)).await
}
