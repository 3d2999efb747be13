//! From a pack to its encoder.

use std::sync::Arc;

use crate::encoder::Encoder;
use crate::pack::{Pack, PackError};
use crate::{bert, multilingual};

/// The encoder of a pack, by the kind that its header names.
pub fn load(pack: Pack) -> Result<Arc<dyn Encoder>, PackError> {
    match pack.header().kind.as_str() {
        "bert" | "roberta" => Ok(Arc::new(bert::Bert::load(&pack)?)),
        "use-multilingual" => multilingual::load(pack),
        kind => Err(PackError::Kind(kind.to_owned())),
    }
}
