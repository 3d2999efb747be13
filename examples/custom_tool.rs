//! A tool of your own: a model calls it by name, and the user is asked first where it says so.
//!
//! `cargo run --package prowess --example custom_tool`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]
#![expect(clippy::disallowed_methods, reason = "a program is where environment and clock are read")]

use std::error::Error;
use std::sync::Arc;

use prowess::agent::{
    Answerer, Approval, Approver, BoxFuture, HostModel, Question, RunContext, RunProgress, RunRequest,
    Script, ScriptStep, Tool, ToolInput, ToolOutput, ToolSpec, Tools, TurnEvent,
};
use prowess::{Clock, Engine, EngineOptions, Env};
use serde_json::{Value, json};

/// Tells what is in stock.
struct Stock(ToolSpec);

impl Stock {
    fn new() -> Self {
        let properties = json!({ "item": { "type": "string" } });
        Self(ToolSpec {
            name: "stock".into(),
            description: "Tells how many of an item are in stock.".into(),
            input: json!({ "type": "object", "properties": properties, "required": ["item"] }),
        })
    }
}

impl Tool for Stock {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    /// What the user is asked about; `None` for a tool that does no harm.
    fn needs_consent(&self, input: &Value, _: &RunContext) -> Option<String> {
        Some(format!("look up {}", input["item"]))
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move {
            match input.value["item"].as_str() {
                Some("umbrella") => ToolOutput::done("7"),
                Some(other) => ToolOutput::failed(format!("there is no `{other}`")),
                None => ToolOutput::failed("name an `item`"),
            }
        })
    }
}

/// Shows what is asked, and agrees.
struct Agree;

impl Approver for Agree {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        println!("may `{}` {}? yes", question.tool, question.what);
        Box::pin(std::future::ready(Approval::Once))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let env = Env::new(std::env::vars(), std::env::current_dir()?);
    let tools: Tools = [Arc::new(Stock::new()) as Arc<dyn Tool>].into_iter().collect();
    let engine = Engine::open(EngineOptions { env, tools, ..EngineOptions::default() })?;

    let model = HostModel::new(Script::new(
        "example",
        [
            ScriptStep::call("stock", json!({ "item": "umbrella" })),
            ScriptStep::say("There are seven umbrellas."),
        ],
    ));
    let request = RunRequest {
        answerer: Answerer::Host(model),
        approver: Arc::new(Agree),
        ..RunRequest::new("how many umbrellas do we have?", Clock::new(|| 0))
    };
    let mut show = |progress: RunProgress| {
        if let RunProgress::Turn(TurnEvent::ToolEnded { tool, output, .. }) = progress {
            println!("{tool} says {}", output.text);
        }
    };
    let report = engine.run(request, &mut show).await?;
    println!("{}", report.answer);
    Ok(())
}
