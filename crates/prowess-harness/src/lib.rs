//! Where agent programs read skills.
