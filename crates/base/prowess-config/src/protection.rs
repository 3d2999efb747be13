//! The classes of changes that loosen something.

/// The kind of change of a key that loosens something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protection {
    /// Not classified: [`Always`](Self::Always) in a strict section, else [`Everyday`](Self::Everyday).
    Unclassified,
    /// No change loosens anything.
    Everyday,
    /// Every change may loosen something, also taking the value out.
    Always,
    /// Words from the strictest to the loosest; other words are looser than all of them.
    Ladder(&'static [&'static str]),
    /// `true` is looser than `false`.
    TrueLoosens,
    /// `false` is looser than `true`.
    FalseLoosens,
    /// A list that loosens when it gains an entry.
    MoreLoosens,
    /// The same, and an empty list allows everything.
    AllowList,
    /// A list that loosens when it loses an entry.
    FewerLoosens,
    /// A secret. A new value of the caller's own is an everyday change; a new reference reaches for another secret.
    Reference,
    /// The folder that runs may write in.
    Workspace,
    /// A tool: its consent, and everything that makes it what it is.
    Tool,
}
