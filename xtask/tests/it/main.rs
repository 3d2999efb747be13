//! What must hold for the workspace as a whole.

mod architecture;
