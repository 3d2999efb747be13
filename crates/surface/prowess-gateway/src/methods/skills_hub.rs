//! `skills.*` about registries: search, look, plan, compare.

use std::sync::Arc;

use prowess::Engine;
use prowess_acquire::{
    Acquire, AcquireOptions, Comparison, DiffSides, Edits, InstallConsent, InstallListing, InstallOptions,
    OutdatedSkill, Plan, SupplyOptions, UpdateOptions,
};
use prowess_registry::protocol::{
    SearchAnswer, SecurityVerdicts, SecurityVerdictsRequest, SkillDetail, VerdictQuestion,
};
use prowess_registry::{SearchQuery, SkillId, SourceReference};
use prowess_text::describe_error;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::skills::{InstallTarget, install_target};
use crate::access::{Access, Scope, Starts};
use crate::kept_plans::PlanKey;
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};

const READ: Access = Access::Operator(Scope::Read);
const ADMIN: Access = Access::Operator(Scope::Admin);
/// The most that a search may ask for.
const MAX_HITS: u32 = 100;

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("skills.search", READ, "Skills of the registry that fit some words", search)
            .starts(Starts::Configured),
        method("skills.detail", READ, "What the registry knows about a skill", detail)
            .starts(Starts::Configured),
        method(
            "skills.securityVerdicts",
            READ,
            "What the registry's checks say about some versions",
            verdicts,
        )
        .starts(Starts::Configured),
        method(
            "skills.installed",
            READ,
            "What is installed, from where, and whether it is still what came",
            installed,
        ),
        method("skills.outdated", READ, "Whether there is something newer than what is installed", outdated)
            .starts(Starts::Configured),
        method(
            "skills.plan",
            ADMIN,
            "What installing or updating a skill would do: its files and what was found",
            plan,
        )
        .starts(Starts::ALWAYS),
        method(
            "skills.diff",
            ADMIN,
            "How an installed skill differs from what came, or from what would come",
            diff,
        )
        .starts(Starts::ALWAYS),
    ]
}

/// What to search for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchParams {
    /// The words; without any, what the registry shows first.
    query: Option<String>,
    /// How many at most, 1 to 100.
    limit: Option<u32>,
}

/// Which skill of the registry.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DetailParams {
    /// Its slug, or `@owner/slug`.
    slug: String,
}

/// Which versions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct VerdictParams {
    /// 1 to 100 of them.
    items: Vec<VerdictItem>,
}

/// A version of a skill of the registry.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct VerdictItem {
    /// The slug.
    slug: String,
    /// The owner, where several have such a slug.
    owner_handle: Option<String>,
    /// The version.
    version: String,
}

/// The agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct InstalledParams {
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// The plan.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PlanParams {
    /// The skill's slug in the registry, or with `update` the name of an installed skill.
    slug: String,
    /// A version; the newest if none is named.
    version: Option<String>,
    /// True if an installed skill is updated.
    update: Option<bool>,
    /// True if what is there gives way.
    force: Option<bool>,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// What to compare.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DiffParams {
    /// An installed skill.
    name: String,
    /// The version to compare with; the newest if none is named.
    version: Option<String>,
    /// True if what came is compared with what is here, rather than with what would come.
    local: Option<bool>,
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// What installing or updating would do.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlanAnswer {
    /// The plan; none if the skill is up to date.
    plan: Option<Plan>,
    /// The text of its `SKILL.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_text: Option<String>,
    /// `given` if a yes is enough, `despiteWarnings` if the warnings must be accepted, `refused` if it is forbidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<String>,
    /// Whose workspace it would go to.
    target: InstallTarget,
}

/// The skills that have something newer.
#[derive(Debug, Serialize, JsonSchema)]
struct Outdated {
    /// The installed skills.
    skills: Vec<OutdatedSkill>,
}

async fn search(call: Call, params: SearchParams) -> Result<SearchAnswer, Refusal> {
    let limit = params.limit;
    if limit.is_some_and(|limit| !(1..=MAX_HITS).contains(&limit)) {
        return Err(Refusal::invalid("invalid skills.search params: at /limit: must be 1 to 100"));
    }
    call.work(move |gateway| {
        let query = params.query.unwrap_or_default();
        let supply = supply(&gateway.live.engine())?;
        let query = SearchQuery { text: &query, limit, ..SearchQuery::default() };
        supply.registry().search(&query).map_err(|error| unreachable_registry(&error))
    })
    .await
}

async fn detail(call: Call, params: DetailParams) -> Result<SkillDetail, Refusal> {
    call.work(move |gateway| {
        let (owner, slug) = registry_name(&params.slug)?;
        let supply = supply(&gateway.live.engine())?;
        let skill = SkillId { slug: &slug, owner: owner.as_deref() };
        supply.registry().inspect(skill).map_err(|error| unreachable_registry(&error))
    })
    .await
}

