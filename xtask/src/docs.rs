//! `cargo xtask docs`: the reference that is made from the program itself, and whether the documents are true.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use prowess_types::Severity;

use crate::process::{build_prowess, output, root};
use crate::{links, profiles};

const MADE: &str = "<!-- Made by `cargo xtask docs`; do not edit. -->\n";

/// Sub-commands that have sub-commands of their own.
const GROUPS: [&str; 1] = ["config"];

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
    let pages = [
        ("cli.md", cli(prowess)?),
        ("config.md", config(prowess)?),
        ("rules.md", rules()),
        ("profiles.md", profiles::page()),
    ];
    let folder = root().join("docs/reference");
    Ok(pages.into_iter().map(|(name, text)| (folder.join(name), format!("{MADE}{text}"))).collect())
}

fn cli(prowess: &Path) -> Result<String> {
    let mut text = String::from("# Command line\n\nWhat `--help` says, command by command.\n");
    let overview = help(prowess, &[])?;
    let mut commands: Vec<Vec<String>> = vec![Vec::new()];
    for name in commands_in(&overview) {
        commands.push(vec![name.clone()]);
        if GROUPS.contains(&name.as_str()) {
            let group = help(prowess, std::slice::from_ref(&name))?;
            commands.extend(commands_in(&group).into_iter().map(|inner| vec![name.clone(), inner]));
        }
    }
    for command in commands {
        let title = [vec!["prowess".to_owned()], command.clone()].concat().join(" ");
        let help = help(prowess, &command)?;
        text.extend(["\n## ", &title, "\n\n```text\n", help.trim_end(), "\n```\n"]);
    }
    Ok(text)
}

fn help(prowess: &Path, command: &[String]) -> Result<String> {
    let help = answer(prowess, &[command, &["--help".to_owned()]].concat())?;
    Ok(help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
}

/// What the binary answers, whatever the machine's settings are.
fn answer(prowess: &Path, arguments: &[String]) -> Result<String> {
    output(Command::new(prowess).args(arguments).env_clear().env("HOME", "/home/you"))
}

/// The names in the list of commands of a help text.
fn commands_in(help: &str) -> Vec<String> {
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

fn config(prowess: &Path) -> Result<String> {
    let table = answer(prowess, &["config".to_owned(), "keys".to_owned()]).context("the table of keys")?;
    Ok(format!(
        "# Config keys\n\nWhat `prowess config keys` says. `<name>` stands for any name: of a skill, an agent, a plugin \
         or a variable.\nHow the file is found, layered and edited is in [config.md](../config.md).\n\n{table}"
    ))
}

fn rules() -> String {
    let mut text = String::from(
        "# Rules\n\nEvery rule that `prowess validate` and `prowess lint` know. *Portable* says whether a breach means \
         that the skill does\nnot follow the Agent Skills specification; levels are explained in \
         [format.md](../format.md).\n\n| rule | severity | portable | what is demanded | what to do |\n|---|---|---|---|---|\n",
    );
    text.extend(prowess_skill::RULES.iter().map(|rule| {
        let severity = match rule.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let portable = if rule.breaks_portability { "no" } else { "yes" };
        format!("| `{}` | {severity} | {portable} | {} | {} |\n", rule.id, rule.summary, rule.help)
    }));
    text
}

fn relative(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}
