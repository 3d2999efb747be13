//! The oddest community skills: every dialect reads them, and nothing that was written is lost.

use std::io::Read as _;

use prowess_skill::{Input, Options, decode, parse};
use prowess_types::{Dialect, SpecMode};
use serde_json::Value;

const ODD: &[u8] = include_bytes!("../fixtures/odd-skills.jsonl.gz");

struct Entry {
    path: String,
    bytes: Vec<u8>,
}

fn entries() -> Vec<Entry> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(ODD).read_to_string(&mut text).expect("the fixture is gzip");
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).expect("the fixture is JSON lines");
            let bytes = match row["text"].as_str() {
                Some(text) => text.as_bytes().to_vec(),
                None => row["b64"].as_str().expect("text or b64").bytes().collect(),
            };
            Entry { path: row["path"].as_str().unwrap_or_default().to_owned(), bytes }
        })
        .collect()
}

fn folder(path: &str) -> &str {
    path.rsplit('/').nth(1).unwrap_or("skill")
}

#[test]
fn every_dialect_and_mode_reads_every_file() {
    for entry in entries() {
        for dialect in [Dialect::Prowess, Dialect::Openclaw, Dialect::Openpocket] {
            for spec_mode in [SpecMode::Legacy, SpecMode::Mixed, SpecMode::Strict, SpecMode::SkillMdOnly] {
                let options = Options { dialect, spec_mode };
                let skill = parse(&Input::folder(&entry.bytes, folder(&entry.path)), &options);
                let text = decode(&entry.bytes, dialect).text;
                assert!(text.is_char_boundary(skill.body_start), "{}", entry.path);
                for diagnostic in skill.diagnostics.iter() {
                    let span = diagnostic.span.unwrap_or(prowess_types::Span::new(0, 0));
                    assert!(
                        span.start <= span.end && span.end <= text.len(),
                        "{}: {diagnostic:?}",
                        entry.path
                    );
                    assert!(
                        text.is_char_boundary(span.start) && text.is_char_boundary(span.end),
                        "{}",
                        entry.path
                    );
                }
            }
        }
    }
}

#[test]
fn fields_survive_in_the_order_in_which_they_were_written() {
    for entry in entries() {
        let skill = parse(&Input::folder(&entry.bytes, folder(&entry.path)), &Options::default());
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
        assert_eq!(kept, written, "{}", entry.path);
    }
}

#[test]
fn levels_and_rules_do_not_change_unnoticed() {
    let mut levels = std::collections::BTreeMap::<String, usize>::new();
    let mut rules = std::collections::BTreeMap::<String, usize>::new();
    for entry in entries() {
        let skill = parse(&Input::folder(&entry.bytes, folder(&entry.path)), &Options::default());
        *levels.entry(format!("{:?}", skill.level)).or_default() += 1;
        for diagnostic in skill.diagnostics.iter() {
            *rules.entry(diagnostic.rule.to_string()).or_default() += 1;
        }
    }
    insta::assert_debug_snapshot!("odd_levels", levels);
    insta::assert_debug_snapshot!("odd_rules", rules);
}
