//! A method: its name, who may call it, what it takes and gives, and what it does.
//!
//! The description is the one source of the OpenAPI document, of the list of features in a greeting, of the check of
//! params and of the check of scopes.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use prowess::WriteConsent;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use tracing::Instrument as _;

use crate::access::{Access, Caller, Role, Scope, Starts};
use crate::gateway::Gateway;
use crate::log;
use crate::metrics::CallOutcome;
use crate::refusal::{Code, Refusal};

/// One call: who asks, and whom.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) gateway: Arc<Gateway>,
    pub(crate) caller: Arc<Caller>,
    /// The loosening of settings that a person confirmed, by its digest.
    pub(crate) confirmed: Option<Arc<str>>,
}

impl Call {
    pub(crate) fn new(gateway: Arc<Gateway>, caller: Arc<Caller>) -> Self {
        Self { gateway, caller, confirmed: None }
    }

    /// Whether a person calls: an approved Studio, or a terminal with a proof, which is used up.
    pub(crate) async fn is_person(&self, proof: Option<String>) -> bool {
        let Some(proof) = proof else { return self.caller.is_person };
        let taken = self.work(move |gateway| Ok(gateway.live.engine().take_terminal_proof(&proof)));
        taken.await.unwrap_or(false)
    }

    /// Changes settings, as [`work`](Self::work) does other things. The change may loosen what was confirmed, and no more.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Gateway, WriteConsent<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let confirmed = self.confirmed.clone();
        self.work(move |gateway| write(gateway, WriteConsent::Client { confirmed: confirmed.as_deref() }))
            .await
    }

    /// Does work that waits for the disk, the network or a processor, where it disturbs nobody.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Gateway) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let gateway = Arc::clone(&self.gateway);
        tokio::task::spawn_blocking(move || work(&gateway))
            .await
            .unwrap_or_else(|_| Err(Refusal::unavailable("the call failed inside the gateway")))
    }
}

/// An answer, written as JSON. The same one can go to many clients without being copied.
pub(crate) type Written = Utf8Bytes;

type Answer = Pin<Box<dyn Future<Output = Result<Written, Refusal>> + Send>>;
type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// A method that clients can call.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// One sentence for the reference.
    pub(crate) about: &'static str,
    pub(crate) access: Access,
    /// The programs that a call can start.
    pub(crate) starts: Starts,
    pub(crate) params: SchemaOf,
    pub(crate) result: SchemaOf,
    /// Whether it changes settings, so that a person may have to confirm a call.
    changes_settings: bool,
    run: Box<dyn Fn(Call, Value) -> Answer + Send + Sync>,
}

impl Method {
    /// The same method, which can start programs.
    pub(crate) fn starts(self, starts: Starts) -> Self {
        Self { starts, ..self }
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Method").field(&self.name).finish()
    }
}

/// Describes a method. `P` must refuse unknown fields: params are closed objects.
pub(crate) fn method<P, R, F, Fut>(name: &'static str, access: Access, about: &'static str, run: F) -> Method
where
    P: DeserializeOwned + JsonSchema + Send + 'static,
    R: Serialize + JsonSchema,
    F: Fn(Call, P) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<R, Refusal>> + Send + 'static,
{
    method_in_writing::<P, R, _, _>(name, access, about, move |call, params| {
        let answer = run(call, params);
        async move { write(name, &answer.await?) }
    })
}

/// Describes a method whose answer, an `R`, is written down already.
pub(crate) fn method_in_writing<P, R, F, Fut>(
    name: &'static str,
    access: Access,
    about: &'static str,
    run: F,
) -> Method
where
    P: DeserializeOwned + JsonSchema + Send + 'static,
    R: JsonSchema,
    F: Fn(Call, P) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<Written, Refusal>> + Send + 'static,
{
    let run = Box::new(move |call: Call, params: Value| -> Answer {
        let run = run.clone();
        Box::pin(async move { run(call, read_params(name, params)?).await })
    });
    Method {
        name,
        about,
        access,
        starts: Starts::Nothing,
        params: SchemaGenerator::subschema_for::<P>,
        result: SchemaGenerator::subschema_for::<R>,
        changes_settings: false,
        run,
    }
}

impl Method {
    /// The same method, whose calls are held where they loosen something.
    pub(crate) fn changing_settings(self) -> Self {
        Self { changes_settings: true, ..self }
    }
}

/// Writes the answer of a method down.
pub(crate) fn write(name: &str, answer: &impl Serialize) -> Result<Written, Refusal> {
    let written = serde_json::to_string(answer);
    written
        .map(Written::from)
        .map_err(|error| Refusal::unavailable(format!("the answer of {name} cannot be written: {error}")))
}

