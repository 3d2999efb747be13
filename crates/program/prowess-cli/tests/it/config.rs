//! `prowess config`

use serde_json::json;

use crate::support::{Home, Program as _};

#[test]
fn get_prints_a_value() {
    let home = Home::full();
    assert_eq!(home.good(&["config", "get", "skills.entries.off.enabled"]), "false\n");
    assert_eq!(home.good(&["config", "get", "skills.install.nodeManager"]), "npm\n");
    assert_eq!(home.good(&["config", "get", "skills.allowBundled"]), "[\n  \"notes\",\n  \"weather\"\n]\n");
    assert_eq!(
        home.json(&["config", "get", "skills.limits", "--json"])["maxSkillsPromptChars"],
        json!(30_000)
    );
    let all = home.json(&["config", "get"]);
    assert_eq!(all["skills"]["entries"]["off"]["enabled"], json!(false));
    assert_eq!(all["skills"]["load"]["debounceMs"], json!(250));
}

#[test]
fn get_tells_the_origin() {
    let home = Home::full();
    let origin = |key: &str| home.good(&["config", "get", key, "--origin"]);
    assert_eq!(origin("skills.entries.off.enabled"), "false\nuser config, [ROOT]/.prowess/prowess.json:5\n");
    assert_eq!(origin("skills.limits.maxSkillsInPrompt"), "150\ndefault\n");
    home.tree.write("ws/.prowess/config.json", "{skills: {modes: {weather: 'pinned'}}}");
    assert_eq!(origin("skills.modes.weather"), "pinned\nproject config, [ROOT]/ws/.prowess/config.json:1\n");
    let answer = home.json(&["config", "get", "skills.modes.weather", "--origin", "--json"]);
    assert_eq!((&answer["value"], &answer["origin"]["layer"]), (&json!("pinned"), &json!("project")));
}

