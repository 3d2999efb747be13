//! The five limits of `skills.limits`: each one shows what it cost.

use prowess::Engine;
use prowess_context::Caching;
use prowess_inventory::{Inventory, PromptRequest};
use prowess_testkit::Tree;
use prowess_types::{LossReason, ProfileName};

use crate::support::{configure, engine, engine_with, inventory, loss, losses, names, skill, write_skill};

fn tree(count: usize) -> Tree {
    let tree = Tree::new();
    for number in 0..count {
        write_skill(&tree, &format!("ws/skills/s{number}"), &format!("s{number}"));
    }
    tree
}

fn limit(tree: &Tree, name: &str, value: usize) {
    configure(tree, &format!("{{skills: {{limits: {{{name}: {value}}}}}}}"));
}

/// What an agent's prompt lists, and why the others are not in it.
fn listed(engine: &Engine, agent: Option<&str>) -> (Vec<String>, Vec<String>) {
    let explained = engine.inventory(agent).expect("an inventory").explain_prompt(&PromptRequest::default());
    let (included, cut): (Vec<_>, Vec<_>) = explained.skills.into_iter().partition(|skill| skill.included);
    (
        included.into_iter().map(|skill| skill.name).collect(),
        cut.into_iter().map(|skill| skill.reason.expect("a reason")).collect(),
    )
}

/// A tree whose skills are where OpenClaw looks for them, with one limit in its config.
fn openclaw(count: usize, name: &str, value: usize) -> (Tree, Inventory) {
    let tree = Tree::new();
    for number in 0..count {
        write_skill(&tree, &format!("claw/skills/s{number:03}"), &format!("s{number:03}"));
    }
    tree.write("claw/openclaw.json", format!("{{skills: {{limits: {{{name}: {value}}}}}}}"));
    let vars = [("OPENCLAW_STATE_DIR", "$ROOT/claw")];
    let engine = engine_with(&tree, ProfileName::Openclaw, &vars, Caching::Off);
    let inventory = engine.inventory(None).expect("an inventory");
    (tree, inventory)
}

#[test]
fn openclaw_looks_at_no_more_folders_than_max_candidates_per_root() {
    let (tree, inventory) = openclaw(5, "maxCandidatesPerRoot", 3);
    assert_eq!(names(&inventory), ["s000", "s001", "s002"]);
    let lost = loss(&inventory, &tree.path("claw/skills"));
    assert_eq!(lost.reason, LossReason::OverCandidateLimit);
    assert_eq!(lost.message, "looked at 3 of 5 folders (limit 3)");
}

#[test]
fn openclaw_loads_no_more_skills_than_max_skills_loaded_per_source() {
    // Files are read in parallel, in parts of 64.
    for limited in [1, 63, 64, 65, 130] {
        let (tree, inventory) = openclaw(131, "maxSkillsLoadedPerSource", limited);
        assert_eq!((inventory.entries.len(), inventory.losses.len()), (limited, 131 - limited));
        let last = loss(&inventory, &tree.path("claw/skills/s130/SKILL.md"));
        assert_eq!(last.reason, LossReason::OverSourceLimit);
        assert!(last.message.contains("skills.limits.maxSkillsLoadedPerSource"), "{}", last.message);
    }
}

#[test]
fn the_limits_of_a_root_bound_the_list_and_nothing_else() {
    for name in ["maxCandidatesPerRoot", "maxSkillsLoadedPerSource"] {
        let tree = tree(5);
        tree.write("ws/skills/a-broken/SKILL.md", "refused skills do not use up the quota");
        write_skill(&tree, "bundled/other-root", "other-root");
        limit(&tree, name, 2);
        let inventory = inventory(&tree);
        assert_eq!(names(&inventory), ["other-root", "s0", "s1", "s2", "s3", "s4"], "{name}");
        assert_eq!(
            losses(&tree, &inventory),
            [("ws/skills/a-broken/SKILL.md".to_owned(), LossReason::Invalid)]
        );
        let (included, cut) = listed(&engine(&tree), None);
        assert_eq!(included, ["other-root", "s0", "s1"], "{name}");
        assert_eq!(cut, vec![format!("beyond the first 2 skills of its folder (`skills.limits.{name}`)"); 3]);
        let explained = inventory.explain_prompt(&PromptRequest::default());
        assert_eq!(explained.cuts.len(), 1, "{:?}", explained.cuts);
        assert_eq!(explained.cuts[0].limit, format!("skills.limits.{name}"));
        assert_eq!((explained.cuts[0].skills, explained.cuts[0].of), (3, 6));
        let commands: Vec<String> =
            inventory.commands().into_iter().map(|command| command.skill_name).collect();
        assert!(commands.contains(&"s4".to_owned()), "it can be called: {commands:?}");
    }
}

#[test]
fn a_skill_beyond_a_limit_still_beats_one_of_a_lower_root() {
    let tree = tree(3);
    write_skill(&tree, "bundled/s2", "s2");
    limit(&tree, "maxSkillsLoadedPerSource", 1);
    let inventory = inventory(&tree);
    let entry = inventory.entries.iter().find(|entry| entry.skill.name == "s2").expect("an entry");
    assert_eq!(entry.origin.file, tree.path("ws/skills/s2/SKILL.md"));
}

