//! What the config says about runs: who answers, with which tools, within which bounds.

use std::time::Duration;

use prowess_types::ModelApi;
use serde_json::Value;

use crate::agents::Agent;
use crate::api_key::{ApiKey, SecretReference};
use crate::{Config, value};

/// The source of a model's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelSource {
    /// An endpoint.
    Endpoint {
        /// The API that it speaks.
        api: ModelApi,
        /// Its base address.
        base_url: String,
    },
    /// A file with the answers, `~` not yet expanded.
    Script(String),
}

/// A chat model, and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSettings {
    /// The provider's name in the config.
    pub provider: String,
    /// The model's name there.
    pub model: String,
    /// The source of its answers.
    pub source: ModelSource,
    /// Its key.
    pub api_key: Option<ApiKey>,
}

/// The reason no model can be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelChoiceError {
    /// None was named.
    #[error("no model is configured")]
    None,
    /// The name is not of the form `provider/model`.
    #[error("`{0}` is not a model; write `provider/model`")]
    Malformed(String),
    /// Nobody knows where the provider is.
    #[error("unknown model provider `{0}`")]
    UnknownProvider(String),
    /// The provider speaks something else.
    #[error("the provider `{provider}` speaks `{api}`, which is not supported")]
    UnknownApi {
        /// The provider.
        provider: String,
        /// Its API.
        api: String,
    },
}

impl prowess_types::Classify for ModelChoiceError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::NoModel)
    }
}

/// `run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSettings {
    /// The maximum number of requests to a model.
    pub max_requests: u32,
    /// Length of one answer, in tokens.
    pub max_tokens: u32,
    /// Bytes of a tool's output that are kept.
    pub max_output_bytes: usize,
    /// The time limit of a program in the foreground.
    pub tool_timeout: Duration,
    /// The confinement of programs to the workspace.
    pub landlock: SandboxMode,
    /// The folder into which skills are copied for a sandbox, `~` not yet expanded; none if it needs no copies.
    pub sandbox: Option<SandboxSettings>,
}

/// `run.landlock`: whether programs are confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    /// Not confined.
    Off,
    /// Confined where the kernel supports it; elsewhere the user is warned.
    #[default]
    Auto,
    /// Confined; where the kernel does not support it, nothing is started.
    Require,
}

/// `run.sandbox`, where the agent cannot write in its workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxSettings {
    /// The folder that skills are copied into.
    pub dir: String,
    /// The path of that folder inside the sandbox.
    pub mounted_at: Option<String>,
}

/// The permission of a tool: `tools.<name>.policy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolPermission {
    /// It asks before actions that need consent.
    #[default]
    Ask,
    /// Everything, without asking.
    Allow,
    /// Nothing: each call answers that it is forbidden.
    Deny,
}

/// A provider that needs no configuration but a key.
struct KnownProvider {
    name: &'static str,
    api: ModelApi,
    base_url: &'static str,
    /// The environment variable that usually holds its key.
    key_variable: Option<&'static str>,
}

const fn openai(
    name: &'static str,
    base_url: &'static str,
    key_variable: Option<&'static str>,
) -> KnownProvider {
    KnownProvider { name, api: ModelApi::OpenAi, base_url, key_variable }
}

const KNOWN: [KnownProvider; 11] = [
    KnownProvider {
        name: "anthropic",
        api: ModelApi::Anthropic,
        base_url: "https://api.anthropic.com",
        key_variable: Some("ANTHROPIC_API_KEY"),
    },
    openai("openai", "https://api.openai.com/v1", Some("OPENAI_API_KEY")),
    openai("openrouter", "https://openrouter.ai/api/v1", Some("OPENROUTER_API_KEY")),
    openai("google", "https://generativelanguage.googleapis.com/v1beta/openai", Some("GEMINI_API_KEY")),
    openai("groq", "https://api.groq.com/openai/v1", Some("GROQ_API_KEY")),
    openai("mistral", "https://api.mistral.ai/v1", Some("MISTRAL_API_KEY")),
    openai("deepseek", "https://api.deepseek.com/v1", Some("DEEPSEEK_API_KEY")),
    openai("xai", "https://api.x.ai/v1", Some("XAI_API_KEY")),
    openai("ollama", "http://127.0.0.1:11434/v1", None),
    openai("llamacpp", "http://127.0.0.1:8080/v1", None),
    openai("lmstudio", "http://127.0.0.1:1234/v1", None),
];

