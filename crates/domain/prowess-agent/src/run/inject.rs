//! Commands in the text of a called skill, run before a model reads it. Only where the user's policy says so, and
//! only confined.

use std::collections::VecDeque;

use prowess_run::RunContext;
use prowess_run::process::{End, Program, Sandbox};

/// The output of each command, in the order of the text.
pub(super) struct Outputs(VecDeque<(String, Result<String, String>)>);

impl Outputs {
    /// The output of the next command, if it is this one.
    pub(super) fn take(&mut self, command: &str) -> Result<String, String> {
        match self.0.pop_front() {
            Some((of, output)) if of == command => output,
            _ => Err("it was not run".to_owned()),
        }
    }
}

/// Runs the commands one after the other.
pub(super) async fn outputs(context: &RunContext, sandbox: &Sandbox, commands: Vec<String>) -> Outputs {
    let mut outputs = VecDeque::new();
    for command in commands {
        let output = output(context, sandbox, &command).await;
        outputs.push_back((command, output));
    }
    Outputs(outputs)
}

async fn output(context: &RunContext, sandbox: &Sandbox, command: &str) -> Result<String, String> {
    let environment = context.environment.now();
    let program = Program::shell(command, &environment, &context.workspace).sandbox(sandbox.clone());
    let spawned = program.spawn(&environment).await.map_err(|error| prowess_text::describe_error(&error))?;
    let running = spawned.watch(context.limits.max_output_bytes);
    let written = running.output();
    match running.finish(Some(context.limits.tool_timeout), &context.cancel).await {
        End::Exited(0) => Ok(written.take_all().text),
        end => Err(format!("it failed ({end:?})")),
    }
}
