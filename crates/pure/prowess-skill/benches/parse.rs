//! How long it takes to read one `SKILL.md`, by the way its frontmatter is written, and a config of JSON5.
//!
//! The baseline of a skill is a copy of its text in small letters; that of JSON5, `serde_json` on the same values.

#![allow(clippy::expect_used, reason = "a benchmark stops at the first surprise")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use prowess_skill::{ParseOptions, SkillInput, parse};

fn main() {
    divan::main();
}

/// Fields on a line each; YAML that needs the parser; and what the OpenClaw community writes most.
const KINDS: [&str; 3] = ["plain", "yaml", "json"];

fn text(kind: &str) -> String {
    let needs = match kind {
        "yaml" => {
            "metadata:\n  openclaw:\n    requires:\n      anyBins: [rg, grep]\n    os: [linux, darwin]\n"
        }
        "json" => {
            "metadata: {\"openclaw\":{\"emoji\":\"🔧\",\"requires\":{\"bins\":[\"git\"],\"env\":[\"TOKEN\"]}}}\n"
        }
        _ => "homepage: https://example.org/skill\nversion: 1.2.0\n",
    };
    let body = "Read the request, choose the command, run it and report what it printed.\n".repeat(50);
    format!(
        "---\nname: weather\ndescription: Tells the weather. Use when somebody asks whether it will rain.\n{needs}---\n\n\
         # Weather\n\n{body}"
    )
}

#[divan::bench(args = KINDS)]
fn baseline_of_skill(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    bencher.counter(BytesCount::of_str(&text)).bench(|| black_box(&text).to_lowercase());
}

#[divan::bench(args = KINDS)]
fn skill(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    let input = SkillInput::folder(text.as_bytes(), "weather");
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(black_box(&input), &ParseOptions::default()));
}

/// A config with two hundred entries.
fn config() -> String {
    let entry = |number: usize| {
        format!(
            "\"skill-{number}\": {{\"enabled\": true, \"env\": {{\"KEY\": \"value\"}}, \"limit\": {number}}}"
        )
    };
    let entries: Vec<String> = (0..200).map(entry).collect();
    format!("{{\"skills\": {{\"entries\": {{{}}}}}}}", entries.join(",\n"))
}

#[divan::bench]
fn baseline_of_json5(bencher: Bencher<'_, '_>) {
    let text = config();
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(black_box(&text)));
}

#[divan::bench]
fn json5(bencher: Bencher<'_, '_>) {
    let text = config();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| prowess_json5::parse(black_box(&text)).expect("JSON5"));
}
