//! The answer of a tool.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The answer of a tool: in words for a model, and in fields for a program.
///
/// Some hosts give the model the fields alone, others the words alone. So the words are always among the fields too.
#[derive(Debug)]
pub(crate) struct ToolAnswer {
    pub(crate) content: Vec<ContentBlock>,
    pub(crate) fields: Value,
}

impl ToolAnswer {
    /// Words that say more than the fields; they are a field as well.
    pub(crate) fn worded(text: String, fields: impl Serialize) -> Self {
        let content = vec![ContentBlock::text(text.clone())];
        Self { content, fields: serde_json::to_value(Worded { fields, text }).unwrap_or_default() }
    }

    /// Fields that say everything; the words are the same as JSON.
    pub(crate) fn plain(fields: &impl Serialize) -> Self {
        let fields = serde_json::to_value(fields).unwrap_or_default();
        Self { content: vec![ContentBlock::text(fields.to_string())], fields }
    }

    /// A call that did not work. It has no fields, so that every host shows the words.
    pub(crate) fn refused(message: impl Into<String>) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(message.into())])
    }
}

impl From<ToolAnswer> for CallToolResult {
    fn from(answer: ToolAnswer) -> Self {
        let mut result = Self::success(answer.content);
        result.structured_content = Some(answer.fields);
        result
    }
}

/// Fields with the words that are in `content`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Worded<O> {
    #[serde(flatten)]
    pub(crate) fields: O,
    /// The answer in words.
    pub(crate) text: String,
}
