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

use prowess_context::WriteConsent;
use prowess_types::ErrorKind;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tracing::Instrument as _;

use super::Gateway;
use crate::access::{Access, Caller, Role, Scope, Starts};
use crate::log;
use crate::message::{Written, read_params, write};
use crate::metrics::CallOutcome;
use crate::refusal::{Code, Refusal};

/// One call: the caller and the gateway.
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

    /// Returns true if a person calls: an approved Studio, or a terminal with a proof, which is used up.
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

    /// Runs work that waits for the disk, the network or a processor on a blocking thread.
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
    /// True if it changes settings, so that a person may have to confirm a call.
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
            return Err(Refusal::new(ErrorKind::UnknownMethod, format!("unknown method: {name}")));
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
            (Access::Node, Role::Operator) => {
                return Err(Refusal::new(ErrorKind::Refused, "unauthorized role: operator"));
            }
            (Access::Operator(_), Role::Node) => {
                return Err(Refusal::new(ErrorKind::Refused, "unauthorized role: node"));
            }
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
