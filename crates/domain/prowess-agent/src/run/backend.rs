//! The model of the config, and its key.

use std::sync::Arc;

use prowess_config::{Agent, ModelSource};
use prowess_context::{Context, resolve_secret};
use prowess_run::model::{ChatModel, ModelEndpoint, ModelError, ModelOptions, Script};
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
    let chat: Arc<dyn ChatModel> = match &settings.source {
        ModelSource::Endpoint { api, base_url } => {
            let mut options = ModelOptions::new(base_url.as_str(), settings.model.as_str());
            options.api_key.clone_from(&key);
            options.proxy = context.proxy();
            options.max_tokens = Some(context.config().run().max_tokens);
            Arc::new(ModelEndpoint::new(*api, options)?)
        }
        ModelSource::Script(file) => script(context, file, &settings.model)?,
    };
    let backend = Backend { kind: BackendKind::Model, name: settings.provider, model: Some(settings.model) };
    Ok(Model { chat, backend, key })
}

fn script(context: &Context, file: &str, model: &str) -> Result<Arc<dyn ChatModel>, ModelError> {
    let file = context.places().expand(file);
    let unreadable = |error: &dyn std::error::Error| ModelError::Script(prowess_text::describe_error(error));
    let bytes = prowess_fs::read_file(&file, MAX_SCRIPT_BYTES).map_err(|error| unreadable(&error))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| unreadable(&error))?;
    Ok(Arc::new(Script::parse(model, text)?))
}
