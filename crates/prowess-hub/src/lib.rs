//! A registry server for skills.
