//! `device.code.create`: a one-time code for a browser on this machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::access::{Access, Scope};
use crate::gateway::with_code;
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

pub(super) fn methods() -> Vec<Method> {
    vec![method(
        "device.code.create",
        Access::Operator(Scope::Pairing),
        "Makes a one-time code that pairs a browser on this machine; only a person may",
        create,
    )]
}

/// A wish for a code.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CodeParams {
    /// Proof that the caller can write in the state folder, for the terminal.
    proof: Option<String>,
    /// True if a page is written that leads a browser to the Studio.
    #[serde(default)]
    page: bool,
}

/// A one-time code.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CodeAnswer {
    /// The address of the Studio with the code as its fragment.
    url: String,
    /// The page that leads there, if one was asked for. It is removed with the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    /// When the code dies, in milliseconds since 1970, if it is not used before.
    expires_at_ms: u64,
}

async fn create(call: Call, params: CodeParams) -> Result<CodeAnswer, Refusal> {
    if !call.is_person(params.proof).await {
        let text = "only a person may have a one-time code: run `prowess up` or `prowess gateway url`";
        return Err(Refusal::forbidden(text).with_details(json!({ "code": "not-a-person" })));
    }
    call.work(move |gateway| {
        let url = gateway.url.get().cloned().unwrap_or_default();
        let (code, page) = gateway.new_code(&url, params.page)?;
        Ok(CodeAnswer {
            url: with_code(&url, &code.code).expose().to_owned(),
            page: page.map(|page| page.display().to_string()),
            expires_at_ms: code.expires_at_ms,
        })
    })
    .await
}
