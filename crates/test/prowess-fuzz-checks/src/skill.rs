//! Any bytes give a skill, and what is said about it points into its text.

use prowess_skill::{
    ParseOptions, SkillInput, decode, lint, parse, references, rule, validate_openpocket, validate_skills_ref,
};
use prowess_types::{Diagnostic, Dialect, Severity, Skill, SkillLayout, Span, SpecMode};

use crate::Choice;

const DIALECTS: [Dialect; 3] = [Dialect::Prowess, Dialect::Openclaw, Dialect::Openpocket];
const SPEC_MODES: [SpecMode; 4] =
    [SpecMode::Mixed, SpecMode::Legacy, SpecMode::Strict, SpecMode::SkillMdOnly];
const ID: &str = "some-skill";

/// Reads the bytes in every dialect, and checks everything that takes the bytes of a skill.
pub fn check(bytes: &[u8]) {
    let mut choice = Choice::of(bytes);
    let spec_mode = *choice.one(&SPEC_MODES);
    let layout = *choice.one(&[SkillLayout::Folder, SkillLayout::LoneFile]);
    for dialect in DIALECTS {
        let text = decode(bytes, dialect).text;
        let skill = parse(&SkillInput { bytes, id: ID, layout }, &ParseOptions { dialect, spec_mode });
        check_skill(&skill, &text);
        check_diagnostics(&lint(&skill, &text), &text);
        for reference in references(&text, skill.body_start) {
            check_span(reference.span, &text);
        }
        check_stored(&skill);
    }
    let _ = validate_skills_ref(bytes, ID);
    let _ = validate_openpocket(bytes, ID, "SKILL.md", *choice.one(&[false, true]));
}

/// Reads a frontmatter block that certainly has its fences.
pub fn check_block(block: &[u8]) {
    check(&fenced(block));
    check_comment(block);
}

/// A comment below a block of one-line fields changes nothing, although it keeps the block from the short cut
/// that such blocks are read by.
fn check_comment(block: &[u8]) {
    let is_field = |line: &[u8]| {
        line.first().is_none_or(u8::is_ascii_alphabetic) && line.windows(2).any(|pair| pair == b": ")
    };
    if !block.split(|&byte| byte == b'\n').all(|line| line.is_empty() || is_field(line)) {
        return;
    }
    for dialect in [Dialect::Prowess, Dialect::Openclaw] {
        let options = ParseOptions { dialect, ..ParseOptions::default() };
        let read = |block: &[u8]| parse(&SkillInput::folder(&fenced(block), ID), &options);
        let skill = read(block);
        let is_repaired = skill.diagnostics.iter().any(|found| found.rule.starts_with("frontmatter/"));
        if !skill.is_loadable() || is_repaired {
            continue;
        }
        let commented = read(&[block, b"\n#"].concat());
        assert_eq!(commented.frontmatter, skill.frontmatter);
        assert_eq!(commented.diagnostics, skill.diagnostics);
    }
}

fn fenced(block: &[u8]) -> Vec<u8> {
    [b"---\n", block, b"\n---\n# Title\nText with a [link](a.md).\n"].concat()
}

fn check_skill(skill: &Skill, text: &str) {
    assert!(text.is_char_boundary(skill.body_start), "the body starts inside the text");
    assert!(!skill.name.is_empty(), "a skill always has a name");
    if skill.is_loadable() {
        assert!(!skill.description.is_empty(), "a loadable skill always has a description");
    } else {
        let is_explained = skill.diagnostics.iter().any(|found| found.severity == Severity::Error);
        assert!(is_explained, "a rejected skill always says why");
    }
    check_diagnostics(&skill.diagnostics, text);
}

fn check_diagnostics(diagnostics: &[Diagnostic], text: &str) {
    for diagnostic in diagnostics {
        assert!(rule(&diagnostic.rule).is_some(), "`{}` is no known rule", diagnostic.rule);
        if let Some(span) = diagnostic.span {
            check_span(span, text);
        }
    }
}

/// Whoever shows a diagnostic slices the text at its span.
fn check_span(span: Span, text: &str) {
    assert!(text.get(span.start..span.end).is_some(), "{span:?} is not in a text of {}", text.len());
}

/// A skill is kept in caches, so it must come back as it went in.
fn check_stored(skill: &Skill) {
    let stored = postcard::to_stdvec(skill).expect("a skill can be stored");
    let read: Skill = postcard::from_bytes(&stored).expect("a stored skill can be read");
    assert_eq!(&read, skill, "a stored skill is the same skill");
}
