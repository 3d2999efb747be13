//! Who is asked before a tool does something.

use prowess_agent::{Approval, Approver, Question};
use prowess_text::printable;
use tokio_util::sync::CancellationToken;

use crate::input;
use crate::output::{self, BOLD, WARN, paint};

type Answer<'a> = std::pin::Pin<Box<dyn Future<Output = Approval> + Send + 'a>>;

/// The person at the terminal.
pub(super) struct AskOnTerminal {
    cancel: CancellationToken,
}

impl AskOnTerminal {
    pub(super) fn new(cancel: CancellationToken) -> Self {
        Self { cancel }
    }
}

impl Approver for AskOnTerminal {
    fn ask<'a>(&'a self, question: &'a Question) -> Answer<'a> {
        Box::pin(async move {
            let text = format!(
                "\n{} {}\n{}\nAllow? [y]es, [a]lways in this run, [N]o: ",
                paint(WARN.bold(), "?"),
                paint(BOLD, format!("{} wants to", printable(&question.tool))),
                indented(&question.what),
            );
            let answer = tokio::select! {
                biased;
                () = self.cancel.cancelled() => return Approval::Denied,
                answer = input::answer(|| output::err(&text)) => answer.ok().flatten(),
            };
            if answer.is_none() {
                output::err("\n");
            }
            match answer.unwrap_or_default().trim().to_lowercase().as_str() {
                "y" | "yes" => Approval::Once,
                "a" | "always" => Approval::Run,
                _ => Approval::Denied,
            }
        })
    }
}

/// The user said yes to everything beforehand.
pub(super) struct AlwaysYes;

impl Approver for AlwaysYes {
    fn ask<'a>(&'a self, _: &'a Question) -> Answer<'a> {
        Box::pin(std::future::ready(Approval::Run))
    }
}

/// There is no terminal, and the config does not allow it.
pub(super) struct NobodyToAsk;

impl Approver for NobodyToAsk {
    fn ask<'a>(&'a self, question: &'a Question) -> Answer<'a> {
        output::err(&format!(
            "{}: there is no terminal to ask, so `{}` was denied; allow it with `--yes` or `tools.{}.policy: \"allow\"`\n",
            paint(WARN, "denied"),
            printable(&question.tool),
            printable(&question.tool),
        ));
        Box::pin(std::future::ready(Approval::Denied))
    }
}

/// The lines of a text, indented.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {}", printable(line))).collect::<Vec<_>>().join("\n")
}
