//! Plugins that bring skills: which ones count, and which of their folders.

use prowess_testkit::Tree;
use prowess_types::LossReason;

use crate::support::{configure, entry, inventory, loss, losses, names, write_skill};

/// A plugin in `folder` with one skill of its own name.
fn write_plugin(tree: &Tree, folder: &str, id: &str, skill: &str) {
    tree.write(&format!("{folder}/prowess.plugin.json"), format!("{{id: '{id}', skills: ['skills']}}"));
    write_skill(tree, &format!("{folder}/skills/{skill}"), skill);
}

fn write_memory_plugin(tree: &Tree, id: &str) {
    let folder = format!("home/.prowess/plugins/{id}");
    write_plugin(tree, &folder, id, id);
    let manifest = format!("{{id: '{id}', kind: 'memory', skills: ['skills']}}");
    tree.write(&format!("{folder}/prowess.plugin.json"), manifest);
}

#[test]
fn both_names_of_the_manifest_count_and_both_folders() {
    let tree = Tree::new();
    write_plugin(&tree, "home/.prowess/plugins/ours", "ours", "ours");
    tree.write(
        "home/.prowess/extensions/theirs/openclaw.plugin.json",
        r#"{"id": "theirs", "skills": [" ./packed "]}"#,
    );
    write_skill(&tree, "home/.prowess/extensions/theirs/packed/theirs", "theirs");
    write_skill(&tree, "home/.prowess/plugins/no-plugin/skills/nothing", "nothing");
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["ours", "theirs"]);
    let origin = &entry(&inventory, "ours").origin;
    assert_eq!((origin.source.as_str(), origin.plugin.as_deref()), ("openclaw-extra", Some("ours")));
    assert_eq!(losses(&tree, &inventory), []);
}

#[test]
fn plugins_and_folders_of_plugins_can_be_named_in_the_config() {
    let tree = Tree::new();
    write_plugin(&tree, "one", "one", "one");
    write_plugin(&tree, "many/two", "two", "two");
    write_plugin(&tree, "many/three", "three", "three");
    configure(&tree, "{plugins: {load: {paths: ['$ROOT/one', '$ROOT/many']}}}");
    assert_eq!(names(&inventory(&tree)), ["one", "three", "two"]);
}

#[test]
fn plugins_can_be_switched_off_in_every_way() {
    let tree = Tree::new();
    write_plugin(&tree, "home/.prowess/plugins/one", "one", "one");
    write_plugin(&tree, "home/.prowess/plugins/two", "two", "two");
    for (config, expected) in [
        ("{}", &["one", "two"][..]),
        ("{plugins: {enabled: false}}", &[]),
        ("{plugins: {allow: ['one']}}", &["one"]),
        ("{plugins: {allow: []}}", &["one", "two"]),
        ("{plugins: {deny: ['one']}}", &["two"]),
        ("{plugins: {allow: ['one', 'two'], deny: ['two']}}", &["one"]),
        ("{plugins: {entries: {one: {enabled: false}}}}", &["two"]),
        ("{plugins: {entries: {one: {enabled: true}}}}", &["one", "two"]),
        ("{plugins: {deny: ['one'], entries: {one: {enabled: true}}}}", &["two"]),
    ] {
        configure(&tree, config);
        assert_eq!(names(&inventory(&tree)), expected, "{config}");
    }
}

#[test]
fn a_missing_folder_is_named() {
    let tree = Tree::new();
    tree.write("home/.prowess/plugins/one/prowess.plugin.json", "{id: 'one', skills: ['gone', 'skills']}");
    write_skill(&tree, "home/.prowess/plugins/one/skills/kept", "kept");
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["kept"], "the other folder still counts");
    let gone = tree.path("home/.prowess/plugins/one/gone");
    let lost = loss(&inventory, &gone);
    assert_eq!(lost.reason, LossReason::PluginPathMissing);
    assert_eq!(lost.message, format!("plugin skill path not found (one): {}", gone.display()));
}

#[test]
fn a_folder_outside_the_plugin_is_refused_by_its_spelling() {
    let tree = Tree::new();
    write_skill(&tree, "outside/stolen", "stolen");
    write_skill(&tree, "home/.prowess/plugins/beside/stolen", "stolen");
    let manifest = tree.expand("{id: 'one', skills: ['../beside', '$ROOT/outside', 'skills/../../beside']}");
    tree.write("home/.prowess/plugins/one/prowess.plugin.json", manifest);
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), [""; 0]);
    let messages: Vec<&str> = inventory.losses.iter().map(|loss| loss.message.as_str()).collect();
    let escapes =
        |path: &str| format!("plugin skill path escapes plugin root (one): {}", tree.path(path).display());
    let beside = escapes("home/.prowess/plugins/beside");
    assert_eq!(messages, [&beside, &escapes("outside"), &beside]);
    assert!(inventory.losses.iter().all(|loss| loss.reason == LossReason::PluginPathEscape));
}

#[cfg(unix)]
#[test]
fn a_folder_outside_the_plugin_is_refused_by_its_link() {
    let tree = Tree::new();
    write_skill(&tree, "outside/stolen", "stolen");
    tree.write("home/.prowess/plugins/one/prowess.plugin.json", "{id: 'one', skills: ['skills']}");
    let link = tree.path("home/.prowess/plugins/one/skills");
    std::os::unix::fs::symlink(tree.path("outside"), &link).unwrap();
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), [""; 0]);
    let lost = loss(&inventory, &link);
    assert_eq!(lost.reason, LossReason::PluginPathEscape);
    assert_eq!(lost.message, format!("plugin skill path escapes plugin root (one): {}", link.display()));
}