async fn verdicts(call: Call, params: VerdictParams) -> Result<SecurityVerdicts, Refusal> {
    if !(1..=100).contains(&params.items.len()) {
        return Err(Refusal::invalid(
            "invalid skills.securityVerdicts params: at /items: must have 1 to 100 items",
        ));
    }
    call.work(move |gateway| {
        let question = |item: VerdictItem| VerdictQuestion {
            slug: item.slug,
            owner_handle: item.owner_handle,
            version: item.version,
        };
        let questions = SecurityVerdictsRequest { items: params.items.into_iter().map(question).collect() };
        let supply = supply(&gateway.live.engine())?;
        supply.registry().verdicts(&questions).map_err(|error| unreachable_registry(&error))
    })
    .await
}

async fn installed(call: Call, params: InstalledParams) -> Result<InstallListing, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        Ok(desk(&engine, gateway, params.agent_id)?.installed(&[])?)
    })
    .await
}

async fn outdated(call: Call, params: InstalledParams) -> Result<Outdated, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let skills = desk(&engine, gateway, params.agent_id)?.outdated(&[], &mut |_, _, _| {})?;
        Ok(Outdated { skills })
    })
    .await
}

async fn plan(call: Call, params: PlanParams) -> Result<PlanAnswer, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let target = install_target(gateway, params.agent_id.as_deref())?;
        let key = plan_key(
            &engine,
            params.agent_id.as_deref(),
            &params.slug,
            params.version.as_deref(),
            params.force,
        )?;
        let desk = desk(&engine, gateway, params.agent_id)?;
        let force = params.force == Some(true);
        let plan = if params.update == Some(true) {
            let edits = if force { Edits::Overwrite } else { Edits::Merge };
            let options = UpdateOptions { version: params.version, edits };
            desk.plan_update(&params.slug, &options, &mut |_, _| {})?
        } else {
            let reference = registry_reference(&desk, &params.slug, params.version.as_deref())?;
            let plan = desk.plan_install(&reference, &InstallOptions { replace: force }, &mut |_, _| {})?;
            let now = gateway.options.clock.now_ms();
            gateway.desk.plans.keep(key, Arc::new(plan.clone()), engine.context(), now);
            Some(plan)
        };
        let needs = plan.as_ref().map(|plan| match plan.needs() {
            Some(InstallConsent::Given) => "given",
            Some(InstallConsent::DespiteWarnings) => "despiteWarnings",
            None => "refused",
        });
        Ok(PlanAnswer {
            skill_text: plan.as_ref().and_then(|plan| plan.skill_text().map(str::to_owned)),
            needs: needs.map(str::to_owned),
            target,
            plan,
        })
    })
    .await
}

async fn diff(call: Call, params: DiffParams) -> Result<Comparison, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let desk = desk(&engine, gateway, params.agent_id)?;
        // Only what is installed: a reference could lead anywhere.
        desk.installed(std::slice::from_ref(&params.name))?;
        let sides = if params.local == Some(true) { DiffSides::Local } else { DiffSides::Update };
        Ok(desk.diff(&params.name, params.version.as_deref(), sides, &mut |_, _| {})?)
    })
    .await
}

/// What a plan of the registry is kept under.
pub(super) fn plan_key(
    engine: &Engine,
    agent: Option<&str>,
    slug: &str,
    version: Option<&str>,
    force: Option<bool>,
) -> Result<PlanKey, Refusal> {
    let agent = engine.config().agent(agent).map_err(prowess_context::ContextError::from)?.id;
    Ok(PlanKey {
        agent,
        slug: slug.to_owned(),
        version: version.map(str::to_owned),
        replace: force == Some(true),
    })
}

pub(super) fn desk<'e>(
    engine: &'e Engine,
    gateway: &Gateway,
    agent: Option<String>,
) -> Result<Acquire<'e>, Refusal> {
    let options = AcquireOptions { agent, ..AcquireOptions::new(gateway.options.clock.clone()) };
    Ok(engine.acquire(options)?)
}

/// A skill of the registry. Other references could lead to files of this machine or into its network.
pub(super) fn registry_reference(
    desk: &Acquire<'_>,
    slug: &str,
    version: Option<&str>,
) -> Result<SourceReference, Refusal> {
    registry_name(slug)?;
    Ok(desk.reference(slug, version)?)
}

fn registry_name(slug: &str) -> Result<(Option<String>, String), Refusal> {
    match SourceReference::parse(slug) {
        Ok(SourceReference::Registry(named)) if named.version.is_none() => Ok((named.owner, named.slug)),
        _ => Err(Refusal::invalid(format!(
            "`{slug}` is not a slug of a registry; write `slug` or `@owner/slug`"
        ))),
    }
}

fn supply(engine: &Engine) -> Result<prowess_acquire::Supply, Refusal> {
    engine.supply(&SupplyOptions::default()).map_err(|error| unreachable_registry(&error))
}

fn unreachable_registry(error: &(dyn std::error::Error + 'static)) -> Refusal {
    Refusal::unavailable(describe_error(error))
}
