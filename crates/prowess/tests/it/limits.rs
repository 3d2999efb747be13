//! The five limits of `skills.limits`: each one shows what it cost.

use prowess::types::LossReason;
use prowess::{Engine, PromptRequest};
use prowess_testkit::Tree;

use crate::support::{configure, engine, inventory, loss, losses, names, skill, write_skill};

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

#[test]
fn more_folders_than_max_candidates_per_root() {
    let tree = tree(5);
    limit(&tree, "maxCandidatesPerRoot", 3);
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["s0", "s1", "s2"]);
    let lost = loss(&inventory, &tree.path("ws/skills"));
    assert_eq!(lost.reason, LossReason::OverCandidateLimit);
    assert_eq!(lost.message, "looked at 3 of 5 folders (limit 3)");
}

#[test]
fn more_skills_than_max_skills_loaded_per_source() {
    let tree = tree(4);
    tree.write("ws/skills/a-broken/SKILL.md", "refused skills do not use up the quota");
    write_skill(&tree, "bundled/other-root", "other-root");
    limit(&tree, "maxSkillsLoadedPerSource", 2);
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["other-root", "s0", "s1"]);
    let mut lost = losses(&tree, &inventory);
    lost.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(
        lost,
        [
            ("ws/skills/a-broken/SKILL.md".to_owned(), LossReason::Invalid),
            ("ws/skills/s2/SKILL.md".to_owned(), LossReason::OverSourceLimit),
            ("ws/skills/s3/SKILL.md".to_owned(), LossReason::OverSourceLimit),
        ]
    );
    let message = &loss(&inventory, &tree.path("ws/skills/s2/SKILL.md")).message;
    assert!(message.contains("skills.limits.maxSkillsLoadedPerSource"), "{message}");
}

#[test]
fn the_source_limit_holds_where_files_are_read_in_parallel() {
    let tree = tree(200);
    for limited in [1, 63, 64, 65, 130, 199] {
        limit(&tree, "maxSkillsLoadedPerSource", limited);
        let inventory = inventory(&tree);
        assert_eq!(inventory.entries.len(), limited);
        assert_eq!(inventory.losses.len(), 200 - limited);
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
    assert_eq!(engine.inventory(Some("b")).unwrap().entries.len(), 3);
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
