//! Programs: started with exactly the environment of the run, limited, and ended with all their children.
//!
//! A [`Program`] is started as the leader of its own process group (of its own session, on a terminal). However its
//! run ends (by itself, by the time limit, by the user, by a dropped future), the whole group is ended with it. What
//! it says is kept within a bound by an [`Output`]. [`Jobs`] are programs that go on while the agent does something
//! else. A [`Sandbox`] keeps a program from writing where it has no business, without touching the engine itself.
//!
//! What this module refuses to do: inherit anything from the engine's environment, run a program that it found
//! through a relative folder of `PATH`, put a secret on a command line.
//!
//! A program that makes itself a session of its own (`setsid`, a daemon) leaves the group; nobody but the kernel's
//! control groups could follow it.

mod capture;
mod group;
mod jobs;
mod program;
mod running;
mod sandbox;

pub use capture::{Captured, Output};
pub use jobs::{AfterWriting, IsOnTerminal, JobError, JobReport, JobState, Jobs};
pub use program::{Program, ProgramInput, StartError, find_program};
pub use prowess_config::SandboxMode;
pub use running::{End, ProcessInput, Running, Spawned};
pub use sandbox::{Sandbox, SandboxError};
