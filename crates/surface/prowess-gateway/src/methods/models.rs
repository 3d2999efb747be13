//! `models.*`: the chat models that the config names.

use prowess_config::ModelRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

pub(super) fn methods() -> Vec<Method> {
    vec![method("models.list", Access::Operator(Scope::Read), "The chat models that the config names", list)]
}

/// Which models.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListParams {
    /// Known to other gateways; here the answer is always what the config names.
    #[serde(rename = "view")]
    _view: Option<String>,
}

/// Chat models.
#[derive(Debug, Serialize, JsonSchema)]
struct Models {
    /// Those listed for a provider, then those that answer for an agent.
    models: Vec<ModelRow>,
}

async fn list(call: Call, _: ListParams) -> Result<Models, Refusal> {
    Ok(Models { models: call.gateway.live.engine().config().models() })
}
