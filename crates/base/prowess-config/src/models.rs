//! The chat models that the config names.

use serde::Serialize;
use serde_json::Value;

use crate::{Config, value};

/// A chat model that the config names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelRow {
    /// Its name at the provider.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The provider's name in the config.
    pub provider: String,
    /// The number of tokens that it can read, if the config says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
}

impl Config {
    /// The models that the config names: those listed for a provider, then those that answer for an agent.
    pub fn models(&self) -> Vec<ModelRow> {
        let mut rows: Vec<ModelRow> = Vec::new();
        for (provider, settings) in value::members(self.merged(), &["models", "providers"]) {
            let listed = settings.get("models").and_then(Value::as_array).into_iter().flatten();
            rows.extend(listed.filter_map(|model| listed_model(provider, model)));
        }
        let agents = value::members(self.merged(), &["agents", "entries"]).map(|(_, agent)| agent);
        let shared = value::at(self.merged(), &["agents", "defaults"]);
        for agent in shared.into_iter().chain(agents) {
            let Some((provider, id)) = agent.get("model").and_then(chosen) else { continue };
            if !rows.iter().any(|row| row.provider == provider && row.id == id) {
                let (provider, id) = (provider.to_owned(), id.to_owned());
                rows.push(ModelRow { name: id.clone(), id, provider, context_window: None });
            }
        }
        rows
    }
}

fn listed_model(provider: &str, model: &Value) -> Option<ModelRow> {
    let id = model.as_str().or_else(|| model.get("id")?.as_str())?.trim();
    let name = model.get("name").and_then(Value::as_str).map_or(id, str::trim);
    (!id.is_empty()).then(|| ModelRow {
        id: id.to_owned(),
        name: name.to_owned(),
        provider: provider.to_owned(),
        context_window: model.get("contextWindow").and_then(Value::as_u64),
    })
}

/// Provider and model of a choice, written alone or as `{primary}`.
fn chosen(choice: &Value) -> Option<(&str, &str)> {
    let text = choice.as_str().or_else(|| choice.get("primary")?.as_str())?.trim();
    text.split_once('/').filter(|(provider, model)| !provider.is_empty() && !model.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use prowess_types::ProfileName;

    use super::*;

    #[test]
    fn listed_and_chosen_models_are_named_once() {
        let text = "{models: {providers: {own: {models: [{id: 'a', name: 'A', contextWindow: 9}, 'b', {x: 1}]}}},
            agents: {defaults: {model: {primary: 'own/a'}}, list: [{id: 'x', model: 'openai/gpt'}, {id: 'y', model: 'odd'}]}}";
        let (config, _) = Config::parse(Some(text), Path::new("/c"), ProfileName::Prowess);
        let rows: Vec<String> =
            config.models().iter().map(|row| format!("{}/{} {}", row.provider, row.id, row.name)).collect();
        assert_eq!(rows, ["own/a A", "own/b b", "openai/gpt gpt"]);
    }
}
