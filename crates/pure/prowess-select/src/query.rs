//! The question: a message, and what is known around it.

use std::fmt;

/// A message and what its sender is doing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    /// The message.
    pub text: &'a str,
    /// Its vectors, by the family name of the encoder; a voice without one is silent.
    pub vectors: &'a [(&'a str, &'a [f32])],
    /// The files that the work touches, relative to the workspace, with `/`.
    pub files: &'a [&'a str],
    /// By row, whether it may be chosen at all; all may if there is no list.
    pub eligible: Option<&'a [bool]>,
    /// By row, what was learned before: added to the score.
    pub prior: Option<&'a [f32]>,
    /// What [`clauses`](crate::clauses) makes of the message, encoded: several requests may load several skills.
    pub clauses: &'a [Clause<'a>],
    /// The [`action`](crate::action) of the message, encoded, if it has one apart from its topic.
    pub action: Option<Clause<'a>>,
    /// Reads the best rows again where the first look leaves doubt.
    pub reader: Option<&'a dyn SecondReader>,
}

/// Reads a message and a skill together: slower than a comparison of vectors, and able to tell a request from a remark.
pub trait SecondReader: fmt::Debug {
    /// The log odds that each row is what the text asks for, by its own measure; none if it cannot read the text.
    fn read(&self, text: &str, rows: &[usize]) -> Option<Vec<f32>>;
}

/// One of several requests in a message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clause<'a> {
    /// The text of the request.
    pub text: &'a str,
    /// Its vectors, by the family name of the encoder.
    pub vectors: &'a [(&'a str, &'a [f32])],
}

impl<'a> Query<'a> {
    /// A message and nothing else.
    pub fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }
}

/// How to answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelectOptions {
    /// The confidence from which a skill loads, instead of the calibrated one.
    pub load: Option<f32>,
    /// The confidence from which a skill is suggested, instead of the calibrated one.
    pub suggest: Option<f32>,
    /// How many rows to report.
    pub top: usize,
}

impl Default for SelectOptions {
    fn default() -> Self {
        Self { load: None, suggest: None, top: 10 }
    }
}
