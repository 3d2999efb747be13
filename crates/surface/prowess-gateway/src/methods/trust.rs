//! `trust.*`: skills that came with a cloned repository, and the user's decisions about them.

use prowess_gate::Trust;
use prowess_inventory::{ForeignSkill, TrustDecision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

pub(super) fn methods() -> Vec<Method> {
    let (read, admin) = (Access::Operator(Scope::Read), Access::Operator(Scope::Admin));
    vec![
        method("trust.list", read, "Skills that came with a cloned repository, and what was decided", list),
        method("trust.decide", admin, "Trusts or refuses skills exactly as they are now", decide),
    ]
}

/// The agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ListParams {
    /// The agent; the default one if none is named.
    agent_id: Option<String>,
}

/// Skills that came with a repository.
#[derive(Debug, Serialize, JsonSchema)]
struct Listed {
    /// The skills.
    skills: Vec<Foreign>,
}

/// A skill that came with a repository.
#[derive(Debug, Serialize, JsonSchema)]
struct Foreign {
    /// Its name.
    name: String,
    /// Its folder.
    folder: String,
    /// Where it was cloned from, if the repository says so.
    repository: Option<String>,
    /// What was decided about exactly what is in its folder now.
    trust: Word,
    /// The reason why that cannot be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What is in its folder, as a hash; a decision names it.
    digest: Option<String>,
}

/// The decision.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Word {
    /// It may be offered.
    Trusted,
    /// Undecided.
    Undecided,
    /// It may not be offered.
    Refused,
    /// It cannot be said; it is not offered.
    Unknowable,
}

impl From<ForeignSkill> for Foreign {
    fn from(skill: ForeignSkill) -> Self {
        let (trust, reason) = match skill.trust {
            Trust::NotAsked | Trust::Given => (Word::Trusted, None),
            Trust::Undecided => (Word::Undecided, None),
            Trust::Refused => (Word::Refused, None),
            Trust::Unknowable(reason) => (Word::Unknowable, Some(reason)),
        };
        Self {
            name: skill.name,
            folder: skill.folder.display().to_string(),
            repository: skill.repository,
            trust,
            reason,
            digest: skill.digest.map(|digest| digest.to_string()),
        }
    }
}

async fn list(call: Call, params: ListParams) -> Result<Listed, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        // Every file of a skill counts for its digest, and not all of them are watched: this reads them again.
        let skills = engine.trust().foreign(engine.view(params.agent_id.as_deref())?.inventory());
        Ok(Listed { skills: skills.into_iter().map(Foreign::from).collect() })
    })
    .await
}

/// A decision.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct DecideParams {
    /// The agent in whose workspace the skills are; the default one if none is named.
    agent_id: Option<String>,
    /// The skills by their digests, as `trust.list` shows them: what changed since is not decided.
    digests: Vec<String>,
    /// Whether they may be offered to the agent.
    decision: TrustDecision,
}

/// The decision.
#[derive(Debug, Serialize, JsonSchema)]
struct Decided {
    /// The names of the skills.
    decided: Vec<String>,
}

async fn decide(call: Call, params: DecideParams) -> Result<Decided, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        // Every file of a skill counts for its digest, and not all of them are watched: this reads them again.
        let skills = engine.trust().foreign(engine.view(params.agent_id.as_deref())?.inventory());
        let find = |digest: &String| {
            let is_meant =
                |skill: &&ForeignSkill| skill.digest.as_ref().is_some_and(|found| found.as_str() == digest);
            skills.iter().find(is_meant).ok_or_else(|| {
                let digest = digest.escape_debug();
                Refusal::not_found(format!("no skill is `{digest}` now; trust.list shows what there is"))
            })
        };
        let meant: Vec<&ForeignSkill> = params.digests.iter().map(find).collect::<Result<_, _>>()?;
        let now = i64::try_from(gateway.options.clock.now_ms()).unwrap_or(i64::MAX);
        let at = jiff::Timestamp::from_millisecond(now).ok().map(|at| at.to_string());
        engine.trust().decide(&meant, params.decision, at.as_deref())?;
        gateway.live.refresh(prowess_fs::ChangeReason::Manual);
        Ok(Decided { decided: meant.iter().map(|skill| skill.name.clone()).collect() })
    })
    .await
}
