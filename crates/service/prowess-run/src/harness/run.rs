//! One run of another agent program.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use prowess_config::{Env, merge_patch};
use prowess_types::Usage;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::events;
use super::record::Recorder;
use super::skills::Handed;
use super::table::{self, HarnessError};
use super::{HarnessCommand, OutputKind, PromptBy};
use crate::RunContext;

/// A line of output that is longer than this is not read.
const LONGEST_LINE: usize = 16 * 1024 * 1024;
/// The end of its messages that is kept, in bytes.
const KEPT_MESSAGES: usize = 8 * 1024;
/// The time that it has to end by itself after it was asked to.
const GRACE: Duration = Duration::from_secs(3);

/// What a run of a harness is given.
#[derive(Clone)]
pub struct HarnessRun<'a> {
    /// The harness.
    pub harness: &'a HarnessCommand,
    /// What the user wants.
    pub prompt: String,
    /// The id of the harness's own session to continue.
    pub session: Option<String>,
    /// The model, in the words of the harness.
    pub model: Option<String>,
    /// More arguments that the user wants, such as a mode of permissions.
    pub args: Vec<String>,
    /// The user's environment, in which the program is looked for. The program itself sees that of the context.
    pub env: &'a Env,
    /// The run: its workspace, skills, environment, and where events go.
    pub context: RunContext,
    /// A folder of ours for what the harness is handed.
    pub state: PathBuf,
    /// Shows words of the answer as they come, without secrets.
    pub show: Arc<dyn Fn(&str) + Send + Sync>,
}

/// How a run of a harness went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarnessReport {
    /// Its last answer, without secrets.
    pub answer: String,
    /// The id that continues its session.
    pub session: Option<String>,
    /// Its exit code; none if a signal ended it.
    pub exit_code: Option<i32>,
    /// True if it was stopped.
    pub stopped: bool,
    /// What it says that it used up.
    pub usage: Usage,
    /// What it says that went wrong, or the end of its messages if it failed.
    pub error: Option<String>,
}

impl HarnessReport {
    /// Returns true if it ended well by its own account.
    pub fn succeeded(&self) -> bool {
        self.exit_code == Some(0) && !self.stopped && self.error.is_none()
    }
}

/// Runs a harness until it ends, or until the run is cancelled.
pub async fn run(run: HarnessRun<'_>) -> Result<HarnessReport, HarnessError> {
    let program = table::program(run.harness, run.env)?;
    let context = &run.context;
    let id = format!("{}-{}", plain(&context.run), std::process::id());
    let handed = Handed::over(run.harness, &context.skills, &context.workspace, &run.state, &id)
        .map_err(HarnessError::Skills)?;
    let mut command = std::process::Command::new(&program);
    command.args(arguments(&run, &handed)?).current_dir(&context.workspace);
    let environment = context.environment.now();
    environment.give(&mut command);
    if let Some((name, value)) = &handed.variable {
        command.env(name, merged(environment.get(name).map(prowess_types::Secret::expose), value));
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut command = Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let child = command
        .spawn()
        .map_err(|source| HarnessError::Start { program: program.display().to_string(), source })?;
    let mut group = Group::of(child);

    let mut recorder = Recorder::new(context, run.show.as_ref());
    let piped = match run.harness.prompt {
        PromptBy::Stdin { .. } => run.prompt.clone(),
        _ => String::new(),
    };
    let stdin = group.child.stdin.take();
    let feed = async move {
        if let Some(mut stdin) = stdin {
            // A harness that does not read to the end is its own affair.
            let _ = stdin.write_all(piped.as_bytes()).await;
        }
    };
    let (stdout, stderr) = (group.child.stdout.take(), group.child.stderr.take());
    let talk = async {
        let ((), messages, ()) =
            tokio::join!(read_output(stdout, run.harness.output, &mut recorder), last_of(stderr), feed);
        messages
    };
    let (messages, stopped) = tokio::select! {
        messages = talk => (messages, false),
        () = context.cancel.cancelled() => (String::new(), true),
    };
    let status = if stopped { group.stop().await } else { group.wait(context).await };
    let stopped = stopped || context.cancel.is_cancelled();
    recorder.close();
    let exit_code = status.and_then(|status| status.code());
    let messages = recorder.clean(messages.trim());
    let said = recorder.error.take().filter(|error| !error.is_empty());
    let failed = exit_code != Some(0) && !stopped && !messages.is_empty();
    Ok(HarnessReport {
        error: said.or_else(|| failed.then_some(messages)),
        answer: std::mem::take(&mut recorder.answer),
        session: recorder.session.take(),
        usage: recorder.usage,
        exit_code,
        stopped,
    })
}

/// All arguments, in the order in which harnesses take them.
fn arguments(run: &HarnessRun<'_>, handed: &Handed) -> Result<Vec<String>, HarnessError> {
    let harness = run.harness;
    let mut args = match &run.session {
        None => harness.start.clone(),
        Some(session) => {
            if session.starts_with('-') || session.trim().is_empty() || session.contains(char::is_control) {
                return Err(HarnessError::BadSession(session.escape_debug().to_string()));
            }
            let resume = harness.resume.as_ref().ok_or_else(|| HarnessError::NoResume(harness.id.clone()))?;
            resume.iter().map(|arg| arg.replace("{session}", session)).collect()
        }
    };
    if let Some(model) = &run.model {
        args.extend(harness.model.iter().map(|arg| arg.replace("{model}", model)));
    }
    args.extend(handed.args.iter().cloned());
    args.extend(run.args.iter().cloned());
    match &harness.prompt {
        PromptBy::Stdin { args: more } => args.extend(more.iter().cloned()),
        PromptBy::Argument { args: more } => {
            args.extend(more.iter().map(|arg| arg.replace("{prompt}", &run.prompt)));
        }
        PromptBy::File { args: more } => {
            let file = handed.file("prompt.md", &run.prompt).map_err(HarnessError::Skills)?;
            args.extend(more.iter().map(|arg| arg.replace("{file}", &file.to_string_lossy())));
        }
    }
    Ok(args)
}

/// The JSON of a variable, laid over what the user has in it.
fn merged(users: Option<&str>, value: &Value) -> String {
    let own = users.and_then(|text| prowess_json5::to_value(text).ok()).filter(Value::is_object);
    let mut all = own.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
    merge_patch(&mut all, value);
    all.to_string()
}

/// An id as a name of a file.
fn plain(id: &str) -> String {
    id.chars().filter(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '_')).take(64).collect()
}

