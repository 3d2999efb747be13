//! Puts skills and their dependencies on a machine, and takes them away.
