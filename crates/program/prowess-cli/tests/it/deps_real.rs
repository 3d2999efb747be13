//! Installers for real, in a throw-away home. One that is not on this machine, or whose registry cannot be reached, is
//! skipped, and that is said.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Home, Program as _, Ran};

/// A variable of the machine that runs the tests.
#[expect(clippy::disallowed_methods, reason = "real installers are where the machine has them")]
fn of_machine(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Why a real installer cannot be tried here; none if it can.
fn obstacle(program: &str, registry: Option<&str>) -> Option<String> {
    if Command::new(program).arg("--version").output().is_err() {
        return Some(format!("`{program}` is not on this machine"));
    }
    let registry = registry?;
    let address = (registry, 443).to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    let connection = address.map(|address| TcpStream::connect_timeout(&address, Duration::from_secs(5)));
    (!matches!(connection, Some(Ok(_)))).then(|| format!("{registry} cannot be reached"))
}

/// Whether a test has to be skipped, which is said.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn is_skipped(obstacle: Option<String>) -> bool {
    if let Some(reason) = &obstacle {
        eprintln!("skipped: {reason}");
    }
    obstacle.is_some()
}

/// A home with a skill that needs a program, which one option brings.
fn home(bin: &str, option: Value) -> Home {
    let home = Home::new();
    let metadata = json!({"prowess": {"requires": {"bins": [bin]}, "install": [option]}});
    home.tree.write(
        "bundled/demo/SKILL.md",
        format!("---\nname: demo\ndescription: Does it.\nmetadata: {metadata}\n---\n# Demo\n"),
    );
    home
}

/// Installs what the skill needs, with programs from these folders before those of the machine.
fn install(home: &Home, folders: &[&Path], variables: &[(&str, &str)]) -> Ran {
    let mut command = home.command();
    command.env("PATH", path(folders));
    for name in ["NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "HTTPS_PROXY", "https_proxy"] {
        if let Some(value) = of_machine(name) {
            command.env(name, value);
        }
    }
    command.envs(variables.iter().copied());
    home.finish(command.args(["deps", "demo", "--yes"]))
}

fn path(folders: &[&Path]) -> String {
    let machine = of_machine("PATH").unwrap_or_default();
    folders.iter().map(|folder| folder.display().to_string()).chain([machine]).collect::<Vec<_>>().join(":")
}

/// A program that was installed runs, and the skill that needs it is ready once it can be found.
fn assert_ready(home: &Home, bin: &str, folder: &Path, arguments: &[&str], says: &str) {
    let mut command = home.command();
    let ran = home.finish(command.env("PATH", path(&[folder])).args(["deps", "demo"]));
    assert!(ran.code == 0 && ran.stdout.starts_with("demo ✓ ready\n"), "{ran:?}");
    let output = Command::new(folder.join(bin)).args(arguments).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains(says), "{output:?}");
}

/// Installs packages of the Python registry by name into a folder of their own, and gives their programs.
fn python_programs(home: &Home, packages: &[&str]) -> std::path::PathBuf {
    let folder = home.tree.path("python");
    let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).status().expect("python3");
    assert!(made.success());
    let installed =
        Command::new(folder.join("bin/pip")).args(["install", "-q"]).args(packages).output().expect("pip");
    assert!(installed.status.success(), "{installed:?}");
    folder.join("bin")
}

#[test]
fn npm() {
    if is_skipped(obstacle("npm", Some("registry.npmjs.org"))) {
        return;
    }
    let option = json!({"kind": "node", "package": "semver@7.6.3", "bins": ["semver"]});
    let home = home("semver", option);
    let ran = install(&home, &[], &[]);
    assert!(ran.stdout.starts_with("✓ node-0: Installed\n"), "{ran:?}");
    assert!(ran.code == 0 && ran.stdout.ends_with("demo has everything it needs.\n"), "{ran:?}");
    assert_eq!(ran.code, 0);
    let folder = home.tree.path(".prowess/tools/node/npm/bin");
    assert!(folder.join("semver").exists(), "{ran:?}");
    let why = home.finish(home.command().env("PATH", path(&[])).args(["why", "demo"]));
    assert!(!why.stdout.contains("missing program"), "{why:?}");
    assert_ready(&home, "semver", &folder, &["1.2.3"], "1.2.3");
}

#[test]
fn npm_says_why_it_failed() {
    if is_skipped(obstacle("npm", Some("registry.npmjs.org"))) {
        return;
    }
    let option = json!({"kind": "node", "package": "semver@0.0.0-none", "bins": ["needed-tool"]});
    let home = home("needed-tool", option);
    let ran = install(&home, &[], &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("✗ node-0: Install failed (exit 1): npm error "), "{ran:?}");
    assert!(ran.stderr.contains("npm error code ETARGET"), "{ran:?}");
}

