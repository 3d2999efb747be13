//! Fields as they were read, and repairs of them.

use prowess_types::Span;

use crate::yaml::Node;

/// Something that was read otherwise than YAML reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) kind: RepairKind,
    pub(crate) key: String,
    /// The place of the key in the block.
    pub(crate) span: Span,
    /// The text that was read; none where it is a list or a mapping.
    pub(crate) read_as: Option<String>,
}

/// The reason for a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepairKind {
    /// YAML refuses it.
    Refused,
    /// YAML reads something else.
    Misread,
    /// The same key stands above.
    Repeated,
}

/// The fields of a block, or of a part of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldReading {
    pub(crate) pairs: Vec<(Node, Node)>,
    pub(crate) repairs: Vec<Repair>,
    /// The place in the block where Markdown begins, where the block has swallowed some.
    pub(crate) body_at: Option<usize>,
}
