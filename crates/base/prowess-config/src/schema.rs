//! The description of a key: its type, its default and its purpose.

use serde_json::{Value, json};

use crate::Profile;
use crate::kind::Kind;
use crate::protection::Protection;

/// One known key.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) pattern: &'static str,
    pub(crate) kind: Kind,
    pub(crate) default: Fallback,
    /// Older names of the last part.
    pub(crate) aliases: &'static [&'static str],
    /// True if OpenClaw knows it: it refuses a file with any key that it does not know.
    pub(crate) in_openclaw: bool,
    /// Whether a change over the wire needs a person's confirmation.
    pub(crate) protection: Protection,
    pub(crate) doc: &'static str,
}

/// What holds where the config is silent.
#[derive(Debug)]
pub(crate) enum Fallback {
    None,
    Bool(bool),
    Count(u64),
    Text(&'static str),
    EmptyObject,
    /// What the profile says.
    Of(fn(&Profile) -> Option<Value>),
}

impl Key {
    /// The last part of the pattern.
    pub(crate) fn name(&self) -> &'static str {
        self.pattern.rsplit('.').next().unwrap_or(self.pattern)
    }

    /// The parts of the pattern before the last one.
    pub(crate) fn parents(&self) -> impl Iterator<Item = &'static str> {
        let parts = self.pattern.split('.').count();
        self.pattern.split('.').take(parts - 1)
    }

    /// What holds under a profile where the config is silent.
    pub(crate) fn default_value(&self, profile: &Profile) -> Option<Value> {
        match self.default {
            Fallback::None => None,
            Fallback::Bool(flag) => Some(flag.into()),
            Fallback::Count(count) => Some(count.into()),
            Fallback::Text(text) => Some(text.into()),
            Fallback::EmptyObject => Some(json!({})),
            Fallback::Of(read) => read(profile),
        }
    }

    pub(crate) const fn or_bool(mut self, flag: bool) -> Self {
        self.default = Fallback::Bool(flag);
        self
    }

    pub(crate) const fn or_count(mut self, count: u64) -> Self {
        self.default = Fallback::Count(count);
        self
    }

    pub(crate) const fn or_text(mut self, text: &'static str) -> Self {
        self.default = Fallback::Text(text);
        self
    }

    pub(crate) const fn or_object(mut self) -> Self {
        self.default = Fallback::EmptyObject;
        self
    }

    pub(crate) const fn or_else(mut self, read: fn(&Profile) -> Option<Value>) -> Self {
        self.default = Fallback::Of(read);
        self
    }

    pub(crate) const fn alias(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    pub(crate) const fn protect(mut self, protection: Protection) -> Self {
        self.protection = protection;
        self
    }

    pub(crate) const fn not_in_openclaw(mut self) -> Self {
        self.in_openclaw = false;
        self
    }
}

/// A key without a default, known to every engine.
pub(crate) const fn key(pattern: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key {
        pattern,
        kind,
        default: Fallback::None,
        aliases: &[],
        in_openclaw: true,
        protection: Protection::Unclassified,
        doc,
    }
}
