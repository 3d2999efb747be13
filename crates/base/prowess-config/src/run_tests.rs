use std::path::Path;

use prowess_types::{ProfileName, Secret};

use super::*;

fn config(text: &str, profile: ProfileName) -> Config {
    let (config, issues) = Config::parse(Some(text), Path::new("/c.json"), profile);
    assert_eq!(issues, []);
    config
}

fn model(text: &str, wanted: Option<&str>) -> Result<ModelSettings, ModelChoiceError> {
    let config = config(text, ProfileName::Prowess);
    config.model(&config.agent(None).unwrap(), wanted)
}

#[test]
fn a_known_provider_needs_nothing_but_its_name() {
    let found = model("{}", Some("anthropic/some-model")).unwrap();
    let base_url = "https://api.anthropic.com".to_owned();
    assert_eq!(found.source, ModelSource::Endpoint { api: ModelApi::Anthropic, base_url });
    let Some(ApiKey::Reference(key)) = found.api_key else { panic!("a reference") };
    assert_eq!((key.source.as_str(), key.id.as_deref()), ("env", Some("ANTHROPIC_API_KEY")));
    let local = model("{}", Some("ollama/llama3:8b")).unwrap();
    assert_eq!((local.model.as_str(), local.api_key), ("llama3:8b", None));
    let nested = model("{}", Some("openrouter/meta/llama")).unwrap();
    assert_eq!(nested.model, "meta/llama");
}

#[test]
fn the_nearest_wish_counts() {
    let text = "{agents: {defaults: {model: {primary: 'a/common'}}, entries: {main: {model: 'a/own'}}},
        models: {providers: {a: {baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k'}}}}";
    assert_eq!(model(text, None).unwrap().model, "own");
    let asked = model(text, Some("a/asked")).unwrap();
    assert_eq!(asked.model, "asked");
    assert!(matches!(asked.source, ModelSource::Endpoint { api: ModelApi::OpenAi, .. }));
    assert_eq!(asked.api_key, Some(ApiKey::Literal(Secret::new("k"))));
}

#[test]
fn a_script_is_a_file_and_has_no_address() {
    let found =
        model("{models: {providers: {tour: {api: 'script', script: 'answers.json'}}}}", Some("tour/x"));
    let found = found.unwrap();
    assert_eq!(found.source, ModelSource::Script("answers.json".into()));
    let without =
        model("{models: {providers: {tour: {api: 'script', baseUrl: 'https://x'}}}}", Some("tour/x"));
    assert_eq!(without, Err(ModelChoiceError::UnknownProvider("tour".into())));
}

#[test]
fn a_model_that_cannot_be_asked_says_why() {
    assert_eq!(model("{}", None), Err(ModelChoiceError::None));
    assert_eq!(model("{}", Some("gpt")), Err(ModelChoiceError::Malformed("gpt".into())));
    assert_eq!(model("{}", Some("nobody/x")), Err(ModelChoiceError::UnknownProvider("nobody".into())));
    let text = "{models: {providers: {b: {baseUrl: 'https://b', api: 'bedrock'}}}}";
    let api = ModelChoiceError::UnknownApi { provider: "b".into(), api: "bedrock".into() };
    assert_eq!(model(text, Some("b/x")), Err(api));
}

#[test]
fn bounds_have_defaults_and_a_sandbox_only_where_the_agent_cannot_write() {
    let run = config("{}", ProfileName::Prowess).run();
    assert_eq!((run.max_requests, run.max_output_bytes), (50, 32_768));
    assert_eq!((run.landlock, run.sandbox), (SandboxMode::Auto, None));
    let run = config(
        "{run: {sandbox: {dir: '~/box', access: 'ro', mountedAt: '/w'}, landlock: 'off'}}",
        ProfileName::Prowess,
    )
    .run();
    assert_eq!(run.landlock, SandboxMode::Off);
    assert_eq!(run.sandbox, Some(SandboxSettings { dir: "~/box".into(), mounted_at: Some("/w".into()) }));
    assert_eq!(config("{run: {sandbox: {dir: '~/box'}}}", ProfileName::Prowess).run().sandbox, None);
}

#[test]
fn tools_are_asked_for_unless_the_config_says_otherwise() {
    let text = "{tools: {exec: {policy: 'allow'}, say: {type: 'http', url: 'https://x', policy: 'deny'}}}";
    let ours = config(text, ProfileName::Prowess);
    assert_eq!(ours.tool_permission("exec"), Some(ToolPermission::Allow));
    assert_eq!(ours.tool_permission("say"), Some(ToolPermission::Deny));
    assert_eq!(ours.tool_permission("write"), None);
    assert_eq!(ours.added_tools().map(|(name, _)| name).collect::<Vec<_>>(), ["say"]);
    let theirs = config("{tools: {exec: {security: 'full', ask: 'off'}}}", ProfileName::Openclaw);
    assert_eq!(theirs.tool_permission("exec"), Some(ToolPermission::Allow));
}

#[test]
fn openclaws_own_settings_of_tools_and_models_stay_fine() {
    let text = "{tools: {allow: ['read'], profile: 'coding', exec: {host: 'gateway'}, web: {search: {enabled: true}}},
        models: {mode: 'merge', providers: {x: {baseUrl: 'https://x', models: [{id: 'm', cost: {input: 1}}]}}}}";
    config(text, ProfileName::Openclaw);
    config(text, ProfileName::Prowess);
}
