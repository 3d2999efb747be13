//! How long it takes to merge skills and to render their catalogue.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use divan::{Bencher, black_box};
use prowess_catalog::{MergeCandidate, MergeRules, PromptContext, PromptEntry, merge, render};
use prowess_types::{
    Budget, ConflictPolicy, EntryOrder, MergeKey, Origin, PromptRules, PromptWording, Skill, Tier,
};

const SIZES: [usize; 3] = [52, 500, 2500];

fn main() {
    divan::main();
}

fn entries(count: usize) -> Vec<PromptEntry> {
    let entry = |number: usize| PromptEntry {
        name: format!("skill-{number:04}"),
        description: format!(
            "Does the kind of work that number {number} stands for: reads, writes & checks what it \
             is given. Use it when somebody asks for \"{number}\" or for something close to it."
        ),
        location: format!("~/.prowess/skills/skill-{number:04}/SKILL.md"),
        ..PromptEntry::default()
    };
    (0..count).map(entry).collect()
}

/// Names, descriptions and locations one after the other: no limit, no escaping, no wording.
#[divan::bench(args = SIZES)]
fn baseline(bencher: Bencher<'_, '_>, count: usize) {
    let entries = entries(count);
    bencher.bench(|| {
        let mut text = String::new();
        for entry in black_box(&entries) {
            text.extend([&*entry.name, &*entry.description, &*entry.location]);
        }
        text
    });
}

fn rules(wording: PromptWording, max_skills: usize, max_chars: usize) -> PromptRules {
    PromptRules {
        wording,
        budget: Budget { max_skills, max_chars },
        compact_fallback: wording == PromptWording::Openclaw,
        omit_when_minimal: true,
    }
}

fn bench_render(bencher: Bencher<'_, '_>, count: usize, rules: PromptRules) {
    let entries = entries(count);
    let context = PromptContext {
        has_read_tool: true,
        audit_command: "prowess check".to_owned(),
        ..PromptContext::default()
    };
    bencher.bench(|| render(black_box(&entries), &rules, &context));
}

#[divan::bench(args = SIZES)]
fn mandatory(bencher: Bencher<'_, '_>, count: usize) {
    bench_render(bencher, count, rules(PromptWording::Mandatory, 150, 30_000));
}

#[divan::bench(args = SIZES)]
fn openclaw(bencher: Bencher<'_, '_>, count: usize) {
    bench_render(bencher, count, rules(PromptWording::Openclaw, 150, 18_000));
}

#[divan::bench(args = SIZES)]
fn openclaw_without_count_limit(bencher: Bencher<'_, '_>, count: usize) {
    bench_render(bencher, count, rules(PromptWording::Openclaw, usize::MAX, 400_000));
}

#[divan::bench(args = SIZES)]
fn merge_by_name(bencher: Bencher<'_, '_>, count: usize) {
    let rules =
        MergeRules { conflict: ConflictPolicy::LastWins, key: MergeKey::Name, order: EntryOrder::ByName };
    let candidates: Vec<MergeCandidate> = (0..count).map(candidate).collect();
    bencher.with_inputs(|| candidates.clone()).bench_values(|candidates| merge(candidates, &rules));
}

/// The last of each name in a sorted map.
#[divan::bench(args = SIZES)]
fn baseline_of_merge_by_name(bencher: Bencher<'_, '_>, count: usize) {
    let candidates: Vec<MergeCandidate> = (0..count).map(candidate).collect();
    bencher.with_inputs(|| candidates.clone()).bench_values(|candidates| {
        let named = candidates.into_iter().map(|candidate| (candidate.skill.name.clone(), candidate));
        named.collect::<BTreeMap<_, _>>()
    });
}

/// One skill in ten is in two tiers.
fn candidate(number: usize) -> MergeCandidate {
    let tier = if number.is_multiple_of(2) { Tier::Managed } else { Tier::Workspace };
    let name = format!("skill-{:04}", number - usize::from(number % 10 == 1));
    let root = PathBuf::from(format!("/{tier:?}"));
    let base = root.join(&name);
    let relative = name.clone();
    let origin = Origin {
        tier,
        source: format!("{tier:?}"),
        file: base.join("SKILL.md"),
        real_file: base.join("SKILL.md"),
        root,
        base,
        plugin: None,
    };
    let skill = Skill { id: name.clone(), name, ..Skill::default() };
    MergeCandidate { skill: Arc::new(skill), origin: Arc::new(origin), rank: tier as usize, relative }
}
