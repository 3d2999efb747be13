//! Other agent programs that answer a prompt.
//!
//! Their command lines stand in the table of `prowess-harness`. [`run()`] starts one: it makes the skills visible that
//! the agent may use, gives the environment of the run, passes the prompt, and records what the program tells. What
//! was put somewhere for it is taken away afterwards, or at the next start if this process did not get to it.
//!
//! What this module refuses to do: log in for the user, loosen the permissions of a harness, or put the prompt on a
//! command line where another way exists.

mod events;
mod record;
mod run;
mod skills;
mod table;

pub use prowess_harness::command::{HarnessCommand, OutputKind, PromptBy, SkillsBy};
pub use run::{HarnessReport, HarnessRun, run};
pub use skills::clean;
pub use table::{HarnessError, find, harnesses, program};