#[test]
fn get_of_a_key_that_is_not_set() {
    let ran = Home::new().run(&["config", "get", "skills.entries.weather.enabled"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: `skills.entries.weather.enabled` is not set
    help: `prowess config keys` lists every key
    ");
    assert_eq!(Home::new().run(&["config", "get", "skills..load"]).code, 2);
}

#[test]
fn set_keeps_comments_and_order() {
    let home = Home::full();
    let said = home.good(&["config", "set", "skills.entries.weather.enabled", "false"]);
    assert_eq!(said, "[ROOT]/.prowess/prowess.json: changed\n");
    home.good(&["config", "set", "skills.load.extraDirs", "['~/more', \"x\",]"]);
    insta::assert_snapshot!(home.config_text(), @"
    {
      // switches
      skills: {
        allowBundled: ['notes', 'weather'],
        entries: { off: { enabled: false }, weather: { enabled: false } },
        load: {
          extraDirs: ['~/more', 'x'],
        },
      },
    }
    ");
    let again = home.good(&["config", "set", "skills.entries.weather.enabled", "false"]);
    assert_eq!(again, "[ROOT]/.prowess/prowess.json: unchanged\n");
    assert_eq!(home.json(&["info", "weather", "--json"])["disabled"], json!(true));
}

#[test]
fn unset_takes_a_value_out() {
    let home = Home::full();
    home.good(&["config", "unset", "skills.entries.off"]);
    assert!(home.config_text().contains("// switches"));
    assert_eq!(home.json(&["info", "off", "--json"])["disabled"], json!(false));
    let again = home.json(&["config", "unset", "skills.entries.off", "--json"]);
    assert_eq!(again, json!({"ok": true, "changed": false, "path": "[ROOT]/.prowess/prowess.json"}));
}

#[test]
fn keys_with_dots_are_quoted() {
    let home = Home::new();
    home.good(&["config", "set", "skills.entries[\"my.skill\"].enabled", "false"]);
    assert_eq!(
        home.json(&["config", "get", "skills.entries", "--json"]),
        json!({"my.skill": {"enabled": false}})
    );
    assert_eq!(home.good(&["config", "get", "skills.entries[\"my.skill\"].enabled"]), "false\n");
}

#[test]
fn what_is_not_json5_is_text() {
    let home = Home::new();
    home.good(&["config", "set", "agents.defaults.workspace", "~/work"]);
    assert_eq!(home.good(&["config", "get", "agents.defaults.workspace"]), "~/work\n");
    home.good(&["config", "set", "skills.entries.x.apiKey", "sk-1234"]);
    assert!(home.config_text().contains("sk-1234"));
}

#[test]
fn secrets_are_not_printed() {
    let home = Home::new();
    home.config("{skills: {entries: {x: {apiKey: 'hunter2', env: {A: 'hunter2'}}}}, gateway: {auth: {token: 'hunter2'}}}");
    for args in [
        &["config", "get"][..],
        &["config", "get", "--json"],
        &["config", "get", "skills"],
        &["config", "get", "skills.entries.x.apiKey"],
        &["config", "get", "skills.entries.x.apiKey", "--json"],
        &["config", "get", "skills.entries.x.env.A", "--origin"],
        &["config", "get", "gateway"],
        &["config", "set", "skills.entries.x.apiKey", "hunter2-new"],
        &["config", "set", "skills.entries.x.apiKey", "['hunter2-new']"],
        &["config", "unset", "skills.entries.x.env.A"],
        &["doctor"],
        &["doctor", "--json"],
        &["status", "--json"],
    ] {
        let ran = home.run(args);
        assert!(!ran.stdout.contains("hunter2") && !ran.stderr.contains("hunter2"), "{args:?}: {ran:?}");
    }
    assert_eq!(home.good(&["config", "get", "skills.entries.x.apiKey"]), "__PROWESS_REDACTED__\n");
    let ran = home.run(&["config", "set", "skills.entries.x.apiKey", "__PROWESS_REDACTED__"]);
    assert_eq!(ran.code, 2, "what was shown cannot be written over the secret");
    assert!(home.config_text().contains("hunter2-new"));
}

#[test]
fn a_value_of_the_wrong_type_is_refused() {
    let home = Home::full();
    let before = home.config_text();
    let ran = home.run(&["config", "set", "skills.load.watch", "maybe"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(ran.stderr, @"
    error[invalid-value]: `skills.load.watch` must be true or false, not a string
    help: `prowess config keys` lists every key with its type
    ");
    assert_eq!(home.config_text(), before);
}

#[test]
fn an_unknown_key_is_kept_and_remarked() {
    let home = Home::new();
    home.config("{skils: {}, skills: {load: {extraDir: ['x']}}}");
    let ran = home.run(&["list"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stderr, @"
    warning: [ROOT]/.prowess/prowess.json:1:2: unknown key `skils` (did you mean `skills`?)
    warning: [ROOT]/.prowess/prowess.json:1:29: unknown key `skills.load.extraDir` (did you mean `skills.load.extraDirs`?)
    ");
    good_but_warned(&home, &["config", "set", "skills.load.watch", "false"]);
    assert!(home.config_text().contains("skils") && home.config_text().contains("extraDir"));
}

#[test]
fn a_misspelt_key_is_remarked_at_once() {
    let home = Home::new();
    let ran = home.run(&["config", "set", "skills.load.extraDir", "[\"x\"]"]);
    assert_eq!(ran.code, 0, "unknown keys are kept");
    insta::assert_snapshot!(ran.stderr, @"warning: [ROOT]/.prowess/prowess.json:4:7: unknown key `skills.load.extraDir` (did you mean `skills.load.extraDirs`?)");
    let ran = home.run(&["config", "get", "skills.lod"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: `skills.lod` is not set
    help: did you mean `skills.load`?
    ");
}

fn good_but_warned(home: &Home, args: &[&str]) {
    let ran = home.run(args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("warning: "), "{}", ran.stderr);
}

#[test]
fn path_tells_which_file() {
    let home = Home::new();
    assert_eq!(home.good(&["config", "path"]), "[ROOT]/.prowess/prowess.json\n");
    assert_eq!(home.json(&["config", "path", "--json"]), json!({"path": "[ROOT]/.prowess/prowess.json"}));
    assert_eq!(home.good(&["config", "path", "--home", "x"]), "[ROOT]/ws/x/prowess.json\n");
    assert_eq!(home.good(&["config", "path", "--config", "y.json"]), "[ROOT]/ws/y.json\n");
    let profile = |name: &str| home.good(&["--profile", name, "config", "path"]);
    assert_eq!(profile("openclaw"), "[ROOT]/.openclaw/openclaw.json\n");
    assert_eq!(profile("openpocket"), "[ROOT]/.openpocket/config.json\n");
}

#[test]
fn keys_lists_every_key() {
    let table = Home::new().good(&["config", "keys"]);
    assert!(table.starts_with("| key | type | default | meaning |\n|---|---|---|---|\n"));
    for key in [
        "skills.load.extraDirs",
        "skills.limits.maxSkillFileBytes",
        "skills.modes.<name>",
        "agent.skillsSpecMode",
    ] {
        assert!(table.contains(&format!("| `{key}` |")), "{key}");
    }
}

#[test]
fn set_makes_the_file_where_there_is_none() {
    let home = Home::new();
    home.good(&["config", "set", "skills.load.watch", "false"]);
    insta::assert_snapshot!(home.config_text(), @r#"
    {
      "skills": {
        "load": {
          "watch": false
        }
      }
    }
    "#);
    let elsewhere =
        home.good(&["--config", "deep/down/mine.json", "config", "set", "skills.load.watch", "true"]);
    assert_eq!(elsewhere, "[ROOT]/ws/deep/down/mine.json: changed\n");
}

#[test]
fn commands_at_once_lose_nothing() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let home = &home;
            scope.spawn(move || {
                home.good(&["config", "set", &format!("skills.entries.s{number}.enabled"), "false"])
            });
        }
    });
    let entries = home.json(&["config", "get", "skills.entries", "--json"]);
    assert_eq!(entries.as_object().unwrap().len(), 8);
}

/// As OpenClaw's wizard leaves it.
const WIZARD: &str = r#"{
  "agents": {"defaults": {"workspace": "~/.openclaw/workspace", "model": {"primary": "anthropic/claude"}}},
  "gateway": {"mode": "local", "auth": {"mode": "token", "token": "t"}, "port": 18789, "bind": "loopback",
              "tailscale": {"mode": "off", "resetOnExit": false}},
  "session": {"dmScope": "per-channel-peer"}, "tools": {"profile": "coding"}, "desktop": {}, "telemetry": {},
  "channels": {"telegram": {"enabled": true, "dmPolicy": "pairing", "botToken": "1:t"}},
  "auth": {"profiles": {"anthropic:default": {"provider": "anthropic", "mode": "api_key"}}},
  "wizard": {"lastRunAt": "2026-09-06T10:00:00.000Z", "lastRunCommand": "onboard", "lastRunMode": "local"},
  "meta": {"lastTouchedVersion": "2026.9.6", "lastTouchedAt": "2026-09-06T10:00:00.000Z"}
}"#;

#[test]
fn a_config_that_openclaw_wrote_has_no_warnings() {
    let home = Home::new();
    home.tree.write(".openclaw/openclaw.json", WIZARD);
    home.config(WIZARD);
    for profile in ["openclaw", "prowess"] {
        for args in [["list", "--json"], ["config", "get"], ["doctor", "--json"]] {
            let args: Vec<&str> = ["--profile", profile].into_iter().chain(args).collect();
            let args = if args.contains(&"get") { [&args[..], &["gateway.mode"]].concat() } else { args };
            let ran = home.run(&args);
            assert_eq!(ran.stderr, "", "{args:?}");
            assert!(
                !ran.stdout.contains("unknown key") && !ran.stdout.contains("config/unknown"),
                "{args:?} {}",
                ran.stdout
            );
        }
    }
    home.tree.write(".openclaw/openclaw.json", WIZARD.replace("\"mode\": \"local\"", "\"moed\": \"local\""));
    let ran = home.run(&["--profile", "openclaw", "list", "--json"]);
    assert!(
        ran.stderr.contains("unknown key `gateway.moed` (did you mean `gateway.mode`?)"),
        "{}",
        ran.stderr
    );
}
