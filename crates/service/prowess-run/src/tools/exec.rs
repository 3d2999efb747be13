//! `exec`: a command line for the shell, now or in the background.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_fs::Scratch;
use prowess_model::ToolSpec;
use prowess_text::describe_error;
use prowess_types::{IgnorePoison as _, Secret, TraceEvent};
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::parse;
use super::{Tool, ToolInput, ToolOutput, place};
use crate::process::{
    Captured, End, IsOnTerminal, Jobs, Program, ProgramInput, Sandbox, SandboxMode, Spawned,
};
use crate::{Environment, RunContext};

/// Runs commands with the environment of the run. Every call needs consent.
pub struct ExecTool {
    spec: ToolSpec,
    jobs: Arc<Jobs>,
    sandbox: Sandbox,
    told_not_confined: AtomicBool,
    /// Made for the first command that needs it, and gone with the tool.
    own_temporary: Mutex<Option<Scratch>>,
}

#[derive(Deserialize)]
struct Arguments {
    command: String,
    workdir: Option<String>,
    timeout: Option<u64>,
    #[serde(default)]
    background: bool,
    #[serde(default)]
    pty: bool,
}

impl ExecTool {
    /// The tool; its background programs go to `jobs`. The workspace and the folder for temporary files are always
    /// writable, the skills' folders always readable, but for what is protected; `sandbox` says what else is.
    pub fn new(jobs: Arc<Jobs>, sandbox: Sandbox) -> Self {
        let description = "Run a command line with the system's shell and give back what it printed. It runs in the \
            workspace, or in `workdir` (in the workspace or a skill's folder). It is stopped after `timeout` seconds, \
            at most the limit of this run. `background` starts it and gives back the number of a job; use the tool \
            `job` to look at it, write to it or end it. `pty` runs it on a terminal, for interactive programs; \
            usually together with `background`.";
        let input = json!({
            "type": "object",
            "properties": {
                "command": { "type": "string", "description": "The command line" },
                "workdir": { "type": "string", "description": "The folder to run it in" },
                "timeout": { "type": "integer", "minimum": 1, "description": "Seconds it may take" },
                "background": { "type": "boolean", "description": "Do not wait for its end" },
                "pty": { "type": "boolean", "description": "Run it on a terminal" }
            },
            "required": ["command"]
        });
        let spec = ToolSpec { name: "exec".into(), description: description.into(), input };
        Self {
            spec,
            jobs,
            sandbox,
            told_not_confined: AtomicBool::new(false),
            own_temporary: Mutex::default(),
        }
    }

    async fn run(&self, input: ToolInput<'_>) -> Result<ToolOutput, ToolOutput> {
        let arguments: Arguments = parse(input.value)?;
        let context = input.context;
        if arguments.command.trim().is_empty() {
            return Err(ToolOutput::failed("the command is empty"));
        }
        let workdir = workdir(&arguments, context).map_err(ToolOutput::failed)?;
        let read = match (arguments.pty, arguments.background) {
            (true, _) => ProgramInput::Terminal,
            (false, true) => ProgramInput::Piped,
            (false, false) => ProgramInput::None,
        };
        let (sandbox, environment) = self.bounds(context).map_err(ToolOutput::failed)?;
        let program = Program::shell(&arguments.command, &environment, workdir).input(read).sandbox(sandbox);
        let spawned =
            program.spawn(&environment).await.map_err(|error| ToolOutput::failed(describe_error(&error)))?;
        self.tell_if_not_confined(&spawned, context);
        let running = spawned.watch(context.limits.max_output_bytes);
        if arguments.background {
            let terminal = if arguments.pty { IsOnTerminal::Yes } else { IsOnTerminal::No };
            let job = self
                .jobs
                .start(arguments.command, running, terminal, &context.cancel)
                .map_err(|error| ToolOutput::failed(error.to_string()))?;
            return Ok(ToolOutput::done(format!("started as job {job}; look at it with the tool `job`")));
        }
        let limit = limit(arguments.timeout, context);
        let output = running.output();
        let end = running.finish(Some(limit), &context.cancel).await;
        Ok(finished(end, output.take_all(), limit))
    }

