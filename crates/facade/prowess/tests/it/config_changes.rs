//! Writing the config: comments stay, nothing is lost, nobody ever reads half a file.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use prowess_config::{ConfigEdit, KeyPath};
use prowess_context::{Caching, ContextError as EngineError};
use prowess_fs::FileUpdate;
use prowess_json5::to_value;
use prowess_testkit::Tree;
use prowess_types::ProfileName;
use serde_json::{Value, json};

use crate::support::{configure, engine, engine_with};

fn key(text: &str) -> KeyPath {
    KeyPath::parse(text).expect("a key")
}

fn set(text: &str, value: Value) -> ConfigEdit {
    ConfigEdit::Set(key(text), value)
}

fn config_text(tree: &Tree) -> String {
    fs::read_to_string(tree.path("home/.prowess/prowess.json")).expect("the config file")
}

#[test]
fn comments_and_order_survive() {
    let tree = Tree::new();
    let before = "// mine
{
  skills: {
    // the weather is always the same here
    entries: { weather: { enabled: true, /* old */ apiKey: 'k' } },
    load: { watch: true }, // trailing
  },
  unknown: [1, 2], // kept
}
";
    configure(&tree, before);
    let changes = [
        set("skills.entries.weather.enabled", json!(false)),
        set("skills.load.debounceMs", json!(100)),
        ConfigEdit::Unset(key("skills.load.watch")),
    ];
    assert_eq!(engine(&tree).change_config(&changes).unwrap(), FileUpdate::Written);
    insta::assert_snapshot!(config_text(&tree), @"
    // mine
    {
      skills: {
        // the weather is always the same here
        entries: { weather: { enabled: false, /* old */ apiKey: 'k' } },
        load: { debounceMs: 100 }, // trailing
      },
      unknown: [1, 2], // kept
    }
    ");
    assert_eq!(engine(&tree).change_config(&changes).unwrap(), FileUpdate::Unchanged);
}

#[test]
fn a_file_is_made_for_its_owner_alone() {
    let tree = Tree::new();
    let updated = engine(&tree).change_config(&[set("skills.entries.x.apiKey", json!("k"))]).unwrap();
    assert_eq!(updated, FileUpdate::Written);
    assert_eq!(
        to_value(&config_text(&tree)).ok(),
        Some(json!({"skills": {"entries": {"x": {"apiKey": "k"}}}}))
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let metadata = fs::metadata(tree.path("home/.prowess/prowess.json")).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let tree = Tree::new();
    tree.write("dotfiles/prowess.json", "{}\n");
    fs::create_dir_all(tree.path("home/.prowess")).unwrap();
    let link = tree.path("home/.prowess/prowess.json");
    std::os::unix::fs::symlink(tree.path("dotfiles/prowess.json"), &link).unwrap();
    engine(&tree).change_config(&[set("skills.load.watch", json!(false))]).unwrap();
    assert!(link.is_symlink());
    assert!(fs::read_to_string(tree.path("dotfiles/prowess.json")).unwrap().contains("watch"));
}

#[test]
fn what_is_refused_changes_nothing() {
    let tree = Tree::new();
    let before = "{ skills: { load: { watch: true } } } // as it was\n";
    configure(&tree, before);
    for (change, message) in [
        (set("skills.load.watch", json!("maybe")), "`skills.load.watch` must be true or false, not a string"),
        (
            set("skills.limits.maxCandidatesPerRoot", json!(0)),
            "`skills.limits.maxCandidatesPerRoot` must be a whole number of at least 1, not 0",
        ),
        (
            set("skills.modes.x", json!("loud")),
            "`skills.modes.x` must be one of `pinned`, `auto`, `name-only`, `manual`, `disabled`, not `loud`",
        ),
        (
            set("skills.entries.x.apiKey", json!("__PROWESS_REDACTED__")),
            "`skills.entries.x.apiKey` would be set to the placeholder of a secret",
        ),
    ] {
        // The good change before it is not made either.
        let changes = [set("skills.load.debounceMs", json!(1)), change];
        let error = engine(&tree).change_config(&changes).unwrap_err();
        assert!(matches!(error, EngineError::ChangeConfig(_)));
        let cause = std::error::Error::source(&error).expect("a cause").to_string();
        assert_eq!(cause, message);
        assert_eq!(config_text(&tree), before);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_touched() {
    let tree = Tree::new();
    configure(&tree, "{ skills: ");
    engine(&tree).change_config(&[set("skills.load.watch", json!(false))]).unwrap_err();
    assert_eq!(config_text(&tree), "{ skills: ");
}

#[test]
fn a_key_that_openclaw_would_refuse_is_not_written_to_its_file() {
    let tree = Tree::new();
    let engine = engine_with(&tree, ProfileName::Openclaw, &[], Caching::Off);
    engine.change_config(&[set("skills.modes.x", json!("pinned"))]).unwrap_err();
    assert!(!tree.path("home/.openclaw/openclaw.json").exists());
    engine.change_config(&[set("skills.entries.x.enabled", json!(false))]).unwrap();
    assert!(tree.path("home/.openclaw/openclaw.json").exists());
}

#[test]
fn eight_writers_lose_nothing_and_no_reader_sees_half_a_file() {
    const WRITERS: usize = 8;
    const KEYS: usize = 5;
    let tree = Tree::new();
    configure(&tree, "{\n  // a comment\n  skills: {},\n}\n");
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !is_done.load(Ordering::Relaxed) {
                assert!(to_value(&config_text(&tree)).is_ok(), "half a file");
                reads += 1;
            }
            reads
        });
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let tree = &tree;
                scope.spawn(move || {
                    let engine = engine(tree);
                    for number in 0..KEYS {
                        let name = format!("skills.entries.w{writer}-{number}.enabled");
                        engine.change_config(&[set(&name, json!(false))]).expect("the change");
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().expect("a writer");
        }
        is_done.store(true, Ordering::Relaxed);
        assert!(reader.join().expect("the reader") > 0);
    });
    let text = config_text(&tree);
    assert!(text.contains("// a comment"));
    let entries = &to_value(&text).expect("JSON5")["skills"]["entries"];
    assert_eq!(entries.as_object().expect("entries").len(), WRITERS * KEYS);
}
