//! Odd skills: every dialect reads them, and nothing that was written is lost.

use prowess_skill::{ParseOptions, SkillInput, decode, parse};
use prowess_types::{Dialect, SpecMode};

/// Skills with the oddities that occur in the wild. A line `=== FOLDER [crlf] [bom] [no-final-newline]` starts one.
const ODD: &str = include_str!("../fixtures/odd-skills.txt");

struct Entry {
    folder: &'static str,
    bytes: Vec<u8>,
}

fn entries() -> Vec<Entry> {
    let entries = ODD.split("=== ").skip(1).map(|part| {
        let (head, text) = part.split_once('\n').expect("a line for the folder");
        let mut words = head.split(' ');
        let folder = words.next().expect("a folder");
        let mut text = text.to_owned();
        for flag in words {
            text = match flag {
                "crlf" => text.replace('\n', "\r\n"),
                "bom" => format!("\u{feff}{text}"),
                "no-final-newline" => text.trim_end().to_owned(),
                _ => panic!("`{flag}` is not a flag"),
            };
        }
        Entry { folder, bytes: text.into_bytes() }
    });
    entries.collect()
}

#[test]
fn every_dialect_and_mode_reads_every_file() {
    for entry in entries() {
        for dialect in [Dialect::Prowess, Dialect::Openclaw, Dialect::Openpocket] {
            for spec_mode in [SpecMode::Legacy, SpecMode::Mixed, SpecMode::Strict, SpecMode::SkillMdOnly] {
                let options = ParseOptions { dialect, spec_mode };
                let skill = parse(&SkillInput::folder(&entry.bytes, entry.folder), &options);
                let text = decode(&entry.bytes, dialect).text;
                assert!(text.is_char_boundary(skill.body_start), "{}", entry.folder);
                for diagnostic in skill.diagnostics.iter() {
                    let span = diagnostic.span.unwrap_or(prowess_types::Span::new(0, 0));
                    assert!(
                        span.start <= span.end && span.end <= text.len(),
                        "{}: {diagnostic:?}",
                        entry.folder
                    );
                    assert!(
                        text.is_char_boundary(span.start) && text.is_char_boundary(span.end),
                        "{}",
                        entry.folder
                    );
                }
            }
        }
    }
}

#[test]
fn fields_survive_in_the_order_in_which_they_were_written() {
    for entry in entries() {
        let skill = parse(&SkillInput::folder(&entry.bytes, entry.folder), &ParseOptions::default());
        if !skill.is_loadable() {
            continue;
        }
        let text = decode(&entry.bytes, Dialect::Prowess).text.into_owned();
        let block = text.split("\n---").next().unwrap_or_default();
        let written: Vec<&str> = block
            .lines()
            .filter_map(|line| line.split_once(':').map(|(key, _)| key))
            .filter(|key| {
                !key.is_empty() && key.chars().all(|next| next.is_ascii_alphanumeric() || "_-".contains(next))
            })
            .collect();
        let read: Vec<&str> = skill.frontmatter.keys().map(String::as_str).collect();
        let kept: Vec<&str> = written.iter().copied().filter(|key| read.contains(key)).collect();
        assert_eq!(kept, written, "{}", entry.folder);
    }
}

#[test]
fn levels_and_rules_do_not_change_unnoticed() {
    let mut levels = std::collections::BTreeMap::<String, usize>::new();
    let mut rules = std::collections::BTreeMap::<String, usize>::new();
    for entry in entries() {
        let skill = parse(&SkillInput::folder(&entry.bytes, entry.folder), &ParseOptions::default());
        *levels.entry(format!("{:?}", skill.level)).or_default() += 1;
        for diagnostic in skill.diagnostics.iter() {
            *rules.entry(diagnostic.rule.to_string()).or_default() += 1;
        }
    }
    insta::assert_debug_snapshot!("odd_levels", levels);
    insta::assert_debug_snapshot!("odd_rules", rules);
}
