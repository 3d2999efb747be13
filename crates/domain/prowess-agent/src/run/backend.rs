//! Who answers: the model of the config, and its key.

use std::sync::Arc;

use prowess_config::{Agent, ModelApi, ModelSettings};
use prowess_context::{Context, resolve_secret};
use prowess_run::model::{Api, ChatModel, Endpoint, ModelError, Options, Script};
use prowess_types::{Backend, BackendKind, Secret};

use super::RunError;

/// A longer script is not read.
const MAX_SCRIPT_BYTES: u64 = 16 * 1024 * 1024;

/// A model that can be asked.
pub struct Model {
    pub chat: Arc<dyn ChatModel>,
    pub(super) backend: Backend,
    /// Its key, which must not show up in texts.
    pub(super) key: Option<Secret>,
}

/// The model of the config, ready to be asked.
pub fn chat_model(context: &Context, agent: &Agent, wanted: Option<&str>) -> Result<Model, RunError> {
    let settings = context.config().model(agent, wanted)?;
    let key = settings.api_key.as_ref().map(|key| resolve_secret(context, key)).transpose();
    let key = key.map_err(|source| RunError::Key { provider: settings.provider.clone(), source })?;
    let chat = match settings.api {
        ModelApi::OpenAi => endpoint(context, Api::OpenAi, &settings, key.clone())?,
        ModelApi::Anthropic => endpoint(context, Api::Anthropic, &settings, key.clone())?,
        ModelApi::Script => script(context, &settings)?,
    };
    let backend = Backend { kind: BackendKind::Model, name: settings.provider, model: Some(settings.model) };
    Ok(Model { chat, backend, key })
}

fn endpoint(
    context: &Context,
    api: Api,
    settings: &ModelSettings,
    key: Option<Secret>,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    let mut options = Options::new(settings.base_url.as_str(), settings.model.as_str());
    options.api_key = key;
    options.max_tokens = Some(context.config().run().max_tokens);
    Ok(Arc::new(Endpoint::new(api, options)?))
}

fn script(context: &Context, settings: &ModelSettings) -> Result<Arc<dyn ChatModel>, ModelError> {
    let file = context.places().expand(&settings.base_url);
    let unreadable = |error: &dyn std::error::Error| ModelError::Script(prowess_text::describe_error(error));
    let bytes = prowess_fs::read_file(&file, MAX_SCRIPT_BYTES).map_err(|error| unreadable(&error))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| unreadable(&error))?;
    Ok(Arc::new(Script::parse(settings.model.as_str(), text)?))
}
