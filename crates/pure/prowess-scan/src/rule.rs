//! Rules: which signals, present together, mean what.

use crate::blocks::Kinds;
use crate::signal::Signal;
use crate::{Category, ScanSeverity};

/// A rule, as it is documented and reported.
pub struct ScanRule {
    /// Stable id such as `exfiltration/credential-file`.
    pub id: &'static str,
    /// Its family.
    pub category: Category,
    /// The worst severity it reports.
    pub severity: ScanSeverity,
    /// What it finds, in a few words.
    pub title: &'static str,
    /// The reason that matters.
    pub why: &'static str,
    /// What to do about a finding.
    pub fix: &'static str,
    pub(crate) triggers: &'static [Trigger],
}

/// How far signals may lie apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In one paragraph, item, or stanza.
    Block,
    /// Under one heading.
    Section,
    /// In one file.
    File,
    /// Anywhere in the skill.
    Skill,
}

/// What makes a finding milder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Softened {
    /// Nothing.
    Never,
    /// That it is shown as something to avoid.
    ByMention,
    /// That, or that the user is asked first.
    ByConsent,
}

/// One way in which a rule applies.
#[derive(Clone, Copy)]
pub(crate) struct Trigger {
    pub(crate) severity: ScanSeverity,
    pub(crate) scope: Scope,
    pub(crate) kinds: Kinds,
    /// Of each group one signal must be there.
    pub(crate) all: &'static [&'static [Signal]],
    /// At least this many of `of`.
    pub(crate) least: usize,
    pub(crate) of: &'static [Signal],
    /// None of these may be there.
    pub(crate) none: &'static [Signal],
    pub(crate) softened: Softened,
}

impl Trigger {
    const fn new(severity: ScanSeverity, all: &'static [&'static [Signal]]) -> Self {
        Self {
            severity,
            scope: Scope::Block,
            kinds: Kinds::ANY,
            all,
            least: 0,
            of: &[],
            none: &[],
            softened: Softened::ByMention,
        }
    }

    pub(crate) const fn critical(all: &'static [&'static [Signal]]) -> Self {
        Self::new(ScanSeverity::Critical, all)
    }

    pub(crate) const fn warn(all: &'static [&'static [Signal]]) -> Self {
        Self::new(ScanSeverity::Warn, all)
    }

    pub(crate) const fn info(all: &'static [&'static [Signal]]) -> Self {
        Self::new(ScanSeverity::Info, all)
    }

    pub(crate) const fn within(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    pub(crate) const fn only(mut self, kinds: Kinds) -> Self {
        self.kinds = kinds;
        self
    }

    pub(crate) const fn unless(mut self, none: &'static [Signal]) -> Self {
        self.none = none;
        self
    }

    pub(crate) const fn at_least(mut self, least: usize, of: &'static [Signal]) -> Self {
        self.least = least;
        self.of = of;
        self
    }

    pub(crate) const fn firm(mut self) -> Self {
        self.softened = Softened::Never;
        self
    }

    pub(crate) const fn unless_asked(mut self) -> Self {
        self.softened = Softened::ByConsent;
        self
    }

    /// The groups to start from, of which the first that has cues is taken: the rarest, or what is counted.
    pub(crate) fn starts(&self) -> [&'static [Signal]; 2] {
        [self.all.first().copied().unwrap_or_default(), self.of]
    }
}
