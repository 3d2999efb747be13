//! The language check: counts the patterns that `STYLE.md` rules out.
//!
//! Messages (string literals of the programs, the help of the command line, the Studio's texts) must have none.
//! Comments have a count per crate in `xtask/words.json` that may only fall.

mod lexer;
mod patterns;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::process::root;
use lexer::{Piece, PieceKind, rust_pieces, script_pieces};

/// The committed state of the check.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Baseline {
    /// Comments that break a rule, by crate.
    comments: BTreeMap<String, usize>,
    /// Messages that keep their words because a seed document, a recorded client or a file format fixes them.
    allowed: Vec<AllowedMessage>,
}

/// A message that keeps its words.
#[derive(Debug, Deserialize, Serialize)]
struct AllowedMessage {
    /// A part of the message.
    text: String,
    /// The source of the wording.
    reason: String,
}

/// One text that breaks a rule.
#[derive(Debug)]
struct Violation {
    krate: String,
    file: PathBuf,
    line: usize,
    rule: &'static str,
    text: String,
    is_message: bool,
}

/// `cargo xtask words`: prints what is left and writes lower counts.
pub(crate) fn run(shown: Option<&str>) -> Result<()> {
    let mut baseline = read_baseline()?;
    let violations = violations()?;
    for one in &violations {
        let is_shown = shown.map_or(one.is_message, |name| one.krate == name || name == "all");
        if is_shown && !(one.is_message && is_allowed(&baseline, &one.text)) {
            let file = one.file.strip_prefix(root()).unwrap_or(&one.file).display();
            println!("{file}:{}: {}: {}", one.line, one.rule, one.text.trim());
        }
    }
    let counts = comment_counts(&violations);
    println!("comments: {} in {} crates", counts.values().sum::<usize>(), counts.len());
    // A count falls, and never rises, by running this.
    let is_new = baseline.comments.is_empty();
    let keep = |name: &String, count: usize| {
        if is_new { count } else { baseline.comments.get(name).map_or(0, |old| count.min(*old)) }
    };
    let lower: BTreeMap<String, usize> =
        counts.iter().map(|(name, count)| (name.clone(), keep(name, *count))).collect();
    baseline.comments = lower.into_iter().filter(|(_, count)| *count > 0).collect();
    fs::write(baseline_file(), serde_json::to_string_pretty(&baseline)? + "\n")?;
    Ok(())
}

fn baseline_file() -> PathBuf {
    root().join("xtask/words.json")
}

fn read_baseline() -> Result<Baseline> {
    let text = fs::read_to_string(baseline_file()).context("cannot read xtask/words.json")?;
    Ok(serde_json::from_str(&text)?)
}

fn is_allowed(baseline: &Baseline, text: &str) -> bool {
    baseline.allowed.iter().any(|allowed| text.contains(&allowed.text))
}

fn comment_counts(violations: &[Violation]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for one in violations.iter().filter(|one| !one.is_message) {
        *counts.entry(one.krate.clone()).or_default() += 1;
    }
    counts
}

/// Every violation in the crates, the tasks and the Studio.
fn violations() -> Result<Vec<Violation>> {
    let mut found = Vec::new();
    let layers = folders(&root().join("crates"))?;
    for layer in layers.iter().filter(|layer| !layer.ends_with("test")) {
        for krate in folders(layer)? {
            collect(&krate.join("src"), &name_of(&krate), &mut found)?;
        }
    }
    collect(&root().join("xtask/src"), "xtask", &mut found)?;
    collect(&root().join("studio/src"), "studio", &mut found)?;
    Ok(found)
}

fn folders(parent: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(parent)? {
        let path = entry?.path();
        if path.is_dir() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Adds the violations of all source files below a folder, tests and generated files excluded.
fn collect(folder: &Path, krate: &str, found: &mut Vec<Violation>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))? {
        let path = entry?.path();
        let name = name_of(&path);
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        // The patterns themselves are not a message.
        let is_test = name.contains("test") || name.contains("properties") || name == "patterns.rs";
        if path.is_dir() {
            if !matches!(name.as_str(), "tests" | "fixtures" | "snapshots") {
                collect(&path, krate, found)?;
            }
        } else if extension == "rs" && !is_test {
            let text = fs::read_to_string(&path)?;
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            add(&path, krate, rust_pieces(code), found);
        } else if ["ts", "tsx"].contains(&extension.as_str())
            && !is_test
            && !name.ends_with(".d.ts")
            && krate == "studio"
        {
            add(&path, krate, script_pieces(&fs::read_to_string(&path)?), found);
        }
    }
    Ok(())
}

fn add(file: &Path, krate: &str, pieces: Vec<Piece>, found: &mut Vec<Violation>) {
    // The comments of the command line's arguments are its help.
    let is_args = |part: &std::ffi::OsStr| part == "args" || part == "args.rs";
    let is_help = krate == "prowess-cli" && file.components().any(|part| is_args(part.as_os_str()));
    for piece in pieces {
        let is_help = is_help && piece.kind == PieceKind::DocComment;
        let is_message = piece.kind == PieceKind::Text || is_help;
        let rule = patterns::broken_rule(&piece.text, piece.kind == PieceKind::Text);
        found.extend(rule.map(|rule| Violation {
            krate: krate.to_owned(),
            file: file.to_owned(),
            line: piece.line,
            rule,
            text: piece.text,
            is_message,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_in_plain_words() {
        let baseline = read_baseline().unwrap();
        let broken: Vec<String> = violations()
            .unwrap()
            .into_iter()
            .filter(|one| one.is_message && !is_allowed(&baseline, &one.text))
            .map(|one| format!("{}:{}: {}: {}", one.file.display(), one.line, one.rule, one.text.trim()))
            .collect();
        assert!(broken.is_empty(), "see STYLE.md:\n{}", broken.join("\n"));
    }

    #[test]
    fn counts_of_comments_only_fall() {
        let baseline = read_baseline().unwrap();
        let counts = comment_counts(&violations().unwrap());
        let risen: Vec<String> = counts
            .iter()
            .map(|(name, count)| (name, *count, baseline.comments.get(name).copied().unwrap_or(0)))
            .filter(|(_, now, before)| now > before)
            .map(|(name, now, before)| format!("`{name}`: {now}, at most {before}"))
            .collect();
        assert!(risen.is_empty(), "`cargo xtask words CRATE` lists them:\n{}", risen.join("\n"));
    }

    #[test]
    fn every_allowed_message_still_exists() {
        let baseline = read_baseline().unwrap();
        let violations = violations().unwrap();
        for allowed in &baseline.allowed {
            let is_used = violations.iter().any(|one| one.is_message && one.text.contains(&allowed.text));
            assert!(is_used, "`{}` is on the allowlist and in no source", allowed.text);
        }
    }
}
