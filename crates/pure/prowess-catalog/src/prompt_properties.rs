//! What holds for every catalogue, whatever the skills and the budget.

use proptest::prelude::*;
use prowess_text::utf16_len;
use prowess_types::{Budget, OfferMode, PromptRules, PromptWording};

use crate::{PromptContext, PromptEntry, Rendered, render};

fn entries() -> impl Strategy<Value = Vec<PromptEntry>> {
    let text = "[a-z &<>\"'\né🎉日]{0,80}";
    let mode = prop_oneof![
        4 => Just(OfferMode::Auto),
        1 => Just(OfferMode::Pinned),
        1 => Just(OfferMode::NameOnly),
    ];
    let entry = ("[a-z<&'🎉-]{1,12}", text, "[a-z/'& ]{1,30}", prop::option::of(text), mode);
    let entry = entry.prop_map(|(name, description, location, location_note, mode)| PromptEntry {
        name,
        description,
        location,
        location_note,
        mode,
        hints: vec!["one".to_owned()],
    });
    prop::collection::vec(entry, 0..40)
}

fn rules() -> impl Strategy<Value = PromptRules> {
    let wording = prop_oneof![
        Just(PromptWording::Mandatory),
        Just(PromptWording::Openclaw),
        Just(PromptWording::Openpocket),
        Just(PromptWording::SkillsRef),
    ];
    (wording, 0_usize..50, 0_usize..6000, any::<bool>()).prop_map(
        |(wording, max_skills, max_chars, compact_fallback)| PromptRules {
            wording,
            budget: Budget { max_skills, max_chars },
            compact_fallback,
            omit_when_minimal: true,
        },
    )
}

fn context() -> impl Strategy<Value = PromptContext> {
    (prop::option::of("[a-z🎉]{0,40}"), prop::option::of(0_usize..40_000)).prop_map(
        |(remote_note, context_tokens)| PromptContext {
            remote_note,
            context_tokens,
            has_read_tool: true,
            audit_command: "prowess check".to_owned(),
            ..PromptContext::default()
        },
    )
}

/// The values of a tag, read back from the text.
fn read_back(text: &str, tag: &str) -> Vec<String> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let element = text.split_once("<available_skills>\n").map_or("", |(_, element)| element);
    let values = element.split(&open).skip(1).filter_map(|rest| Some(rest.split_once(&close)?.0));
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#x27;", "'"), ("&amp;", "&")];
    let unescape = |value: &str| {
        let decode = |text: String, (entity, plain): &(&str, &str)| text.replace(entity, plain);
        entities.iter().fold(value.to_owned(), decode)
    };
    values.map(unescape).collect()
}

fn fields(entries: &[PromptEntry], rendered: &Rendered, field: fn(&PromptEntry) -> &str) -> Vec<String> {
    let included = rendered.included.iter().map(|&index| &entries[index]);
    included.map(|entry| field(entry).to_owned()).collect()
}

proptest! {
    #[test]
    fn the_budget_is_never_exceeded(entries in entries(), rules in rules(), context in context()) {
        let rendered = render(&entries, &rules, &context);
        prop_assert_eq!(rendered.chars, utf16_len(&rendered.text));
        if rules.wording == PromptWording::Openpocket {
            let (least, index) = (200, rendered.text.split_once("<available_skills>\n"));
            let index = index.map_or("", |(_, index)| index.trim_end_matches("\n</available_skills>"));
            let alone = rendered.included.len() <= 1;
            prop_assert!(alone || utf16_len(index) <= rules.budget.max_chars.max(least));
            prop_assert!(rendered.included.len() <= rules.budget.max_skills.max(1));
        } else {
            prop_assert!(rendered.chars <= rules.budget.max_chars);
            prop_assert!(rendered.included.len() <= rules.budget.max_skills);
        }
    }

    #[test]
    fn every_included_skill_can_be_read_back(entries in entries(), rules in rules(), context in context()) {
        let rendered = render(&entries, &rules, &context);
        let trimmed = |values: Vec<String>| {
            // `skills-ref` puts values on lines of their own.
            let line = |value: String| match rules.wording {
                PromptWording::SkillsRef => value[1..value.len() - 1].to_owned(),
                _ => value,
            };
            values.into_iter().map(line).collect::<Vec<_>>()
        };
        let names = trimmed(read_back(&rendered.text, "name"));
        let locations = trimmed(read_back(&rendered.text, "location"));
        prop_assert_eq!(names, fields(&entries, &rendered, |entry| &entry.name));
        prop_assert_eq!(locations, fields(&entries, &rendered, |entry| &entry.location));
    }

    #[test]
    fn every_entry_is_included_or_cut_and_order_is_kept(entries in entries(), rules in rules(), context in context()) {
        let rendered = render(&entries, &rules, &context);
        let cut = rendered.cuts.iter().map(|cut| cut.index);
        let order: Vec<usize> = rendered.included.iter().copied().chain(cut).collect();
        let mut all = order.clone();
        all.sort_unstable();
        prop_assert_eq!(all, (0..entries.len()).collect::<Vec<_>>());
        let rank = |index: &usize| (entries[*index].mode != OfferMode::Pinned, *index);
        prop_assert!(order.is_sorted_by_key(rank));
        prop_assert_eq!(&render(&entries, &rules, &context), &rendered);
    }
}
