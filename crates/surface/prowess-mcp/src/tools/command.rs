//! `skill_run_command`: the slash command of a skill, on request of the user.
//!
//! A command that goes straight to a tool is run here, and whoever is asked before that tool does something is the
//! person behind the client. Any other command gives the text of its skill, for the client's own model to follow.

use std::pin::Pin;
use std::sync::Arc;

use prowess_agent::{Answerer, Approval, Approver, Question as Wish, RunRequest};
use prowess_catalog::MessageInvocation;
use prowess_inventory::SkillEntry;
use prowess_text::{backtick_list, describe_error, printable};
use rmcp::model::{ElicitationSchema, EnumSchema, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::ask::{Asker, Outcome, Question, Reply};
use crate::core::{Caller, Desk};
use crate::prompts::{called, understood};
use crate::tool_answer::{ToolAnswer, Worded};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The command, with or without its slash.
    command: String,
    /// The arguments of the command.
    #[serde(default)]
    args: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The skill whose command it is.
    skill: String,
    /// `instructions`: a text to follow. `output`: what the command's tool said.
    kind: Kind,
    /// The session in which it was run, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Instructions,
    Output,
}

pub(super) fn tool() -> Tool {
    super::tool::<Input, Worded<Output>>(
        "skill_run_command",
        "Run a skill's command",
        "Does what a slash command of a skill does, when the user asks for it. It gives either instructions to follow or \
         the output of the command's own tool, which asks the user before it changes something.",
        ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(true),
    )
}

/// The result of a command.
enum Step {
    Follow { skill: String, text: String },
    Run { skill: String, message: String },
    AskFirst { skill: String },
}

pub(super) async fn run(caller: Caller, input: Input, asker: Asker) -> Outcome {
    let command = input.command.trim().trim_start_matches('/').to_owned();
    if command.is_empty() || command.contains(char::is_whitespace) {
        return Err("`command` must be the name of one command, without its arguments".to_owned());
    }
    let args = input.args.trim().to_owned();
    let call = printable(format!("/{command} {args}").trim_end());
    let mut may_call_hidden = false;
    loop {
        let (command, args) = (command.clone(), args.clone());
        let step = caller.work(move |desk| Ok(step(desk, &command, &args, may_call_hidden))).await;
        match step.map_err(|fault| fault.to_string())?? {
            Step::Follow { skill, text } => {
                return Ok(ToolAnswer::worded(
                    text,
                    Output { skill, kind: Kind::Instructions, session: None },
                ));
            }
            Step::Run { skill, message } => return dispatched(&caller, skill, message, asker).await,
            Step::AskFirst { skill } => {
                may_call_hidden = true;
                agreed_to_hidden(asker.clone(), skill, call.clone()).await?;
            }
        }
    }
}

fn step(desk: &Desk, command: &str, args: &str, may_call_hidden: bool) -> Result<Step, String> {
    let spec = match understood(desk, command, args) {
        MessageInvocation::Command { spec, .. } => spec,
        MessageInvocation::Refused { skill, reason } => {
            return Err(format!("the skill `{skill}` cannot be called: {reason}"));
        }
        MessageInvocation::Ambiguous { name, choices } => {
            return Err(format!("`{}` could be {}", name.escape_debug(), backtick_list(&choices, " or ")));
        }
        MessageInvocation::Unknown { name, suggestions } => {
            let meant =
                suggestions.first().map(|name| format!("; did you mean `/{name}`?")).unwrap_or_default();
            return Err(format!("there is no command `/{}`{meant}", name.escape_debug()));
        }
        MessageInvocation::References(_) | MessageInvocation::Plain => {
            return Err(format!("there is no command `/{}`", command.escape_debug()));
        }
    };
    let skill = spec.skill_name.clone();
    let entry = desk.usable(&skill).ok_or_else(|| format!("no skill `{skill}` that can be used here"))?;
    if !entry.is_model_visible() && !may_call_hidden {
        return Ok(Step::AskFirst { skill });
    }
    if spec.dispatch.is_some() {
        return Ok(Step::Run { message: format!("/{} {args}", spec.name).trim_end().to_owned(), skill });
    }
    let text = text_of(desk, entry, args)?;
    Ok(Step::Follow { skill, text })
}

fn text_of(desk: &Desk, entry: &SkillEntry, args: &str) -> Result<String, String> {
    called(desk, entry, args).map_err(|fault| fault.to_string())
}

/// A skill that only people may call is called by a model only with the user's consent.
async fn agreed_to_hidden(asker: Asker, skill: String, call: String) -> Result<(), String> {
    let form = ElicitationSchema::builder().required_bool("call").title("Call the skill").build_unchecked();
    let message = format!(
        "The skill `{}` may only be called by people. Shall `{call}` be called for you?",
        printable(&skill)
    );
    match asker.ask(Question { message, form }).await {
        reply if reply.agrees("call") => Ok(()),
        Reply::NobodyToAsk => Err(format!(
            "only people may call the skill `{skill}`, and this client cannot ask them: the user can do so with the prompt \
             of its name"
        )),
        _ => Err("the user did not agree".to_owned()),
    }
}

/// Runs a command that goes straight to a tool.
async fn dispatched(caller: &Caller, skill: String, message: String, asker: Asker) -> Outcome {
    let engine = caller.core.live.engine();
    let cancel = CancellationToken::new();
    // A caller that stops waiting cancels the tool.
    let _stop = cancel.clone().drop_guard();
    let request = RunRequest {
        message,
        agent: caller.agent.clone(),
        session: None,
        answerer: Answerer::Model(None),
        approver: Arc::new(Person(asker)),
        cancel,
        clock: caller.core.options.clock.clone(),
        learn: true,
    };
    let view = caller.work(|desk| Ok(Arc::clone(&desk.view))).await.map_err(|fault| fault.to_string())?;
    // A run on a thread of its own: its future borrows what this one may not hold.
    let runtime = tokio::runtime::Handle::current();
    let run = tokio::task::spawn_blocking(move || {
        runtime.block_on(async { engine.run_in(&view, request, &mut |_| {}).await })
    });
    let report =
        run.await.map_err(|error| describe_error(&error))?.map_err(|error| describe_error(&error))?;
    match report.error {
        Some(error) => Err(error),
        None => Ok(ToolAnswer::worded(
            report.answer,
            Output { skill, kind: Kind::Output, session: Some(report.session) },
        )),
    }
}

/// The person behind the client, who is asked before a tool does something.
struct Person(Asker);

impl Approver for Person {
    fn ask<'a>(&'a self, wish: &'a Wish) -> Pin<Box<dyn Future<Output = Approval> + Send + 'a>> {
        Box::pin(async move {
            let words = ["once", "run", "no"].map(str::to_owned).to_vec();
            let titles = ["This once", "For the rest of this command", "No"].map(str::to_owned).to_vec();
            let answer =
                EnumSchema::builder(words).enum_titles(titles).map(|form| form.title("Allow it?").build());
            let Ok(answer) = answer else { return Approval::Denied };
            let form = ElicitationSchema::builder().required_enum_schema("answer", answer).build_unchecked();
            let message =
                format!("The tool `{}` wants to:\n{}", printable(&wish.tool), printable(&wish.what));
            let Reply::Accepted(said) = self.0.ask(Question { message, form }).await else {
                return Approval::Denied;
            };
            match said.get("answer").and_then(serde_json::Value::as_str) {
                Some("once") => Approval::Once,
                Some("run") => Approval::Run,
                _ => Approval::Denied,
            }
        })
    }
}
