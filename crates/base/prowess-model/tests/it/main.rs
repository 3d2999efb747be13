//! Models from outside: real HTTP to a scripted server, both APIs.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod limits;
mod secrets;
mod talk;
mod trouble;

use std::time::Duration;

use prowess_model::{
    ChatDelta, ChatModel as _, Message, ModelApi, ModelEndpoint, ModelError, ModelOptions, Reply, Request,
};
use prowess_testkit::chat::ChatServer;
use prowess_types::Secret;

const APIS: [ModelApi; 2] = [ModelApi::OpenAi, ModelApi::Anthropic];
const KEY: &str = "sk-planted-0451";
/// Long enough for whatever must happen on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A key, and retries that do not keep anybody waiting.
fn options(server: &ChatServer) -> ModelOptions {
    let mut options = ModelOptions::new(server.url(), "test-model");
    options.api_key = Some(Secret::new(KEY));
    options.first_backoff = Duration::from_millis(1);
    options
}

fn user(text: &str) -> Message {
    Message::User(text.to_owned())
}

/// What became of a question.
struct Answer {
    reply: Result<Reply, ModelError>,
    heard: Vec<ChatDelta>,
}

impl Answer {
    /// The reasons and waits of the retries.
    fn retries(&self) -> Vec<(&str, Duration)> {
        let retry = |delta: &'_ ChatDelta| matches!(delta, ChatDelta::Retry { .. });
        let parts = |delta| match delta {
            &ChatDelta::Retry { ref reason, after } => (reason.as_str(), after),
            other => panic!("no retry: {other:?}"),
        };
        self.heard.iter().filter(|delta| retry(delta)).map(parts).collect()
    }
}

async fn ask(api: ModelApi, options: ModelOptions, messages: &[Message]) -> Answer {
    let model = ModelEndpoint::new(api, options).expect("an address");
    let mut heard = Vec::new();
    let request = Request { system: "Be brief.", messages, tools: &[] };
    let reply = model.reply(request, &mut |delta| heard.push(delta)).await;
    Answer { reply, heard }
}

/// Asks a server one thing.
async fn ask_hello(api: ModelApi, server: &ChatServer) -> Answer {
    ask(api, options(server), &[user("hello")]).await
}
