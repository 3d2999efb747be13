//! Which files are skills, by spec mode and by profile, and where each profile looks.

use prowess::{Engine, EngineOptions};
use prowess_config::Overrides;
use prowess_context::Caching;
use prowess_inventory::Inventory;
use prowess_testkit::Tree;
use prowess_types::{LossReason, ProfileName};

use crate::support::{
    configure, engine_with, entry, inventory, inventory_under, loss, names, options, skill, write_skill,
};

/// One file of every kind that the modes treat differently.
fn odd_files() -> Tree {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/portable", "portable");
    tree.write("ws/skills/portable/references/guide.md", "# Guide\n\nHow it is done.\n");
    write_skill(&tree, "ws/skills/portable/inner", "inner");
    let extended = skill("extended", "user-invocable: true\nmetadata: {\"prowess\":{\"emoji\":\"x\"}}\n");
    tree.write("ws/skills/extended/SKILL.md", extended);
    write_skill(&tree, "ws/skills/other-folder", "misnamed");
    tree.write("ws/skills/silent/SKILL.md", "# Silent\n\nSays nothing about itself.\n");
    tree.write("ws/skills/lone.md", "# Lone\n\nA lone file.\n");
    tree.write("ws/skills/described.md", skill("described", ""));
    tree.write("ws/skills/README.md", skill("readme", ""));
    tree.write("ws/skills/readme.MD", skill("readme", ""));
    tree
}

fn in_mode(tree: &Tree, mode: &str) -> Inventory {
    configure(tree, &format!("{{agent: {{skillsSpecMode: '{mode}'}}}}"));
    inventory(tree)
}

#[test]
fn mixed_mode_is_the_default_and_takes_lone_files() {
    let tree = odd_files();
    let by_default = inventory(&tree);
    assert_eq!(names(&by_default), ["described", "extended", "Lone", "misnamed", "portable"]);
    assert_eq!(entry(&by_default, "Lone").skill.description, "A lone file.");
    let silent = loss(&by_default, &tree.path("ws/skills/silent/SKILL.md"));
    assert_eq!(silent.reason, LossReason::Invalid);
    assert_eq!(silent.diagnostics[0].rule, "frontmatter/missing");
    assert_eq!(names(&in_mode(&tree, "mixed")), names(&by_default));
    assert_eq!(names(&in_mode(&tree, "no-such-mode")), names(&by_default));
}

#[test]
fn legacy_mode_derives_what_a_skill_leaves_out() {
    let inventory = in_mode(&odd_files(), "legacy");
    assert_eq!(names(&inventory), ["described", "extended", "Lone", "misnamed", "portable", "Silent"]);
    assert_eq!(entry(&inventory, "Silent").skill.description, "Says nothing about itself.");
}

#[test]
fn strict_mode_takes_only_folders_that_follow_the_specification() {
    let tree = odd_files();
    let inventory = in_mode(&tree, "strict");
    assert_eq!(names(&inventory), ["extended", "portable"]);
    let misnamed = loss(&inventory, &tree.path("ws/skills/other-folder/SKILL.md"));
    assert_eq!(misnamed.reason, LossReason::Invalid);
    let rules: Vec<&str> = misnamed.diagnostics.iter().map(|diagnostic| diagnostic.rule.as_ref()).collect();
    assert!(rules.contains(&"name/folder-mismatch") && rules.contains(&"spec/strict"), "{rules:?}");
}

#[test]
fn files_below_a_skill_are_skills_only_under_openpocket() {
    let tree = odd_files();
    for name in names(&inventory(&tree)) {
        assert!(name != "Guide" && name != "inner");
    }
    let pocket = inventory_under(&tree, ProfileName::Openpocket);
    let ids: Vec<&str> = pocket.entries.iter().map(|entry| entry.skill.id.as_str()).collect();
    assert!(ids.contains(&"guide") && ids.contains(&"inner"), "{ids:?}");
    assert!(!ids.contains(&"README") && !ids.contains(&"readme"), "{ids:?}");
}

#[test]
fn openclaw_takes_no_lone_files_whatever_the_mode() {
    let tree = odd_files();
    tree.write("home/.openclaw/openclaw.json", "{agent: {skillsSpecMode: 'legacy'}}");
    assert_eq!(names(&inventory_under(&tree, ProfileName::Openclaw)), ["extended", "misnamed", "portable"]);
}

#[test]
fn a_root_that_is_a_skill_holds_no_others() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills", "whole-root");
    write_skill(&tree, "ws/skills/child", "child");
    assert_eq!(names(&inventory(&tree)), ["whole-root"]);
}

#[test]
fn groups_are_walked_and_hidden_folders_are_not() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/1/2/3/4/5/deep", "deep");
    write_skill(&tree, "ws/skills/1/2/3/4/5/6/too-deep", "too-deep");
    write_skill(&tree, "ws/skills/.hidden/skill", "hidden");
    write_skill(&tree, "ws/skills/node_modules/skill", "package");
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["deep"]);
    let reasons: Vec<LossReason> = inventory.losses.iter().map(|loss| loss.reason).collect();
    assert_eq!(reasons, [LossReason::TooDeep]);
}

