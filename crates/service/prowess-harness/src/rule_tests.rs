use proptest::prelude::*;
use prowess_skill::{ParseOptions, SkillInput, parse};

use super::*;

fn skill_of(converted: &Converted) -> Skill {
    parse(&SkillInput::folder(converted.text.as_bytes(), &converted.name), &ParseOptions::default())
}

/// A rule that became a skill and a rule again.
fn there_and_back(place: &str, text: &str) -> (String, String) {
    let converted = to_skill(place, text);
    from_skill(&skill_of(&converted), &converted.name, &converted.text)
}

#[test]
fn the_four_modes() {
    let table = [
        ("alwaysApply: true\n", RuleMode::Always),
        ("description: x\nglobs: *.ts\nalwaysApply: true\n", RuleMode::Always),
        ("description: x\nglobs: *.ts\nalwaysApply: false\n", RuleMode::Auto),
        ("globs:\n  - '*.ts'\n  - \"*.js\"\n", RuleMode::Auto),
        ("description: x\nglobs:\nalwaysApply: false\n", RuleMode::Agent),
        ("description:\nglobs:\nalwaysApply: false\n", RuleMode::Manual),
        ("", RuleMode::Manual),
    ];
    for (header, mode) in table {
        assert_eq!(AgentRule::parse(header).mode(), mode, "{header}");
    }
}

#[test]
fn patterns_in_every_spelling() {
    let table = [
        ("**/*.ts", vec!["**/*.ts"]),
        ("*.ts,*.js", vec!["*.ts", "*.js"]),
        ("\"*.ts, *.js\"", vec!["*.ts", "*.js"]),
        ("['*.ts', \"a b\"]", vec!["*.ts", "a b"]),
        ("src/*.{ts,tsx}, docs/**", vec!["src/*.{ts,tsx}", "docs/**"]),
        ("[]", vec![]),
        ("", vec![]),
    ];
    for (value, expected) in table {
        assert_eq!(AgentRule::parse(&format!("globs: {value}\n")).globs, expected, "{value}");
    }
    assert_eq!(AgentRule::parse("globs:\n- a\n- 'b'\ndescription: c\n").globs, ["a", "b"]);
}

#[test]
fn a_rule_becomes_a_skill() {
    let rule = "---\ndescription: Style of \"our\" code\nglobs: **/*.ts,*.js\nalwaysApply: false\n---\n\n# Style\n\nTabs.\n";
    let converted = to_skill("web/TS Style.mdc", rule);
    let skill = skill_of(&converted);
    assert_eq!((skill.name.as_str(), converted.name.as_str()), ("web-ts-style", "web-ts-style"));
    assert_eq!(skill.description, "Style of \"our\" code");
    assert_eq!(skill.extensions.paths, ["**/*.ts", "*.js"]);
    assert!(skill.is_loadable() && !skill.invocation.disable_model_invocation);
    let manual = skill_of(&to_skill("x.mdc", "---\nalwaysApply: false\n---\n# Title\n"));
    assert_eq!(manual.description, "Title. Use when it is named.");
    assert!(manual.invocation.disable_model_invocation);
    let always = skill_of(&to_skill("x.mdc", "---\nalwaysApply: true\n---\nText\n"));
    assert_eq!(always.description, "x. Always applies.");
}

#[test]
fn a_skill_becomes_a_rule() {
    let made = |fields: &str| {
        let text = format!("---\nname: greet\ndescription: 'Says: hello'\n{fields}---\n# Greet\n");
        let skill = parse(&SkillInput::folder(text.as_bytes(), "greet"), &ParseOptions::default());
        from_skill(&skill, "greet", &text)
    };
    assert_eq!(
        made("paths: [\"*.ts\", \"*.js\"]\n"),
        (
            "greet.mdc".to_owned(),
            "---\ndescription: \"Says: hello\"\nglobs: *.ts,*.js\nalwaysApply: false\n---\n# Greet\n"
                .to_owned()
        )
    );
    let (_, manual) = made("disable-model-invocation: true\n");
    assert_eq!(manual, "---\ndescription:\nglobs:\nalwaysApply: false\n---\n# Greet\n");
    // What somebody else's skill calls a place is no way out.
    for place in ["../../x.mdc", "/etc/x.mdc", ".hidden.mdc", "x.md", "a/../b.mdc", "a\\b.mdc"] {
        let (place, _) = made(&format!("metadata: {{\"cursor-file\": {}}}\n", quoted(place)));
        assert_eq!(place, "greet.mdc");
    }
}

#[test]
fn what_was_changed_in_the_skill_is_in_the_rule() {
    let converted =
        to_skill("x.mdc", "---\ndescription: Old\nglobs: *.ts\nalwaysApply: false\n# comment\n---\nText\n");
    let edited = converted.text.replace("description: \"Old\"", "description: \"New\"");
    let skill = parse(&SkillInput::folder(edited.as_bytes(), "x"), &ParseOptions::default());
    let (place, text) = from_skill(&skill, "x", &edited);
    assert_eq!(place, "x.mdc");
    assert_eq!(text, "---\ndescription: New\nglobs: *.ts\nalwaysApply: false\n---\nText\n");
}

#[test]
fn odd_rules_come_back_as_they_were() {
    let rules = [
        "",
        "no header\n",
        "---\nnever closed\n",
        "---\r\ndescription: x\r\nglobs: *.ts\r\n---\r\nText\r\n",
        "\u{feff}---\ndescription: x\n---\nText",
        "---\n---\n",
        "---\ndescription: |\n  two\n  lines\nunknown: [1, 2]\n---\n---\nbody with fences\n---\n",
        "---\ndescription: 'it''s'\nglobs: []\nalwaysApply: true\n---\n\n\n",
    ];
    for rule in rules {
        assert_eq!(there_and_back("odd.mdc", rule), ("odd.mdc".to_owned(), rule.to_owned()), "{rule:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// No rule is lost on the way to a skill and back.
    #[test]
    fn rules_come_back_as_they_were(
        description in "\\PC{0,40}",
        globs in "\\PC{0,30}",
        always in any::<bool>(),
        body in "(\\PC|\n|\r\n|\t|---\n){0,60}",
    ) {
        let rule = format!("---\ndescription: {description}\nglobs: {globs}\nalwaysApply: {always}\n---\n{body}");
        prop_assert_eq!(there_and_back("a/b.mdc", &rule), ("a/b.mdc".to_owned(), rule));
    }

    /// No text whatever makes it stumble.
    #[test]
    fn any_text_comes_back(text in "(\\PC|\n|---\n|- |: |[\\x00-\\x1f\\x7f-\\xa0]){0,80}") {
        prop_assert_eq!(there_and_back("x.mdc", &text).1, text);
    }
}
