//! The loop with a model: its words and calls in, answers of tools out, until it is done.
