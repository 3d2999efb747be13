//! Running other programs in the root of the repository.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The path of this program, as it was when it started.
///
/// A build that this program starts may replace its file. Linux then names the old one, which is gone; the path still
/// leads to the same program, newly built.
pub(crate) fn program() -> Result<&'static Path> {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    if let Some(program) = PROGRAM.get() {
        return Ok(program);
    }
    let found = std::env::current_exe().context("cannot tell where this program is")?;
    Ok(PROGRAM.get_or_init(|| found))
}

/// The folder of a crate, whichever layer it is in.
pub(crate) fn crate_folder(name: &str) -> PathBuf {
    let crates = root().join("crates");
    let layers = std::fs::read_dir(&crates).into_iter().flatten().flatten();
    let folders = layers.map(|layer| layer.path().join(name));
    folders.into_iter().find(|folder| folder.is_dir()).unwrap_or_else(|| crates.join(name))
}

/// A file of a crate, written as `crate/path/in/it`.
pub(crate) fn crate_file(path: &str) -> PathBuf {
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    crate_folder(name).join(rest)
}

/// A program that is to run in the root of the repository.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Cargo, of the toolchain that runs this.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    command("cargo", arguments)
}

/// Runs a program; its output goes to the terminal.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs a program and returns what it writes to standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({}): {}", shown(command), output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program, shows its output as it comes, and returns the lines from the first that `is_closing` on.
pub(crate) fn run_and_keep(mut command: Command, is_closing: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let name = shown(&command);
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start `{name}`"))?;
    // It holds the other end of the pipe, which would never close otherwise.
    drop(command);
    let mut kept = Vec::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        if is_closing(&line) {
            kept.push(line);
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{name}` failed ({status})");
    }
    Ok(kept)
}

/// Returns true if a program answers at all.
pub(crate) fn answers(program: &str, arguments: &[&str]) -> bool {
    let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet(&mut command(program, arguments)).is_ok_and(|status| status.success())
}

/// Builds the `prowess` binary and tells where it is.
pub(crate) fn build_prowess(release: bool) -> Result<PathBuf> {
    let mut arguments =
        vec!["build", "--package", "prowess-cli", "--message-format", "json-render-diagnostics"];
    arguments.extend(release.then_some("--release"));
    let mut build = cargo(&arguments);
    build.stderr(Stdio::inherit());
    let messages = output(&mut build)?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    };
    messages.lines().find_map(executable).context("cargo built no executable")
}

/// The place where cargo puts what it builds.
pub(crate) fn target() -> Result<PathBuf> {
    let metadata = output(&mut cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    Ok(metadata["target_directory"].as_str().context("cargo names no target folder")?.into())
}

/// A command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
