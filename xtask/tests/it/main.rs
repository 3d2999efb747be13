//! What must hold for the workspace as a whole.

#![expect(clippy::expect_used, reason = "a test that cannot look at the workspace has failed")]

mod architecture;
