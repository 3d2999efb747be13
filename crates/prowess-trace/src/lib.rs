//! The record of what agents did.
//!
//! Lines of a session in and out of text, foreign session logs into the same lines, and how a run went when nobody
//! said so.
//!
//! What this crate refuses to do: open files or look at the clock. Unknown entries are kept, never guessed.