/// Without a registry: the crate lies in a folder that stands for it.
#[test]
fn cargo() {
    if is_skipped(obstacle("cargo", None)) {
        return;
    }
    let home = home(
        "needed-tool",
        json!({"kind": "cargo", "package": "needed-tool@1.0.0", "bins": ["needed-tool"]}),
    );
    let manifest = "[package]\nname = \"needed-tool\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    home.tree.write("crates/needed-tool-1.0.0/Cargo.toml", manifest);
    home.tree.write(
        "crates/needed-tool-1.0.0/Cargo.lock",
        "version = 3\n\n[[package]]\nname = \"needed-tool\"\nversion = \"1.0.0\"\n",
    );
    home.tree
        .write("crates/needed-tool-1.0.0/src/main.rs", "fn main() {\n    println!(\"made of rust\");\n}\n");
    home.tree.write("crates/needed-tool-1.0.0/.cargo-checksum.json", "{\"files\":{},\"package\":null}");
    let source = home.tree.path("crates");
    home.tree.write(
        "cargo/config.toml",
        format!(
            "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"{}\"\n",
            source.display()
        ),
    );
    let cargo_home = home.tree.path("cargo").display().to_string();
    let usual = Path::new(&of_machine("HOME").unwrap_or_default()).join(".rustup").display().to_string();
    let rustup = of_machine("RUSTUP_HOME").unwrap_or(usual);
    let ran = install(&home, &[], &[("CARGO_HOME", &cargo_home), ("RUSTUP_HOME", &rustup)]);
    assert!(ran.stdout.starts_with("✓ cargo-0: Installed\n"), "{ran:?}");
    assert!(ran.stdout.ends_with("demo has everything it needs.\n"), "{ran:?}");
    assert_ready(&home, "needed-tool", &home.tree.path("cargo/bin"), &[], "made of rust");
}

#[test]
fn uv() {
    if is_skipped(obstacle("python3", Some("pypi.org"))) {
        return;
    }
    let home = home("pycowsay", json!({"kind": "uv", "package": "pycowsay==0.0.0.2", "bins": ["pycowsay"]}));
    let programs = python_programs(&home, &["uv"]);
    let ran = install(&home, &[&programs], &[]);
    assert!(ran.stdout.starts_with("✓ uv-0: Installed\n"), "{ran:?}");
    assert_ready(&home, "pycowsay", &home.tree.path(".local/bin"), &["moo"], "moo");
}

#[test]
fn pipx() {
    if is_skipped(obstacle("python3", Some("pypi.org"))) {
        return;
    }
    let home =
        home("pycowsay", json!({"kind": "pipx", "package": "pycowsay==0.0.0.2", "bins": ["pycowsay"]}));
    let programs = python_programs(&home, &["pipx"]);
    let ran = install(&home, &[&programs], &[]);
    assert!(ran.stdout.starts_with("✓ pipx-0: Installed\n"), "{ran:?}");
    assert_ready(&home, "pycowsay", &home.tree.path(".local/bin"), &["moo"], "moo");
}

/// Without a proxy: the module lies in a folder that stands for it.
#[test]
fn go() {
    if is_skipped(obstacle("go", None).or_else(|| obstacle("python3", None))) {
        return;
    }
    let module = "example.org/needed-tool";
    let home = home(
        "needed-tool",
        json!({"kind": "go", "module": format!("{module}@v1.0.0"), "bins": ["needed-tool"]}),
    );
    let root = format!("source/{module}@v1.0.0");
    let manifest = format!("module {module}\n\ngo 1.21\n");
    home.tree.write(&format!("{root}/go.mod"), &manifest);
    home.tree
        .write(&format!("{root}/main.go"), "package main\n\nfunc main() {\n\tprintln(\"made of go\")\n}\n");
    let versions = format!("proxy/{module}/@v");
    home.tree.write(&format!("{versions}/list"), "v1.0.0\n");
    home.tree.write(&format!("{versions}/v1.0.0.info"), "{\"Version\":\"v1.0.0\"}");
    home.tree.write(&format!("{versions}/v1.0.0.mod"), &manifest);
    // A module is packed without entries for its folders.
    let pack = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as z:\n    for name in sys.argv[2:]: z.write(name)";
    let packed = Command::new("python3")
        .args(["-c", pack])
        .arg(home.tree.path(&format!("{versions}/v1.0.0.zip")))
        .args([format!("{module}@v1.0.0/go.mod"), format!("{module}@v1.0.0/main.go")])
        .current_dir(home.tree.path("source"))
        .status();
    assert!(packed.expect("python3").success());
    let proxy = format!("file://{}", home.tree.path("proxy").display());
    let cache = home.tree.path("go-cache").display().to_string();
    let modules = home.tree.path("go-modules").display().to_string();
    let ran = install(
        &home,
        &[],
        &[
            ("GOPROXY", &proxy),
            ("GOSUMDB", "off"),
            ("GOCACHE", &cache),
            ("GOMODCACHE", &modules),
            ("GOTOOLCHAIN", "local"),
        ],
    );
    assert!(ran.stdout.starts_with("✓ go-0: Installed\n"), "{ran:?}");
    assert_ready(&home, "needed-tool", &home.tree.path(".local/bin"), &[], "");
    // What Go keeps is read-only, which would outlive the throw-away home.
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(home.tree.path("go-modules")).status();
}
