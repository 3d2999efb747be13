//! Any text is a config, and a change that was made counts.

use std::path::Path;

use prowess_config::{Config, ConfigEdit, ConfigFile, ConfigIssue, KeyPath, Layer, edit, profile};
use prowess_json5::Json5Document;
use prowess_types::ProfileName;
use serde_json::{Value, json};

use crate::Choice;

const PROFILES: [ProfileName; 3] = [ProfileName::Prowess, ProfileName::Openclaw, ProfileName::Openpocket];

/// Reads the text as the config of a user and of a project, and changes it.
pub fn check(text: &str) {
    let mut choice = Choice::of(text.as_bytes());
    let path = Path::new("config.json");
    let (config, issues) = Config::parse(Some(text), path, *choice.one(&PROFILES));
    check_issues(&issues, text);
    check_readers(&config);
    let (both, issues) = config.with_project(Some(text), path);
    check_issues(&issues, text);
    check_readers(&both);

    let [prowess, openclaw, openpocket] = PROFILES.map(ConfigFile::User);
    let file = *choice.one(&[prowess, openclaw, openpocket, ConfigFile::Project]);
    let changes = changes();
    check_change(text, choice.one(&changes), file);
    if let Ok(edited) = edit(Some(text), &changes, file) {
        check_edited(&edited, text, file);
    }
}

fn changes() -> Vec<ConfigEdit> {
    let key = |text: &str| KeyPath::parse(text).expect("a key");
    let set = |text: &str, value: Value| ConfigEdit::Set(key(text), value);
    vec![
        set("skills.load.watch", json!(false)),
        set("skills.load.watchDebounceMs", json!(10)),
        set("skills.modes['my.skill']", json!("pinned")),
        set("skills.bundles.b", json!(["one", "it's"])),
        set("skills.entries['my.skill']", json!({"enabled": false, "config": {"a": [1, null]}})),
        set("agents.entries.main.skills", json!(["a"])),
        set("unknown['k.y'].deep", json!({"x": []})),
        ConfigEdit::Unset(key("skills.entries['my.skill'].enabled")),
        ConfigEdit::Unset(key("skills.load.extraDirs")),
        ConfigEdit::Unset(key("agents.entries.main.workspace")),
    ]
}

fn read(text: &str, file: ConfigFile) -> (Config, bool) {
    let name = match file {
        ConfigFile::User(name) => name,
        ConfigFile::Project => ProfileName::Prowess,
    };
    let (config, issues) = Config::parse(Some(text), Path::new("config.json"), name);
    (config, !issues.iter().any(ConfigIssue::is_fatal))
}

/// What could be read before an edit can be read after it.
fn check_edited(edited: &str, text: &str, file: ConfigFile) -> Config {
    assert!(Json5Document::parse_or_empty(edited).is_ok(), "an edited text can be read\n{edited}");
    let (config, is_readable) = read(edited, file);
    assert!(is_readable || !read(text, file).1, "an edited config can be read\n{edited}");
    config
}

fn check_change(text: &str, change: &ConfigEdit, file: ConfigFile) {
    let Ok(edited) = edit(Some(text), std::slice::from_ref(change), file) else {
        return;
    };
    let config = check_edited(&edited, text, file);
    match change {
        ConfigEdit::Set(key, value) => {
            assert_eq!(config.get(key).as_ref(), Some(value), "`{key}` was set\n{edited}");
        }
        ConfigEdit::Unset(key) => {
            let origin = config.origin_of(key);
            let is_gone = origin.as_ref().is_none_or(|origin| origin.layer == Layer::Default);
            assert!(is_gone, "`{key}` was taken out\n{edited}");
        }
    }
    let again = edit(Some(&edited), std::slice::from_ref(change), file);
    assert_eq!(again.as_ref(), Ok(&edited), "the second time there is nothing to change");
}

fn check_issues(issues: &[ConfigIssue], text: &str) {
    let lines = text.split(['\n', '\r', '\u{2028}', '\u{2029}']).count();
    for issue in issues {
        let is_in_file = issue.line.is_none_or(|line| (1..=lines).contains(&line));
        assert!(is_in_file, "line {:?} of {lines}", issue.line);
        assert!(!issue.message.is_empty());
    }
}

/// Every reader of the config, for panics; secrets must not be shown.
fn check_readers(config: &Config) {
    let _ = (config.load(), config.install(), config.workshop(), config.prompt(), config.plugins());
    let _ = (config.forge(), config.command_injection(), config.repository_trust(), config.registry());
    let _ = (config.spec_mode(), config.system_prompt_mode(), config.drafts_skills(), config.allow_bundled());
    let _ = (config.runtime_value(), config.bundles(), config.system_agent());
    for id in config.agent_ids() {
        let agent = config.agent(Some(&id)).expect("an agent that is listed is known");
        let _ = config.prompt_rules(&agent);
        let _ = config.mode_of("my.skill", "key", &agent);
    }
    let placeholder = profile(config.profile().name).placeholder;
    let redacted = config.redacted();
    let entries = redacted.pointer("/skills/entries").and_then(Value::as_object);
    for (key, entry) in entries.into_iter().flatten() {
        let _ = (config.entry(key), config.api_key(key), config.entry_env(key));
        let env = entry.get("env").and_then(Value::as_object);
        for secret in env.into_iter().flat_map(|env| env.values()).chain(entry.get("apiKey")) {
            let is_hidden = secret.as_str().is_none_or(|text| text.is_empty() || text == placeholder);
            assert!(is_hidden, "a secret of `{key}` is shown");
        }
    }
}
