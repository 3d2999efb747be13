//! Learning from runs: the cortex weighs outcomes, the forge drafts skills.

pub mod corrections;
pub mod cortex;
pub mod forge;
