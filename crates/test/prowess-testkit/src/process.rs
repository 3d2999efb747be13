//! Other programs that tests need: themselves once more, and npm.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs an ignored test of this very program, by its full name, as another process. What it is to do, it is told line by
/// line over its input.
pub fn child_test(name: &str, lines: &[&str]) -> Child {
    let mut child = Command::new(std::env::current_exe().expect("a program"))
        .args(["--exact", name, "--ignored"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("an input");
    writeln!(input, "{}", lines.join("\n")).expect("told");
    child
}

/// Installs what the `package-lock.json` in a folder names, and says whether that worked; if not, why is printed, since a
/// test that is left out says so.
#[expect(clippy::print_stdout, reason = "a test that is left out says so")]
pub fn npm_ci(folder: &Path) -> bool {
    let npm = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"])
        .current_dir(folder)
        .output();
    match npm {
        Ok(output) if output.status.success() => return true,
        Ok(output) => {
            println!("skipped: npm cannot install the clients: {}", String::from_utf8_lossy(&output.stderr));
        }
        Err(error) => println!("skipped: npm cannot be started: {error}"),
    }
    false
}