#[test]
fn the_limit_that_cut_is_the_one_that_is_told() {
    let tree = tree(20);
    configure(&tree, "{skills: {limits: {maxSkillsPromptChars: 2000, maxSkillsInPrompt: 15}}}");
    let explained = inventory(&tree).explain_prompt(&PromptRequest::default());
    let included = explained.skills.iter().filter(|skill| skill.included).count();
    assert!(included < 15, "{included}");
    let reasons = explained.skills.iter().filter_map(|skill| skill.reason.as_deref());
    assert!(reasons.clone().all(|reason| reason == "no room within `maxSkillsPromptChars`"));
    assert_eq!(explained.cuts.len(), 1);
    assert_eq!(
        explained.cuts[0].message,
        format!("{} of 20 skills do not fit into 2,000 characters", 20 - included)
    );
    // Its advice works as typed.
    let value: usize =
        explained.cuts[0].help.rsplit(' ').next().expect("a number").parse().expect("a number");
    configure(&tree, &format!("{{skills: {{limits: {{maxSkillsPromptChars: {value}}}}}}}"));
    assert_eq!(inventory(&tree).explain_prompt(&PromptRequest::default()).cuts, []);
}

#[test]
fn the_tokens_of_an_explanation_add_up() {
    let tree = tree(20);
    for max in [30_000, 2_500, 100] {
        limit(&tree, "maxSkillsPromptChars", max);
        let inventory = inventory(&tree);
        let explained = inventory.explain_prompt(&PromptRequest::default());
        let sum: usize = explained.skills.iter().map(|skill| skill.tokens).sum();
        assert_eq!(sum + explained.overhead_tokens, explained.tokens);
        assert_eq!(
            explained.tokens,
            prowess_catalog::estimate_tokens(&inventory.prompt(&PromptRequest::default()).text)
        );
        assert!(explained.skills.iter().all(|skill| skill.included == (skill.tokens > 0)));
    }
}

#[test]
fn a_file_larger_than_max_skill_file_bytes() {
    let tree = tree(1);
    let text = skill("sized", "");
    let file = tree.write("ws/skills/sized/SKILL.md", &text);
    limit(&tree, "maxSkillFileBytes", text.len());
    assert_eq!(names(&inventory(&tree)), ["s0", "sized"], "the limit is inclusive");
    limit(&tree, "maxSkillFileBytes", text.len() - 1);
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["s0"]);
    let lost = loss(&inventory, &file);
    assert_eq!(lost.reason, LossReason::Oversize);
    assert_eq!(
        lost.message,
        format!("`{}` has {} bytes, more than {}", file.display(), text.len(), text.len() - 1)
    );
}

#[test]
fn more_skills_than_max_skills_in_prompt() {
    let tree = tree(4);
    limit(&tree, "maxSkillsInPrompt", 2);
    let (included, cut) = listed(&engine(&tree), None);
    assert_eq!(included, ["s0", "s1"]);
    assert_eq!(cut, ["more skills than `maxSkillsInPrompt`"; 2]);
    limit(&tree, "maxSkillsInPrompt", 0);
    let nothing = inventory(&tree).prompt(&PromptRequest::default());
    assert_eq!((nothing.text.as_str(), nothing.cuts.len()), ("", 4));
}

#[test]
fn a_list_longer_than_max_skills_prompt_chars() {
    let tree = tree(20);
    limit(&tree, "maxSkillsPromptChars", 2_000);
    let (included, cut) = listed(&engine(&tree), None);
    assert!((1..20).contains(&included.len()), "{included:?}");
    assert_eq!(cut, vec!["no room within `maxSkillsPromptChars`"; 20 - included.len()]);
    let rendered = inventory(&tree).prompt(&PromptRequest::default());
    assert!(rendered.chars <= 2_000 && rendered.note.is_some());
}

#[test]
fn an_agent_may_have_limits_of_its_own() {
    let tree = tree(4);
    let limits = "{maxSkillsInPrompt: 1, maxSkillsLoadedPerSource: 3}";
    configure(
        &tree,
        &format!(
            "{{skills: {{limits: {{maxSkillsInPrompt: 2}}}}, agents: {{entries: {{a: {{}}, b: {{skillsLimits: {limits}}}}}}}}}"
        ),
    );
    let engine = engine(&tree);
    assert_eq!(listed(&engine, Some("a")).0, ["s0", "s1"]);
    assert_eq!(listed(&engine, Some("b")).0, ["s0"]);
    assert_eq!(engine.inventory(Some("a")).unwrap().entries.len(), 4);
    assert_eq!(engine.inventory(Some("b")).unwrap().entries.len(), 4);
    let beyond = |agent| {
        let inventory = engine.inventory(Some(agent)).unwrap();
        inventory.entries.iter().filter(|entry| entry.unlisted.is_some()).count()
    };
    assert_eq!((beyond("a"), beyond("b")), (0, 1));
}

#[test]
fn a_limit_out_of_range_is_refused_and_the_default_holds() {
    let tree = tree(2);
    for (name, value) in
        [("maxCandidatesPerRoot", "0"), ("maxSkillsLoadedPerSource", "-1"), ("maxSkillsInPrompt", "'3'")]
    {
        configure(&tree, &format!("{{skills: {{limits: {{{name}: {value}}}}}}}"));
        let engine = engine(&tree);
        assert_eq!(engine.issues().len(), 1, "{name}");
        assert_eq!(names(&engine.inventory(None).unwrap()), ["s0", "s1"], "{name}");
    }
}