/// Params, or what is wrong with them in the words that clients know.
pub(crate) fn read_params<P: DeserializeOwned>(name: &str, params: Value) -> Result<P, Refusal> {
    let params = if params.is_null() { Value::Object(serde_json::Map::new()) } else { params };
    serde_path_to_error::deserialize(params).map_err(|error| {
        let path: String = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                serde_path_to_error::Segment::Map { key } => Some(format!("/{key}")),
                serde_path_to_error::Segment::Seq { index } => Some(format!("/{index}")),
                _ => None,
            })
            .collect();
        let (place, what) = complaint(&path, &error.inner().to_string());
        Refusal::invalid(format!("invalid {name} params: at {place}: {what}"))
    })
}

/// Where and what, from what serde says. An unknown field is a fault of the object around it.
fn complaint(path: &str, message: &str) -> (String, String) {
    let place = |path: &str| if path.is_empty() { "root".to_owned() } else { path.to_owned() };
    let quoted = |message: &str| message.split('`').nth(1).unwrap_or_default().to_owned();
    if message.starts_with("unknown field") {
        let field = quoted(message);
        let parent = path.strip_suffix(&format!("/{field}")).unwrap_or(path);
        return (place(parent), format!("unexpected property '{field}'"));
    }
    if message.starts_with("missing field") {
        return (place(path), format!("must have required property '{}'", quoted(message)));
    }
    (place(path), message.to_owned())
}

/// Every method, by name.
#[derive(Debug)]
pub(crate) struct Methods(BTreeMap<&'static str, Method>);

impl Methods {
    pub(crate) fn new(methods: impl IntoIterator<Item = Method>) -> Self {
        Self(methods.into_iter().map(|method| (method.name, method)).collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Method> {
        self.0.values()
    }

    /// Calls a method by its name, if the caller may. Neither params nor answers are logged: both may hold secrets.
    pub(crate) async fn call(&self, call: Call, name: &str, params: Value) -> Result<Written, Refusal> {
        let started = Instant::now();
        let gateway = Arc::clone(&call.gateway);
        let Some(method) = self.0.get(name) else {
            gateway.metrics.call("unknown", CallOutcome::Refused, started.elapsed());
            return Err(Refusal::invalid(format!("unknown method: {name}")));
        };
        let client = Arc::clone(&call.caller);
        let span = tracing::info_span!("call", method = method.name, client = %log::shown(&client.client));
        let answer = self.answer(method, call, params).instrument(span).await;
        let took = started.elapsed();
        let outcome = match &answer {
            Ok(_) => CallOutcome::Answered,
            Err(Refusal { code: Code::Unavailable, .. }) => CallOutcome::Failed,
            Err(_) => CallOutcome::Refused,
        };
        gateway.metrics.call(method.name, outcome, took);
        let (method, outcome, ms) = (method.name, outcome.as_str(), took.as_secs_f64() * 1000.0);
        tracing::debug!(method, outcome, ms, client = %log::shown(&client.client), "called");
        answer
    }

    async fn answer(&self, method: &Method, call: Call, params: Value) -> Result<Written, Refusal> {
        match (method.access, call.caller.role) {
            (Access::Operator(scope), Role::Operator) if call.caller.has(scope) => {}
            (Access::Operator(scope), Role::Operator) => return Err(Refusal::missing_scope(scope)),
            (Access::Node, Role::Node) => {}
            (Access::Node, Role::Operator) => return Err(Refusal::invalid("unauthorized role: operator")),
            (Access::Operator(_), Role::Node) => return Err(Refusal::invalid("unauthorized role: node")),
        }
        if method.starts.needs_approver(&params) && !call.caller.has(Scope::Approvals) {
            return Err(Refusal::missing_scope(Scope::Approvals));
        }
        if !method.changes_settings {
            return (method.run)(call, params).await;
        }
        let answer = (method.run)(call.clone(), params.clone()).await;
        answer.map_err(|mut refusal| match refusal.loosening.take() {
            Some(loosening) => call.gateway.hold(method.name, params, &call.caller, *loosening),
            None => refusal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[serde(rename = "n")]
        _n: u32,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Params {
        #[serde(rename = "name")]
        _name: String,
        #[serde(default, rename = "inner")]
        _inner: Option<Inner>,
    }

    #[test]
    fn params_are_closed_and_complaints_name_the_place() {
        let complaint = |params| read_params::<Params>("x.y", params).unwrap_err().message;
        assert_eq!(
            complaint(json!({ "name": "a", "extra": 1 })),
            "invalid x.y params: at root: unexpected property 'extra'"
        );
        assert_eq!(complaint(Value::Null), "invalid x.y params: at root: must have required property 'name'");
        assert_eq!(
            complaint(json!({ "name": "a", "inner": { "n": 1, "more": 2 } })),
            "invalid x.y params: at /inner: unexpected property 'more'"
        );
        assert!(complaint(json!({ "name": 5 })).starts_with("invalid x.y params: at /name: invalid type"));
    }
}
