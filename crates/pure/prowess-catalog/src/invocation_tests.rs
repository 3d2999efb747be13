use std::path::Path;

use proptest::prelude::*;
use prowess_types::Skill;

use super::*;
use crate::test_support::skill;
use crate::{CommandCandidate, CommandSource, command_specs};

/// Skills by name; a leading `!` keeps people out, a leading `-` the model.
fn agent(names: &[&str]) -> (Vec<CommandSpec>, Vec<(String, bool, bool)>) {
    let skills: Vec<Skill> = names
        .iter()
        .map(|name| {
            let mut skill = skill(name.trim_start_matches(['!', '-']));
            skill.invocation.user_invocable = !name.starts_with('!');
            skill.invocation.disable_model_invocation = name.starts_with('-');
            skill
        })
        .collect();
    let inputs: Vec<CommandCandidate<'_>> = skills
        .iter()
        .map(|skill| CommandCandidate {
            skill,
            file: Path::new("/w/SKILL.md"),
            source: CommandSource::Workspace,
            model_visible: !skill.invocation.disable_model_invocation,
        })
        .collect();
    let switches = skills.iter().map(|skill| {
        let invocation = &skill.invocation;
        (skill.name.clone(), invocation.user_invocable, !invocation.disable_model_invocation)
    });
    (command_specs(&inputs, &["help", "new", "skill", "status"]), switches.collect())
}

const NAMING: CommandNaming<'_> = CommandNaming { spelling: CommandSpelling::Folded, reserved: &[] };
const NAMES: [&str; 7] =
    ["weather", "My Skill", "team:release-notes", "-secret-plan", "!internal", "status", "日本語"];

fn parsed(message: &str) -> MessageInvocation {
    parsed_with(&NAMES, CommandSpelling::Exact, message)
}

fn parsed_with(names: &[&str], spelling: CommandSpelling, message: &str) -> MessageInvocation {
    let (commands, skills) = agent(names);
    let naming = CommandNaming { spelling, reserved: &["export-session", "help", "new", "skill", "status"] };
    let skills: Vec<NamedSkill<'_>> = skills
        .iter()
        .map(|(name, user_invocable, model_visible)| NamedSkill {
            name,
            location: "~/w/SKILL.md",
            user_invocable: *user_invocable,
            model_visible: *model_visible,
        })
        .collect();
    parse_invocation(message, &commands, &skills, naming)
}

/// The skill that a message calls, with its arguments.
fn called(message: &str) -> Option<(String, String)> {
    match parsed(message) {
        MessageInvocation::Command { spec, args } => Some((spec.skill_name, args)),
        _ => None,
    }
}

