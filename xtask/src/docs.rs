//! `cargo xtask docs`: the reference that is made from the program itself, and whether the documents are true.

mod cli;
mod errors;
mod files;
mod http;
mod rpc;
mod rules;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::process::{build_prowess, output, root};
use crate::{links, profiles};

const MADE: &str = "<!-- Made by `cargo xtask docs`; do not edit. -->\n";

/// Writes the reference.
pub(crate) fn write() -> Result<()> {
    for (file, text) in reference(&build_prowess(/*release*/ false)?)? {
        if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
            fs::create_dir_all(file.parent().unwrap_or(root()))?;
            fs::write(&file, text)?;
            println!("written: {}", relative(&file));
        }
    }
    Ok(())
}

/// Finds what is stale or wrong in the documents.
pub(crate) fn check() -> Result<()> {
    let prowess = build_prowess(/*release*/ false)?;
    let mut problems = Vec::new();
    for (file, text) in reference(&prowess)? {
        if fs::read_to_string(&file).ok() != Some(text) {
            problems.push(format!("{} is stale: run `cargo xtask docs`", relative(&file)));
        }
    }
    for file in documents()? {
        let text = fs::read_to_string(&file)?;
        let found = wrong_in(&file, &text, &prowess)?;
        problems.extend(found.into_iter().map(|problem| format!("{}: {problem}", relative(&file))));
    }
    if !problems.is_empty() {
        bail!("{} problems in the documents\n{}", problems.len(), problems.join("\n"));
    }
    Ok(())
}

fn wrong_in(file: &Path, text: &str, prowess: &Path) -> Result<Vec<String>> {
    let mut problems = links::broken(text, file.parent().unwrap_or(root()));
    #[cfg(unix)]
    {
        problems.extend(crate::examples::wrong(text, prowess)?);
        if file.ends_with("requirements.md") {
            problems.extend(crate::requirements::wrong(text, prowess)?);
        }
    }
    Ok(problems)
}

/// Every Markdown file in the root and below `docs`.
fn documents() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["", "docs", "docs/reference"] {
        for entry in fs::read_dir(root().join(folder))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The generated files and what must be in them.
fn reference(prowess: &Path) -> Result<Vec<(PathBuf, String)>> {
    let openapi = value(prowess, &["schema", "openapi"])?;
    let pages = [
        ("cli.md", cli::page(prowess)?),
        ("config.md", config(prowess)?),
        ("errors.md", errors::page(prowess)?),
        ("files.md", files::page()?),
        ("http.md", http::page()?),
        ("profiles.md", profiles::page()),
        ("rpc.md", rpc::page(&openapi)),
        ("rules.md", rules::skills()),
        ("scan-rules.md", rules::scanner()),
    ];
    let folder = root().join("docs/reference");
    let mut files: Vec<(PathBuf, String)> =
        pages.into_iter().map(|(name, text)| (folder.join(name), format!("{MADE}{text}"))).collect();
    let schema = answer(prowess, &["schema", "config"]).context("the schema of the config")?;
    files.push((folder.join("config.schema.json"), schema));
    Ok(files)
}

fn config(prowess: &Path) -> Result<String> {
    let table = answer(prowess, &["config", "keys"]).context("the table of keys")?;
    Ok(format!(
        "# Config keys\n\nWhat `prowess config keys` says. `<name>` stands for any name: of a skill, an agent, a plugin \
         or a variable.\nHow the file is found, layered and edited is in [config.md](../config.md). The same as JSON \
         Schema, for editors: [config.schema.json](config.schema.json)\n(`prowess schema config`).\n\n{table}"
    ))
}

/// What the binary answers, whatever the machine's settings are.
fn answer(prowess: &Path, arguments: &[&str]) -> Result<String> {
    output(Command::new(prowess).args(arguments).env_clear().env("HOME", "/home/you"))
}

/// The same, in JSON.
fn value(prowess: &Path, arguments: &[&str]) -> Result<Value> {
    Ok(serde_json::from_str(&answer(prowess, arguments)?)?)
}

/// A text for the cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn relative(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}
