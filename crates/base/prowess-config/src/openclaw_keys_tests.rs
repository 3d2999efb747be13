use std::path::Path;

use prowess_types::ProfileName;

use super::*;
use crate::Config;
use crate::keys::KEYS as OWN;
use crate::kind::Kind;

fn split(path: &str) -> Vec<&str> {
    path.split('.').collect()
}

#[test]
fn keys_of_openclaw_are_known() {
    for path in [
        "gateway.mode",
        "gateway.auth.mode",
        "gateway.tailscale.mode",
        "gateway.controlUi.environment.color",
        "wizard.lastRunAt",
        "meta.lastTouchedVersion",
        "auth.profiles.anthropic:default.mode",
        "agents.defaults.model.primary",
        "agents.defaults.heartbeat.every",
        "agents.entries.main.identity.name",
        "agents.list.0.identity.name",
        "channels.telegram.accounts.work.botToken",
        "channels.other-plugin.anything",
        "plugins.entries.other.config.anything.below",
        "session.dmScope",
        "tools.exec.ask",
        "desktop",
        "worktreeRoot",
    ] {
        assert!(knows(&split(path)), "{path}");
    }
    for path in
        ["", "gateway.moed", "skills.prompt.top", "gateway.mode.below", "cortex", "gateway.*", "tools.[]"]
    {
        assert!(!knows(&split(path)), "{path}");
    }
    assert!(!knows(&[]));
}

#[test]
fn slips_in_keys_of_openclaw_are_recognised() {
    for (path, expected) in [
        ("gateway.moed", Some("gateway.mode")),
        ("gateway.auth.Mode", Some("gateway.auth.mode")),
        ("channels.telegram.bot_tokn", Some("channels.telegram.botToken")),
        ("agents.list.0.identiti", Some("agents.list[0].identity")),
        ("wizrd", Some("wizard")),
        ("gateway.unheardOf", None),
        ("channels.telegrm", None),
        ("auth.profiles.anthropc", None),
    ] {
        assert_eq!(suggestion(&split(path)).as_deref(), expected, "{path}");
    }
}

#[test]
fn the_data_are_whole() {
    assert!(KEYS.keys.len() > 40 && KEYS.shapes.len() > 100);
    let mut names = 0;
    let mut values: Vec<&Value> = KEYS.keys.values().chain(&KEYS.shapes).collect();
    while let Some(value) = values.pop() {
        match value {
            Value::Object(parts) => {
                names += parts.len();
                values.extend(parts.values());
            }
            Value::String(text) => {
                if let Some(number) = text.strip_prefix('#') {
                    assert!(number.parse::<usize>().is_ok_and(|number| number < KEYS.shapes.len()), "{text}");
                }
            }
            other => panic!("{other}"),
        }
    }
    assert!(names > 2_000, "{names}");
}

/// Keys of the table that older versions of OpenClaw know, that it converts when it reads them, or that are OpenPocket's.
const OTHERS: &[&str] = &[
    "agents.defaults.tools",
    "codingTools",
    "commands.ownerDisplay",
    "dashboard",
    "defaultModel",
    "emulator",
    "heartbeat",
    "humanAuth",
    "memoryTools",
    "projectName",
    "screenshots",
    "scriptExecutor",
    "secrets.defaults.*",
    "sessionStorage",
    "stateDir",
    "target",
    "telegram",
    "agents.list",
    "agents.defaults.elevatedDefault",
    "agents.entries.*.id",
    "audio",
    "canvasHost",
    "cli",
    "gateway.reload.mode",
    "media",
    "security.audit",
    "web",
];

#[test]
fn the_own_table_knows_which_keys_openclaw_has() {
    let mut wrong = Vec::new();
    for key in OWN.iter().filter(|key| !OTHERS.contains(&key.pattern)) {
        let path = split(key.pattern).into_iter().map(|name| if name == "*" { "x" } else { name });
        let is_known = knows(&path.collect::<Vec<_>>());
        // Sections in which everything is allowed know every key.
        let is_free = matches!(key.kind, Kind::Open) || key.pattern.starts_with("tools.*");
        if is_known != key.in_openclaw && !is_free {
            wrong.push((key.pattern, key.in_openclaw));
        }
    }
    assert_eq!(wrong, [], "pattern, and what the table says");
}

