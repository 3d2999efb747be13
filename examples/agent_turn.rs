//! One agent turn in the project of the current folder: read its skills, choose, prompt, answer.
//!
//! `cargo run --package prowess --example agent_turn`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]
#![expect(clippy::disallowed_methods, reason = "a program is where environment and clock are read")]

use std::error::Error;
use std::time::SystemTime;

use prowess::agent::{Answerer, HostModel, RunRequest, Script, ScriptStep};
use prowess::{Clock, Engine, EngineOptions, Env, MatchRequest, Models, PromptRequest};

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../models");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let message = std::env::args().nth(1).unwrap_or("do I need an umbrella tomorrow?".into());

    // Load: everything the engine may look at is passed in.
    let env = Env::new(std::env::vars(), std::env::current_dir()?);
    let models = Models::in_folder(MODELS.as_ref())?;
    let engine = Engine::open(EngineOptions { env, models, ..EngineOptions::default() })?;
    let view = engine.view(None)?;

    // Choose: which skill the message asks for, or none.
    let selector = view.selector()?;
    selector.prepare_for(&message, |_| {})?;
    let chosen = selector.find(&MatchRequest::new(&message))?;
    println!("{:?}: {:?}", chosen.decision, chosen.loaded());

    // Prompt: what a model is told about the skills.
    println!("{}", view.inventory().prompt(&PromptRequest::default()).text);

    // Run: a whole turn with tools and a trace. A real host implements `ChatModel`, or names a model of the config.
    let model = Script::new("example", [ScriptStep::say("Yes, it will rain.")]);
    let since = || SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let clock = Clock::new(move || u64::try_from(since().as_millis()).unwrap_or_default());
    let answerer = Answerer::Host(HostModel::new(model));
    let request = RunRequest { answerer, ..RunRequest::new(message, clock) };
    let report = engine.run_in(&view, request, &mut |_| {}).await?;
    println!("{} ({:?})", report.answer, report.outcome.result);
    Ok(())
}
