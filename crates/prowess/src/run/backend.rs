//! Who answers: the model of the config, and its key.

use std::sync::Arc;

use prowess_config::{ApiKey, Config, Env, ModelApi, ModelSettings};
use prowess_run::model::{Api, Endpoint, Options};
use prowess_run::secret::{SecretError, SecretSources};
use prowess_types::{Backend, BackendKind, Secret};

use super::RunError;
use crate::engine::Engine;

/// A model that can be asked.
pub(super) struct Model {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) backend: Backend,
    /// Its key, which must not show up in texts.
    pub(super) key: Option<Secret>,
}

impl Engine {
    /// The model of the config, ready to be asked.
    pub(super) fn chat_model(&self, agent: &prowess_config::Agent, wanted: Option<&str>) -> Result<Model, RunError> {
        let settings = self.config().model(agent, wanted)?;
        let key = self.model_key(&settings)?;
        let api = match settings.api {
            ModelApi::OpenAi => Api::OpenAi,
            ModelApi::Anthropic => Api::Anthropic,
        };
        let options = Options {
            api_key: key.clone(),
            max_tokens: Some(self.config().run().max_tokens),
            ..Options::new(settings.base_url, settings.model.as_str())
        };
        let endpoint = Arc::new(Endpoint::new(api, options)?);
        let backend =
            Backend { kind: BackendKind::Model, name: settings.provider, model: Some(settings.model) };
        Ok(Model { endpoint, backend, key })
    }

    fn model_key(&self, settings: &ModelSettings) -> Result<Option<Secret>, RunError> {
        let Some(key) = &settings.api_key else { return Ok(None) };
        let found = resolve(key, self.config(), self.env(), self);
        found.map(Some).map_err(|source| RunError::Key { provider: settings.provider.clone(), source })
    }
}

/// A secret of the config, got from where it is.
pub(super) fn resolve(key: &ApiKey, config: &Config, env: &Env, engine: &Engine) -> Result<Secret, SecretError> {
    match key {
        ApiKey::Literal(secret) => Ok(secret.clone()),
        ApiKey::Reference(reference) => {
            let expand = |path: &str| engine.places().expand(path);
            let sources = SecretSources { settings: &config.secrets(), env, expand: &expand };
            prowess_run::secret::resolve(reference, &sources)
        }
    }
}
