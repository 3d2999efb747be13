use insta::assert_snapshot;
use prowess_types::Budget;

use super::*;
use crate::test_support::entry;

fn rules(wording: PromptWording, max_skills: usize, max_chars: usize) -> PromptRules {
    PromptRules {
        wording,
        budget: Budget { max_skills, max_chars },
        compact_fallback: wording == PromptWording::Openclaw,
        omit_when_minimal: true,
    }
}

fn mandatory(max_chars: usize) -> PromptRules {
    rules(PromptWording::Mandatory, 150, max_chars)
}

fn openclaw(max_chars: usize) -> PromptRules {
    rules(PromptWording::Openclaw, 150, max_chars)
}

fn context(audit_command: &str) -> PromptContext {
    PromptContext { has_read_tool: true, audit_command: audit_command.to_owned(), ..PromptContext::default() }
}

fn show(entries: &[PromptEntry], rules: &PromptRules) -> Rendered {
    render(entries, rules, &context("prowess check"))
}

fn names(entries: &[PromptEntry], rendered: &Rendered) -> Vec<String> {
    let included = rendered.included.iter();
    included.map(|&index| entries[index].name.clone()).collect()
}

#[test]
fn the_mandatory_section() {
    let entries = [entry("github", "Issues & <pulls>"), entry("weather", "It's \"rain\"\nor sun")];
    let rendered = show(&entries, &mandatory(30_000));
    assert_snapshot!(rendered.text, @r#"
    ## Skills (mandatory)
    Before replying: scan <available_skills> <description> entries.
    - If exactly one skill clearly applies: read its SKILL.md at <location> with `read`, then follow it.
    - If multiple could apply: choose the most specific one, then read/follow it.
    - If none clearly apply: do not read any SKILL.md.
    Constraints: never read more than one skill up front; only read after selecting.

    <available_skills>
      <skill>
        <name>github</name>
        <description>Issues &amp; &lt;pulls&gt;</description>
        <location>/skills/github/SKILL.md</location>
      </skill>
      <skill>
        <name>weather</name>
        <description>It&apos;s &quot;rain&quot;
    or sun</description>
        <location>/skills/weather/SKILL.md</location>
      </skill>
    </available_skills>
    "#);
    assert_eq!(rendered.included, [0, 1]);
    assert_eq!((rendered.format, rendered.note), (PromptFormat::Full, None));
    assert_eq!(rendered.chars, rendered.text.len());
}

#[test]
fn a_list_that_is_cut_says_so_before_the_element() {
    let entries = ["a", "b", "c"].map(|name| entry(name, "Something to do"));
    let rendered = show(&entries, &mandatory(650));
    assert_snapshot!(rendered.text, @r"
    ## Skills (mandatory)
    Before replying: scan <available_skills> <description> entries.
    - If exactly one skill clearly applies: read its SKILL.md at <location> with `read`, then follow it.
    - If multiple could apply: choose the most specific one, then read/follow it.
    - If none clearly apply: do not read any SKILL.md.
    Constraints: never read more than one skill up front; only read after selecting.

    Warning: Skills truncated: included 1 of 3. Run `prowess check` to audit.
    <available_skills>
      <skill>
        <name>a</name>
        <description>Something to do</description>
        <location>/skills/a/SKILL.md</location>
      </skill>
    </available_skills>
    ");
    let reason = CutReason::OverBudget;
    assert_eq!(rendered.cuts, [Cut { index: 1, reason }, Cut { index: 2, reason }]);
    assert!(rendered.note.is_some());
}

#[test]
fn the_openclaw_section_in_its_three_forms() {
    let entries = ["a", "b"].map(|name| entry(name, "Something to do, at length"));
    let full = show(&entries, &openclaw(18_000));
    assert_snapshot!(full.text, @r"
    ## Skills
    The skills listed below are files of instructions, each for one kind of task.
    When your task matches a skill by its description, read the file at its location before anything else.
    A relative path in a skill starts at the folder that holds its file: make it absolute from there before you pass it to any tool or command.

    <available_skills>
      <skill>
        <name>a</name>
        <description>Something to do, at length</description>
        <location>/skills/a/SKILL.md</location>
      </skill>
      <skill>
        <name>b</name>
        <description>Something to do, at length</description>
        <location>/skills/b/SKILL.md</location>
      </skill>
    </available_skills>
    ");
    let shortened = show(&entries, &openclaw(full.chars - 1));
    assert_eq!(shortened.format, PromptFormat::CompactOmitted, "the note is longer than two texts");
    assert_snapshot!(shortened.text, @r"
    ⚠️ Skills catalog using compact format (descriptions omitted). Run `prowess check` to audit.
    ## Skills
    The skills listed below are files of instructions, each for one kind of task.
    When your task matches a skill by its name, read the file at its location before anything else.
    A relative path in a skill starts at the folder that holds its file: make it absolute from there before you pass it to any tool or command.

    <available_skills>
      <skill>
        <name>a</name>
        <location>/skills/a/SKILL.md</location>
      </skill>
      <skill>
        <name>b</name>
        <location>/skills/b/SKILL.md</location>
      </skill>
    </available_skills>
    ");
}

/// Twenty skills below a root as long as the one the answers of OpenClaw 2026.9.6 were recorded in.
fn recorded() -> Vec<PromptEntry> {
    let entry = |number: usize| PromptEntry {
        name: format!("s{number:02}"),
        description: format!(
            "This is the description of skill number {number:02} and it is fairly long so that it \
             needs shortening & more <x>"
        ),
        location: format!("/tmp/recorded-0123/ws/skills/s{number:02}/SKILL.md"),
        ..PromptEntry::default()
    };
    (0..20).map(entry).collect()
}

#[test]
fn budgets_cut_where_openclaw_cuts() {
    use PromptFormat::{CompactOmitted, CompactShortened, Full};
    let table = [
        (18_000, 20, Full, None, None),
        (
            4000,
            20,
            CompactShortened,
            Some(34),
            Some(
                "⚠️ Skills catalog using compact format (descriptions shortened). Run `openclaw skills check` to audit.",
            ),
        ),
        (
            2500,
            18,
            CompactOmitted,
            None,
            Some(
                "⚠️ Skills truncated: included 18 of 20 (compact format, descriptions omitted). Run `openclaw skills check` to audit.",
            ),
        ),
        (500, 1, CompactOmitted, None, None),
        (400, 0, Full, None, None),
        (0, 0, Full, None, None),
    ];
    for (max_chars, count, format, limit, note) in table {
        let entries = recorded();
        let rendered = render(&entries, &openclaw(max_chars), &context("openclaw skills check"));
        assert_eq!(rendered.included, (0..count).collect::<Vec<_>>(), "{max_chars}");
        assert_eq!(rendered.format, format, "{max_chars}");
        assert_eq!(rendered.description_limit, limit, "{max_chars}");
        assert_eq!(rendered.note.as_deref(), note, "{max_chars}");
        assert!(rendered.chars <= max_chars);
        assert_eq!(rendered.text.is_empty(), count == 0);
    }
    let rendered = render(&recorded(), &openclaw(4000), &context("openclaw skills check"));
    assert!(rendered.text.contains("<description>This is the description of skil...</description>"));
}

#[test]
fn a_count_is_cut_before_a_budget() {
    let rules = rules(PromptWording::Openclaw, 3, 18_000);
    let rendered = render(&recorded(), &rules, &context("openclaw skills check"));
    assert_eq!(rendered.included, [0, 1, 2]);
    assert_eq!(rendered.format, PromptFormat::Full);
    assert_eq!(
        rendered.note.as_deref(),
        Some("⚠️ Skills truncated: included 3 of 20. Run `openclaw skills check` to audit.")
    );
    assert_eq!(rendered.cuts.len(), 17);
    assert!(rendered.cuts.iter().all(|cut| cut.reason == CutReason::OverCount));
}

#[test]
fn a_small_context_shortens_descriptions() {
    let shown = |context_tokens| {
        let context = PromptContext { context_tokens, ..context("openclaw skills check") };
        render(&recorded(), &openclaw(18_000), &context)
    };
    let full = shown(None);
    let small = shown(Some(15_000));
    assert_eq!((small.description_limit, small.format), (Some(64), PromptFormat::Full));
    assert!(small.text.contains(
        "<description>This is the description of skill number 00 and it is fairly l...</description>"
    ));
    assert_eq!(small.included.len(), 20);

    let middle = shown(Some(5 * (full.chars - 300)));
    assert!(middle.chars <= full.chars - 300);
    assert!((65..=220).contains(&middle.description_limit.unwrap()));
    assert_eq!(shown(Some(5 * full.chars)), full);
    assert_eq!(shown(Some(0)), full);
}

#[test]
fn our_section_may_be_compacted_too() {
    let entries = recorded();
    let rules = PromptRules { compact_fallback: true, ..mandatory(4000) };
    let rendered = show(&entries, &rules);
    assert_eq!(rendered.format, PromptFormat::CompactShortened);
    assert_eq!(rendered.included.len(), 20);
    assert!(rendered.text.contains("scan <available_skills> <name> and <description> entries."));
    assert!(rendered.text.contains(
        "\n\nWarning: Skills catalog using compact format (descriptions shortened). Run `prowess check` to audit.\n<available"
    ));
    let cut = show(&entries, &mandatory(4000));
    assert_eq!(cut.format, PromptFormat::Full);
    assert!(cut.included.len() < 20, "without the fallback the list is cut instead");
}

#[test]
fn a_note_yields_to_the_first_skill() {
    let entries = ["a", "b"].map(|name| entry(name, "Something to do"));
    let one = show(&entries[..1], &mandatory(30_000)).chars;
    let rendered = show(&entries, &mandatory(one));
    assert_eq!((rendered.included.as_slice(), rendered.note), (&[0][..], None));
    assert_eq!(rendered.cuts.len(), 1);
    let nothing = show(&entries, &mandatory(one - 1));
    assert_eq!(nothing.text, "");
    assert_eq!(nothing.cuts.len(), 2);
}

#[test]
fn pinned_entries_come_first_and_are_cut_last() {
    let mut entries = ["a", "b", "c", "d"].map(|name| entry(name, "d"));
    entries[2].mode = OfferMode::Pinned;
    entries[3].mode = OfferMode::Pinned;
    let all = show(&entries, &mandatory(30_000));
    assert_eq!(names(&entries, &all), ["c", "d", "a", "b"]);
    let cut = show(&entries, &rules(PromptWording::Mandatory, 3, 30_000));
    assert_eq!(names(&entries, &cut), ["c", "d", "a"]);
    assert_eq!(cut.cuts[0].index, 1);
}

#[test]
fn name_only_entries_have_no_description_in_any_wording() {
    use PromptWording::{Mandatory, Openclaw, Openpocket, SkillsRef};
    let mut named = entry("a", "a secret of its own");
    named.mode = OfferMode::NameOnly;
    named.hints = vec!["hint".to_owned()];
    for wording in [Mandatory, Openclaw, Openpocket, SkillsRef] {
        let rendered = show(std::slice::from_ref(&named), &rules(wording, 150, 30_000));
        assert!(!rendered.text.contains("secret") && !rendered.text.contains("hint"));
        assert!(rendered.text.contains("/skills/a/SKILL.md"));
    }
}

#[test]
fn a_note_about_other_machines_comes_first_if_it_fits() {
    let mut remote = entry("a", "d");
    remote.location_note = Some("read it with `node`".to_owned());
    let context = PromptContext {
        remote_note: Some("  One Mac is connected.\n".to_owned()),
        ..context("prowess check")
    };
    let rendered = render(std::slice::from_ref(&remote), &mandatory(30_000), &context);
    assert!(rendered.text.starts_with("One Mac is connected.\n## Skills (mandatory)\n"));
    assert!(rendered.text.contains("\n    <location_note>read it with `node`</location_note>\n  </skill>"));
    let tight = render(std::slice::from_ref(&remote), &mandatory(rendered.chars - 1), &context);
    assert!(tight.text.starts_with("## Skills"));
    assert_eq!(tight.included, [0]);
}

#[test]
fn the_section_is_left_out_where_it_is_of_no_use() {
    use PromptMode::{Full, Minimal, None};
    let table = [
        (Full, true, true, true),
        (Minimal, true, true, false),
        (Minimal, false, true, true),
        (None, false, true, false),
        (Full, true, false, false),
    ];
    for (prompt_mode, omit_when_minimal, has_read_tool, shown) in table {
        let context = PromptContext { prompt_mode, has_read_tool, ..context("prowess check") };
        let rules = PromptRules { omit_when_minimal, ..mandatory(30_000) };
        let rendered = render(&[entry("a", "d")], &rules, &context);
        assert_eq!(!rendered.text.is_empty(), shown, "{prompt_mode:?}");
        if !shown {
            assert_eq!(rendered.cuts[0].reason, CutReason::SectionOmitted);
        }
    }
}

#[test]
fn no_skills_no_section() {
    for wording in [PromptWording::Mandatory, PromptWording::Openclaw, PromptWording::Openpocket] {
        assert_eq!(show(&[], &rules(wording, 150, 30_000)), Rendered::default());
    }
}

#[test]
fn the_skills_ref_element() {
    let entries = [entry("a", "It's <so>"), entry("b", "d")];
    let rendered = show(&entries, &rules(PromptWording::SkillsRef, 1, 30_000));
    assert_snapshot!(rendered.text, @r"
    <available_skills>
    <skill>
    <name>
    a
    </name>
    <description>
    It&#x27;s &lt;so&gt;
    </description>
    <location>
    /skills/a/SKILL.md
    </location>
    </skill>
    </available_skills>
    ");
    let empty = show(&[], &rules(PromptWording::SkillsRef, 150, 30_000));
    assert_eq!(empty.text, "<available_skills>\n</available_skills>");
}

#[test]
fn the_text_up_to_the_pinned_entries_does_not_depend_on_the_rest() {
    let mut entries: Vec<PromptEntry> =
        ["c", "b", "a"].map(|name| entry(name, "says </skill>\n & more")).to_vec();
    entries[1].mode = OfferMode::Pinned;
    for wording in [
        PromptWording::Mandatory,
        PromptWording::Openclaw,
        PromptWording::Openpocket,
        PromptWording::SkillsRef,
    ] {
        let context = PromptContext { note_last: true, ..context("prowess check") };
        let rules = PromptRules {
            wording,
            budget: Budget { max_skills: 2, max_chars: 30_000 },
            compact_fallback: false,
            omit_when_minimal: true,
        };
        let shown = render(&entries, &rules, &context);
        let stable = &shown.text[..shown.stable_chars];
        assert!(stable.ends_with("</skill>\n") && stable.matches("</skill>").count() == 1, "{stable}");
        let mut others = entries.clone();
        others.reverse();
        others.push(entry("d", "new"));
        assert!(render(&others, &rules, &context).text.starts_with(stable), "{wording:?}");
        for entry in &mut others {
            entry.mode = OfferMode::Auto;
        }
        let shown = render(&others, &rules, &context);
        assert!(shown.text[..shown.stable_chars].ends_with("<available_skills>\n"), "{wording:?}");
    }
}
