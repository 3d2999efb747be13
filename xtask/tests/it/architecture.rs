//! The arrows between the crates: down only, never sideways.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{root, source};

/// The layers, lowest first: the folders of `crates/`. A crate's folder is its layer.
const LAYERS: [&str; 8] = ["types", "pure", "base", "service", "domain", "facade", "surface", "program"];

/// Layers whose crates may use each other, and the order in which they may: a crate uses only earlier ones.
const ORDERED: [(&str, &[&str]); 4] = [
    ("pure", &["prowess-text", "prowess-json5", "prowess-effects"]),
    ("base", &["prowess-net"]),
    // Secrets, and the table of agent programs: a run redacts the first and starts what the second names.
    ("service", &["prowess-secret", "prowess-harness"]),
    (
        "domain",
        &[
            "prowess-context",
            "prowess-inventory",
            "prowess-match",
            "prowess-sessions",
            "prowess-acquire",
            "prowess-agent",
            "prowess-learn",
            "prowess-connect",
        ],
    ),
];

/// Beside the layers: only tests may use the first, and no crate the others.
const TESTKIT: &str = "prowess-testkit";
const TASKS: &str = "xtask";
const FUZZ: &str = "prowess-fuzz-checks";

/// What the pure layer does without: every rule in it is a table test.
const IMPURE_CRATES: [&str; 8] =
    ["tokio", "rustix", "tempfile", "rand", "reqwest", "notify", "ignore", "walkdir"];
const IMPURE_WORDS: [&str; 7] =
    ["std::fs", "std::env", "std::net", "std::process", "std::thread", "SystemTime", "Instant"];

struct Package {
    name: String,
    manifest: PathBuf,
    /// Name and kind (`normal`, `dev`, `build`).
    dependencies: Vec<(String, String)>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root())
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let dependency =
        |value: &Value| (text(&value["name"]), value["kind"].as_str().unwrap_or("normal").to_owned());
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| Package {
            name: text(&package["name"]),
            manifest: text(&package["manifest_path"]).into(),
            dependencies: package["dependencies"].as_array().into_iter().flatten().map(dependency).collect(),
        })
        .collect()
}

/// The layer of a crate: the folder it is in.
fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| root().join("crates").join(layer).join(name).is_dir())
}

/// Whether the order inside a layer allows this arrow.
fn is_in_order(layer: usize, from: &str, to: &str) -> bool {
    let Some((_, order)) = ORDERED.iter().find(|(name, _)| *name == LAYERS[layer]) else { return false };
    let place = |name: &str| order.iter().position(|other| *other == name);
    match (place(from), place(to)) {
        (Some(from), Some(to)) => to < from,
        (None, Some(_)) => true,
        (_, None) => false,
    }
}

/// Why `from` may not depend on `to`; none if it may.
fn objection(from: &str, to: &str, kind: &str) -> Option<String> {
    if from == TASKS || (from == FUZZ && to != TASKS) {
        return None;
    }
    if to == TESTKIT {
        return (kind != "dev").then(|| format!("`{from}` uses `{TESTKIT}` outside its tests"));
    }
    if [TASKS, FUZZ].contains(&to) || from == TESTKIT {
        return Some(format!("`{from}` depends on `{to}`"));
    }
    let (Some(from_layer), Some(to_layer)) = (layer(from), layer(to)) else {
        return Some(format!("`{from}` or `{to}` has no place in the layers"));
    };
    let is_fine = to_layer < from_layer || (to_layer == from_layer && is_in_order(from_layer, from, to));
    let (from_name, to_name) = (LAYERS[from_layer], LAYERS[to_layer]);
    (!is_fine).then(|| format!("`{from}` ({from_name}) depends on `{to}` ({to_name})"))
}

