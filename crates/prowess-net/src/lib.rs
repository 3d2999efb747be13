//! The one guarded HTTP client.
