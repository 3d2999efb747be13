//! `job`: what became of a command in the background.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::parse;
use super::{Tool, ToolInput, ToolOutput};
use crate::RunContext;
use crate::process::{AfterWriting, End, JobError, JobReport, JobState, Jobs};

/// The longest wait of a poll.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Looks at the jobs that `exec` started, writes to them, ends them. Only writing needs consent: to a shell it is as
/// good as running a command.
pub struct JobTool {
    spec: ToolSpec,
    jobs: Arc<Jobs>,
}

#[derive(Deserialize)]
#[serde(tag = "action", rename_all = "lowercase")]
enum Arguments {
    List,
    Poll {
        job: u32,
        #[serde(default)]
        wait: u64,
    },
    Write {
        job: u32,
        #[serde(default)]
        text: String,
        #[serde(default)]
        close: bool,
    },
    Kill {
        job: u32,
    },
}

impl JobTool {
    /// The tool.
    pub fn new(jobs: Arc<Jobs>) -> Self {
        let description = "Deal with commands that `exec` started in the background. `poll` gives back what the job \
            printed since the last time and whether it still runs, after waiting up to `wait` seconds for its end. \
            `write` sends `text` to its input (end a line with a newline) and with `close` ends the input. `kill` \
            ends it with everything it started. `list` names all jobs. All jobs end with the run.";
        let input = json!({
            "type": "object",
            "properties": {
                "action": { "type": "string", "enum": ["poll", "write", "kill", "list"] },
                "job": { "type": "integer", "description": "The number that `exec` gave" },
                "wait": { "type": "integer", "minimum": 0, "description": "For `poll`: seconds to wait for the end" },
                "text": { "type": "string", "description": "For `write`: what the program reads" },
                "close": { "type": "boolean", "description": "For `write`: nothing more will follow" }
            },
            "required": ["action"]
        });
        Self { spec: ToolSpec { name: "job".into(), description: description.into(), input }, jobs }
    }

    async fn act(&self, arguments: Arguments) -> Result<ToolOutput, JobError> {
        match arguments {
            Arguments::List => Ok(list(&self.jobs.list())),
            Arguments::Poll { job, wait } => {
                let wait = Duration::from_secs(wait).min(LONGEST_WAIT);
                self.jobs.poll(job, wait).await.map(describe)
            }
            Arguments::Write { job, text, close } => {
                let and_then = if close { AfterWriting::Close } else { AfterWriting::KeepOpen };
                self.jobs.write(job, &text, and_then).await?;
                Ok(ToolOutput::done(format!("wrote {} bytes to job {job}", text.len())))
            }
            Arguments::Kill { job } => self.jobs.kill(job).await.map(|report| {
                let output = describe(report);
                ToolOutput { ok: true, ..output }
            }),
        }
    }
}

impl Tool for JobTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, input: &Value, _context: &RunContext) -> Option<String> {
        match parse(input) {
            Ok(Arguments::Write { job, text, .. }) => {
                let command = self.jobs.command(job).unwrap_or_default();
                Some(format!("write `{text}` to job {job} (`{command}`)"))
            }
            // What does not fit does nothing, whatever happens meanwhile.
            Ok(Arguments::List | Arguments::Poll { .. } | Arguments::Kill { .. }) | Err(_) => None,
        }
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move {
            let arguments = match parse(input.value) {
                Ok(arguments) => arguments,
                Err(refusal) => return refusal,
            };
            tokio::select! {
                biased;
                () = input.context.cancel.cancelled() => ToolOutput::failed("[stopped: the run was cancelled]"),
                output = self.act(arguments) => {
                    output.unwrap_or_else(|error| ToolOutput::failed(error.to_string()))
                }
            }
        })
    }
}

fn list(jobs: &[JobReport]) -> ToolOutput {
    if jobs.is_empty() {
        return ToolOutput::done("[no jobs]");
    }
    let lines: Vec<String> = jobs
        .iter()
        .map(|job| format!("job {}: {}: {}", job.job, state_text(job.state), job.command))
        .collect();
    ToolOutput::done(lines.join("\n"))
}

fn describe(report: JobReport) -> ToolOutput {
    let mut text = report.output.text;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&format!("[job {}: {}]", report.job, state_text(report.state)));
    let (ok, exit_code) = match report.state {
        JobState::Running => (true, None),
        JobState::Ended(end) => (end == End::Exited(0), end.code()),
    };
    ToolOutput { ok, text, omitted_bytes: report.output.omitted_bytes, exit_code }
}

fn state_text(state: JobState) -> String {
    match state {
        JobState::Running => "running".to_owned(),
        JobState::Ended(End::Exited(code)) => format!("ended with exit code {code}"),
        JobState::Ended(End::Killed(Some(signal))) => format!("ended by signal {signal}"),
        JobState::Ended(End::Killed(None)) => "ended by a signal".to_owned(),
        JobState::Ended(End::TimedOut | End::Cancelled) => "killed".to_owned(),
    }
}
