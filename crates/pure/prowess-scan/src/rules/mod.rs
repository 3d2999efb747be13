//! The rules, one module per family.

pub(crate) mod destruction;
pub(crate) mod download;
pub(crate) mod encoded;
pub(crate) mod exfiltration;
pub(crate) mod hidden;
pub(crate) mod hints;
pub(crate) mod lures;
pub(crate) mod memory;
pub(crate) mod mining;
pub(crate) mod overrides;
pub(crate) mod persistence;
pub(crate) mod secrets;
pub(crate) mod shadowing;
pub(crate) mod shells;
pub(crate) mod steps;
pub(crate) mod structure;
pub(crate) mod variables;
pub(crate) mod words;

use crate::rule::ScanRule;
use crate::signal::Definition;

/// Every rule, by family.
pub fn rules() -> impl Iterator<Item = &'static ScanRule> {
    [
        exfiltration::RULES,
        shells::RULES,
        download::RULES,
        lures::RULES,
        encoded::RULES,
        hidden::RULES,
        overrides::RULES,
        memory::RULES,
        persistence::RULES,
        mining::RULES,
        shadowing::RULES,
        variables::RULES,
        destruction::RULES,
        structure::RULES,
    ]
    .into_iter()
    .flatten()
}

/// The rule with an id.
pub fn rule(id: &str) -> Option<&'static ScanRule> {
    rules().find(|rule| rule.id == id)
}

/// Every signal, by its number.
pub(crate) fn definitions() -> impl Iterator<Item = &'static Definition> {
    [
        words::SIGNALS,
        secrets::SIGNALS,
        exfiltration::SIGNALS,
        shells::SIGNALS,
        download::SIGNALS,
        lures::SIGNALS,
        encoded::SIGNALS,
        hidden::SIGNALS,
        overrides::SIGNALS,
        memory::SIGNALS,
        persistence::SIGNALS,
        mining::SIGNALS,
        shadowing::SIGNALS,
        variables::SIGNALS,
        destruction::SIGNALS,
        hints::SIGNALS,
        steps::SIGNALS,
    ]
    .into_iter()
    .flatten()
}
