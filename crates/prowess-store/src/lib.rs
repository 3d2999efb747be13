//! What must survive, in SQLite.
