//! `cargo xtask dependencies`: licences, sources and versions of dependencies, and dependencies without a use.
//!
//! The rules are those of `deny.toml`. `cargo deny` and `cargo shear` know more and run too where they are installed;
//! building them takes minutes, and these checks take a second.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::licence;
use crate::process::{answers, cargo, command, output, root, run, shown};

/// Crates that are there in several versions. A name is removed when its versions agree; none is added.
const DUPLICATES: &str = include_str!("../duplicates.txt");

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    /// The registry; none for a crate of the workspace.
    source: Option<String>,
    license: Option<String>,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    rename: Option<String>,
    kind: Option<String>,
}

/// The policy of `deny.toml`.
struct Policy {
    licences: BTreeSet<String>,
    registries: Vec<String>,
    banned: BTreeSet<String>,
}

impl Policy {
    fn read(text: &str) -> Self {
        let banned = text.lines().filter(|line| line.trim_start().starts_with("{ crate = "));
        Self {
            licences: strings(section(text, "\nallow = [")).collect(),
            registries: strings(section(text, "\nallow-registry = [")).collect(),
            banned: banned.filter_map(|line| strings(line).next()).collect(),
        }
    }
}

/// The text from an opening to the next closing bracket.
fn section<'a>(text: &'a str, opening: &str) -> &'a str {
    let rest = text.split_once(opening).map_or("", |(_, rest)| rest);
    rest.split_once(']').map_or(rest, |(section, _)| section)
}

/// The quoted texts of a section, comments aside.
fn strings(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned)
}

/// Checks the dependencies of the workspace.
pub(crate) fn check() -> Result<()> {
    let metadata: Metadata = serde_json::from_str(&metadata()?)?;
    let policy = Policy::read(&fs::read_to_string(root().join("deny.toml"))?);
    let allowed: BTreeSet<&str> = DUPLICATES.lines().filter(|line| !line.starts_with('#')).collect();
    let mut problems = origins(&metadata, &policy);
    problems.extend(duplicates(&metadata, &allowed));
    problems.extend(unused(&metadata)?);
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    println!("{} crates have licences and sources of the policy, and a use", metadata.packages.len());
    for arguments in [&["deny", "check", "licenses", "bans", "sources"][..], &["shear"]] {
        if answers("cargo", &[arguments[0], "--version"]) {
            let mut command = cargo(arguments);
            println!("{}", shown(&command));
            run(&mut command)?;
        }
    }
    Ok(())
}

/// The crates that are compiled on this machine: those of other systems are not there to be read.
fn metadata() -> Result<String> {
    let version = output(&mut command("rustc", &["-vV"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    output(&mut cargo(&["metadata", "--format-version", "1", "--locked", "--filter-platform", host]))
}

/// Crates with a licence, a source or a name that the policy does not allow.
fn origins(metadata: &Metadata, policy: &Policy) -> Vec<String> {
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let Some(source) = &package.source else { continue };
        let (name, version) = (&package.name, &package.version);
        let licence = package.license.as_deref().unwrap_or("none");
        if !licence::is_allowed(licence, &policy.licences) {
            problems.push(format!("`{name}` {version}: the licence `{licence}` is not in deny.toml"));
        }
        if !policy.registries.iter().any(|registry| source.ends_with(registry.as_str())) {
            problems.push(format!("`{name}` {version}: the source `{source}` is not in deny.toml"));
        }
        if policy.banned.contains(name) {
            problems.push(format!("`{name}` {version}: banned in deny.toml"));
        }
    }
    problems
}

/// Crates in several versions that are not listed, and listed ones that are there once.
fn duplicates(metadata: &Metadata, allowed: &BTreeSet<&str>) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in &metadata.packages {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    let new = versions.iter().filter(|(name, _)| !allowed.contains(*name)).map(|(name, versions)| {
        format!("`{name}` is there in {} versions: {versions:?}; cargo tree -d shows why", versions.len())
    });
    let gone = allowed.iter().filter(|name| !versions.contains_key(**name));
    let gone = gone.map(|name| format!("`{name}` is there once: remove it from xtask/duplicates.txt"));
    new.chain(gone).collect()
}

/// Dependencies of the workspace's crates that no source file names.
fn unused(metadata: &Metadata) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for package in metadata.packages.iter().filter(|package| package.source.is_none()) {
        let folder = package.manifest_path.parent().unwrap_or(Path::new("."));
        let (library, build, mut tests) =
            (words(&folder.join("src"))?, words(&folder.join("build.rs"))?, BTreeSet::new());
        for other in ["tests", "benches", "examples"] {
            tests.extend(words(&folder.join(other))?);
        }
        for dependency in &package.dependencies {
            let name = dependency.rename.as_ref().unwrap_or(&dependency.name).replace('-', "_");
            let is_used = match dependency.kind.as_deref() {
                Some("build") => build.contains(&name),
                Some("dev") => library.contains(&name) || tests.contains(&name),
                _ => library.contains(&name),
            };
            if !is_used {
                let kind = dependency.kind.as_deref().unwrap_or("normal");
                problems
                    .push(format!("`{}`: no source file names the {kind} dependency `{name}`", package.name));
            }
        }
    }
    Ok(problems)
}

/// The identifiers in the Rust files of a folder, or in one file.
fn words(path: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            found.extend(words(&entry?.path())?);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") && path.exists() {
        let text = fs::read_to_string(path)?;
        let words = text.split(|next: char| !next.is_alphanumeric() && next != '_');
        found.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_that_of_the_file() {
        let policy = Policy::read(&fs::read_to_string(root().join("deny.toml")).unwrap());
        assert!(policy.licences.contains("MIT") && policy.licences.contains("bzip2-1.0.6"));
        assert!(!policy.licences.contains("GPL-3.0"));
        assert_eq!(policy.registries, ["https://github.com/rust-lang/crates.io-index"]);
        assert!(policy.banned.contains("openssl") && !policy.banned.contains("rustls"));
    }

    fn package(name: &str, version: &str, licence: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            source: Some("registry+https://github.com/rust-lang/crates.io-index".to_owned()),
            license: Some(licence.to_owned()),
            manifest_path: PathBuf::new(),
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn strangers_and_new_duplicates_are_named() {
        let policy = Policy::read(&fs::read_to_string(root().join("deny.toml")).unwrap());
        let mut git = package("own", "1.0.0", "MIT");
        git.source = Some("git+https://example.org/own".to_owned());
        let packages = vec![package("a", "1.0.0", "MIT"), package("a", "2.0.0", "GPL-3.0"), git];
        let metadata = Metadata { packages };
        let problems = origins(&metadata, &policy);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].contains("GPL-3.0") && problems[1].contains("git+https"), "{problems:?}");
        assert!(duplicates(&metadata, &BTreeSet::from(["a"])).is_empty());
        let problems = duplicates(&metadata, &BTreeSet::from(["own"]));
        assert!(
            problems[0].starts_with("`a` is there in 2") && problems[1].starts_with("`own` is there once")
        );
    }
}
