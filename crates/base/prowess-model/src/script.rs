//! A model that follows a script: for tours and tests, without any connection.
//!
//! A script is a list of tasks. The first whose `when` occurs in the user's message is followed, one step for each
//! time the model is asked. The `<skills>` element that the engine puts in front of a message does not count. Which step is next follows from the conversation alone, so a script has no memory and
//! answers the same in every process.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use prowess_types::Usage;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ChatDelta, ChatModel, Message, ModelError, Reply, Request, StopReason, ToolCall};

/// A model that follows a script.
///
/// ```
/// use prowess_model::Script;
///
/// let text = r#"[{"when": "rain", "steps": [{"call": "exec", "input": {"command": "date"}}, {"say": "No."}]}]"#;
/// assert!(Script::parse("weather", text).is_ok());
/// assert!(Script::parse("weather", "[{}]").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    name: String,
    tasks: Vec<Task>,
}

/// The rule for messages with certain words in them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    /// The words, in any case.
    when: String,
    steps: Vec<ScriptStep>,
}

/// The answer of the model to one request.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptStep {
    #[serde(default)]
    say: String,
    call: Option<String>,
    #[serde(default = "nothing")]
    input: Value,
}

/// The input of a call that needs none.
fn nothing() -> Value {
    json!({})
}

impl Script {
    /// A script for any message.
    ///
    /// ```
    /// use prowess_model::{ChatModel as _, Script, ScriptStep};
    ///
    /// let input = serde_json::json!({ "command": "date" });
    /// let script = Script::new("example", [ScriptStep::call("exec", input), ScriptStep::say("It is Monday.")]);
    /// assert_eq!(script.name(), "example");
    /// ```
    pub fn new(name: impl Into<String>, steps: impl IntoIterator<Item = ScriptStep>) -> Self {
        let any = Task { when: String::new(), steps: steps.into_iter().collect() };
        Self { name: name.into(), tasks: vec![any] }
    }

    /// Reads a script.
    pub fn parse(name: impl Into<String>, text: &str) -> Result<Self, ModelError> {
        let mut tasks: Vec<Task> =
            serde_json::from_str(text).map_err(|error| ModelError::Script(error.to_string()))?;
        for task in &mut tasks {
            task.when = task.when.to_lowercase();
        }
        Ok(Self { name: name.into(), tasks })
    }

    fn next(&self, messages: &[Message]) -> Result<Reply, ModelError> {
        let asked = messages.iter().enumerate().rev().find_map(|(place, message)| match message {
            Message::User(text) => Some((place, own_words(text).to_lowercase())),
            _ => None,
        });
        let (place, text) = asked.unwrap_or_default();
        let task = self.tasks.iter().find(|task| text.contains(&task.when));
        let task = task.ok_or_else(|| ModelError::Script("it has no task for this message".to_owned()))?;
        let is_answer = |message: &&Message| matches!(message, Message::Assistant { .. });
        let done = messages.iter().skip(place).filter(is_answer).count();
        let step = task.steps.get(done).ok_or_else(|| {
            ModelError::Script(format!("the task `{}` has no step {}", task.when, done + 1))
        })?;
        Ok(step.reply(format!("step-{}-{}", place, done + 1)))
    }
}

/// A message without the element in front of it, which the user did not write.
fn own_words(text: &str) -> &str {
    let behind = text.strip_prefix("<skills>").and_then(|rest| rest.split_once("\n</skills>\n"));
    behind.map_or(text, |(_, words)| words)
}

impl ScriptStep {
    /// An answer in words.
    pub fn say(text: impl Into<String>) -> Self {
        Self { say: text.into(), call: None, input: nothing() }
    }

    /// A call of one tool.
    pub fn call(tool: impl Into<String>, input: Value) -> Self {
        Self { say: String::new(), call: Some(tool.into()), input }
    }

    fn reply(&self, id: String) -> Reply {
        let call =
            self.call.as_ref().map(|name| ToolCall { id, name: name.clone(), input: Ok(self.input.clone()) });
        let stop = if call.is_some() { StopReason::Tools } else { StopReason::End };
        let usage = Usage { requests: 1, ..Usage::default() };
        Reply { text: self.say.clone(), calls: call.into_iter().collect(), stop, usage, ..Reply::default() }
    }
}

impl ChatModel for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn reply<'a>(
        &'a self,
        request: Request<'a>,
        on: &'a mut (dyn FnMut(ChatDelta) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        async move {
            let reply = self.next(request.messages)?;
            if !reply.text.is_empty() {
                on(ChatDelta::Text(reply.text.clone()));
            }
            for call in &reply.calls {
                on(ChatDelta::Call { name: call.name.clone() });
            }
            Ok(reply)
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"[
        {"when": "Rain", "steps": [{"call": "exec", "input": {"command": "date"}}, {"say": "No."}]},
        {"when": "", "steps": [{"say": "What?"}]}
    ]"#;

    async fn ask(script: &Script, messages: &[Message]) -> Result<(Reply, Vec<ChatDelta>), ModelError> {
        let mut seen = Vec::new();
        let request = Request { system: "", messages, tools: &[] };
        let reply = script.reply(request, &mut |delta| seen.push(delta)).await?;
        Ok((reply, seen))
    }

    #[tokio::test]
    async fn each_step_follows_from_the_conversation() {
        let script = Script::parse("s", TEXT).unwrap();
        let mut talk = vec![Message::User("hello".into()), Message::User("Will it RAIN?".into())];
        let (reply, seen) = ask(&script, &talk).await.unwrap();
        assert_eq!((reply.calls[0].name.as_str(), reply.stop), ("exec", StopReason::Tools));
        assert_eq!(seen, [ChatDelta::Call { name: "exec".into() }]);
        talk.push(Message::Assistant { text: String::new(), calls: reply.calls });
        let (reply, seen) = ask(&script, &talk).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.stop), ("No.", StopReason::End));
        assert_eq!(seen, [ChatDelta::Text("No.".into())]);
        talk.push(Message::Assistant { text: reply.text, calls: Vec::new() });
        let error = ask(&script, &talk).await.unwrap_err().to_string();
        assert!(error.ends_with("the task `rain` has no step 3"), "{error}");
        // A new message begins a new task.
        talk.push(Message::User("and now?".into()));
        assert_eq!(ask(&script, &talk).await.unwrap().0.text, "What?");
    }

    #[tokio::test]
    async fn the_element_in_front_of_a_message_does_not_choose_the_task() {
        let script = Script::parse("s", TEXT).unwrap();
        let talk = [Message::User("<skills>\nRain and snow.\n</skills>\n\nhello".into())];
        assert_eq!(ask(&script, &talk).await.unwrap().0.text, "What?");
    }

    #[test]
    fn what_is_no_script_is_refused() {
        for text in ["", "{}", "[{\"when\": \"x\"}]", "[{\"when\": \"x\", \"steps\": [{\"shout\": \"y\"}]}]"]
        {
            assert!(matches!(Script::parse("s", text), Err(ModelError::Script(_))), "{text}");
        }
    }
}
