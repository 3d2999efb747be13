//! The parts that a program that embeds the engine brings to a run: its own model, its own tools, its own consent.

use std::fmt;
use std::sync::Arc;

use prowess_context::Clock;
use prowess_run::model::ChatModel;
use prowess_types::{Backend, BackendKind};
use tokio_util::sync::CancellationToken;

use super::backend::Model;
use super::{Answerer, Approval, Approver, BoxFuture, Question, RunRequest};

/// A model of the host's own.
#[derive(Clone)]
pub struct HostModel(Arc<dyn ChatModel>);

impl HostModel {
    /// Lets this model answer.
    pub fn new(model: impl ChatModel + 'static) -> Self {
        Self(Arc::new(model))
    }
}

impl From<Arc<dyn ChatModel>> for HostModel {
    fn from(model: Arc<dyn ChatModel>) -> Self {
        Self(model)
    }
}

impl fmt::Debug for HostModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HostModel").field(&self.0.name()).finish()
    }
}

/// Says no to everything that needs consent. What the config allows is not asked about.
#[derive(Clone, Copy, Debug)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn ask<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(std::future::ready(Approval::Denied))
    }
}

impl RunRequest {
    /// Makes a request for the default agent in a new session, answered by the configured model. Questions for
    /// consent are denied ([`DenyAll`]), and the outcome is learned from.
    ///
    /// ```
    /// use prowess::Clock;
    /// use prowess::run::{Answerer, HostModel, RunRequest, Script, ScriptStep};
    ///
    /// let model = HostModel::new(Script::new("example", [ScriptStep::say("Good morning.")]));
    /// let request = RunRequest {
    ///     answerer: Answerer::Host(model),
    ///     ..RunRequest::new("hello", Clock::new(|| 0))
    /// };
    /// assert_eq!(request.message, "hello");
    /// ```
    pub fn new(message: impl Into<String>, clock: Clock) -> Self {
        Self {
            message: message.into(),
            agent: None,
            session: None,
            answerer: Answerer::Model(None),
            approver: Arc::new(DenyAll),
            cancel: CancellationToken::new(),
            clock,
            learn: true,
        }
    }
}

impl Model {
    /// The model that the host brings. Its key, if it has one, is the host's affair.
    pub(super) fn of_host(HostModel(chat): &HostModel) -> Self {
        let model = Some(chat.name().to_owned());
        let backend = Backend { kind: BackendKind::Model, name: "host".to_owned(), model };
        Self { chat: Arc::clone(chat), backend, key: None }
    }
}
