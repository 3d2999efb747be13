use insta::assert_snapshot;
use serde_json::json;

use super::*;

fn read(text: &str, name: ProfileName) -> (Config, Vec<ConfigIssue>) {
    Config::parse(Some(text), Path::new("/home/u/c.json"), name)
}

fn config(text: &str) -> Config {
    read(text, ProfileName::Prowess).0
}

fn get(config: &Config, key: &str) -> Option<Value> {
    config.get(&KeyPath::parse(key).unwrap())
}

fn shown(issues: &[ConfigIssue]) -> String {
    issues.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_file_and_an_empty_file_are_empty_configs() {
    for text in [None, Some(""), Some("// nothing\n"), Some("{}")] {
        let (config, issues) = Config::parse(text, Path::new("/c.json"), ProfileName::Prowess);
        assert_eq!(issues, []);
        assert_eq!(config.merged(), &json!({}));
        assert_eq!(config.file(), Path::new("/c.json"));
    }
}

#[test]
fn every_problem_has_a_place_and_a_way_out() {
    let text = r#"{
  // OpenClaw's, kept
  gateway: {port: 1, whatever: true},
  skils: {},
  skills: {
    allowBundled: ["a", 1, "b"],
    load: {watch: "yes", extraDirs: "~/x", watchDebounceMs: -1},
    limits: {maxSkillsInPrompt: 0, maxCandidatesPerRoot: 0},
    limts: {},
    install: {nodeManager: "cargo"},
    entries: {gh: {enabeld: false, apiKey: 5}, tmux: 1},
    modes: {gh: "always"},
  },
  agents: {list: [{id: "a", skils: [], model: "m"}, 7], whatever: 1},
}"#;
    let (config, issues) = read(text, ProfileName::Prowess);
    assert_snapshot!(shown(&issues), @r"
    /home/u/c.json:4:3: unknown key `skils` (did you mean `skills`?)
    /home/u/c.json:6:25: `skills.allowBundled[1]` must be a string, not a number (this value is not used)
    /home/u/c.json:7:12: `skills.load.watch` must be true or false, not a string (this value is not used)
    /home/u/c.json:7:26: `skills.load.extraDirs` must be a list of strings, not a string (this value is not used)
    /home/u/c.json:7:44: `skills.load.watchDebounceMs` must be a whole number, not -1 (this value is not used)
    /home/u/c.json:8:36: `skills.limits.maxCandidatesPerRoot` must be a whole number of at least 1, not 0 (this value is not used)
    /home/u/c.json:9:5: unknown key `skills.limts` (did you mean `skills.limits`?)
    /home/u/c.json:10:15: `skills.install.nodeManager` must be one of `npm`, `pnpm`, `yarn`, `bun`, not `cargo` (this value is not used)
    /home/u/c.json:11:20: unknown key `skills.entries.gh.enabeld` (did you mean `skills.entries.gh.enabled`?)
    /home/u/c.json:11:36: `skills.entries.gh.apiKey` must be a string or `{source, provider, id}`, not a number (this value is not used)
    /home/u/c.json:11:48: `skills.entries.tmux` must be an object, not a number (this value is not used)
    /home/u/c.json:12:13: `skills.modes.gh` must be one of `pinned`, `auto`, `name-only`, `manual`, `disabled`, not `always` (this value is not used)
    /home/u/c.json:14:29: unknown key `agents.list[0].skils` (did you mean `agents.list[0].skills`?)
    /home/u/c.json:14:53: `agents.list[1]` must be an object, not a number (this value is not used)
    ");
    // What is right stands.
    assert_eq!(config.allow_bundled(), ["a", "b"]);
    assert!(config.load().watch);
    assert_eq!(config.load().debounce_ms, 250);
    assert_eq!(config.agent_ids(), ["a"]);
    assert_eq!(get(&config, "skils"), Some(json!({})));
    assert_eq!(get(&config, "skills.limits.maxSkillsInPrompt"), Some(json!(0)));
    assert_eq!(get(&config, "skills.limits.maxCandidatesPerRoot"), Some(json!(300)));
}

#[test]
fn a_file_that_is_not_an_object_is_named_and_not_used() {
    let table = ["{skills: {", "[]", "'x'", "{a: 1"];
    let report: Vec<_> = table
        .iter()
        .map(|text| {
            let (config, issues) = read(text, ProfileName::Prowess);
            assert!(issues[0].is_fatal(), "{text}");
            assert_eq!(config.merged(), &json!({}));
            shown(&issues)
        })
        .collect();
    assert_snapshot!(report.join("\n"), @r"
    /home/u/c.json:1:11: expected a key, found the end of the text
    /home/u/c.json:1:1: the config must be an object, not a list
    /home/u/c.json:1:1: the config must be an object, not a string
    /home/u/c.json:1:6: expected `,` or `}`, found the end of the text
    ");
}

#[test]
fn keys_that_openclaw_refuses_are_named_under_its_profile_only() {
    let text = "{\n  skills: {modes: {gh: 'pinned'}, load: {watchDebounceMs: 100}},\n  agent: {skillsSpecMode: 'strict'},\n}";
    assert_eq!(read(text, ProfileName::Prowess).1, []);
    assert_eq!(read(text, ProfileName::Openpocket).1, []);
    assert_snapshot!(shown(&read(text, ProfileName::Openclaw).1), @r"
    /home/u/c.json:2:20: OpenClaw does not know `skills.modes.gh` and refuses a file with it
    /home/u/c.json:2:42: OpenClaw does not know `skills.load.watchDebounceMs` and refuses a file with it
    /home/u/c.json:3:11: OpenClaw does not know `agent.skillsSpecMode` and refuses a file with it
    ");
}

#[test]
fn a_project_sets_modes_and_bundles_only() {
    let text = "{\n  skills: {\n    modes: {gh: 'pinned', x: 3},\n    bundles: {web: ['a']},\n    entries: {gh: {apiKey: 'k'}},\n    load: {extraDirs: ['/evil']},\n  },\n  plugins: {load: {paths: ['/evil']}},\n}";
    let (config, issues) = config("{skills: {modes: {gh: 'manual', git: 'manual'}}}")
        .with_project(Some(text), Path::new("/ws/.prowess/config.json"));
    assert_snapshot!(shown(&issues), @r"
    /ws/.prowess/config.json:3:27: `skills.modes.x` must be one of `pinned`, `auto`, `name-only`, `manual`, `disabled`, not a number (this value is not used)
    /ws/.prowess/config.json:5:5: `skills.entries` is ignored in a project's config (only `skills.modes` and `skills.bundles` count here)
    /ws/.prowess/config.json:6:5: `skills.load` is ignored in a project's config (only `skills.modes` and `skills.bundles` count here)
    /ws/.prowess/config.json:8:3: `plugins` is ignored in a project's config (only `skills.modes` and `skills.bundles` count here)
    ");
    assert_eq!(config.load().extra_dirs, [""; 0]);
    assert!(!config.entry("gh").has_api_key);
    assert_eq!(get(&config, "skills.modes"), Some(json!({"gh": "pinned", "git": "manual"})));
}

#[test]
fn values_tell_where_they_come_from() {
    let user = config(
        "{\n  skills: {\n    load: {\n      watchDebounceMs: 9,\n    },\n    modes: {gh: 'auto', git: 'auto'},\n  },\n  agents: {list: [\n    {id: 'Main', skills: ['a']},\n  ]},\n}",
    );
    let (config, _) =
        user.with_project(Some("{skills: {modes: {\n gh: 'pinned'}}}"), Path::new("/ws/p.json"));
    let report: Vec<_> = [
        "skills.load.debounceMs",
        "skills.load.watchDebounceMs",
        "skills.load",
        "skills.load.watch",
        "skills.modes.gh",
        "skills.modes.git",
        "agents.entries.main.skills",
        "agents.list[0].skills",
        "skills.prompt",
        "skills.nothing",
    ]
    .iter()
    .map(|key| {
        let key = KeyPath::parse(key).unwrap();
        match config.origin_of(&key) {
            Some(origin) => format!(
                "{key} = {} {:?} {} {}",
                config.get(&key).unwrap(),
                origin.layer,
                origin.file.map_or_else(|| "-".into(), |file| file.display().to_string()),
                origin.line.map(|line| line.to_string()).unwrap_or_default(),
            ),
            None => format!("{key} is not set"),
        }
    })
    .collect();
    assert_snapshot!(report.join("\n"), @r#"
    skills.load.debounceMs = 9 User /home/u/c.json 4
    skills.load.watchDebounceMs = 9 User /home/u/c.json 4
    skills.load = {"watch":true,"debounceMs":9} User /home/u/c.json 3
    skills.load.watch = true Default - 
    skills.modes.gh = "pinned" Project /ws/p.json 2
    skills.modes.git = "auto" User /home/u/c.json 6
    agents.entries.main.skills = ["a"] User /home/u/c.json 9
    agents.list[0].skills = ["a"] User /home/u/c.json 9
    skills.prompt = {"compact":false,"select":"message","preloadAt":0.8,"top":8,"wording":"mandatory"} Default - 
    skills.nothing is not set
    "#);
}

#[test]
fn secrets_are_not_shown() {
    let text = "{skills: {entries: {gh: {apiKey: 'hunter2', env: {A: 'hunter2'}}}}, gateway: {auth: {token: 'hunter2'}}}";
    for (name, placeholder) in
        [(ProfileName::Prowess, "__PROWESS_REDACTED__"), (ProfileName::Openclaw, "__OPENCLAW_REDACTED__")]
    {
        let (config, _) = read(text, name);
        assert_eq!(get(&config, "skills.entries.gh.apiKey"), Some(json!(placeholder)));
        assert_eq!(
            get(&config, "skills.entries.gh"),
            Some(json!({"apiKey": placeholder, "env": {"A": placeholder}}))
        );
        assert_eq!(get(&config, "gateway.auth.token"), Some(json!(placeholder)));
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}

#[test]
fn the_gate_sees_the_defaults_of_its_engine() {
    let at = |name, path: &[&str]| value::at(&read("{}", name).0.runtime_value(), path).cloned();
    assert_eq!(at(ProfileName::Openclaw, &["agents", "defaults"]), Some(json!({})));
    assert_eq!(at(ProfileName::Openclaw, &["skills"]), None);
    assert_eq!(at(ProfileName::Prowess, &["skills", "load", "watch"]), Some(json!(true)));
    // On by default for exactly two paths below it, which is the gate's business.
    assert_eq!(at(ProfileName::Openclaw, &["browser"]), None);
    assert_eq!(at(ProfileName::Prowess, &["browser"]), None);
    assert_eq!(at(ProfileName::Openpocket, &["agent", "autoArtifactsEnabled"]), Some(json!(true)));
    let (config, _) = read("{browser: {enabled: false}, channels: {slack: {}}}", ProfileName::Openclaw);
    assert_eq!(value::at(&config.runtime_value(), &["browser", "enabled"]), Some(&json!(false)));
    assert_eq!(value::at(&config.runtime_value(), &["channels", "slack"]), Some(&json!({})));
}

#[test]
fn defaults_are_values_too() {
    let config = config("{}");
    assert_eq!(get(&config, "browser.enabled"), Some(json!(true)));
    assert_eq!(get(&config, "skills.limits.maxSkillsPromptChars"), Some(json!(30_000)));
    assert_eq!(get(&config, "skills.entries.gh"), None);
    let (pocket, _) = read("{}", ProfileName::Openpocket);
    assert_eq!(get(&pocket, "skills.limits.maxSkillsInPrompt"), None);
}

#[test]
fn the_reference_has_every_documented_key() {
    let reference = Config::reference();
    assert!(reference.contains("| `skills.load.debounceMs` | a whole number | `250` |"), "{reference}");
    assert!(reference.contains("`30000` (openclaw: `18000`, openpocket: `12000`)"));
    assert!(
        reference.lines().all(|line| line.matches(" | ").count() == 3 || line.starts_with("|--")),
        "{reference}"
    );
}

mod properties {
    use proptest::prelude::*;

    use super::*;
    use crate::keys::KEYS;

    /// Values whose keys are parts of known keys, so that every rule of the table is met.
    fn value() -> impl Strategy<Value = Value> {
        let words: Vec<&str> = KEYS.iter().flat_map(|key| key.pattern.split('.')).collect();
        let word = prop::sample::select(words);
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            prop_oneof!["[a-z]{0,3}", Just("pinned".to_owned()), Just("none".to_owned())]
                .prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 60, 6, move |inner| {
            prop_oneof![
                1 => prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                4 => prop::collection::vec((word.clone(), inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_config_can_be_read_and_asked(skills in value(), agents in value(), other in value()) {
            let mut root = json!({"skills": skills, "agents": agents});
            value::overlay(&mut root, &other);
            for name in [ProfileName::Prowess, ProfileName::Openclaw, ProfileName::Openpocket] {
                let (config, _) = read(&root.to_string(), name);
                let (config, _) = config.with_project(Some(&root.to_string()), Path::new("/ws/p.json"));
                let agent = config.agent(None).unwrap();
                config.load();
                config.install();
                config.workshop();
                config.plugins();
                config.prompt_rules(&agent);
                config.mode_of("auto", "main", &agent);
                config.entry("main");
                config.runtime_value();
                config.spec_mode();
                for id in config.agent_ids() {
                    prop_assert_eq!(config.agent(Some(&id)).unwrap().id, id);
                }
            }
        }

        #[test]
        fn every_value_has_an_origin(root in value()) {
            let (config, _) = read(&root.to_string(), ProfileName::Prowess);
            for key in KEYS.iter().filter(|key| !key.pattern.contains('*')) {
                let key = KeyPath::new(key.pattern.split('.')).unwrap();
                prop_assert_eq!(config.get(&key).is_some(), config.origin_of(&key).is_some(), "{}", key);
            }
        }
    }
}
