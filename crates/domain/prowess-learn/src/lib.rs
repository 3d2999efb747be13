//! learn.

pub mod cortex;
pub mod forge;
