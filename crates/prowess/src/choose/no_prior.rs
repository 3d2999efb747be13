//! What was learned, where the feature `learn` is off: nothing.

use super::{ChooseError, MatchRequest};
use crate::engine::Engine;

#[derive(Default)]
pub(super) struct Learned;

impl Learned {
    pub(super) fn of(_: &Engine) -> Self {
        Self
    }

    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same as with the feature")]
    pub(super) fn prior<'a>(
        &self,
        _: &MatchRequest<'_>,
        _: &[(&str, &[f32])],
        _: impl Iterator<Item = &'a str>,
    ) -> Result<Option<Vec<f32>>, ChooseError> {
        Ok(None)
    }
}