/// Files as OpenClaw's wizard and commands write them.
const WRITTEN: &[&str] = &[
    r#"{
      "agents": {"defaults": {"workspace": "/home/ada/.openclaw/workspace", "models": {"anthropic/claude": {"alias": "c"}},
                              "model": {"primary": "anthropic/claude"}, "maxConcurrent": 4,
                              "subagents": {"maxConcurrent": 8}, "compaction": {"mode": "safeguard"}}},
      "gateway": {"mode": "local", "auth": {"mode": "token", "token": "t"}, "port": 18789, "bind": "loopback",
                  "tailscale": {"mode": "off", "resetOnExit": false}, "controlUi": {"allowInsecureAuth": true}},
      "session": {"dmScope": "per-channel-peer"},
      "tools": {"profile": "coding"},
      "auth": {"profiles": {"anthropic:default": {"provider": "anthropic", "mode": "api_key"}}},
      "skills": {"install": {"nodeManager": "npm"}},
      "wizard": {"lastRunAt": "2026-09-06T10:00:00.000Z", "lastRunVersion": "2026.9.6", "lastRunCommand": "onboard",
                 "lastRunMode": "local", "securityAcknowledgedAt": "2026-09-06T10:00:00.000Z"},
      "meta": {"lastTouchedVersion": "2026.9.6", "lastTouchedAt": "2026-09-06T10:00:00.000Z"}
    }"#,
    r#"{
      "channels": {"telegram": {"enabled": true, "dmPolicy": "pairing", "botToken": "1:t", "groups": {"*": {"requireMention": true}},
                                "streaming": {"mode": "partial"}},
                   "whatsapp": {"dmPolicy": "allowlist", "allowFrom": ["+15555550123"], "groupPolicy": "allowlist"},
                   "discord": {"enabled": true, "token": "t", "guilds": {"1": {"channels": {"2": {"allow": true}}}}}},
      "plugins": {"entries": {"telegram": {"enabled": true}, "whatsapp": {"enabled": true}}},
      "hooks": {"internal": {"enabled": true, "entries": {"session-memory": {"enabled": true}}}},
      "messages": {"ackReactionScope": "group-mentions"},
      "commands": {"native": "auto", "nativeSkills": "auto", "restart": true, "ownerDisplay": "raw"},
      "gateway": {"mode": "remote", "remote": {"url": "wss://box.example:18789", "token": "t"}}
    }"#,
];

#[test]
fn files_that_openclaw_wrote_have_no_warnings() {
    for text in WRITTEN {
        for name in [ProfileName::Openclaw, ProfileName::Prowess] {
            let (_, issues) = Config::parse(Some(text), Path::new("/home/u/openclaw.json"), name);
            assert_eq!(issues.iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0], "{name:?}");
        }
    }
}

#[test]
fn slips_are_still_reported_with_what_was_meant() {
    let text = r#"{"gateway": {"moed": "local", "port": "x"}, "chanels": {}, "channels": {"telegram": {"botTokn": "t"}}}"#;
    for name in [ProfileName::Openclaw, ProfileName::Prowess] {
        let (_, issues) = Config::parse(Some(text), Path::new("/c"), name);
        let told: Vec<String> = issues
            .iter()
            .map(|issue| issue.message.clone() + " " + issue.help.as_deref().unwrap_or(""))
            .collect();
        assert_eq!(
            told,
            [
                "unknown key `gateway.moed` did you mean `gateway.mode`?",
                "`gateway.port` must be a whole number of at least 1, not a string this value is not used",
                "unknown key `chanels` did you mean `channels`?",
                "unknown key `channels.telegram.botTokn` did you mean `channels.telegram.botToken`?",
            ],
            "{name:?}"
        );
    }
}
