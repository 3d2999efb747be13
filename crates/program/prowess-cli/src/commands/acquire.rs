//! `prowess install` and what belongs to it: one desk, many questions.

pub(super) mod consent;
mod diff;
mod install;
mod list;
mod remove;
pub(super) mod told;
mod update;

use prowess_acquire::{Acquire, AcquireOptions, InstallScope};
use prowess_text::{posix_word, printable};

pub(crate) use diff::diff;
pub(crate) use install::install;
pub(crate) use list::{installed, verify};
pub(crate) use remove::{pin, restore, uninstall, unpin};
pub(crate) use update::{outdated, update};

use crate::args::{RegistryArgs, TargetArgs};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, ProgressLine, WARN, paint};

/// Opens the desk, and says what had to be put in order first.
pub(super) fn desk<'a>(
    context: &'a Context,
    target: &TargetArgs,
    registry: Option<&RegistryArgs>,
) -> Result<Acquire<'a>, Failure> {
    let options = AcquireOptions {
        agent: context.agent.clone(),
        scope: if target.global { InstallScope::Global } else { InstallScope::Workspace },
        registry: registry.and_then(|registry| registry.registry.clone()),
        ..AcquireOptions::new(context.clock())
    };
    let desk = context.engine.acquire(options)?;
    if let Some(note) = desk.recover()? {
        output::err(&format!("{}: {note}\n", paint(WARN, "note")));
    }
    Ok(desk)
}

/// The command that brings something back from the trash: that of the agent's workspace, if one is named.
fn restore_command(context: &Context, id: &str) -> String {
    let agent = context.agent.as_ref().map(|agent| format!(" --agent {}", posix_word(agent)));
    format!("prowess restore {}{}", printable(id), printable(&agent.unwrap_or_default()))
}

/// Shows how far a download is.
struct Download {
    line: ProgressLine,
    what: String,
}

impl Download {
    fn of(what: &str) -> Self {
        Self { line: ProgressLine::new(), what: prowess_text::printable(what) }
    }

    fn step(&mut self, done: u64, total: Option<u64>) {
        let small = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(total) = total {
            self.line.step(&format!("{}, bytes", self.what), small(done), small(total));
        }
    }
}
