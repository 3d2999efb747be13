//! A skill with nothing special about it, for tests to change.

use prowess_types::{
    BinRule, ContentHash, Deferred, GateOrder, GateRules, Invocation, Layout, Level, Metadata, Requirements,
    Skill,
};

pub(crate) const OPENCLAW: GateRules =
    GateRules { bins: BinRule::ExecutableFile, any_bins_and_always: true, order: GateOrder::AfterMerge };

pub(crate) const OPENPOCKET: GateRules =
    GateRules { bins: BinRule::Exists, any_bins_and_always: false, order: GateOrder::BeforeMerge };

pub(crate) fn skill(name: &str) -> Skill {
    Skill {
        id: name.to_owned(),
        name: name.to_owned(),
        description: format!("About {name}"),
        display_name: name.to_owned(),
        layout: Layout::Folder,
        frontmatter: Deferred::default(),
        invocation: Invocation { user_invocable: true, disable_model_invocation: false, dispatch: None },
        requirements: Requirements::default(),
        metadata: Metadata::default(),
        extensions: Deferred::default(),
        content_hash: ContentHash::default(),
        body_start: 0,
        body_chars: 0,
        level: Level::Portable,
        diagnostics: Deferred::default(),
    }
}

pub(crate) fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(|&item| item.to_owned()).collect()
}
