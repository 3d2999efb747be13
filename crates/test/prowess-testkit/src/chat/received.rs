//! What a client asked, the same questions for both APIs.

use serde_json::Value;

/// The API that a request speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// `…/chat/completions`
    OpenAi,
    /// `…/messages`
    Anthropic,
    /// Any other path.
    Other,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Received {
    /// Which API it speaks.
    pub api: Api,
    /// `POST`, mostly.
    pub method: String,
    /// What was asked for, with the query.
    pub path: String,
    /// Names in lower case, in the order they came.
    pub headers: Vec<(String, String)>,
    /// The body; null if it is no JSON.
    pub body: Value,
}

impl Received {
    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The system prompt.
    pub fn system(&self) -> String {
        match self.api {
            Api::Anthropic => text(&self.body["system"]),
            _ => self
                .messages()
                .filter(|message| message["role"] == "system")
                .map(|m| text(&m["content"]))
                .collect(),
        }
    }

    /// The names of the tools on offer.
    pub fn tools(&self) -> Vec<String> {
        let name = |tool: &Value| {
            let named = if self.api == Api::Anthropic { tool } else { &tool["function"] };
            named["name"].as_str().unwrap_or_default().to_owned()
        };
        self.body["tools"].as_array().into_iter().flatten().map(name).collect()
    }

    /// What the user said last.
    pub fn last_words(&self) -> String {
        let said = self.messages().filter(|message| message["role"] == "user").map(|m| text(&m["content"]));
        said.filter(|words| !words.is_empty()).last().unwrap_or_default()
    }

    /// Every tool result in the conversation: the id of its call and what it says, oldest first.
    pub fn tool_results(&self) -> Vec<(String, String)> {
        let blocks = |message: &Value| -> Vec<(String, String)> {
            if self.api != Api::Anthropic {
                let id = message["tool_call_id"].as_str();
                return id.map(|id| (id.to_owned(), text(&message["content"]))).into_iter().collect();
            }
            let blocks = message["content"].as_array().into_iter().flatten();
            let result =
                |block: &Value| Some((block["tool_use_id"].as_str()?.to_owned(), text(&block["content"])));
            blocks.filter_map(result).collect()
        };
        self.messages().flat_map(blocks).collect()
    }

    pub(super) fn messages(&self) -> impl Iterator<Item = &Value> {
        self.body["messages"].as_array().into_iter().flatten()
    }

    /// The id of the call at this place of the answer: no other answer of the conversation has it.
    pub(super) fn call_id(&self, place: usize) -> String {
        format!("call_{}_{place}", self.messages().count())
    }
}

/// A text, given plainly or in blocks.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        _ => String::new(),
    }
}
