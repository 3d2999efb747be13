//! The tags of code, by tables and by generated scripts.
