//! Behaviour of the parser through its public surface.

mod corpus;
mod dialects;
mod properties;
