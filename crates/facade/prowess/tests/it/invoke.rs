//! Skills that a message calls by name.

use prowess::Engine;
use prowess_catalog::MessageInvocation;
use prowess_inventory::{ExpandedSkill, Inventory, InvokeError, SkillCall, SkillFileError};
use prowess_testkit::Tree;

use crate::support::{configure, engine, inventory, skill};

fn tree() -> Tree {
    let tree = Tree::new();
    let fields = "arguments: [from, to]\n";
    let body = "Move $from to $to in {baseDir}, session ${CLAUDE_SESSION_ID}.\n\n!`git log $from`\n";
    tree.write("ws/skills/move/SKILL.md", skill("move", fields).replace("Body.\n", body));
    tree.write("ws/skills/inner/SKILL.md", skill("inner", "user-invocable: false\n"));
    tree.write("ws/skills/hidden/SKILL.md", skill("hidden", "disable-model-invocation: true\n"));
    tree.write("ws/skills/amiga/SKILL.md", skill("amiga", "metadata: {\"prowess\":{\"os\":[\"amiga\"]}}\n"));
    tree
}

fn expand(engine: &Engine, inventory: &Inventory, args: &str) -> (ExpandedSkill, Vec<String>) {
    let mut ran = Vec::new();
    let mut run = |command: &str| {
        ran.push(command.to_owned());
        Ok("two commits\n".to_owned())
    };
    let call = SkillCall { skill: "move", args, session_id: Some("s-1") };
    let expanded = engine.expand_invocation(inventory, &call, Some(&mut run)).expect("a text");
    (expanded, ran)
}

#[test]
fn messages_call_what_can_be_used() {
    let inventory = inventory(&tree());
    let MessageInvocation::Command { spec, args } = inventory.invocation("/move a b") else {
        panic!("a command")
    };
    assert_eq!((spec.skill_name.as_str(), args.as_str()), ("move", "a b"));
    let MessageInvocation::References(found) = inventory.invocation("ask $hidden and $move, not $amiga")
    else {
        panic!("references");
    };
    assert_eq!(found.len(), 2);
    assert!(found[0].location.as_deref().is_some_and(|place| place.ends_with("hidden/SKILL.md")));
    assert_eq!(found[1].location, None);
    assert!(matches!(inventory.invocation("/inner"), MessageInvocation::Refused { .. }));
    assert!(matches!(inventory.invocation("/amiga"), MessageInvocation::Unknown { .. }));
    assert_eq!(inventory.invocation("hello"), MessageInvocation::Plain);
}

#[test]
fn texts_are_filled_in_and_their_commands_wait_for_the_users_leave() {
    let tree = tree();
    let folder = tree.path("ws/skills/move").display().to_string();
    let (expanded, ran) = expand(&engine(&tree), &inventory(&tree), "x 'y z'");
    let expected = format!("Move x to y z in {folder}, session s-1.\n\n`git log x` (not run)\n");
    assert_eq!((expanded.text.as_str(), expanded.ran), (expected.as_str(), false));
    assert_eq!((ran.len(), expanded.commands.len()), (0, 1));

    // A workspace cannot give leave.
    tree.write("ws/.prowess/config.json", "{skills: {commands: {inject: 'sandboxed'}}}");
    assert!(!expand(&engine(&tree), &inventory(&tree), "x").0.ran);

    configure(&tree, "{skills: {commands: {inject: 'sandboxed'}}}");
    let (expanded, ran) = expand(&engine(&tree), &inventory(&tree), "x");
    assert!(expanded.ran && expanded.text.ends_with("session s-1.\n\ntwo commits\n"), "{}", expanded.text);
    assert_eq!(ran, ["git log x"]);
    let (expanded, ran) = expand(&engine(&tree), &inventory(&tree), "'x; reboot'");
    assert!(ran.is_empty() && expanded.text.contains("not run: "), "{}", expanded.text);
}

#[test]
fn what_was_checked_is_what_is_read() {
    let tree = tree();
    let engine = engine(&tree);
    let inventory = inventory(&tree);
    let call = |skill: &'static str| {
        let call = SkillCall { skill, ..SkillCall::default() };
        engine.expand_invocation(&inventory, &call, None)
    };
    assert!(call("hidden").is_ok());
    assert!(matches!(call("amiga"), Err(InvokeError::Unusable(_))));
    assert!(matches!(call("none"), Err(InvokeError::Unusable(_))));
    tree.write("ws/skills/hidden/SKILL.md", skill("hidden", "license: MIT\n"));
    assert!(matches!(call("hidden"), Err(InvokeError::File(SkillFileError::Changed(_)))));
    std::fs::remove_file(tree.path("ws/skills/move/SKILL.md")).unwrap();
    assert!(matches!(call("move"), Err(InvokeError::File(SkillFileError::Read { .. }))));
}
