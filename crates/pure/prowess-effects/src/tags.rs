//! The set of tags that a text has.

use std::collections::BTreeSet;

/// The tag of code that cannot be read.
pub const UNREADABLE_EFFECT: &str = "shell:unknown";

/// Tags that one text can have. Beyond them, the text counts as unreadable.
const MAX_TAGS: usize = 512;
/// Characters of a target; the rest is cut.
const MAX_TARGET: usize = 160;

/// Tags `verb:target`, in order and each of them once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EffectTags(BTreeSet<String>);

impl EffectTags {
    /// The tags, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Returns true if a tag is in the set.
    pub fn contains(&self, tag: &str) -> bool {
        self.0.contains(tag)
    }

    /// Returns true if the code has no effects.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if a tag writes, deletes or runs a program that may do so.
    pub fn blocks(&self) -> bool {
        self.iter().any(|tag| ["write:", "delete:", "shell:"].iter().any(|verb| tag.starts_with(verb)))
    }

    /// Adds the tags of another text.
    pub fn merge(&mut self, other: Self) {
        for tag in other.0 {
            self.insert(tag);
        }
    }

    /// Adds the tag of code that cannot be read.
    pub fn unreadable(&mut self) {
        self.0.insert(UNREADABLE_EFFECT.to_owned());
    }

    pub(crate) fn read(&mut self, program: &str) {
        self.add("read", program);
    }

    pub(crate) fn shell(&mut self, program: &str) {
        self.add("shell", program);
    }

    pub(crate) fn write(&mut self, target: &str) {
        self.add("write", target);
    }

    pub(crate) fn delete(&mut self, target: &str) {
        self.add("delete", target);
    }

    /// Adds a host of the network. This machine and hosts that are only known at run time have no tag.
    pub(crate) fn network(&mut self, host: &str) {
        let host = host.to_ascii_lowercase();
        let is_name = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
        if is_name && host.contains('.') && !is_this_machine(&host) {
            self.add("network", &host);
        }
    }

    pub(crate) fn variable(&mut self, name: &str) {
        self.add("env", name);
    }

    fn add(&mut self, verb: &str, target: &str) {
        let target = target.trim();
        let clean: String =
            target.chars().take(MAX_TARGET).map(|char| if char.is_control() { ' ' } else { char }).collect();
        let clean = clean.trim();
        self.insert(if clean.is_empty() { format!("{verb}:unknown") } else { format!("{verb}:{clean}") });
    }

    fn insert(&mut self, tag: String) {
        if self.0.len() < MAX_TAGS || self.0.contains(&tag) {
            self.0.insert(tag);
        } else {
            self.unreadable();
        }
    }
}

fn is_this_machine(host: &str) -> bool {
    host.starts_with("127.")
        || host.starts_with("0.")
        || host.rsplit('.').next().is_some_and(|last| matches!(last, "localhost" | "local"))
}

/// The host of an address, without login and port.
pub(crate) fn host_of(address: &str) -> Option<&str> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let host = if rest.starts_with('[') { rest } else { rest.split(':').next().unwrap_or_default() };
    (!host.is_empty()).then_some(host)
}

/// The part of an address that says where something is sent: `https://api.example.org`.
pub(crate) fn origin_of(address: &str) -> String {
    match (address.split_once("://"), host_of(address)) {
        (Some((scheme, _)), Some(host)) => format!("{scheme}://{host}"),
        (None, Some(host)) => format!("https://{host}"),
        _ => "network".to_owned(),
    }
}

impl<T: Into<String>> FromIterator<T> for EffectTags {
    fn from_iter<I: IntoIterator<Item = T>>(tags: I) -> Self {
        let mut all = Self::default();
        tags.into_iter().for_each(|tag| all.insert(tag.into()));
        all
    }
}
