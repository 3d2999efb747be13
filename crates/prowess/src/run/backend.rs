//! Who answers: the model of the config, and its key.

use std::sync::Arc;

use prowess_config::{Agent, ModelApi};
use prowess_run::model::{Api, ChatModel, Endpoint, Options};
use prowess_types::{Backend, BackendKind, Secret};

use super::RunError;
use crate::engine::Engine;

/// A model that can be asked.
pub(crate) struct Model {
    pub(crate) chat: Arc<dyn ChatModel>,
    pub(super) backend: Backend,
    /// Its key, which must not show up in texts.
    pub(super) key: Option<Secret>,
}

impl Engine {
    /// The model of the config, ready to be asked.
    pub(crate) fn chat_model(&self, agent: &Agent, wanted: Option<&str>) -> Result<Model, RunError> {
        let settings = self.config().model(agent, wanted)?;
        let key = settings.api_key.as_ref().map(|key| self.resolve_secret(key)).transpose();
        let key = key.map_err(|source| RunError::Key { provider: settings.provider.clone(), source })?;
        let api = match settings.api {
            ModelApi::OpenAi => Api::OpenAi,
            ModelApi::Anthropic => Api::Anthropic,
        };
        let mut options = Options::new(settings.base_url, settings.model.as_str());
        options.api_key.clone_from(&key);
        options.max_tokens = Some(self.config().run().max_tokens);
        let chat = Arc::new(Endpoint::new(api, options)?);
        let backend =
            Backend { kind: BackendKind::Model, name: settings.provider, model: Some(settings.model) };
        Ok(Model { chat, backend, key })
    }
}
