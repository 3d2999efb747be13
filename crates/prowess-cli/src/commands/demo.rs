//! `prowess demo`: the whole engine once, in a throw-away home.
//!
//! Every command of the tour is this very program, started with the home of the stage, and what is shown is what it
//! wrote. Whatever ends the tour, the stage is struck.

mod stage;
mod tour;

use std::io::IsTerminal as _;

use serde::Serialize;
use serde_json::json;

use super::shown;
use crate::args::{DemoArgs, Global};
use crate::context::capture;
use crate::failure::{Failure, Outcome};
use crate::interrupt::interrupted;
use crate::output::{self, BOLD, DIM, GOOD, paint};
use crate::prompt;
use stage::Stage;
use tour::Scene;

/// A scene as it was played.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Played {
    part: &'static str,
    about: &'static str,
    command: String,
    exit_code: i32,
    output: String,
}

pub(crate) fn run(global: &Global, args: DemoArgs) -> Result<Outcome, Failure> {
    let stage = Stage::build(&capture(None)?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let played = runtime.block_on(async {
        tokio::select! {
            played = play(&stage, global, args) => played.map(Some),
            () = interrupted() => Ok(None),
        }
    });
    // Somebody may still wait for a line at the terminal.
    runtime.shutdown_background();
    let Some(played) = played? else { return Ok(Outcome::Stopped) };
    let kept = args.keep.then(|| stage.keep());
    if global.json {
        output::json(&json!({ "ok": true, "steps": played, "kept": kept }))?;
        return Ok(Outcome::Fine);
    }
    output::out(&match kept {
        Some(folder) => format!(
            "\n{}\nYou can look around: {}\n",
            paint(BOLD, format!("Everything is still in {}.", shown(&folder))),
            paint(GOOD, format!("cd {0}/project && HOME={0} prowess list", shown(&folder)))
        ),
        None => {
            "\nThat was all; the folder is gone again. `prowess up` starts with your own skills.\n".to_owned()
        }
    })?;
    Ok(Outcome::Fine)
}

async fn play(stage: &Stage, global: &Global, args: DemoArgs) -> Result<Vec<Played>, Failure> {
    if !global.json {
        output::out(&format!(
            "{}\nTen small skills in a throw-away folder, a script that plays the model, no network.\n",
            paint(BOLD, "prowess demo")
        ))?;
    }
    let waits = args.step && !global.json && prompt::is_somebody_there() && std::io::stdout().is_terminal();
    let mut played = Vec::new();
    let mut part = "";
    for scene in tour::SCENES {
        if !global.json {
            if scene.part != part {
                output::out(&format!("\n{}\n", paint(BOLD, format!("── {}", scene.part))))?;
            }
            output::out(&format!("\n{}\n{}\n", scene.about, paint(GOOD, format!("$ {}", scene.command()))))?;
        }
        part = scene.part;
        if waits {
            // Waiting must not keep Ctrl-C from being heard.
            let _ = tokio::task::spawn_blocking(|| prompt::line("")).await;
        }
        let one = perform(stage, global, scene).await?;
        if !global.json {
            output::out(&one.output)?;
            if one.exit_code != 0 {
                output::out(&format!("{}\n", paint(DIM, format!("[exit {}]", one.exit_code))))?;
            }
        }
        played.push(one);
    }
    Ok(played)
}

async fn perform(stage: &Stage, global: &Global, scene: &Scene) -> Result<Played, Failure> {
    let colors =
        !global.json && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let (exit_code, output) = stage.perform(scene, colors).await?;
    if exit_code != scene.exit_code {
        output::err(&output);
        let message = format!("`{}` ended with {exit_code} instead of {}", scene.command(), scene.exit_code);
        return Err(Failure::not_found(message).hint("`prowess doctor` looks for what may be wrong here"));
    }
    Ok(Played { part: scene.part, about: scene.about, command: scene.command(), exit_code, output })
}
