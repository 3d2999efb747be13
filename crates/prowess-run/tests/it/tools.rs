//! Tools as a model calls them.
#![cfg(unix)]