    /// Where a command may read and write, and the environment that tells it where its temporary files go.
    fn bounds(&self, context: &RunContext) -> Result<(Sandbox, Environment), String> {
        let mut environment = (*context.environment.now()).clone();
        let mut sandbox = self.sandbox.clone();
        sandbox.protected.open.extend(context.skills.iter().map(|skill| skill.folder.clone()));
        sandbox.writable.push(context.workspace.clone());
        let mut temporary = temporary_folder(&environment);
        // No file can be created directly in a folder that contains a hidden one.
        let is_of_no_use = || sandbox.protected.lies_below(&temporary) || sandbox.protected.hides(&temporary);
        if sandbox.mode != SandboxMode::Off && is_of_no_use() {
            temporary = self.own_temporary(&temporary, context)?;
            environment = environment.with("TMPDIR", Secret::new(temporary.display().to_string()));
        }
        sandbox.writable.push(temporary);
        Ok((sandbox, environment))
    }

    /// A folder for the temporary files of this run alone.
    fn own_temporary(&self, usual: &Path, context: &RunContext) -> Result<PathBuf, String> {
        let mut own = self.own_temporary.lock().ignore_poison();
        if let Some(scratch) = own.as_ref() {
            return Ok(scratch.path().to_owned());
        }
        let base = if self.sandbox.protected.hides(usual) { Path::new("/tmp") } else { usual };
        let scratch =
            Scratch::create_in(base, &format!("prowess-run-{}-", context.run)).map_err(|error| {
                format!("cannot make a folder for temporary files: {}", describe_error(&error))
            })?;
        let path = scratch.path().to_owned();
        *own = Some(scratch);
        Ok(path)
    }

    /// Once in a run is enough.
    fn tell_if_not_confined(&self, spawned: &Spawned, context: &RunContext) {
        if let Some(reason) = spawned.why_not_confined()
            && !self.told_not_confined.swap(true, Ordering::Relaxed)
        {
            let text = format!("commands run without a sandbox: {reason}");
            (context.record)(TraceEvent::Notice { kind: "sandbox".into(), text });
        }
    }
}

impl Tool for ExecTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, input: &Value, context: &RunContext) -> Option<String> {
        let Ok(arguments) = parse::<Arguments>(input) else {
            return Some(format!("run a command as told by {input}"));
        };
        let workdir = workdir(&arguments, context)
            .unwrap_or_else(|_| arguments.workdir.clone().unwrap_or_default().into());
        let how = match (arguments.background, arguments.pty) {
            (false, false) => "",
            (true, false) => ", in the background",
            (false, true) => ", on a terminal",
            (true, true) => ", on a terminal in the background",
        };
        Some(format!("run `{}` in `{}`{how}", arguments.command, workdir.display()))
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move { self.run(input).await.unwrap_or_else(|refusal| refusal) })
    }
}

fn workdir(arguments: &Arguments, context: &RunContext) -> Result<PathBuf, String> {
    match &arguments.workdir {
        None => Ok(context.workspace.clone()),
        Some(text) => place::readable(text, context)
            .map(|place| place.path())
            .map_err(|error| format!("cannot work there: {error}")),
    }
}

fn temporary_folder(environment: &Environment) -> PathBuf {
    let given = environment.get("TMPDIR").map(|folder| Path::new(folder.expose()));
    given.filter(|folder| folder.is_absolute()).unwrap_or(Path::new("/tmp")).to_owned()
}

fn limit(wanted: Option<u64>, context: &RunContext) -> Duration {
    let most = context.limits.tool_timeout;
    wanted.map_or(most, |seconds| Duration::from_secs(seconds.max(1)).min(most))
}

/// What a program said and how it ended, as a model can read it.
pub(super) fn finished(end: End, output: Captured, limit: Duration) -> ToolOutput {
    let note = match end {
        End::Exited(0) if output.text.is_empty() => Some("[no output]".to_owned()),
        End::Exited(0) => None,
        End::Exited(code) => Some(format!("[exit code {code}]")),
        End::Killed(Some(signal)) => Some(format!("[ended by signal {signal}]")),
        End::Killed(None) => Some("[ended by a signal]".to_owned()),
        End::TimedOut => Some(format!("[stopped: it took longer than {} s]", limit.as_secs_f32())),
        End::Cancelled => Some("[stopped: the run was cancelled]".to_owned()),
    };
    let mut text = output.text;
    if let Some(note) = note {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&note);
    }
    ToolOutput { ok: end == End::Exited(0), text, omitted_bytes: output.omitted_bytes, exit_code: end.code() }
}
