//! Tasks for working on the project: `cargo xtask <task>`.
//!
//! Tasks call the tools a person would call and print each command, so that a failure can be repeated by hand.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to the person who started it")]

mod bench;
mod calibrate;
mod clients;
mod cortex;
mod dependencies;
mod docs;
#[cfg(unix)]
mod examples;
mod frontmatter;
mod fuzz;
#[cfg(unix)]
mod home;
mod links;
mod machine;
mod models;
#[cfg(unix)]
mod package;
mod process;
mod profiles;
mod recall;
#[cfg(unix)]
mod requirements;
mod schemathesis;
mod skill_commands;
mod skills;
mod soak;
mod studio;
mod test;
mod tools;
mod train;
mod words;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
Usage: cargo xtask <task>

  test [--quick]            format, lint, build, test and check the documents; installs what that needs; with --quick,
                            only format, lint and unit tests
  dependencies              check licences, sources and versions of dependencies, and that each has a use
  studio                    check the Studio: its sources, its pages in the program, its tests in Chromium
  skills                    check the scripts of the bundled skills and the commands that they show
  docs [--check]            write the generated reference; with --check, tell what is not true in the documents
  frontmatter [--lost] FILE…
                            count the fields that each dialect loses of skills in files, folders or JSON Lines
  fuzz [TARGET] [--runs N]  run one fuzz target, or all of them (needs the nightly toolchain)
  models --minilm PATH [--wheels DIR] [--out DIR] [--words int4] [--layers int4] [--check]
                            make the encoder packs from their public sources; with --check, compare them
  models reader --weights FILE --base PACK --out PACK [--positions FILE] [--layers int4]
                            make a reader pack from its weights, on top of the pack of an encoder
  models encoder --weights FILE --vocabulary FILE --out PACK [--words int4] [--layers int4]
                            make one pack from weights of `train`
  models words [--base PACK] [--list FILE] [--out PACK]
                            make the pack of search words, after every training of the English encoder
  calibrate --data DIR [--models DIR] [--own DIR] [--skills DIR] [--try|--check]
                            fit the constants of selection on judged messages (build with --release)
  recall --data DIR         measure how the cortex recognises tasks and which words it searches with
  train --data DIR [--work DIR] [--stage NAME]… [--again] [--threads N] [--install]
                            train the models: encoder, reader, packs, calibration, report; goes on where it stopped
  train --tiny              prove in half a minute, with made-up data, that the training works
  plot-cortex               draw the weights of `docs/cortex.md` anew
  simulate-cortex           show what learning gains, on made-up users
  package [--profile NAME] [--no-build]
                            make the Debian package (profile `dist`), install it in a folder and try it out
  bench [--only NAME] [--quick]
                            run the benchmarks and write `docs/performance.md`; with --quick, only show the figures
  words [CRATE|all]         print the texts that STYLE.md rules out, and write lower counts
  soak                      run the tests that take minutes, and write what they measured there too";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Asked for at once: later the file may have been built anew.
    match process::program().and_then(|_| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["test"] => test::run(),
        ["test", "--quick"] => test::run_quick(),
        ["dependencies"] => dependencies::check(),
        ["skills"] => skills::run_all(),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["frontmatter", rest @ ..] => frontmatter::run(rest),
        ["fuzz", rest @ ..] => fuzz::run(&fuzz::Plan::parse(rest)?),
        ["models", rest @ ..] => models::run(&models::Plan::parse(rest)?),
        ["calibrate", rest @ ..] => calibrate::run(&calibrate::Plan::parse(rest)?),
        ["recall", rest @ ..] => recall::run(rest),
        ["train", rest @ ..] => train::run(&train::Plan::parse(rest)?),
        ["plot-cortex"] => cortex::plot(),
        ["simulate-cortex"] => cortex::simulate(),
        #[cfg(unix)]
        ["package", rest @ ..] => package::run_plan(&package::Plan::parse(rest)?),
        ["bench", rest @ ..] => bench::run(&bench::Plan::parse(rest)?),
        ["soak"] => soak::run(),
        ["studio"] => studio::run(),
        ["words"] => words::run(None),
        ["words", shown] => words::run(Some(shown)),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("unknown task `{}`\n\n{USAGE}", arguments.join(" ")),
    }
}