impl Config {
    /// Returns the model that answers: the requested one, else the agent's, else that of all agents.
    pub fn model(&self, agent: &Agent, wanted: Option<&str>) -> Result<ModelSettings, ModelChoiceError> {
        let own = value::at(self.merged(), &["agents", "entries", &agent.id, "model"]).and_then(primary);
        let common = value::at(self.merged(), &["agents", "defaults", "model"]).and_then(primary);
        let name = wanted.or(own).or(common).map(str::trim).filter(|name| !name.is_empty());
        let name = name.ok_or(ModelChoiceError::None)?;
        let parts =
            name.split_once('/').filter(|(provider, model)| !provider.is_empty() && !model.is_empty());
        let (provider, model) = parts.ok_or_else(|| ModelChoiceError::Malformed(name.to_owned()))?;
        self.provider_model(provider, model)
    }

    fn provider_model(&self, provider: &str, model: &str) -> Result<ModelSettings, ModelChoiceError> {
        let known = KNOWN.iter().find(|known| known.name == provider);
        let field = |name: &str| {
            let text = value::at(self.merged(), &["models", "providers", provider, name])?.as_str()?.trim();
            (!text.is_empty()).then_some(text)
        };
        let api = match field("api") {
            Some("openai-completions" | "openai") => Some(ModelApi::OpenAi),
            Some("anthropic-messages" | "anthropic") => Some(ModelApi::Anthropic),
            Some("script") => None,
            Some(api) => {
                return Err(ModelChoiceError::UnknownApi { provider: provider.into(), api: api.into() });
            }
            None => Some(known.map_or(ModelApi::OpenAi, |known| known.api)),
        };
        let source = match api {
            Some(api) => field("baseUrl")
                .or(known.map(|known| known.base_url))
                .map(|base_url| ModelSource::Endpoint { api, base_url: base_url.to_owned() }),
            None => field("script").map(|file| ModelSource::Script(file.to_owned())),
        };
        let usual_key = || {
            let id = known?.key_variable?.to_owned();
            Some(ApiKey::Reference(SecretReference { source: "env".into(), provider: None, id: Some(id) }))
        };
        Ok(ModelSettings {
            provider: provider.to_owned(),
            model: model.to_owned(),
            source: source.ok_or_else(|| ModelChoiceError::UnknownProvider(provider.into()))?,
            api_key: self.secret_at(&["models", "providers", provider, "apiKey"]).or_else(usual_key),
        })
    }

    /// `run`.
    pub fn run(&self) -> RunSettings {
        let number = |key: &str| usize::try_from(self.count(key)).unwrap_or(usize::MAX);
        let small = |key: &str| u32::try_from(self.count(key)).unwrap_or(u32::MAX);
        let can_write = self.text("run.sandbox.access").as_deref() == Some("rw");
        let sandbox = self.text("run.sandbox.dir").filter(|_| !can_write);
        RunSettings {
            max_requests: small("run.maxRequests"),
            max_tokens: small("run.maxTokens"),
            max_output_bytes: number("run.maxOutputBytes"),
            tool_timeout: Duration::from_millis(self.count("run.toolTimeoutMs")),
            landlock: self.choice("run.landlock").unwrap_or_default(),
            sandbox: sandbox
                .map(|dir| SandboxSettings { dir, mounted_at: self.text("run.sandbox.mountedAt") }),
        }
    }

    /// The permission of a tool; none if the config says nothing about it.
    pub fn tool_permission(&self, tool: &str) -> Option<ToolPermission> {
        permission_of(value::at(self.merged(), &["tools", tool])?)
    }

    /// The tools that the config adds: every `tools.<name>` with a `type`.
    pub fn added_tools(&self) -> impl Iterator<Item = (&str, &Value)> {
        value::members(self.merged(), &["tools"]).filter(|(_, tool)| tool.get("type").is_some())
    }
}

/// The permission that the settings of a tool give; none if they say nothing about it.
pub(crate) fn permission_of(settings: &Value) -> Option<ToolPermission> {
    if let Some(policy) = settings.get("policy").and_then(Value::as_str) {
        return serde_json::from_value(policy.trim().to_lowercase().into()).ok();
    }
    // OpenClaw's words for `exec`.
    match (settings.get("security")?.as_str()?, settings.get("ask").and_then(Value::as_str)) {
        ("deny", _) => Some(ToolPermission::Deny),
        ("full", Some("off")) => Some(ToolPermission::Allow),
        _ => Some(ToolPermission::Ask),
    }
}

/// A model's name, written alone or as `{primary}`.
fn primary(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("primary")?.as_str())
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
