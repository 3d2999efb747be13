//! Schemathesis against the OpenAPI document: made-up requests, right and wrong, for every method.
//!
//! `cargo xtask test` installs it beforehand; otherwise the test here does. Where Python or its registry cannot be
//! reached, the test says so and ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use prowess_fs::Lock;
use prowess_types::Secret;

use crate::support::{GatewayHome as _, Home, skill};

const PINS: &str = include_str!("../schemathesis/requirements.txt");
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemathesis/schemathesis.toml");
/// Long enough that wrong tokens beside it do not lock it out.
const LONG_TOKEN: &str = "a-token-for-made-up-requests-of-every-kind";

/// The program; none where it cannot be had.
#[expect(clippy::print_stdout, reason = "a test that is left out says so")]
fn schemathesis() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemathesis");
    let _alone = Lock::acquire(&folder, Duration::from_mins(10)).expect("a lock");
    let (program, note) = (folder.join("bin/schemathesis"), folder.join("installed"));
    if std::fs::read_to_string(&note).is_ok_and(|pins| pins == PINS) && program.is_file() {
        return Some(program);
    }
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("requirements.txt"), PINS).expect("a file");
    let run = |command: &mut Command| {
        command.current_dir(&folder).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let flags = ["install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--no-deps"];
    let is_installed = run(Command::new("python3").args(["-m", "venv", "."]))
        && run(Command::new(folder.join("bin/pip")).args(flags).args(["-r", "requirements.txt"]));
    if !is_installed {
        println!("left out: schemathesis cannot be installed here (python3 -m venv, PyPI)");
        return None;
    }
    std::fs::write(note, PINS).expect("a note");
    Some(program)
}

#[tokio::test(flavor = "multi_thread")]
async fn made_up_requests_get_what_the_document_promises() {
    let Some(program) = tokio::task::spawn_blocking(schemathesis).await.unwrap() else { return };
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up a folder"));
    // Nobody is reached and nothing is run, whatever is made up.
    home.write(".prowess/prowess.json", "{skills: {registry: 'http://127.0.0.1:9'}}");
    let gateway = home
        .start_with(|options| {
            options.token = Secret::new(LONG_TOKEN);
            options.limits.unfinished_per_address = 1000;
        })
        .await;

    let ran = tokio::process::Command::new(program)
        .args(["--config-file", CONFIG, "run"])
        .arg(format!("http://{}/api/v1/openapi.json", gateway.address))
        .args(["--header", &format!("Authorization: Bearer {LONG_TOKEN}")])
        .args([
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            "10",
            "--seed",
            "1",
            "--workers",
            "2",
        ])
        // What is right by its form may still name an agent that is not there.
        .args(["--exclude-checks", "positive_data_acceptance", "--exclude-path", "/api/v1/events"])
        .args(["--request-timeout", "60", "--suppress-health-check", "all", "--no-color"])
        .env("HOME", home.path())
        .current_dir(home.path())
        .kill_on_drop(true)
        .output();
    let ran = tokio::time::timeout(Duration::from_mins(10), ran).await.expect("an end").unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}\n{}", String::from_utf8_lossy(&ran.stderr));
}
