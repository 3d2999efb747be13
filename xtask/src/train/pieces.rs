//! The pieces of each stage: a call of a script or of another task, and the files that it leaves.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use prowess_embed::{Pack, Reader};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::record::Record;
use super::stage::Stage;
use crate::process::{program, root, shown};

/// The exit code of a script that stopped before its last step (`models/train/checkpoint.py`).
const UNFINISHED: i32 = 75;

/// Everything that a training reads, and its work folder.
pub(super) struct Training {
    pub(super) data: PathBuf,
    /// The messages that were written for this project.
    pub(super) own: PathBuf,
    pub(super) skills: PathBuf,
    /// The weights and the vocabulary of the base model.
    pub(super) start: PathBuf,
    pub(super) settings: PathBuf,
    pub(super) work: PathBuf,
    pub(super) threads: usize,
    pub(super) python: PathBuf,
    pub(super) is_tiny: bool,
}

/// `models/train/settings.json`.
#[derive(Deserialize)]
struct Settings {
    seed: u64,
    minutes: f64,
    encoder: Vec<Map<String, Value>>,
    reader: Map<String, Value>,
    packs: PackSettings,
}

#[derive(Deserialize)]
struct PackSettings {
    words: String,
    layers: String,
    reader_layers: String,
    message_tokens: usize,
    document_tokens: usize,
}

/// A part of a stage.
pub(super) struct Piece {
    pub(super) name: String,
    commands: Vec<Command>,
    /// The files that it leaves, each with a checkpoint beside it while it is not done.
    out: Vec<PathBuf>,
}

impl Piece {
    /// The first file that it leaves.
    pub(super) fn out(&self) -> &Path {
        self.out.first().map_or(Path::new(""), PathBuf::as_path)
    }
}

/// The end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    /// A checkpoint is there, from which the next call goes on.
    Stopped,
}

impl Training {
    /// The folder of the packs.
    pub(super) fn packs(&self) -> PathBuf {
        self.work.join("packs")
    }

    /// The weights of a model.
    pub(super) fn weights(&self, name: &str) -> PathBuf {
        self.work.join(format!("{name}.safetensors"))
    }

    /// The pieces of a stage, in their order.
    pub(super) fn pieces(&self, stage: Stage) -> Result<Vec<Piece>> {
        let shown = self.settings.display();
        let text = fs::read(&self.settings).with_context(|| format!("cannot read `{shown}`"))?;
        let settings: Settings =
            serde_json::from_slice(&text).with_context(|| format!("cannot read `{shown}`"))?;
        Ok(match stage {
            Stage::Encoder => self.encoder(&settings),
            Stage::Reader => vec![self.reader(&settings)],
            Stage::Packs => vec![self.pack_piece(&settings.packs)?],
            Stage::Calibration => vec![self.calibration()?],
            Stage::Report => vec![self.report()],
        })
    }

    /// Each part goes on from the weights of the one before it.
    fn encoder(&self, settings: &Settings) -> Vec<Piece> {
        let mut start = self.start.join("model.safetensors");
        let count = settings.encoder.len();
        let parts = settings.encoder.iter().enumerate().map(|(at, part)| {
            let name = format!("encoder-{}", at + 1);
            let out = self.weights(if at + 1 == count { "encoder" } else { &name });
            let mut command = self.script("encoder.py", settings, part, &out);
            command.arg("--start").arg(&start).args(["--minutes", &settings.minutes.to_string()]);
            start.clone_from(&out);
            Piece { name, commands: vec![command], out: vec![out] }
        });
        parts.collect()
    }

    fn reader(&self, settings: &Settings) -> Piece {
        let out = self.weights("reader");
        let mut command = self.script("reader.py", settings, &settings.reader, &out);
        command.arg("--encoder").arg(self.weights("encoder"));
        command.args(["--minutes", &settings.minutes.to_string()]);
        Piece { name: "reader".to_owned(), commands: vec![command], out: vec![out] }
    }

    /// The same tasks that a person would call.
    fn pack_piece(&self, settings: &PackSettings) -> Result<Piece> {
        fs::create_dir_all(self.packs())?;
        let [encoder, reader] =
            ["prowess-minilm.pack", "prowess-reader.pack"].map(|name| self.packs().join(name));
        let mut first = task(&["models", "encoder", "--words", &settings.words])?;
        first.args(["--layers", &settings.layers]).arg("--vocabulary").arg(self.vocabulary());
        first.arg("--weights").arg(self.weights("encoder")).arg("--out").arg(&encoder);
        let mut second = task(&["models", "reader", "--layers", &settings.reader_layers])?;
        second.args(["--message-tokens", &settings.message_tokens.to_string()]);
        second.args(["--document-tokens", &settings.document_tokens.to_string()]);
        second.arg("--weights").arg(self.weights("reader")).arg("--positions").arg(self.weights("encoder"));
        second.arg("--base").arg(&encoder).arg("--out").arg(&reader);
        Ok(Piece { name: "packs".to_owned(), commands: vec![first, second], out: vec![encoder, reader] })
    }

    fn calibration(&self) -> Result<Piece> {
        let mut command = task(&["calibrate", "--try"])?;
        command.arg("--data").arg(&self.data).arg("--models").arg(self.packs());
        command.arg("--own").arg(&self.own).arg("--skills").arg(&self.skills);
        let out = ["calibration.json", "bridge.pack"].map(|name| self.packs().join(name));
        Ok(Piece { name: "calibration".to_owned(), commands: vec![command], out: out.to_vec() })
    }

