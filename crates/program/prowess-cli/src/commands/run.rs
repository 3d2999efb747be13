//! `prowess run "message"` and `prowess chat`

mod approve;
mod show;
pub(super) mod workspace;

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use prowess_agent::{Answerer, Approver, RunProgress, RunReport, RunRequest};
use prowess_match::AgentView;
use prowess_sessions::SessionId;
use prowess_types::OutcomeSource;
use tokio_util::sync::CancellationToken;

use crate::args::{ChatArgs, RunArgs, RunOptions};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt::{self, Interrupts, Signal};
use crate::output::{self, BOLD, DIM, WARN, paint};
use crate::{input, prompt};
use approve::{AlwaysYes, AskOnTerminal, NobodyToAsk};
use show::Shown;

/// The time after which tasks that ignore the end of a run are abandoned.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(context: &Context, args: &RunArgs) -> Result<Outcome, Failure> {
    let message = args.message.text()?;
    workspace::ask_before_a_run(context, &args.options)?;
    let view = super::trust::ask_before_a_run(context, &context.view()?)?;
    let session = args.options.session(&context.engine)?;
    let report = turn(context, &view, &args.options, &message, session, /*learn*/ true)?;
    if context.json {
        output::json(&report)?;
    }
    Ok(outcome(&report))
}

pub(crate) fn chat(context: &Context, args: &ChatArgs) -> Result<Outcome, Failure> {
    workspace::ask_before_a_run(context, &args.options)?;
    let mut first = Some(super::trust::ask_before_a_run(context, &context.view()?)?);
    let session =
        args.options.session(&context.engine)?.unwrap_or_else(|| SessionId::new(context.clock().now_ms()));
    // Also between two turns, so that Ctrl-C a moment after an answer does not end the conversation.
    let mut interrupts = Interrupts::listen()?;
    let is_terminal = input::is_terminal();
    if is_terminal {
        output::err(&format!("{}\n", paint(DIM, format!("Session {session}. `/exit` or Ctrl-D ends it."))));
    }
    let mut is_leaving = false;
    loop {
        if interrupt::is_terminating() {
            return Ok(Outcome::Stopped);
        }
        if is_terminal {
            output::err(&paint(BOLD, "› "));
        }
        let line = match input::wait(next_entry(&mut interrupts))? {
            Entry::Line(line) => line,
            Entry::Signal(Signal::Interrupt) if is_terminal && !is_leaving => {
                is_leaving = true;
                output::err(&format!(
                    "\n{}\n",
                    paint(DIM, "Ctrl-C again, Ctrl-D or `/exit` ends the session.")
                ));
                continue;
            }
            Entry::Signal(_) => {
                output::err("\n");
                return Ok(Outcome::Stopped);
            }
            Entry::End => {
                if is_terminal {
                    output::err("\n");
                }
                return Ok(Outcome::Fine);
            }
        };
        is_leaving = false;
        match line.trim() {
            "" => {}
            "/exit" | "/quit" => return Ok(Outcome::Fine),
            message => match chat_turn(context, first.take(), &args.options, message, &session) {
                Ok(report) if context.json => output::json_line(&report)?,
                Ok(_) => {}
                // A slip in one message does not end the conversation.
                Err(failure) => {
                    if context.json {
                        output::json_line(&failure.answer())?;
                    }
                    failure.tell();
                }
            },
        }
    }
}

/// The next thing that happens at the prompt of a conversation.
enum Entry {
    Line(String),
    Signal(Signal),
    End,
}

async fn next_entry(interrupts: &mut Interrupts) -> std::io::Result<Entry> {
    tokio::select! {
        biased;
        signal = interrupts.next() => Ok(Entry::Signal(signal)),
        line = input::next_line() => Ok(line?.map_or(Entry::End, Entry::Line)),
    }
}

/// One message of a conversation. Skills may have changed since the one before.
fn chat_turn(
    context: &Context,
    view: Option<Arc<AgentView>>,
    options: &RunOptions,
    message: &str,
    session: &SessionId,
) -> Result<RunReport, Failure> {
    let view = view.map_or_else(|| context.view(), Ok)?;
    turn(context, &view, options, message, Some(session.clone()), /*learn*/ true)
}

/// One message, answered while the user watches. Without `learn`, the caller learns from it.
pub(super) fn turn(
    context: &Context,
    view: &Arc<AgentView>,
    options: &RunOptions,
    message: &str,
    session: Option<SessionId>,
    learn: bool,
) -> Result<RunReport, Failure> {
    // The run needs it in any case, and tells what is wrong with it; here the wait has a bar.
    if let Ok(selector) = view.selector() {
        let _ = super::matching::prepare(&selector, message);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let cancel = CancellationToken::new();
    let request = RunRequest {
        message: message.to_owned(),
        agent: context.agent.clone(),
        session,
        answerer: match &options.with {
            Some(harness) => Answerer::Harness(harness.clone()),
            None => Answerer::Model(options.model.clone()),
        },
        approver: approver(options, &cancel),
        cancel: cancel.clone(),
        clock: context.clock(),
        learn,
    };
    let mut shown = Shown::new(context.json || options.quiet);
    let interrupts = Interrupts::listen()?;
    let result = runtime.block_on(async {
        let stop = tokio::spawn(stop_on_interrupt(interrupts, cancel));
        let mut on = |progress: RunProgress| shown.progress(&progress);
        let result = Box::pin(context.engine.run_in(view, request, &mut on)).await;
        stop.abort();
        result
    });
    runtime.shutdown_timeout(PATIENCE);
    let report = result?;
    if !context.json {
        shown.report(&report, options.quiet)?;
    }
    Ok(report)
}

/// The first Ctrl-C stops the turn, the second the program.
async fn stop_on_interrupt(mut interrupts: Interrupts, cancel: CancellationToken) {
    interrupts.next().await;
    cancel.cancel();
    output::err(&format!("\n{}\n", paint(WARN, "Stopping… press Ctrl-C again to exit immediately.")));
    interrupts.next().await;
    std::process::exit(130);
}

fn approver(options: &RunOptions, cancel: &CancellationToken) -> Arc<dyn Approver> {
    if options.yes {
        Arc::new(AlwaysYes)
    } else if prompt::is_somebody_there() {
        Arc::new(AskOnTerminal::new(cancel.clone()))
    } else {
        Arc::new(NobodyToAsk)
    }
}

/// An answer is an answer, unless the agent itself says that it failed.
fn outcome(report: &RunReport) -> Outcome {
    let by_agent = report.outcome.by == OutcomeSource::Agent;
    if report.stopped {
        Outcome::Stopped
    } else if report.error.is_some() || (by_agent && report.outcome.result.is_failure()) {
        Outcome::Findings
    } else {
        Outcome::Fine
    }
}

/// Writes a piece of an answer at once.
fn write_now(text: &str) {
    let mut out = anstream::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