#[cfg(unix)]
#[test]
fn a_skill_in_a_plugin_may_not_link_out_of_it() {
    let tree = Tree::new();
    write_skill(&tree, "outside/stolen", "stolen");
    write_plugin(&tree, "home/.prowess/plugins/one", "one", "kept");
    let link = tree.path("home/.prowess/plugins/one/skills/stolen");
    std::os::unix::fs::symlink(tree.path("outside/stolen"), &link).unwrap();
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["kept"]);
    assert_eq!(loss(&inventory, &link).reason, LossReason::SymlinkEscape);
}

#[test]
fn one_memory_plugin_owns_the_slot() {
    let tree = Tree::new();
    write_memory_plugin(&tree, "alpha");
    write_memory_plugin(&tree, "beta");
    write_plugin(&tree, "home/.prowess/plugins/other", "other", "other");
    for (config, expected, refused) in [
        ("{}", &["alpha", "other"][..], &["beta"][..]),
        ("{plugins: {slots: {memory: 'beta'}}}", &["beta", "other"], &["alpha"]),
        ("{plugins: {slots: {memory: 'none'}}}", &["other"], &["alpha", "beta"]),
        ("{plugins: {deny: ['alpha']}}", &["beta", "other"], &[]),
    ] {
        configure(&tree, config);
        let inventory = inventory(&tree);
        assert_eq!(names(&inventory), expected, "{config}");
        let lost: Vec<(String, LossReason)> = refused
            .iter()
            .map(|id| (format!("home/.prowess/plugins/{id}"), LossReason::PluginInvalid))
            .collect();
        assert_eq!(losses(&tree, &inventory), lost, "{config}");
    }
    configure(&tree, "{plugins: {slots: {memory: 'beta'}}}");
    let inventory = inventory(&tree);
    let message = &loss(&inventory, &tree.path("home/.prowess/plugins/alpha")).message;
    assert_eq!(message, "the memory slot belongs to `beta`, so `alpha` is not used");
}

#[test]
fn a_plugin_in_the_workspace_counts_only_when_the_user_names_it() {
    let tree = Tree::new();
    write_plugin(&tree, "ws/.prowess/plugins/cloned", "cloned", "cloned");
    write_plugin(&tree, "ws/.openclaw/extensions/other", "other", "other");
    // What comes with the repository cannot vouch for itself.
    tree.write(
        "ws/.prowess/config.json",
        "{plugins: {allow: ['cloned'], entries: {other: {enabled: true}}}}",
    );
    assert_eq!(names(&inventory(&tree)), [""; 0]);
    configure(&tree, "{plugins: {entries: {cloned: {enabled: true}}}}");
    assert_eq!(names(&inventory(&tree)), ["cloned"]);
    configure(&tree, "{plugins: {allow: ['cloned', 'other']}}");
    assert_eq!(names(&inventory(&tree)), ["cloned", "other"]);
}

#[test]
fn a_plugin_in_the_workspace_cannot_take_the_place_of_the_users() {
    let tree = Tree::new();
    write_plugin(&tree, "home/.prowess/plugins/tool", "tool", "mine");
    write_plugin(&tree, "ws/.prowess/plugins/tool", "tool", "theirs");
    configure(&tree, "{plugins: {allow: ['tool']}}");
    assert_eq!(names(&inventory(&tree)), ["mine"]);
}

#[test]
fn plugins_beat_extra_folders_and_nothing_else() {
    let tree = Tree::new();
    write_plugin(&tree, "home/.prowess/plugins/one", "one", "same");
    write_skill(&tree, "extra/same", "same");
    configure(&tree, "{skills: {load: {extraDirs: ['$ROOT/extra']}}}");
    assert_eq!(entry(&inventory(&tree), "same").origin.plugin.as_deref(), Some("one"));
    for (folder, source) in [
        ("bundled", "openclaw-bundled"),
        ("home/.prowess/skills", "openclaw-managed"),
        ("home/.agents/skills", "agents-skills-personal"),
        ("ws/.agents/skills", "agents-skills-project"),
        ("ws/skills", "openclaw-workspace"),
    ] {
        write_skill(&tree, &format!("{folder}/same"), "same");
        assert_eq!(entry(&inventory(&tree), "same").origin.source, source);
        std::fs::remove_dir_all(tree.path(folder)).unwrap();
    }
}

#[test]
fn of_two_plugins_the_first_has_precedence() {
    let tree = Tree::new();
    write_plugin(&tree, "home/.prowess/plugins/a", "a", "same");
    write_plugin(&tree, "home/.prowess/plugins/b", "b", "same");
    let inventory = inventory(&tree);
    assert_eq!(entry(&inventory, "same").origin.plugin.as_deref(), Some("a"));
    assert_eq!(losses(&tree, &inventory).len(), 1);
}

#[test]
fn a_manifest_that_cannot_be_used_is_named() {
    let tree = Tree::new();
    let file = |name: &str| format!("home/.prowess/plugins/{name}/prowess.plugin.json");
    tree.write(&file("broken"), "{id: 'broken', skills: [");
    tree.write(&file("nameless"), "{id: ' ', skills: ['skills']}");
    tree.write(&file("binary"), b"\xFF\xFE\x00");
    tree.write(&file("list"), "[]");
    write_plugin(&tree, "home/.prowess/plugins/good", "good", "good");
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["good"]);
    for name in ["broken", "nameless", "binary", "list"] {
        let lost = loss(&inventory, &tree.path(&file(name)));
        assert_eq!(lost.reason, LossReason::PluginInvalid, "{name}");
        assert!(!lost.message.is_empty());
    }
    assert_eq!(inventory.losses.len(), 4);
}
