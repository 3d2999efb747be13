//! Every table is well-formed: a pattern that does not compile would silently never match.

use std::collections::HashSet;

use super::*;
use crate::rule::Scope;
use crate::rules;

#[test]
fn every_pattern_compiles() {
    for definition in rules::definitions() {
        if let Err(error) = compile(definition.pattern) {
            panic!("signal {}: {error}", definition.signal.0);
        }
    }
}

#[test]
fn signals_are_numbered_in_order() {
    for (number, definition) in rules::definitions().enumerate() {
        assert_eq!(usize::from(definition.signal.0), number);
    }
}

#[test]
fn cues_are_lower_case_and_long_enough() {
    for definition in rules::definitions() {
        for cue in definition.cues {
            assert_eq!(*cue, cue.to_lowercase(), "signal {}", definition.signal.0);
            assert!(cue.len() >= 2, "signal {}: `{cue}`", definition.signal.0);
        }
    }
}

/// Rules start from their first group, so its signals must be findable.
#[test]
fn rules_start_from_signals_with_cues() {
    let definitions: Vec<_> = rules::definitions().collect();
    for rule in rules::rules() {
        for trigger in rule.triggers.iter().filter(|trigger| trigger.kinds != crate::blocks::Kinds::HIDDEN) {
            for signal in crate::judge::start(trigger) {
                let has_cues = !definitions[usize::from(signal.0)].cues.is_empty();
                assert!(has_cues || trigger.scope == Scope::Skill, "{}: signal {}", rule.id, signal.0);
            }
        }
    }
}

#[test]
fn rules_have_unique_ids_and_words_for_people() {
    let mut ids = HashSet::new();
    for rule in rules::rules() {
        assert!(ids.insert(rule.id), "{} is there twice", rule.id);
        assert!(rule.id.starts_with(rule.id.split('/').next().unwrap_or_default()));
        for text in [rule.title, rule.why, rule.fix] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{}: {text}", rule.id);
        }
        let worst = rule.triggers.iter().map(|trigger| trigger.severity).max();
        assert!(worst.is_none_or(|worst| worst == rule.severity), "{} says {}", rule.id, rule.severity);
    }
}