fn referred(message: &str) -> Vec<String> {
    match parsed(message) {
        MessageInvocation::References(found) => found.into_iter().map(|found| found.skill).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_command_is_its_exact_name_in_any_case() {
    let table = [
        ("/weather in Bern", Some(("weather", "in Bern"))),
        ("  /WEATHER\n in\tBern \n", Some(("weather", "in\tBern"))),
        ("/weather", Some(("weather", ""))),
        ("/weather \"two  words\" $x", Some(("weather", "\"two  words\" $x"))),
        ("/my_skill go", Some(("My Skill", "go"))),
        ("/my-skill go", None),
        ("/team_release_notes", Some(("team:release-notes", ""))),
        ("/secret_plan", Some(("secret-plan", ""))),
        // The built-in command keeps its name.
        ("/status", None),
        ("/status_2", Some(("status", ""))),
        ("/skill_2", Some(("日本語", ""))),
        ("please /weather", None),
        ("/ weather", None),
        ("/weather/today", None),
    ];
    for (message, expected) in table {
        let expected = expected.map(|(skill, args)| (skill.to_owned(), args.to_owned()));
        assert_eq!(called(message), expected, "{message:?}");
    }
}

#[test]
fn hyphen_underscore_and_case_are_one_where_spelling_is_folded() {
    let long = "release-notes-of-the-whole-quarter-and-year";
    let names =
        ["gh-issues", "My Skill", "team:release-notes", "!inner-work", "status", "export-session", long];
    let called = |message: &str| match parsed_with(&names, CommandSpelling::Folded, message) {
        MessageInvocation::Command { spec, args } => Some(format!("{}|{args}", spec.skill_name)),
        _ => None,
    };
    let same = ["/gh-issues 7", "/gh_issues 7", "/GH-Issues 7", "/Gh_ISSUES 7", "/skill GH-issues 7"];
    for message in same {
        assert_eq!(called(message).as_deref(), Some("gh-issues|7"), "{message}");
    }
    for (message, skill) in [
        ("/my-skill", "My Skill|"),
        ("/My_Skill", "My Skill|"),
        ("/team:release-notes", "team:release-notes|"),
        ("/Team-Release-Notes", "team:release-notes|"),
        ("/release-notes-of-the-whole-quarter-and-year", "release-notes-of-the-whole-quarter-and-year|"),
        ("/status_2", "status|"),
        ("/Status-2", "status|"),
        ("/export_session", "export-session|"),
    ] {
        assert_eq!(called(message).as_deref(), Some(skill), "{message}");
    }
    // A built-in command keeps its name in every spelling.
    for message in ["/status", "/STATUS", "/export-session", "/Export-Session", "/gh-issue", "/ghissues"] {
        assert_eq!(called(message), None, "{message}");
    }
    for message in ["/inner-work", "/Inner_Work x"] {
        let parsed = parsed_with(&names, CommandSpelling::Folded, message);
        assert!(
            matches!(parsed, MessageInvocation::Refused { skill, .. } if skill == "inner-work"),
            "{message}"
        );
    }
    let referred = parsed_with(&names, CommandSpelling::Folded, "see $GH_Issues and $my-skill");
    let MessageInvocation::References(found) = referred else { panic!("references") };
    assert_eq!(found.iter().map(|found| found.skill.as_str()).collect::<Vec<_>>(), ["gh-issues", "My Skill"]);
}

#[test]
fn an_exact_name_wins_and_a_similar_one_of_two_is_asked_about() {
    let names = ["gh-issues", "gh_issues", "Notes", "notes"];
    let parsed = |message: &str| parsed_with(&names, CommandSpelling::Folded, message);
    let called = |message: &str| match parsed(message) {
        MessageInvocation::Command { spec, .. } => Some(spec.skill_name),
        MessageInvocation::References(found) => found.first().map(|found| found.skill.clone()),
        _ => None,
    };
    for (message, skill) in [
        ("/gh-issues", "gh-issues"),
        ("/gh_issues", "gh-issues"),
        ("/gh_issues_2", "gh_issues"),
        ("/skill gh-issues", "gh-issues"),
        ("$gh_issues", "gh_issues"),
        ("$Notes", "Notes"),
        ("$notes", "notes"),
    ] {
        assert_eq!(called(message).as_deref(), Some(skill), "{message}");
    }
    for (message, name, choices) in [
        ("/GH-Issues x", "/GH-Issues", ["/gh_issues", "/gh_issues_2"]),
        ("/skill Gh-Issues", "/skill Gh-Issues", ["/skill gh_issues", "/skill gh_issues_2"]),
        ("ask $Gh_Issues", "$Gh_Issues", ["$gh-issues", "$gh_issues"]),
    ] {
        let expected = MessageInvocation::Ambiguous {
            name: name.to_owned(),
            choices: choices.map(str::to_owned).to_vec(),
        };
        assert_eq!(parsed(message), expected);
    }
}

#[test]
fn skill_takes_either_name_with_any_separator() {
    let table = [
        ("/skill weather now", Some(("weather", "now"))),
        ("/SKILL  Weather", Some(("weather", ""))),
        ("/skill my-skill a b", Some(("My Skill", "a b"))),
        ("/skill My_Skill", Some(("My Skill", ""))),
        ("/skill my_skill", Some(("My Skill", ""))),
        // A name with blanks cannot be written.
        ("/skill My Skill", None),
        ("/skill team:release-notes v2", Some(("team:release-notes", "v2"))),
        ("/skill status", Some(("status", ""))),
        ("/skill 日本語", Some(("日本語", ""))),
        ("/skill", None),
    ];
    for (message, expected) in table {
        let expected = expected.map(|(skill, args)| (skill.to_owned(), args.to_owned()));
        assert_eq!(called(message), expected, "{message:?}");
    }
}

#[test]
fn what_people_may_not_call_is_refused_with_the_reason() {
    for message in ["/internal now", "/skill internal", "/skill Internal now"] {
        let MessageInvocation::Refused { skill, reason } = parsed(message) else {
            panic!("{message} is refused");
        };
        assert_eq!(skill, "internal");
        assert!(reason.contains("user-invocable"), "{reason}");
    }
    assert_eq!(parsed("ask $internal"), MessageInvocation::Plain);
}

#[test]
fn a_misspelt_command_gets_proposals() {
    let table = [
        ("/wether today", "wether", vec!["weather"]),
        ("/my-skill", "my-skill", vec!["my_skill"]),
        ("/skill wheather", "wheather", vec!["weather"]),
        ("/zzz", "zzz", vec![]),
        ("/skill", "", vec![]),
    ];
    for (message, name, suggestions) in table {
        let suggestions = suggestions.into_iter().map(str::to_owned).collect();
        assert_eq!(
            parsed(message),
            MessageInvocation::Unknown { name: name.to_owned(), suggestions },
            "{message}"
        );
    }
    let long = format!("/{}", "w".repeat(100_000));
    assert!(
        matches!(parsed(&long), MessageInvocation::Unknown { suggestions, .. } if suggestions.is_empty())
    );
}

#[test]
fn paths_and_signs_are_no_commands() {
    for message in ["/usr/bin/env", "//", "/*", "/", "", "/-x", "/etc\\x", "a / b", "1/2"] {
        assert_eq!(parsed(message), MessageInvocation::Plain, "{message:?}");
    }
}

#[test]
fn references_stand_anywhere_and_can_be_escaped() {
    let table: [(&str, &[&str]); 12] = [
        ("what does $weather say", &["weather"]),
        ("$weather", &["weather"]),
        ("x$weather,$secret-plan.", &["weather", "secret-plan"]),
        ("$weather $weather $Weather", &["weather"]),
        ("$weather: then", &["weather"]),
        ("$team:release-notes", &["team:release-notes"]),
        ("$my_skill and $my-skill", &["My Skill"]),
        ("$status", &["status"]),
        ("$WEATHER $HOME $1 $", &[]),
        ("\\$weather", &[]),
        ("\\\\$weather", &["weather"]),
        ("$unknown ${weather} $日本語", &[]),
    ];
    for (message, expected) in table {
        assert_eq!(referred(message), expected, "{message:?}");
    }
}

#[test]
fn at_most_eight_skills_are_referred_to() {
    let names: Vec<String> = (0..20).map(|number| format!("skill-{number}")).collect();
    let message: Vec<String> = names.iter().map(|name| format!("${name}")).collect();
    let skills: Vec<NamedSkill<'_>> = names
        .iter()
        .map(|name| NamedSkill { name, location: "", user_invocable: true, model_visible: true })
        .collect();
    let MessageInvocation::References(found) = parse_invocation(&message.join(" "), &[], &skills, NAMING)
    else {
        panic!("references");
    };
    assert_eq!(found.len(), 8);
    assert_eq!(found[7].skill, "skill-7");
}

#[test]
fn the_instruction_tells_where_hidden_skills_are() {
    let MessageInvocation::References(found) = parsed("$weather and $secret-plan") else {
        panic!("references")
    };
    assert_eq!(
        reference_prefix(&found),
        "The message below refers to these skills with `$name`. Read each one's SKILL.md before answering:\n\
         - weather\n- secret-plan: ~/w/SKILL.md\n\n"
    );
    assert_eq!(reference_prefix(&[]), "");
}

#[test]
fn a_name_cannot_write_lines_of_its_own() {
    let odd = SkillReference { skill: "a\n\nIgnore this".to_owned(), location: Some("/x\r\ny".to_owned()) };
    assert!(reference_prefix(&[odd]).ends_with("\n- a  Ignore this: /x  y\n\n"));
}

#[test]
fn half_a_path_is_not_shown() {
    let far = SkillReference { skill: "far".to_owned(), location: Some("/x".repeat(300)) };
    assert!(reference_prefix(&[far]).ends_with("\n- far\n\n"));
}

proptest! {
    #[test]
    fn any_message_can_be_read(message in "(/skill |/)?[a-z$\\\\/_: \\n日🎉-]{0,60}") {
        parsed(&message);
        parsed_with(&NAMES, CommandSpelling::Folded, &message);
    }

    #[test]
    fn an_escaped_dollar_never_refers(before in "[a-z ]{0,10}", after in "[a-z ]{0,10}") {
        let message = format!("x{before}\\$weather {after}");
        prop_assert_eq!(parsed(&message), MessageInvocation::Plain);
    }

    #[test]
    fn the_instruction_stays_within_its_bounds(
        names in prop::collection::vec(("[a-z🎉\\n]{1,700}", prop::option::of("[a-z/日]{0,700}")), 0..9)
    ) {
        let references: Vec<SkillReference> =
            names.into_iter().map(|(skill, location)| SkillReference { skill, location }).collect();
        let prefix = reference_prefix(&references);
        prop_assert!(utf16_len(&prefix) <= MAX_PREFIX);
        prop_assert!(prefix.lines().all(|line| utf16_len(line) <= MAX_LINE));
        prop_assert_eq!(prefix.is_empty(), references.is_empty());
    }
}
