//! The APIs of chat models.

/// The API that an endpoint speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelApi {
    /// OpenAI's chat completions, which Ollama, llama.cpp, vLLM and most services speak too.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}