#[test]
fn a_repository_of_skills_can_be_an_extra_folder() {
    let tree = Tree::new();
    configure(&tree, "{skills: {load: {extraDirs: ['$ROOT/repo']}}}");
    tree.write("repo/README.md", "# Our skills\n");
    write_skill(&tree, "repo/skills/group/one", "one");
    assert_eq!(names(&inventory(&tree)), ["one"]);
}

/// An engine that finds everything by variables alone.
fn by_variables(tree: &Tree, profile: ProfileName, vars: &[(&str, &str)]) -> Engine {
    let options = EngineOptions { overrides: Overrides::default(), ..options(tree, profile, vars) };
    Engine::open(options).expect("the engine opens")
}

#[test]
fn prowess_looks_where_its_variables_say() {
    let tree = Tree::new();
    tree.write("elsewhere/config.json5", "{skills: {entries: {managed: {enabled: false}}}}");
    write_skill(&tree, "moved/skills/managed", "managed");
    write_skill(&tree, "shipped/shipped", "shipped");
    write_skill(&tree, "ws/skills/here", "here");
    let engine = by_variables(
        &tree,
        ProfileName::Prowess,
        &[
            ("PROWESS_HOME", "$ROOT/moved"),
            ("PROWESS_CONFIG", "$ROOT/elsewhere/config.json5"),
            ("PROWESS_BUNDLED_SKILLS_DIR", "$ROOT/shipped"),
        ],
    );
    let inventory = engine.inventory(None).unwrap();
    assert_eq!(names(&inventory), ["here", "managed", "shipped"], "the workspace is the working directory");
    assert!(entry(&inventory, "managed").verdict.disabled);
}

#[test]
fn openclaw_looks_where_its_variables_say() {
    let tree = Tree::new();
    write_skill(&tree, "state/skills/managed", "managed");
    write_skill(&tree, "state/workspace/skills/own", "own");
    write_skill(&tree, "home/.agents/skills/personal", "personal");
    write_skill(&tree, "shipped/shipped", "shipped");
    let vars = [("OPENCLAW_STATE_DIR", "$ROOT/state"), ("OPENCLAW_BUNDLED_SKILLS_DIR", "$ROOT/shipped")];
    let moved = by_variables(&tree, ProfileName::Openclaw, &vars);
    // With a state directory of its own, an installation does not look into the user's home.
    assert_eq!(names(&moved.inventory(None).unwrap()), ["managed", "own", "shipped"]);

    let by_config = by_variables(
        &tree,
        ProfileName::Openclaw,
        &[
            ("OPENCLAW_CONFIG_PATH", "$ROOT/state/openclaw.json"),
            ("OPENCLAW_BUNDLED_SKILLS_DIR", "$ROOT/shipped"),
        ],
    );
    let found = by_config.inventory(None).unwrap();
    assert!(names(&found).contains(&"managed") && names(&found).contains(&"own"), "{:?}", names(&found));

    write_skill(&tree, "other-home/.openclaw/skills/elsewhere", "elsewhere");
    let by_home = by_variables(&tree, ProfileName::Openclaw, &[("OPENCLAW_HOME", "$ROOT/other-home")]);
    assert_eq!(names(&by_home.inventory(None).unwrap()), ["elsewhere", "personal"]);
}

#[test]
fn openpocket_looks_where_its_variable_says() {
    let tree = Tree::new();
    write_skill(&tree, "pocket/skills/local", "local");
    write_skill(&tree, "pocket/workspace/skills/own", "own");
    let engine = by_variables(&tree, ProfileName::Openpocket, &[("OPENPOCKET_HOME", "$ROOT/pocket")]);
    assert_eq!(names(&engine.inventory(None).unwrap()), ["local", "own"]);
}

#[test]
fn agents_work_where_the_config_says() {
    let tree = Tree::new();
    write_skill(&tree, "shared/skills/shared", "shared");
    write_skill(&tree, "home/own/skills/own", "own");
    write_skill(&tree, "ws/skills/here", "here");
    let skills_of = |agent| {
        let engine = by_variables(&tree, ProfileName::Prowess, &[]);
        let inventory = engine.inventory(agent).expect("an inventory");
        names(&inventory).join(" ")
    };
    configure(&tree, "{agents: {entries: {a: {}, b: {workspace: '~/own'}}}}");
    assert_eq!(skills_of(Some("a")), "here", "the working directory");
    assert_eq!(skills_of(Some("b")), "own");
    configure(
        &tree,
        "{agents: {defaults: {workspace: '$ROOT/shared'}, entries: {a: {}, b: {workspace: '~/own'}}}}",
    );
    assert_eq!(skills_of(Some("a")), "shared");
    assert_eq!(skills_of(Some("b")), "own");
}

#[test]
fn each_profile_reads_its_own_config() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    tree.write("home/.openclaw/openclaw.json", "{skills: {entries: {one: {enabled: false}}}}");
    let is_disabled = |profile| {
        let inventory = engine_with(&tree, profile, &[], Caching::Off).inventory(None).unwrap();
        entry(&inventory, "one").verdict.disabled
    };
    assert!(is_disabled(ProfileName::Openclaw));
    assert!(!is_disabled(ProfileName::Prowess));
}
