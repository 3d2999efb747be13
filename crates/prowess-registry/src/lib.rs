//! Registries of skills: protocol, client, references, lockfiles.
