//! A registry of skills, served over HTTP.
