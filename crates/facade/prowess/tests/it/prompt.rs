//! What a model is told: the words, the budget, and a reason for everything that is left out.

use prowess::{Engine, EngineOptions};
use prowess_inventory::{Inventory, PromptRequest};
use prowess_testkit::Tree;
use prowess_types::{ProfileName, PromptMode, PromptWording, RemoteNode};

use crate::support::{configure, inventory, inventory_under, options, skill, write_skill};

fn text(inventory: &Inventory) -> String {
    inventory.prompt(&PromptRequest::default()).text
}

/// A text in which the tree's own path cannot be seen.
fn shown(tree: &Tree, text: &str) -> String {
    text.replace(&tree.root().display().to_string(), "[ROOT]")
}

fn many(count: usize) -> Tree {
    let tree = Tree::new();
    for number in 0..count {
        write_skill(&tree, &format!("ws/skills/s{number:03}"), &format!("s{number:03}"));
    }
    tree
}

#[test]
fn the_section_of_the_default_profile() {
    let tree = Tree::new();
    write_skill(&tree, "home/.agents/skills/at-home", "at-home");
    tree.write(
        "ws/skills/odd/SKILL.md",
        "---\nname: odd\ndescription: \"Less < more & 'quotes' \\\"all\\\" over\"\n---\n",
    );
    tree.write("ws/skills/hidden/SKILL.md", skill("hidden", "disable-model-invocation: true\n"));
    insta::assert_snapshot!(shown(&tree, &text(&inventory(&tree))), @"
    ## Skills (mandatory)
    Before replying: scan <available_skills> <description> entries.
    - If exactly one skill clearly applies: read its SKILL.md at <location> with `read`, then follow it.
    - If multiple could apply: choose the most specific one, then read/follow it.
    - If none clearly apply: do not read any SKILL.md.
    Constraints: never read more than one skill up front; only read after selecting.

    <available_skills>
      <skill>
        <name>at-home</name>
        <description>Does at-home. Use when asked.</description>
        <location>~/.agents/skills/at-home/SKILL.md</location>
      </skill>
      <skill>
        <name>odd</name>
        <description>Less &lt; more &amp; &apos;quotes&apos; &quot;all&quot; over</description>
        <location>[ROOT]/ws/skills/odd/SKILL.md</location>
      </skill>
    </available_skills>
    ");
}

#[test]
fn without_skills_there_is_nothing_to_say() {
    let tree = Tree::new();
    assert_eq!(text(&inventory(&tree)), "");
    tree.write("ws/skills/hidden/SKILL.md", skill("hidden", "disable-model-invocation: true\n"));
    assert_eq!(text(&inventory(&tree)), "");
}

#[test]
fn homes_are_shortened_and_names_that_only_start_alike_are_not() {
    let tree = Tree::new();
    write_skill(&tree, "homestead/near", "near");
    write_skill(&tree, "home/inside/far", "far");
    configure(&tree, "{skills: {load: {extraDirs: ['$ROOT/homestead', '~/inside']}}}");
    let text = text(&inventory(&tree));
    assert!(text.contains("<location>~/inside/far/SKILL.md</location>"), "{text}");
    let whole = tree.path("homestead/near/SKILL.md");
    assert!(text.contains(&format!("<location>{}</location>", whole.display())), "{text}");
}

#[test]
fn the_largest_prefix_that_fits_is_kept_and_a_warning_names_the_command() {
    let tree = many(40);
    let inventory = inventory(&tree);
    let whole = inventory.prompt(&PromptRequest::default());
    assert_eq!((whole.included.len(), whole.note.as_deref()), (40, None));
    let mut last = 40;
    for budget in (0..whole.chars).rev().step_by(97) {
        let request = PromptRequest { max_chars: Some(budget), ..PromptRequest::default() };
        let rendered = inventory.prompt(&request);
        assert!(rendered.chars <= budget, "{} of {budget}", rendered.chars);
        assert_eq!(rendered.included, (0..rendered.included.len()).collect::<Vec<_>>(), "a prefix");
        assert!(rendered.included.len() <= last);
        last = rendered.included.len();
        assert_eq!(rendered.cuts.len(), 40 - last);
        if let Some(note) = &rendered.note {
            let expected = format!(
                "Warning: Skills truncated: included {last} of 40. Run `prowess check --budget {budget}` to audit."
            );
            assert_eq!(*note, expected);
            assert!(rendered.text.contains(&expected));
        }
    }
    assert_eq!(last, 0);
}

#[test]
fn descriptions_go_first_where_the_config_says_so() {
    let tree = many(40);
    configure(&tree, "{skills: {prompt: {compact: true}, limits: {maxSkillsPromptChars: 6000}}}");
    let inventory = inventory(&tree);
    let rendered = inventory.prompt(&PromptRequest::default());
    assert!(rendered.chars <= 6_000);
    configure(&tree, "{skills: {limits: {maxSkillsPromptChars: 6000}}}");
    let cut = self::inventory(&tree).prompt(&PromptRequest::default());
    assert!(rendered.included.len() > cut.included.len());
    let explained = inventory.explain_prompt(&PromptRequest::default());
    assert_eq!(explained.description_limit, rendered.description_limit);
}

#[test]
fn the_section_is_left_out_where_it_is_of_no_use() {
    let tree = many(2);
    let inventory = inventory(&tree);
    let with = |mode, has_read_tool| {
        let request = PromptRequest { mode, has_read_tool, ..PromptRequest::default() };
        let explained = inventory.explain_prompt(&request);
        (inventory.prompt(&request).text, explained.skills[0].reason.clone())
    };
    let omitted = || (String::new(), Some("this agent gets no list of skills".to_owned()));
    assert_eq!(with(Some(PromptMode::Minimal), true), omitted());
    assert_eq!(with(Some(PromptMode::None), true), omitted());
    assert_eq!(with(None, false), omitted());
    assert!(with(Some(PromptMode::Full), true).0.starts_with("## Skills (mandatory)\n"));
    configure(&tree, "{agent: {systemPromptMode: 'minimal'}}");
    assert_eq!(text(&self::inventory(&tree)), "");
}

#[test]
fn openpocket_keeps_the_section_for_sub_agents() {
    let tree = many(1);
    let inventory = inventory_under(&tree, ProfileName::Openpocket);
    let chars =
        |mode| inventory.prompt(&PromptRequest { mode: Some(mode), ..PromptRequest::default() }).chars;
    assert!(chars(PromptMode::Minimal) > 0);
    assert_eq!(chars(PromptMode::None), 0);
}

#[test]
fn every_wording_can_be_had_from_every_profile() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    let inventory = inventory(&tree);
    let start = |wording| {
        let request = PromptRequest { wording: Some(wording), ..PromptRequest::default() };
        inventory.prompt(&request).text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(start(PromptWording::Mandatory), "## Skills (mandatory)");
    assert_eq!(start(PromptWording::Openclaw), "## Skills");
    assert_eq!(start(PromptWording::Openpocket), "## Skills");
    assert_eq!(start(PromptWording::SkillsRef), "<available_skills>");
    configure(&tree, "{skills: {prompt: {wording: 'skills-ref'}}}");
    assert!(text(&self::inventory(&tree)).starts_with("<available_skills>\n<skill>\n<name>\none\n</name>\n"));
}

#[test]
fn every_skill_that_is_out_has_its_reason() {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/included", "included");
    let needs = |requires: &str| format!("metadata: {{\"prowess\":{{\"requires\":{{{requires}}}}}}}\n");
    tree.write("ws/skills/no-bin/SKILL.md", skill("no-bin", &needs("\"bins\":[\"gone\"]")));
    tree.write("ws/skills/no-env/SKILL.md", skill("no-env", &needs("\"env\":[\"GONE\"]")));
    tree.write("ws/skills/no-config/SKILL.md", skill("no-config", &needs("\"config\":[\"gone.away\"]")));
    tree.write("ws/skills/hidden/SKILL.md", skill("hidden", "disable-model-invocation: true\n"));
    write_skill(&tree, "ws/skills/manual", "manual");
    write_skill(&tree, "ws/skills/off", "off");
    write_skill(&tree, "ws/skills/filtered", "filtered");
    write_skill(&tree, "ws/skills/over-count", "over-count");
    configure(
        &tree,
        "{
          skills: {
            modes: {manual: 'manual'},
            entries: {off: {enabled: false}},
            limits: {maxSkillsInPrompt: 1},
          },
          agents: {entries: {main: {skills: ['included', 'no-bin', 'no-env', 'no-config', 'hidden', 'manual', 'off', 'over-count']}}},
        }",
    );
    let explained = inventory(&tree).explain_prompt(&PromptRequest::default());
    let table: Vec<String> = explained
        .skills
        .iter()
        .map(|skill| format!("{}: {}", skill.name, skill.reason.as_deref().unwrap_or("included")))
        .collect();
    insta::assert_snapshot!(table.join("\n"), @"
    filtered: not on this agent's allowlist
    hidden: its author keeps it from the model (`disable-model-invocation`)
    included: included
    manual: its mode is `manual`
    no-bin: missing program `gone`
    no-config: missing config setting `gone.away`
    no-env: missing environment variable `GONE`
    off: switched off by `skills.entries.off.enabled`
    over-count: more skills than `maxSkillsInPrompt`
    ");
    for skill in &explained.skills {
        assert_eq!(skill.included, skill.reason.is_none(), "{}", skill.name);
        assert_eq!(skill.included, skill.tokens > 0, "only what is in the text costs: {}", skill.name);
    }
    assert_eq!(explained.max_chars, 30_000);
}

#[test]
fn another_machine_lends_its_programs_and_is_mentioned() {
    let tree = Tree::new();
    let needs = "metadata: {\"prowess\":{\"os\":[\"amiga\"],\"requires\":{\"bins\":[\"boing\"]}}}\n";
    tree.write("ws/skills/remote/SKILL.md", skill("remote", needs));
    let node = RemoteNode {
        platform: "amiga".to_owned(),
        bins: ["boing".to_owned()].into(),
        note: Some("An Amiga is connected.".to_owned()),
    };
    let plain = options(&tree, ProfileName::Prowess, &[]);
    let engine = Engine::open(EngineOptions { remotes: vec![node], ..plain }).unwrap();
    let text = text(&engine.inventory(None).unwrap());
    assert!(text.starts_with("An Amiga is connected.\n"), "{text}");
    assert!(text.contains("<name>remote</name>"), "{text}");
    assert_eq!(self::text(&inventory(&tree)), "");
}
