//! A skill with nothing special about it, for tests to change.

use prowess_types::{BinRule, GateOrder, GateRules, Skill};

pub(crate) const OPENCLAW: GateRules =
    GateRules { bins: BinRule::ExecutableFile, any_bins_and_always: true, order: GateOrder::AfterMerge };

pub(crate) const OPENPOCKET: GateRules =
    GateRules { bins: BinRule::Exists, any_bins_and_always: false, order: GateOrder::BeforeMerge };

pub(crate) fn skill(name: &str) -> Skill {
    Skill { id: name.to_owned(), name: name.to_owned(), ..Skill::default() }
}

pub(crate) fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(|&item| item.to_owned()).collect()
}
