//! Any bytes at all give a skill.

use proptest::prelude::*;
use prowess_skill::{ParseOptions, SkillInput, decode, parse, validate_openpocket, validate_skills_ref};
use prowess_types::{Dialect, SpecMode};

const DIALECTS: [Dialect; 3] = [Dialect::Prowess, Dialect::Openclaw, Dialect::Openpocket];

fn check(bytes: &[u8]) {
    for dialect in DIALECTS {
        for spec_mode in [SpecMode::Mixed, SpecMode::Strict, SpecMode::Legacy] {
            let options = ParseOptions { dialect, spec_mode };
            for input in [SkillInput::folder(bytes, "some-skill"), SkillInput::lone_file(bytes, "lone")] {
                let skill = parse(&input, &options);
                let text = decode(bytes, dialect).text;
                assert!(text.is_char_boundary(skill.body_start));
                assert!(!skill.name.is_empty(), "a skill always has a name");
                if skill.is_loadable() {
                    assert!(!skill.description.is_empty(), "a loadable skill always has a description");
                }
                for diagnostic in skill.diagnostics.iter() {
                    if let Some(span) = diagnostic.span {
                        assert!(span.start <= span.end && span.end <= text.len());
                    }
                    assert!(prowess_skill::rule(&diagnostic.rule).is_some());
                }
            }
        }
    }
    let _ = validate_skills_ref(bytes, "some-skill");
    let _ = validate_openpocket(bytes, "some-skill", "SKILL.md", true);
}

/// Pieces of frontmatter that are likely to be misread, in any order.
fn fragments() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("---\n".to_owned()),
        Just("name: a\n".to_owned()),
        Just("description: b\n".to_owned()),
        Just("description: c: d\n".to_owned()),
        Just("description: \"open\n".to_owned()),
        Just("metadata: {\"openclaw\": {\"requires\": {\"bins\": [\"x\"]}}}\n".to_owned()),
        Just("metadata: {\n  \"openclaw\": {}\n}\n".to_owned()),
        Just("x: &a [*a, *a]\n".to_owned()),
        Just("y: *a\n".to_owned()),
        Just("\"\\ud83d\\ude00\": 1\n".to_owned()),
        Just("\t- tab\n".to_owned()),
        Just("# Heading\n".to_owned()),
        Just("\r\n\r".to_owned()),
        Just("\u{FEFF}\0\u{2028}é".to_owned()),
        "[ -~\n]{0,24}",
        "\\PC{0,12}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn any_frontmatter(text in fragments()) {
        check(format!("---\n{text}").as_bytes());
        check(text.as_bytes());
    }

    #[test]
    fn quoted_values_read_back(description in "[^\\p{C}]{0,60}") {
        prop_assume!(!description.trim_matches(|next: char| next.is_whitespace() || next == '\u{FEFF}').is_empty());
        let quoted = serde_json::Value::from(description.as_str()).to_string();
        let text = format!("---\nname: a\ndescription: {quoted}\n---\n");
        let skill = parse(&SkillInput::folder(text.as_bytes(), "a"), &ParseOptions::default());
        prop_assert_eq!(skill.description, description.trim_matches(|next: char| next.is_whitespace() || next == '\u{FEFF}'));
    }
}

#[test]
fn hostile_documents_end_quickly() {
    let bomb = {
        let mut text = "---\nname: bomb\ndescription: d\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let previous = format!("*a{}", level - 1);
            text += &format!("a{level}: &a{level} [{}]\n", vec![previous; 10].join(", "));
        }
        text + "---\n"
    };
    let skill = parse(&SkillInput::folder(bomb.as_bytes(), "bomb"), &ParseOptions::default());
    assert!(!skill.is_loadable());
    assert_eq!(skill.diagnostics[0].rule, "frontmatter/too-complex");

    let deep = format!("---\nname: deep\ndescription: d\nx: {}\n---\n", "[".repeat(100_000));
    assert!(!parse(&SkillInput::folder(deep.as_bytes(), "deep"), &ParseOptions::default()).is_loadable());

    let long_line = format!("---\nname: long\ndescription: {}\n---\n", "x".repeat(10_000_000));
    let skill = parse(&SkillInput::folder(long_line.as_bytes(), "long"), &ParseOptions::default());
    assert!(skill.is_loadable());
    assert_eq!(skill.description.len(), 10_000_000);
}
