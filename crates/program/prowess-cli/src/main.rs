//! The `prowess` command: parses the command line, asks the engine, prints the answer.
//!
//! The only place that looks at the process's environment and clock.

mod answers;
mod args;
mod commands;
mod context;
mod failure;
mod hidden;
mod input;
mod interrupt;
mod output;
mod prompt;
mod schema;

use std::process::ExitCode;

use clap::builder::{FalseyValueParser, TypedValueParser as _};
use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Command, HookCommand};
use context::Context;
use failure::{Failure, Outcome};

/// The bundled skills inside the binary.
const BUNDLED: &[prowess_context::EmbeddedFile] = include!(concat!(env!("OUT_DIR"), "/bundled_skills.rs"));

/// The encoders, the second reader and the search words inside the binary.
fn models() -> prowess_context::Models {
    static PACKS: [&[u8]; 5] = [
        prowess_embed::include_pack!("../../../../models/prowess-minilm.pack"),
        prowess_embed::include_pack!("../../../../models/use-multilingual.pack"),
        prowess_embed::include_pack!("../../../../models/bridge.pack"),
        prowess_embed::include_pack!("../../../../models/prowess-reader.pack"),
        prowess_embed::include_pack!("../../../../models/words.pack"),
    ];
    prowess_context::Models::embedded(&PACKS, include_str!("../../../../models/calibration.json"))
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Claude Code takes the exit code 2 of a hook for a refusal of the user's message.
        Err(error) if error.use_stderr() && is_hook() => return ExitCode::SUCCESS,
        Err(error) => {
            if error.use_stderr() && wants_json() {
                Failure::of_command_line(&error).write();
            }
            error.exit()
        }
    };
    output::set_color(cli.global.color);
    match run(&cli) {
        Ok(outcome) => outcome.into(),
        Err(failure) => failure.report(cli.global.json),
    }
}

/// Returns true if another program asks, who must not be told of a command line that is wrong.
fn is_hook() -> bool {
    std::env::args().skip(1).take(2).eq(["hook", "run"])
}

/// Returns true if an answer in JSON is wanted, as far as can be told from a command line that is wrong.
fn wants_json() -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "clap reads it, but does not tell when the command line is invalid"
    )]
    let variable = std::env::var("PROWESS_JSON").ok();
    let is_set = |text: String| {
        FalseyValueParser::new().parse_ref(&Cli::command(), None, text.as_ref()).unwrap_or(false)
    };
    std::env::args().take_while(|argument| argument != "--").any(|argument| argument == "--json")
        || variable.is_some_and(is_set)
}

/// Returns true if a command leaves records of agents in the home.
fn uses_agents(command: &Command) -> bool {
    matches!(
        command,
        Command::Gateway(_)
            | Command::Up(_)
            | Command::Run(_)
            | Command::Chat(_)
            | Command::Cortex(_)
            | Command::Mcp
            | Command::Match(_)
            | Command::Sessions(_)
            | Command::Forge(_)
    )
}

fn run(cli: &Cli) -> Result<Outcome, Failure> {
    match &cli.command {
        Command::Completions { shell } => return commands::generate::completions(*shell),
        Command::Demo(args) => return commands::demo::run(&cli.global, *args),
        Command::Man { out } => return commands::generate::manual(out.as_deref()),
        Command::Hook(HookCommand::Run { harness }) => {
            return Ok(commands::hook::answer(&cli.global, *harness));
        }
        _ => {}
    }
    let context = Context::open(&cli.global)?;
    if let Some(news) = context.engine.news() {
        output::err(news);
    }
    if uses_agents(&cli.command) {
        context.engine.settle_news_of_fresh_home();
    }
    let outcome = match &cli.command {
        Command::List(args) => commands::list::run(&context, args),
        Command::Info(args) => commands::info::run(&context, &args.name),
        Command::Check(args) => commands::check::run(&context, args),
        Command::Status => commands::status::run(&context),
        Command::Prompt(args) => commands::prompt::run(&context, args),
        Command::Run(args) => commands::run::run(&context, args),
        Command::Chat(args) => commands::run::chat(&context, args),
        Command::Cortex(command) => commands::cortex::run(&context, command),
        Command::Match(args) => commands::matching::run(&context, args),
        Command::Eval(args) => commands::eval::run(&context, args),
        Command::Overlap(args) => commands::overlap::run(&context, args),
        Command::Commands => commands::slash::run(&context),
        Command::Validate(args) => commands::validate::run(&context, args),
        Command::Lint(args) => commands::validate::lint(&context, &args.paths),
        Command::Scan(args) => commands::scan::run(&context, args),
        Command::Deps(args) => commands::deps::run(&context, args),
        Command::Search(args) => commands::registry::search(&context, args),
        Command::Publish(args) => commands::registry::publish(&context, args),
        Command::Gateway(args) => commands::gateway::run(&context, args),
        Command::Up(args) => commands::gateway::up(&context, args),
        Command::Node(args) => commands::node::run(&context, args),
        Command::Mcp => commands::mcp::run(&context),
        Command::Registry(command) => commands::registry::run(&context, command),
        Command::Trust { command } => commands::trust::run(&context, command.as_ref()),
        Command::Sandbox(command) => commands::sandbox::run(&context, command),
        Command::Sync(args) => commands::sync::run(&context, args),
        Command::Import(args) => commands::import::run(&context, args),
        Command::Sessions(command) => commands::sessions::run(&context, command),
        Command::Hook(command) => commands::hook::run(&context, &cli.global, command),
        Command::Usage(args) => commands::usage::run(&context, args),
        Command::Replay(args) => commands::replay::run(&context, args),
        Command::Resume(args) => commands::resume::run(&context, args),
        Command::Install(args) => commands::acquire::install(&context, args),
        Command::Update(args) => commands::acquire::update(&context, args),
        Command::Outdated(args) => commands::acquire::outdated(&context, args),
        Command::Installed(args) => commands::acquire::installed(&context, args),
        Command::Verify(args) => commands::acquire::verify(&context, args),
        Command::Pin(args) => commands::acquire::pin(&context, args),
        Command::Unpin(args) => commands::acquire::unpin(&context, args),
        Command::Uninstall(args) => commands::acquire::uninstall(&context, args),
        Command::Restore(args) => commands::acquire::restore(&context, args),
        Command::Diff(args) => commands::acquire::diff(&context, args),
        Command::Forge(command) => commands::forge::run(&context, command),
        Command::Why(args) => commands::why::run(&context, &args.name),
        Command::Config(command) => commands::config::run(&context, command),
        Command::Secret(command) => commands::secret::run(&context, command),
        Command::Snapshot => commands::status::snapshot(&context),
        Command::Watch(args) => commands::watch::run(&context, args),
        Command::Doctor(args) => commands::doctor::run(&context, args),
        Command::Schema(args) => commands::schema::run(&context, args),
        Command::New(args) => commands::new::run(&context, args),
        Command::Skills { args } => commands::openpocket::run(&context, args),
        Command::Completions { .. } | Command::Man { .. } | Command::Demo(_) => Ok(Outcome::Fine),
    }?;
    // A change may have made or mended a problem.
    let is_change = matches!(cli.command, Command::Config(_) | Command::Secret(_));
    let context = if is_change { context.reopened()? } else { context };
    Ok(outcome.and(context.report_issues()))
}
