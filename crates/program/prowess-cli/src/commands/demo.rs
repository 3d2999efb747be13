//! `prowess demo`: the whole engine once, in a throw-away home.
//!
//! Every command of the tour is this very program, started with the home of the stage, and what is shown is what it
//! wrote. Whatever ends the tour, the stage is struck.

mod stage;
mod tour;

use std::io::IsTerminal as _;

use tokio_util::sync::CancellationToken;

use super::shown;
use crate::answers::{DemoAnswer, Played};
use crate::args::{DemoArgs, Global};
use crate::context::capture;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::interrupt::interrupted;
use crate::output::{self, BOLD, DIM, GOOD, paint};
use crate::prompt;
use stage::Stage;
use tour::Scene;

pub(crate) fn run(global: &Global, args: DemoArgs) -> Result<Outcome, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let interrupted = interrupted();
    runtime.spawn(async move {
        interrupted.await;
        stopping.cancel();
    });
    let stage = Stage::build(&capture(None)?)?;
    let played = runtime.block_on(play(&stage, global, args, &stop));
    runtime.shutdown_background();
    let Some(played) = played? else { return Ok(Outcome::Stopped) };
    let kept = args.keep.then(|| stage.keep());
    if global.json {
        output::json(&DemoAnswer { ok: true, steps: &played, kept })?;
        return Ok(Outcome::Fine);
    }
    output::out(&match kept {
        Some(folder) => format!(
            "\n{}\nYou can look around: {}\n",
            paint(BOLD, format!("Everything is still in {}.", shown(&folder))),
            paint(GOOD, format!("cd {0}/project && HOME={0} prowess list", shown(&folder)))
        ),
        None => {
            "\nEnd of the tour; the folder was removed. Run `prowess up` to start with your own skills.\n"
                .to_owned()
        }
    })?;
    Ok(Outcome::Fine)
}

/// Plays all scenes; none if it was stopped.
async fn play(
    stage: &Stage,
    global: &Global,
    args: DemoArgs,
    stop: &CancellationToken,
) -> Result<Option<Vec<Played>>, Failure> {
    let show = |text: String| if global.json { Ok(()) } else { output::out(&text) };
    let waits = args.step && !global.json && prompt::is_somebody_there() && std::io::stdout().is_terminal();
    let has_colors =
        !global.json && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    show(format!(
        "{}\nTen small skills in a throw-away folder, a script that plays the model, no network.\n",
        paint(BOLD, "prowess demo")
    ))?;
    let mut played: Vec<Played> = Vec::new();
    for scene in tour::SCENES {
        if played.last().is_none_or(|last| last.part != scene.part) {
            show(format!("\n{}\n", paint(BOLD, format!("── {}", scene.part))))?;
        }
        show(format!("\n{}\n{}\n", scene.about, paint(GOOD, format!("$ {}", scene.command()))))?;
        if waits {
            let _ = stop.run_until_cancelled(input::next_line()).await;
        }
        let Some((exit_code, output)) = stage.perform(scene, has_colors, stop).await? else {
            return Ok(None);
        };
        show(output.clone())?;
        if exit_code != scene.exit_code {
            if global.json {
                output::err(&output);
            }
            return Err(wrong_end(scene, exit_code));
        }
        if exit_code != 0 {
            show(format!("{}\n", paint(DIM, format!("[exit {exit_code}]"))))?;
        }
        let (part, about, command) = (scene.part, scene.about, scene.command());
        played.push(Played { part, about, command, exit_code, output });
    }
    Ok(Some(played))
}

fn wrong_end(scene: &Scene, exit_code: i32) -> Failure {
    let message = format!("`{}` ended with {exit_code} instead of {}", scene.command(), scene.exit_code);
    Failure::not_found(message).hint("`prowess doctor` finds common problems")
}
