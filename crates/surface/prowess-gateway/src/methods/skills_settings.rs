//! `skills.update` and `skills.allow`: what is set for a skill everywhere, and what one agent may use.

use std::collections::BTreeMap;

use prowess_context::{Allow, Allowed, SkillChange};
use prowess_fs::ChangeReason;
use prowess_types::Secret;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::skills_acquire::{self, Update, Updated};
use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

const ADMIN: Access = Access::Operator(Scope::Admin);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method(
            "skills.update",
            ADMIN,
            "Switches a skill on or off and stores its key, for every agent; or brings installed skills up to date",
            update,
        )
        .changing_settings(),
        method("skills.allow", ADMIN, "Which skills one agent may use", allow).changing_settings(),
    ]
}

/// What to change: settings by `skillKey`, or with `source` installed skills.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct UpdateParams {
    /// The key of the skill whose settings change.
    skill_key: Option<String>,
    /// True if the skill is on.
    enabled: Option<bool>,
    /// Its key; an empty one takes it out, a masked one changes nothing.
    api_key: Option<String>,
    /// Variables for runs with it; an empty one takes it out, a masked one changes nothing.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// `clawhub`: an installed skill is updated instead.
    source: Option<Source>,
    /// The one that is meant.
    slug: Option<String>,
    /// All of them.
    all: Option<bool>,
    /// True if local edits give way; else they are merged, or the update is refused.
    force: Option<bool>,
    /// True if the scanner's warnings were read and accepted.
    acknowledge_warnings: Option<bool>,
}

/// The source of installed skills.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Source {
    /// A registry.
    Clawhub,
}

/// The changes.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UpdateAnswer {
    /// True if it worked.
    ok: bool,
    /// The key whose settings changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_key: Option<String>,
    /// What is set for it now, secrets masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<Value>,
    /// The outcome of each installed skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    updates: Option<Vec<Updated>>,
}

/// Which skills an agent may use.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AllowParams {
    /// The agent.
    agent_id: String,
    /// `all`, `none`, or `selected` with `skills`.
    mode: Option<Mode>,
    /// The names of the selected skills.
    skills: Option<Vec<String>>,
    /// One skill, to switch with `allowed` and without `mode`.
    name: Option<String>,
    /// True if the agent may use it.
    allowed: Option<bool>,
}

/// How much an agent may use.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Every skill; the agent has no list.
    All,
    /// No skill; its list is empty.
    None,
    /// Those in `skills`.
    Selected,
}

async fn update(call: Call, params: UpdateParams) -> Result<UpdateAnswer, Refusal> {
    if let Some(Source::Clawhub) = params.source {
        let update = Update {
            slug: params.slug.filter(|_| params.all != Some(true)),
            all: params.all == Some(true),
            force: params.force == Some(true),
            acknowledged: params.acknowledge_warnings == Some(true),
        };
        let updates = skills_acquire::update(call, update).await?;
        return Ok(UpdateAnswer { ok: true, skill_key: None, config: None, updates: Some(updates) });
    }
    let Some(key) = params.skill_key.filter(|key| !key.trim().is_empty()) else {
        let message = "invalid skills.update params: at root: must have required property 'skillKey'";
        return Err(Refusal::invalid(message));
    };
    let change = SkillChange {
        enabled: params.enabled,
        api_key: params.api_key.map(Secret::new),
        env: params.env.into_iter().map(|(name, value)| (name, Secret::new(value))).collect(),
    };
    call.write(move |gateway, consent| {
        let config = gateway.live.engine().set_skill(&key, &change, consent)?;
        gateway.live.refresh(ChangeReason::ConfigChange);
        Ok(UpdateAnswer { ok: true, skill_key: Some(key), config: Some(config), updates: None })
    })
    .await
}

async fn allow(call: Call, params: AllowParams) -> Result<Allowed, Refusal> {
    let allow = match (params.mode, params.skills, params.name, params.allowed) {
        (Some(Mode::All), None, None, None) => Allow::All,
        (Some(Mode::None), None, None, None) => Allow::None,
        (Some(Mode::Selected), Some(skills), None, None) => Allow::Selected(skills),
        (None, None, Some(name), Some(allowed)) => Allow::One(name, allowed),
        _ => {
            return Err(Refusal::invalid(
                "invalid skills.allow params: give `mode` (with `skills` if it is `selected`), or `name` and `allowed`",
            ));
        }
    };
    let agent = params.agent_id;
    call.write(move |gateway, consent| {
        let view = gateway.live.view(Some(&agent))?;
        let allowed = gateway.live.engine().allow_skills(&allow, view.inventory(), consent)?;
        gateway.live.refresh(ChangeReason::ConfigChange);
        Ok(allowed)
    })
    .await
}