async fn read_output(stdout: Option<impl AsyncRead + Unpin>, kind: OutputKind, recorder: &mut Recorder<'_>) {
    let Some(mut stdout) = stdout else { return };
    let mut waiting: Vec<u8> = Vec::new();
    let mut is_too_long = false;
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = stdout.read(&mut buffer).await {
        waiting.extend_from_slice(&buffer[..length]);
        match kind {
            OutputKind::Text => {
                let whole = whole_characters(&waiting);
                let text: Vec<u8> = waiting.drain(..whole).collect();
                recorder.piece(&String::from_utf8_lossy(&text));
            }
            // One object, which may be spread over lines.
            OutputKind::Openclaw => {}
            _ => {
                while let Some(end) = waiting.iter().position(|byte| *byte == b'\n') {
                    let line: Vec<u8> = waiting.drain(..=end).collect();
                    if !std::mem::take(&mut is_too_long) {
                        tell(kind, &line, recorder);
                    }
                }
            }
        }
        if waiting.len() > LONGEST_LINE {
            waiting.clear();
            is_too_long = true;
        }
    }
    match kind {
        OutputKind::Text => recorder.piece(&String::from_utf8_lossy(&waiting)),
        _ if !is_too_long => tell(kind, &waiting, recorder),
        _ => {}
    }
}

/// One line of a stream. What is not JSON is a message for people.
fn tell(kind: OutputKind, line: &[u8], recorder: &mut Recorder<'_>) {
    if let Ok(value) = serde_json::from_slice::<Value>(line) {
        for told in events::read(kind, &value) {
            recorder.take(told);
        }
    }
}

/// The number of bytes that are whole characters.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

/// The end of what a program writes.
async fn last_of(pipe: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut pipe) = pipe else { return String::new() };
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = pipe.read(&mut buffer).await {
        kept.extend_from_slice(&buffer[..length]);
        let surplus = kept.len().saturating_sub(KEPT_MESSAGES);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// A program and everything it started. All of it is gone when this is dropped.
struct Group {
    child: Child,
    id: Option<u32>,
}

impl Group {
    fn of(child: Child) -> Self {
        Self { id: child.id(), child }
    }

    async fn wait(&mut self, context: &RunContext) -> Option<std::process::ExitStatus> {
        tokio::select! {
            status = self.child.wait() => status.ok(),
            () = context.cancel.cancelled() => self.stop().await,
        }
    }

    /// Asks it to end, and ends it if it does not.
    async fn stop(&mut self) -> Option<std::process::ExitStatus> {
        self.signal(Ending::Ask);
        if let Ok(status) = tokio::time::timeout(GRACE, self.child.wait()).await {
            return status.ok();
        }
        self.signal(Ending::Force);
        let _ = self.child.start_kill();
        self.child.wait().await.ok()
    }

    #[cfg(unix)]
    fn signal(&self, ending: Ending) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = match ending {
            Ending::Ask => Signal::TERM,
            Ending::Force => Signal::KILL,
        };
        if let Some(group) = self.id.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) {
            // A group that is gone already needs no signal.
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "groups are a notion of Unix")]
    fn signal(&self, _ending: Ending) {}
}

/// How a program is ended.
#[derive(Clone, Copy)]
enum Ending {
    Ask,
    Force,
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Ending::Force);
    }
}
