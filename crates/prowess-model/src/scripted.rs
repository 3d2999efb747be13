//! A model that says what it was told to, for demonstrations and for the tests of a host.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use futures_util::future::{BoxFuture, ready};
use serde_json::Value;

use crate::{ChatModel, Delta, ModelError, Reply, Request, StopReason, ToolCall};

/// A model that gives prepared answers, one after the other. Past the last one its answer breaks off.
///
/// ```
/// use prowess_model::{ChatModel as _, Reply, Request, Scripted};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let model = Scripted::new([Reply::saying("Take an umbrella.")]);
/// let request = Request { system: "", messages: &[], tools: &[] };
/// assert_eq!(model.reply(request, &mut |_| {}).await?.text, "Take an umbrella.");
/// assert!(model.reply(request, &mut |_| {}).await.is_err());
/// # Ok::<(), prowess_model::ModelError>(()) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Scripted {
    replies: Mutex<VecDeque<Reply>>,
}

impl Scripted {
    /// A model with these answers.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: Mutex::new(replies.into_iter().collect()) }
    }
}

impl ChatModel for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn reply<'a>(
        &'a self,
        _: Request<'a>,
        on: &'a mut (dyn FnMut(Delta) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let next = self.replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(reply) = next else {
            return Box::pin(ready(Err(ModelError::Interrupted("the script is at its end".to_owned()))));
        };
        on(Delta::Text(reply.text.clone()));
        Box::pin(ready(Ok(reply)))
    }
}

impl Reply {
    /// An answer in words.
    pub fn saying(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// An answer that calls one tool.
    pub fn calling(tool: &str, input: Value) -> Self {
        let call = ToolCall { id: format!("call-{tool}"), name: tool.to_owned(), input: Ok(input) };
        Self { calls: vec![call], stop: StopReason::Tools, ..Self::default() }
    }
}
