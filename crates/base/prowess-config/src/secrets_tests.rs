use std::path::Path;

use prowess_types::ProfileName;
use serde_json::json;

use super::*;
use crate::{ConfigEdit, ConfigEditError, ConfigFile, ConfigIssue, KeyPath, edit};

fn parse(text: &str, profile: ProfileName) -> (Config, Vec<ConfigIssue>) {
    Config::parse(Some(text), Path::new("/c.json"), profile)
}

#[test]
fn values_may_be_references() {
    let (config, issues) = parse(
        "{skills: {entries: {a: {apiKey: '$A_KEY', env: {
            PLAIN: 'v', SHORT: '${X_KEY}', DOLLARS: '$NOT', REF: {source: 'keyring', id: 'a/REF'},
        }}}}}",
        ProfileName::Prowess,
    );
    assert_eq!(issues, []);
    assert_eq!(config.api_key("a"), Some(ApiKey::Reference(SecretReference::new("env", "A_KEY"))));
    let env: Vec<(String, ApiKey)> = config.entry_env("a");
    let expected = [
        ("PLAIN", ApiKey::Literal(Secret::new("v"))),
        ("SHORT", ApiKey::Reference(SecretReference::new("env", "X_KEY"))),
        ("DOLLARS", ApiKey::Literal(Secret::new("$NOT"))),
        ("REF", ApiKey::Reference(SecretReference::new("keyring", "a/REF"))),
    ];
    assert_eq!(env, expected.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(config.entry("a").env_names.len(), 4);
}

#[test]
fn providers_are_read_as_openclaw_documents_them() {
    let (config, issues) = parse(
        "{secrets: {
            providers: {
                default: {source: 'env', allowlist: ['A', ' ']},
                filemain: {source: 'file', path: '~/s.json', mode: 'singleValue', timeoutMs: 10},
                vault: {source: 'exec', command: '/v', args: ['-p'], passEnv: ['PATH'], env: {A: 'x'}, jsonOnly: false},
                plugin: {source: 'exec', pluginIntegration: {pluginId: 'p'}},
                team: {source: 'store'},
                broken: {source: 'file'},
            },
            defaults: {file: 'filemain'},
            egressProxy: {enabled: false},
        }}",
        ProfileName::Openclaw,
    );
    assert_eq!(issues, []);
    let secrets = config.secrets();
    let sources: Vec<(&str, &str)> =
        secrets.providers.iter().map(|(name, provider)| (name.as_str(), provider.source())).collect();
    assert_eq!(
        sources,
        [("default", "env"), ("filemain", "file"), ("plugin", "exec"), ("team", "store"), ("vault", "exec")]
    );
    let SecretProvider::File { single_value: true, timeout, max_bytes: 1_048_576, .. } =
        secrets.providers["filemain"]
    else {
        panic!()
    };
    assert_eq!(timeout, Duration::from_millis(10));
    let SecretProvider::Exec(vault) = &secrets.providers["vault"] else { panic!() };
    assert_eq!((vault.timeout, vault.silence), (Duration::from_secs(5), Duration::from_secs(5)));
    assert_eq!((vault.json_only, vault.env.len()), (false, 1));
    assert_eq!(secrets.provider_of(&SecretReference::new("file", "/a")), "filemain");
    assert_eq!(secrets.provider_of(&SecretReference::new("env", "A")), "default");
    assert!(!format!("{secrets:?}").contains("\"x\""));
}

#[test]
fn what_openclaw_would_refuse_is_not_written_to_its_file() {
    let key = |text| KeyPath::parse(text).expect("a key");
    let reference = json!({"source": "keyring", "id": "a"});
    for (path, value) in [
        ("skills.entries.a.apiKey", reference.clone()),
        ("skills.entries.a.env.A", json!({"source": "env", "id": "A"})),
        ("secrets.providers.k.source", json!("keyring")),
    ] {
        let change = [ConfigEdit::Set(key(path), value)];
        assert!(edit(None, &change, ConfigFile::User(ProfileName::Prowess)).is_ok(), "{path}");
        let refused = edit(None, &change, ConfigFile::User(ProfileName::Openclaw));
        assert!(matches!(refused, Err(ConfigEditError::Foreign(_))), "{path}: {refused:?}");
    }
    let fine = [ConfigEdit::Set(
        key("skills.entries.a.apiKey"),
        json!({"source": "env", "provider": "default", "id": "A"}),
    )];
    assert!(edit(None, &fine, ConfigFile::User(ProfileName::Openclaw)).is_ok());
}

#[test]
fn a_reference_says_where_and_survives_a_round_trip() {
    let reference =
        SecretReference { source: "exec".into(), provider: Some("vault".into()), id: Some("a/b#c\n".into()) };
    assert_eq!(reference.to_string(), "exec:vault:a/b#c\\n");
    assert_eq!(SecretReference::read(&reference.to_value()), Some(reference));
    assert_eq!(SecretReference::read(&json!({"id": "x"})), None);
    for (name, is_name) in [("A", true), ("_A1", true), ("a", false), ("1A", false), ("", false)] {
        assert_eq!(is_variable_name(name), is_name, "{name}");
    }
}