#[test]
fn dependencies_point_down() {
    let packages = packages();
    let ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut objections = Vec::new();
    for package in &packages {
        if ![TESTKIT, TASKS, FUZZ].contains(&package.name.as_str()) && layer(&package.name).is_none() {
            objections.push(format!("`{}` has no place in the layers", package.name));
        }
        for (dependency, kind) in package.dependencies.iter().filter(|(name, _)| ours(name)) {
            objections.extend(objection(&package.name, dependency, kind));
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

#[test]
fn the_arrows_are_told_apart() {
    for (from, to, kind, is_fine) in [
        ("prowess-cli", "prowess", "normal", true),
        ("prowess", "prowess-types", "normal", true),
        ("prowess", "prowess-cli", "normal", false),
        ("prowess-gate", "prowess-skill", "normal", false),
        ("prowess-gate", "prowess-skill", "dev", false),
        ("prowess-config", "prowess-fs", "normal", false),
        ("prowess-model", "prowess-net", "normal", true),
        ("prowess-net", "prowess-model", "normal", false),
        ("prowess-skill", "prowess-json5", "normal", true),
        ("prowess-config", "prowess-json5", "normal", true),
        ("prowess-types", "prowess-json5", "normal", false),
        ("prowess-scan", "prowess-text", "normal", true),
        ("prowess-scan", "prowess-effects", "normal", true),
        ("prowess-effects", "prowess-scan", "normal", false),
        ("prowess-text", "prowess-json5", "normal", false),
        ("prowess-json5", "prowess-skill", "normal", false),
        ("prowess-run", "prowess-harness", "normal", true),
        ("prowess-harness", "prowess-run", "normal", false),
        ("prowess-run", "prowess-secret", "normal", true),
        ("prowess-secret", "prowess-run", "normal", false),
        ("prowess-install", "prowess-registry", "normal", false),
        ("prowess", "prowess-testkit", "dev", true),
        ("prowess", "prowess-testkit", "normal", false),
        ("prowess-testkit", "prowess", "normal", false),
        ("prowess-fuzz-checks", "prowess-gateway", "normal", true),
        ("prowess-gateway", "prowess-fuzz-checks", "dev", false),
    ] {
        assert_eq!(objection(from, to, kind).is_none(), is_fine, "{from} -> {to} ({kind})");
    }
}

#[test]
fn the_pure_layer_is_pure() {
    for package in packages().iter().filter(|package| layer(&package.name).is_some_and(|layer| layer <= 1)) {
        let impure = package
            .dependencies
            .iter()
            .filter(|(name, kind)| kind != "dev" && IMPURE_CRATES.contains(&name.as_str()));
        let names: Vec<_> = impure.collect();
        assert!(names.is_empty(), "`{}` depends on {names:?}", package.name);
        let folder = package.manifest.parent().expect("a folder").join("src");
        for (file, text) in sources(&folder) {
            for word in IMPURE_WORDS {
                assert!(!text.contains(word), "`{}` uses `{word}`", file.display());
            }
        }
    }
}

/// Modules that use the file system without `prowess-fs`, each with its reason.
const OWN_FILES: [(&str, &str); 4] = [
    ("prowess-embed/src/pack", "maps a pack of weights into memory"),
    ("prowess-run/src/process/group.rs", "finds the processes of a session in `/proc`"),
    ("prowess-run/src/protected", "compares the identities of files, and opens only the table of mounts"),
    ("prowess-run/src/tools/beneath.rs", "opens a file of a workspace from the handle of its folder"),
];

/// Only `prowess-fs` opens files; the other crates ask it to. SQLite opens the files of `prowess-store` itself.
#[test]
fn only_one_crate_opens_files() {
    let mut objections = Vec::new();
    let mut used = BTreeSet::new();
    let crates = source::crates().into_iter();
    for (name, folder) in crates.filter(|(name, _)| name != "prowess-fs" && layer(name).is_some()) {
        for file in source::files(&folder) {
            let place = file.path.strip_prefix(&folder).unwrap_or(&file.path);
            let place = format!("{name}/src/{}", place.display());
            let text = file.tokens.join(" ");
            let words = ["std :: fs", "tokio :: fs", "File :: open", "File :: create", "OpenOptions"];
            let Some(word) = words.into_iter().find(|word| text.contains(word)) else { continue };
            match OWN_FILES.iter().find(|(module, _)| place.starts_with(module)) {
                Some((module, _)) => _ = used.insert(*module),
                None => objections.push(format!("`{place}` uses `{word}`: call a function of `prowess-fs`")),
            }
        }
    }
    let unused = OWN_FILES.iter().filter(|(module, _)| !used.contains(module));
    objections.extend(unused.map(|(module, _)| format!("`{module}` needs no exception any more")));
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

/// Only `prowess-net` opens HTTP connections: its client checks every address. Tests may use another client.
#[test]
fn only_one_crate_names_the_http_library() {
    for package in packages().iter().filter(|package| package.name != "prowess-net") {
        let is_used = |(name, kind): &&(String, String)| name == "reqwest" && kind != "dev";
        assert!(
            package.dependencies.iter().find(is_used).is_none(),
            "`{}` depends on `reqwest`",
            package.name
        );
    }
}

/// The façade composes: it is small, and its prelude can be read at a glance.
#[test]
fn the_facade_is_a_prelude() {
    let folder = root().join("crates/facade/prowess/src");
    let lines: usize = sources(&folder).iter().map(|(_, text)| text.lines().count()).sum();
    assert!(lines <= 3_000, "{lines} lines");
    let library = std::fs::read_to_string(folder.join("lib.rs")).expect("the façade");
    let uses = library.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let names: usize = uses
        .map(|tree| tree.split(',').filter(|name| !name.trim_matches([' ', '}', '\n']).is_empty()).count())
        .sum();
    assert!(names < 60, "{names} names");
}

/// Crates that are larger than one idea should be, each with its reason in `docs/design/001-layers.md`.
const LARGE: [&str; 2] = ["prowess-cli", "prowess-gateway"];

#[test]
fn crates_are_of_a_size_to_read() {
    for package in packages().iter().filter(|package| layer(&package.name).is_some()) {
        let folder = package.manifest.parent().expect("a folder").join("src");
        let lines: usize = sources(&folder).iter().map(|(_, text)| text.lines().count()).sum();
        let is_large = lines > 8_000;
        assert_eq!(is_large, LARGE.contains(&package.name.as_str()), "`{}` has {lines} lines", package.name);
    }
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for package in packages() {
        let manifest = std::fs::read_to_string(&package.manifest).expect("a manifest");
        assert!(manifest.contains("[lints]\nworkspace = true"), "`{}`", package.name);
    }
}

/// The source files of a crate without their tests.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_code = path.extension().is_some_and(|extension| extension == "rs");
        if path.is_dir() && name != "tests" {
            found.extend(sources(&path));
        } else if is_code && !name.contains("test") && !name.contains("properties") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            found.push((path, without_comments(code)));
        }
    }
    found
}

fn without_comments(code: &str) -> String {
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}