    fn report(&self) -> Piece {
        let out = self.work.join("REPORT.md");
        let mut command = self.python("report.py");
        self.add_inputs(&mut command);
        command.arg("--settings").arg(&self.settings).arg("--work").arg(&self.work);
        command.arg("--out").arg(&out);
        Piece { name: "report".to_owned(), commands: vec![command], out: vec![out] }
    }

    fn vocabulary(&self) -> PathBuf {
        self.start.join("tokenizer.json")
    }

    /// A script without its own arguments.
    pub(super) fn python(&self, script: &str) -> Command {
        let mut command = Command::new(&self.python);
        // Without compiled files: they would lie between the sources.
        command.args(["-B", "-u"]).arg(root().join("models/train").join(script)).current_dir(root());
        command
    }

    fn add_inputs(&self, command: &mut Command) {
        command.arg("--data").arg(&self.data).arg("--own").arg(&self.own);
        command.arg("--skills").arg(&self.skills);
    }

    /// A script that trains, with the settings of its part.
    fn script(&self, name: &str, all: &Settings, part: &Map<String, Value>, out: &Path) -> Command {
        let mut command = self.python(name);
        self.add_inputs(&mut command);
        command.arg("--vocabulary").arg(self.vocabulary()).arg("--out").arg(out);
        command.args(["--seed", &all.seed.to_string(), "--threads", &self.threads.to_string()]);
        for (name, value) in part {
            command.arg(format!("--{name}")).arg(value.to_string());
        }
        command
    }

    /// Runs a piece, and notes its time.
    pub(super) fn call(&self, piece: &Piece, record: &mut Record) -> Result<Outcome> {
        self.call_with(piece, record, &[])
    }

    /// Runs a piece with further arguments.
    pub(super) fn call_with(&self, piece: &Piece, record: &mut Record, more: &[&str]) -> Result<Outcome> {
        let logs = self.work.join("logs");
        fs::create_dir_all(&logs)?;
        let log = logs.join(format!("{}.log", piece.name));
        if piece.name == "calibration" && cfg!(debug_assertions) && !self.is_tiny {
            println!("==> calibration: slow in this build; use `cargo run --release -p xtask -- train …`");
        }
        let begun = Instant::now();
        let mut outcome = Outcome::Done;
        for command in &piece.commands {
            let mut command = copy(command);
            command.args(more);
            let name = shown(&command);
            let status = run_logged(command, &log)?;
            if status.code() == Some(UNFINISHED) {
                outcome = Outcome::Stopped;
                break;
            }
            ensure!(status.success(), "`{name}` failed ({status})");
        }
        if piece.name == "packs" {
            check_packs(&self.packs())?;
        }
        record.add(&piece.name, begun.elapsed(), self.threads, outcome == Outcome::Done)?;
        println!("<== {}: {:.1} s", piece.name, begun.elapsed().as_secs_f64());
        Ok(outcome)
    }

    /// Removes the files of a stage, and forgets it.
    pub(super) fn reset(&self, stage: Stage, record: &mut Record) -> Result<()> {
        for piece in self.pieces(stage)? {
            let log = self.work.join("logs").join(format!("{}.log", piece.name));
            let checkpoints = piece.out.iter().map(|out| out.with_extension("checkpoint"));
            for path in checkpoints.chain(piece.out.iter().cloned()).chain([log]) {
                if path.exists() {
                    fs::remove_file(&path).with_context(|| format!("cannot remove `{}`", path.display()))?;
                }
            }
            record.forget(&piece.name)?;
        }
        Ok(())
    }
}

/// Another task of this program.
fn task(arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(program()?);
    command.args(arguments).current_dir(root());
    Ok(command)
}

/// The same program with the same arguments.
fn copy(command: &Command) -> Command {
    let mut made = Command::new(command.get_program());
    made.args(command.get_args()).current_dir(command.get_current_dir().unwrap_or(root()));
    made
}

/// Runs a program; its output goes to the terminal and to the end of a log.
fn run_logged(mut command: Command, log: &Path) -> Result<ExitStatus> {
    let name = shown(&command);
    let mut file = fs::OpenOptions::new().create(true).append(true).open(log)?;
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start `{name}`"))?;
    // It holds the other end of the pipe, which would never close otherwise.
    drop(command);
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        writeln!(file, "{line}")?;
    }
    Ok(child.wait()?)
}

/// Fails if the packs cannot be loaded or give numbers that are not finite.
fn check_packs(packs: &Path) -> Result<()> {
    let open = |name: &str| Pack::open(&packs.join(name)).with_context(|| format!("cannot read `{name}`"));
    let base = open("prowess-minilm.pack")?;
    let encoder = prowess_embed::load(open("prowess-minilm.pack")?)?;
    let vector = encoder.encode("when do the ferns need water")?;
    let logits = Reader::load(&open("prowess-reader.pack")?, &base)?.read(
        "when do the ferns need water",
        &["plant waterer: plans when plants get water", "dice: rolls dice"],
    )?;
    if logits.len() != 2 || !vector.iter().chain(&logits).copied().all(f32::is_finite) {
        bail!("the packs load, but give numbers that are not finite");
    }
    println!("the packs load and give finite numbers");
    Ok(())
}
