use insta::assert_snapshot;
use serde_json::json;

use super::*;

const USER: ConfigFile = ConfigFile::User(ProfileName::Prowess);

fn set(key: &str, value: Value) -> ConfigEdit {
    ConfigEdit::Set(KeyPath::parse(key).unwrap(), value)
}

fn unset(key: &str) -> ConfigEdit {
    ConfigEdit::Unset(KeyPath::parse(key).unwrap())
}

#[test]
fn changes_keep_everything_else() {
    let text = "{\n  // mine\n  skills: {\n    load: {watch: true}, // live\n    entries: {\n      'my.skill': {enabled: true},\n    },\n  },\n  unknown: 1,\n}\n";
    let changes = [
        set("skills.load.watch", json!(false)),
        set("skills.entries['my.skill'].enabled", json!(false)),
        set("skills.modes.github", json!("pinned")),
        set("agents.entries.main.skills", json!(["a"])),
        unset("skills.install.preferBrew"),
    ];
    assert_snapshot!(edit(Some(text), &changes, USER).unwrap(), @r"
    {
      // mine
      skills: {
        load: {watch: false}, // live
        entries: {
          'my.skill': {enabled: false},
        },
        modes: {
          github: 'pinned',
        },
      },
      unknown: 1,
      agents: {
        entries: {
          main: {
            skills: ['a'],
          },
        },
      },
    }
    ");
}

#[test]
fn a_new_file_is_plain_json() {
    let text = edit(None, &[set("skills.load.extraDirs", json!(["~/s"]))], USER).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({"skills": {"load": {"extraDirs": ["~/s"]}}})
    );
}

#[test]
fn the_file_keeps_its_own_spelling() {
    let text =
        "{skills: {load: {watchDebounceMs: 1}}, agents: {list: [{id: 'a'}, {id: 'Main', skills: ['x']}]}}";
    let changes = [set("skills.load.debounceMs", json!(2)), set("agents.entries.main.skills", json!([]))];
    assert_eq!(
        edit(Some(text), &changes, USER).unwrap(),
        "{skills: {load: {watchDebounceMs: 2}}, agents: {list: [{id: 'a'}, {id: 'Main', skills: []}]}}"
    );
    let removed =
        edit(Some(text), &[unset("agents.entries.main.skills"), unset("skills.load.debounceMs")], USER)
            .unwrap();
    assert_eq!(removed, "{skills: {load: {}}, agents: {list: [{id: 'a'}, {id: 'Main'}]}}");
    let entries = "{agents: {entries: {Main: {}}}}";
    assert_eq!(
        edit(Some(entries), &[set("agents.entries.main.name", json!("n"))], USER).unwrap(),
        "{agents: {entries: {Main: {name: \"n\"}}}}"
    );
}

#[test]
fn wrong_changes_are_refused_with_the_reason() {
    let openclaw = ConfigFile::User(ProfileName::Openclaw);
    let table = [
        (set("skills.load.watch", json!("no")), USER),
        (set("skills.limits.maxCandidatesPerRoot", json!(0)), USER),
        (set("skills.install.nodeManager", json!("cargo")), USER),
        (set("skills.load", json!({"extraDirs": ["a", 1]})), USER),
        (set("skills", json!([])), USER),
        (set("agents.list[0].skills", json!("a")), USER),
        (set("skills.modes.gh", json!("pinned")), openclaw),
        (set("skills.prompt", json!({"compact": true})), openclaw),
        (set("skills.load.watch", json!(true)), ConfigFile::Project),
        (set("skills.entries.gh.apiKey", json!("__PROWESS_REDACTED__")), USER),
        (set("skills.entries.gh", json!({"env": {"A": "__OPENCLAW_REDACTED__"}})), openclaw),
        (set("skills.entries.gh.config", json!({"__proto__": 1})), USER),
        (set("unknown.deep", json!(1)), USER),
    ];
    let report: Vec<_> = table
        .iter()
        .map(|(change, file)| match edit(Some("{unknown: 'x'}"), std::slice::from_ref(change), *file) {
            Ok(text) => text,
            Err(error) => error.to_string(),
        })
        .collect();
    assert_snapshot!(report.join("\n"), @r"
    `skills.load.watch` must be true or false, not a string
    `skills.limits.maxCandidatesPerRoot` must be a whole number of at least 1, not 0
    `skills.install.nodeManager` must be one of `npm`, `pnpm`, `yarn`, `bun`, not `cargo`
    `skills.load.extraDirs[1]` must be a string, not a number
    `skills` must be an object, not a list
    `agents.list[0].skills` must be a list of strings, not a string
    OpenClaw does not know `skills.modes.gh` and refuses a file with it
    OpenClaw does not know `skills.prompt.compact` and refuses a file with it
    `skills.load.watch` cannot be set in a project's config, only `skills.modes` and `skills.bundles` can
    `skills.entries.gh.apiKey` would be set to the placeholder of a secret
    `skills.entries.gh` would be set to the placeholder of a secret
    `__proto__` is not allowed in a key
    `unknown` is a string, so nothing can be set below it
    ");
}

#[test]
fn unknown_keys_and_openclaws_own_may_be_set() {
    let openclaw = ConfigFile::User(ProfileName::Openclaw);
    for key in ["gateway.unheardOf", "skills.entries.gh.enabled", "agents.list[0].skills"] {
        let value = if key.ends_with("skills") { json!([]) } else { json!(true) };
        assert!(edit(Some("{agents: {list: []}}"), &[set(key, value)], openclaw).is_ok(), "{key}");
    }
    assert!(edit(None, &[set("new.key", json!(1))], USER).is_ok());
    assert!(edit(None, &[set("skills.bundles.web", json!(["a"]))], ConfigFile::Project).is_ok());
}

#[test]
fn a_broken_file_is_not_touched() {
    let error = edit(Some("{\n  a 1\n}"), &[set("b", json!(1))], USER).unwrap_err();
    assert_eq!(error.to_string(), "the config cannot be read: line 2, column 5: expected `:`, found `1`");
}

#[test]
fn hashes_are_sha256() {
    assert_eq!(content_hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_ne!(content_hash("a"), content_hash("b"));
}

#[test]
fn changes_do_not_show_values() {
    let shown = format!("{:?}", [set("skills.entries.gh.apiKey", json!("hunter2")), unset("a.b")]);
    assert_eq!(shown, "[Set(skills.entries.gh.apiKey), Unset(a.b)]");
}
