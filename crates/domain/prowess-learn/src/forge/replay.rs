//! The script of a draft in a copy of the workspace: nothing of the user's environment, a time limit, and no writing
//! anywhere else where the kernel can prevent it.

use std::path::Path;
use std::time::Duration;

use prowess_fs::EntryKind;
use prowess_run::Environment;
use prowess_run::process::{End, Program, Sandbox, find_program};
use prowess_text::describe_error;
use prowess_types::Secret;
use tokio_util::sync::CancellationToken;

use super::Forge;
use super::queue::StoredDraft;
use super::report::{CheckName, CheckVerdict, DraftCheck};

/// The time limit of a replay.
const LIMIT: Duration = Duration::from_mins(2);
/// A larger workspace is not copied.
const MAX_FILES: usize = 20_000;
const MAX_BYTES: u64 = 256 * 1024 * 1024;
const MAX_DEPTH: usize = 32;
/// The amount of the script's output that is kept, and the number of its lines that are shown.
const MAX_OUTPUT: usize = 64 * 1024;
const SHOWN_LINES: usize = 5;

impl Forge<'_> {
    /// Runs a script that a person agreed to.
    pub(super) fn replay_script(&self, stored: &StoredDraft, script: &str, workspace: &Path) -> DraftCheck {
        let check = |verdict, details| DraftCheck::new(CheckName::Replay, verdict, details);
        if let Err(why) = is_copyable(workspace) {
            return check(CheckVerdict::Skipped, vec![why]);
        }
        let path = stored.record.script.as_deref().unwrap_or("replay.sh");
        match self.run_in_copy(path, script, workspace) {
            Ok(()) => {
                check(CheckVerdict::Passed, vec!["the script worked in a copy of the workspace".to_owned()])
            }
            Err(why) => check(CheckVerdict::Failed, why),
        }
    }

    fn run_in_copy(&self, path: &str, script: &str, workspace: &Path) -> Result<(), Vec<String>> {
        let told = |error: &dyn std::error::Error| vec![describe_error(error)];
        let name = path.rsplit('/').next().unwrap_or(path);
        let scratch =
            prowess_fs::Scratch::at(self.folder().join("scratch").join(ulid::Ulid::generate().to_string()));
        let copy = scratch.path().join("workspace");
        prowess_fs::copy_tree(workspace, &copy).map_err(|error| told(&error))?;
        let file = scratch.path().join(name);
        prowess_fs::write_atomic(&file, script.as_bytes(), Some(0o700)).map_err(|error| told(&error))?;
        let home = scratch.path().display().to_string();
        let path = self.context.program_path();
        let usual = path.to_str().filter(|path| !path.is_empty()).unwrap_or("/usr/bin:/bin").to_owned();
        let own = [("PATH", usual), ("HOME", home.clone()), ("TMPDIR", home), ("LANG", "C.UTF-8".to_owned())];
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), Secret::new(value)));
        let environment = Environment::new(own);
        let shell = find_program("sh", &environment).unwrap_or_else(|| "/bin/sh".into());
        let mut protected = prowess_agent::protected_places(self.context);
        protected.open.push(scratch.path().to_owned());
        let program = Program::new(shell, &copy).args([file.display().to_string()]).sandbox(Sandbox {
            mode: prowess_agent::sandbox_mode(self.context),
            writable: vec![scratch.path().to_owned()],
            protected,
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(|error| told(&error))?.block_on(async {
            let spawned = program.spawn(&environment).await.map_err(|error| told(&error))?;
            let running = spawned.watch(MAX_OUTPUT);
            let written = running.output();
            match running.finish(Some(LIMIT), &CancellationToken::new()).await {
                End::Exited(0) => Ok(()),
                end => {
                    let mut why = vec![match end {
                        End::Exited(code) => format!("the script ended with code {code}"),
                        End::TimedOut => format!("the script took longer than {} s", LIMIT.as_secs()),
                        End::Killed(_) | End::Cancelled => "the script was ended".to_owned(),
                    }];
                    let text = written.take_all().text;
                    let lines: Vec<&str> = text.lines().collect();
                    why.extend(lines.iter().rev().take(SHOWN_LINES).rev().map(|line| (*line).to_owned()));
                    Err(why)
                }
            }
        })
    }
}

/// Fails if the workspace is too large to be copied.
fn is_copyable(workspace: &Path) -> Result<(), String> {
    let listing = prowess_fs::list_all(workspace, MAX_FILES, MAX_DEPTH);
    let size = |kind: &EntryKind| if let EntryKind::File { size, .. } = kind { *size } else { 0 };
    let bytes: u64 = listing.entries.iter().map(|entry| size(&entry.kind)).sum();
    if listing.is_cut || bytes > MAX_BYTES {
        let limit = MAX_BYTES / (1024 * 1024);
        return Err(format!(
            "the workspace has more than {MAX_FILES} files or {limit} MiB, and is not copied"
        ));
    }
    Ok(())
}
