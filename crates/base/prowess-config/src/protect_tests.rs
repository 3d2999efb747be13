use std::path::Path;

use prowess_types::ProfileName;
use serde_json::json;

use super::*;
use crate::keys::KEYS;

/// The protected keys that change from one text to another.
fn loosened(before: &str, after: &str) -> Vec<String> {
    let file = Revised { text: Some(before), file: Path::new("/c.json"), profile: ProfileName::Prowess };
    let own = |folder: &str| folder.starts_with("~/.prowess/workspace");
    file.loosening(after, &own).changes.into_iter().map(|change| change.key).collect()
}

#[test]
fn every_key_of_a_strict_section_is_classified() {
    let open: Vec<&str> = KEYS
        .iter()
        .filter(|key| STRICT.contains(&key.pattern.split('.').next().unwrap_or_default()))
        .filter(|key| key.kind != Kind::Open && key.protection == Protection::Unclassified)
        .map(|key| key.pattern)
        .collect();
    assert!(open.is_empty(), "give these keys a `Protection` in keys.rs: {open:?}");
}

#[test]
fn every_key_of_an_agent_is_classified() {
    let open: Vec<&str> = KEYS
        .iter()
        .filter(|key| key.pattern.starts_with("agents.") && key.kind != Kind::Open)
        .filter(|key| key.protection == Protection::Unclassified)
        .map(|key| key.pattern)
        .collect();
    assert!(open.is_empty(), "give these keys a `Protection` in keys.rs: {open:?}");
}

#[test]
fn loosening_is_found_and_tightening_is_not() {
    for (before, after, expected) in [
        ("{}", "{run: {landlock: 'off'}}", "run.landlock"),
        ("{run: {landlock: 'require'}}", "{}", "run.landlock"),
        ("{run: {landlock: 'off'}}", "{}", ""),
        ("{}", "{run: {landlock: ' AUTO '}}", ""),
        ("{}", "{run: {maxTokens: 5, unheardOf: 1}}", "run.unheardOf"),
        ("{}", "{tools: {exec: {policy: 'Allow'}}}", "tools.exec.policy"),
        ("{}", "{tools: {exec: {security: 'full', ask: 'off'}}}", "tools.exec.security tools.exec.ask"),
        ("{tools: {exec: {policy: 'ask'}}}", "{tools: {exec: {policy: 'deny'}}}", ""),
        ("{tools: {exec: {policy: 'deny'}}}", "{tools: {}}", "tools.exec.policy"),
        ("{tools: {exec: {policy: 'deny'}}}", "{}", "tools.exec.policy"),
        (
            "{}",
            "{tools: {x: {type: 'command', command: ['sh'], policy: 'deny'}}}",
            "tools.x.type tools.x.command",
        ),
        (
            "{tools: {x: {type: 'command', command: ['a']}}}",
            "{tools: {x: {type: 'command', command: ['b']}}}",
            "tools.x.command",
        ),
        ("{tools: {x: {type: 'command', command: ['a'], policy: 'ask'}}}", "{}", ""),
        ("{}", "{tools: {profile: 'full'}}", "tools.profile"),
        ("{}", "{security: {trust: 'always'}}", "security.trust"),
        ("{security: {installPolicy: {enabled: true}}}", "{}", "security.installPolicy.enabled"),
        (
            "{}",
            "{security: {installPolicy: {exec: {command: '/bin/true'}}}}",
            "security.installPolicy.exec.command",
        ),
        ("{}", "{gateway: {bind: 'lan'}}", "gateway.bind"),
        ("{gateway: {bind: '192.0.2.1'}}", "{gateway: {bind: '192.0.2.2'}}", "gateway.bind"),
        ("{gateway: {bind: 'lan'}}", "{gateway: {bind: 'loopback'}}", ""),
        ("{gateway: {auth: {token: 'a'}}}", "{gateway: {auth: {token: 'b'}}}", "gateway.auth.token"),
        ("{}", "{gateway: {controlUi: {dangerouslyOpen: true}}}", "gateway.controlUi.dangerouslyOpen"),
        ("{gateway: {hosts: ['a', 'b']}}", "{gateway: {hosts: ['b']}}", ""),
        ("{gateway: {hosts: ['a']}}", "{gateway: {hosts: ['a', 'b']}}", "gateway.hosts"),
        ("{}", "{commands: {native: 'auto', restart: true}}", ""),
        ("{}", "{commands: {native: 'auto', bash: true}}", "commands.bash"),
        ("{}", "{plugins: {allow: ['a']}}", ""),
        ("{plugins: {allow: ['a']}}", "{plugins: {allow: []}}", "plugins.allow"),
        ("{plugins: {deny: ['a']}}", "{}", "plugins.deny"),
        ("{}", "{skills: {entries: {a: {apiKey: 'k', env: {A: 'b'}}}}}", ""),
        ("{}", "{skills: {entries: {a: {env: {A: '${AWS_SECRET}'}}}}}", "skills.entries.a.env.A"),
        (
            "{}",
            "{secrets: {providers: {p: {source: 'exec', command: '/bin/sh'}}}}",
            "secrets.providers.p.source secrets.providers.p.command",
        ),
        ("{}", "{models: {providers: {p: {baseUrl: 'http://127.0.0.1:1'}}}}", "models.providers.p.baseUrl"),
        ("{}", "{agents: {entries: {a: {workspace: '~'}}}}", "agents.entries.a.workspace"),
        ("{}", "{agents: {list: [{id: 'a', workspace: '~'}]}}", "agents.entries.a.workspace"),
        ("{}", "{agents: {list: [{id: 'a', workspace: '~/.prowess/workspace-a'}]}}", ""),
        ("{agents: {list: [{id: 'a', workspace: '~', skills: []}]}}", "{}", ""),
        ("{}", "{agents: {defaults: {sandbox: {mode: 'off'}}}}", "agents.defaults.sandbox"),
        ("{}", "{agents: {entries: {a: {skills: ['x'], identity: {name: 'A'}, model: 'm/n'}}}}", ""),
        ("{}", "{ui: {prefs: {x: 1}}, unknown: 1, gateway: {reload: {mode: 'hot'}}}", ""),
    ] {
        assert_eq!(loosened(before, after).join(" "), expected, "{before} -> {after}");
        assert_eq!(loosened(after, after).join(" "), "", "{after}");
    }
}

#[test]
fn secrets_are_masked_and_still_told_apart() {
    let token = |token: &str| {
        let after = format!("{{gateway: {{auth: {{token: '{token}'}}}}}}");
        let file = Revised { text: Some("{}"), file: Path::new("/c.json"), profile: ProfileName::Prowess };
        file.loosening(&after, &|_| false)
    };
    let (one, other) = (token("hunter2"), token("hunter3"));
    assert_eq!(one.changes[0].new, json!(MASK));
    assert_eq!(one.changes, other.changes);
    assert_ne!(one.digest, other.digest);
}
