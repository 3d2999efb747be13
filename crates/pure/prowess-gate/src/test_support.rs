//! A skill with nothing special about it, for tests to change.

use prowess_types::{BinRule, GateOrder, GateRules, OsRule, Skill};

pub(crate) const OPENCLAW: GateRules = GateRules {
    bins: BinRule::ExecutableFile,
    any_bins_and_always: true,
    order: GateOrder::AfterMerge,
    os: OsRule::Tolerant,
};

pub(crate) const OPENPOCKET: GateRules = GateRules {
    bins: BinRule::Exists,
    any_bins_and_always: false,
    order: GateOrder::BeforeMerge,
    os: OsRule::Tolerant,
};

pub(crate) fn skill(name: &str) -> Skill {
    Skill { id: name.to_owned(), name: name.to_owned(), ..Skill::default() }
}

pub(crate) fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(|&item| item.to_owned()).collect()
}
