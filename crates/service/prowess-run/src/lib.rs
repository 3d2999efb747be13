//! One agent turn.
//!
//! [`environment`] says what a child process may see, [`process`] starts programs and ends them, [`tools`] is what a
//! model may call, [`turn`] is the loop with a model, [`harness`] starts other agent programs. [`ProtectedPlaces`] are
//! out of reach of all of them but the last.
//!
//! What this crate refuses to do: find or choose skills, read a config file, change its own environment, ask a
//! person (it asks through [`Approver`]), write a trace (it hands over events).

mod context;
pub mod environment;
pub mod harness;
pub mod process;
mod protected;
mod state;
pub mod tools;
pub mod turn;

pub use context::{
    Approval, Approver, Question, RunContext, RunLimits, RunSkill, SkillSearch, SkillSearchHit,
};
pub use environment::{Environment, SharedEnvironment};
pub use protected::{ExtraLinks, ProtectedPlaces};
pub use tools::{Tool, ToolInput, ToolOutput, Tools};

/// The model's side of a run.
pub use prowess_model as model;
