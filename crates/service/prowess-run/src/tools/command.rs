//! A configured program as a tool. What a model says reaches it as JSON on its input, or as whole arguments.

use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use prowess_text::describe_error;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;

use super::exec::finished;
use super::{CommandInput, Tool, ToolInput, ToolOutput};
use crate::RunContext;
use crate::process::{End, Program, ProgramInput, find_program};

/// A program that the user configured. Every call needs consent.
pub(super) struct CommandTool {
    spec: ToolSpec,
    argv: Vec<String>,
    input: CommandInput,
    timeout: Duration,
}

impl CommandTool {
    pub(super) fn new(spec: ToolSpec, argv: Vec<String>, input: CommandInput, timeout: Duration) -> Self {
        Self { spec, argv, input, timeout }
    }

    /// The program by its path, and its arguments.
    fn resolve(&self, input: &Value, context: &RunContext) -> Result<(PathBuf, Vec<String>), String> {
        let Some((name, arguments)) = self.argv.split_first() else {
            return Err("no program is configured".to_owned());
        };
        let program = find_program(name, &context.environment.now())
            .ok_or_else(|| format!("there is no program `{name}` on this machine"))?;
        Ok((program, fill(arguments, input)?))
    }

    async fn run(&self, input: ToolInput<'_>) -> Result<ToolOutput, ToolOutput> {
        let context = input.context;
        let (program, arguments) = self.resolve(input.value, context).map_err(ToolOutput::failed)?;
        let read = if self.input == CommandInput::Json { ProgramInput::Piped } else { ProgramInput::None };
        let mut running = Program::new(program, &context.workspace)
            .args(arguments)
            .input(read)
            .keep_streams_apart()
            .spawn(&context.environment.now())
            .await
            .map_err(|error| ToolOutput::failed(describe_error(&error)))?
            .watch(context.limits.max_output_bytes);
        let (output, errors) = (running.output(), running.errors());
        let writer = running.take_input();
        let write = async {
            if let Some(mut writer) = writer {
                // A program that does not read all of it is free to do so.
                let _ = writer.write_all(input.value.to_string().as_bytes()).await;
                let _ = writer.shutdown().await;
            }
            std::future::pending::<()>().await;
        };
        let end = tokio::select! {
            end = running.finish(Some(self.timeout), &context.cancel) => end,
            () = write => End::Killed(None),
        };
        let mut said = output.take_all();
        let errors = errors.take_all();
        if end != End::Exited(0) && !errors.text.is_empty() {
            said.text.push_str(if said.text.is_empty() || said.text.ends_with('\n') { "" } else { "\n" });
            said.text.push_str(&errors.text);
            said.omitted_bytes += errors.omitted_bytes;
        }
        Ok(finished(end, said, self.timeout))
    }
}

impl Tool for CommandTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, input: &Value, context: &RunContext) -> Option<String> {
        let command = match self.resolve(input, context) {
            Ok((program, arguments)) => {
                let quoted = arguments.iter().map(|argument| format!(" {}", Value::from(argument.as_str())));
                format!("{}{}", program.display(), quoted.collect::<String>())
            }
            Err(_) => self.argv.join(" "),
        };
        let read =
            if self.input == CommandInput::Json { format!(" with the input {input}") } else { String::new() };
        Some(format!("run `{command}`{read}"))
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move { self.run(input).await.unwrap_or_else(|refusal| refusal) })
    }
}

/// Puts text fields of the input where `{field}` stands, each as one argument. No text becomes an option of the
/// program: what begins with `-` is taken only after `--`.
fn fill(arguments: &[String], input: &Value) -> Result<Vec<String>, String> {
    let mut filled = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(field) = argument.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
            filled.push(argument.clone());
            continue;
        };
        let text = input.get(field).and_then(Value::as_str);
        let text = text.ok_or_else(|| format!("the input does not fit: `{field}` must be a text"))?;
        if text.contains('\0') {
            return Err(format!(
                "the input does not fit: `{field}` has a character that no argument can have"
            ));
        }
        if text.starts_with('-') && !filled.iter().any(|earlier| earlier == "--") {
            return Err(format!("the input does not fit: `{field}` may not begin with `-`"));
        }
        filled.push(text.to_owned());
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fill_all(arguments: &[&str], input: &Value) -> Result<Vec<String>, String> {
        fill(&arguments.iter().map(ToString::to_string).collect::<Vec<_>>(), input)
    }

    #[test]
    fn a_field_is_one_argument_whatever_is_in_it() {
        let input = json!({ "text": "a; rm -rf / $(id) `id` \"'\n{x}", "number": 1 });
        let filled = fill_all(&["-n", "{text}", "x{text}"], &input).expect("arguments");
        assert_eq!(filled, ["-n", "a; rm -rf / $(id) `id` \"'\n{x}", "x{text}"]);
        assert!(fill_all(&["{number}"], &input).is_err());
        assert!(fill_all(&["{missing}"], &input).is_err());
        assert!(fill_all(&["{text}"], &json!({ "text": "a\0b" })).is_err());
    }

    #[test]
    fn text_never_becomes_an_option() {
        let input = json!({ "text": "--output=/etc/passwd" });
        assert!(fill_all(&["{text}"], &input).is_err());
        assert_eq!(fill_all(&["--", "{text}"], &input).expect("arguments"), ["--", "--output=/etc/passwd"]);
        assert!(
            fill_all(&["{a}", "{b}"], &json!({ "a": "-", "b": "-x" })).is_err(),
            "a text cannot be the `--` that lets the next one through"
        );
    }
}
