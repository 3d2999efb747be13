//! `prowess diff`

use prowess_acquire::{Comparison, DiffKind, DiffSides, FileDiff};
use prowess_text::printable;

use super::{Download, desk};
use crate::args::DiffArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};

pub(crate) fn diff(context: &Context, args: &DiffArgs) -> Result<Outcome, Failure> {
    let desk = desk(context, &args.target, Some(&args.registry))?;
    let sides = if args.local { DiffSides::Local } else { DiffSides::Update };
    let mut download = Download::of(&args.reference);
    let compared = desk.diff(&args.reference, args.version.as_deref(), sides, &mut |done, total| {
        download.step(done, total);
    });
    drop(download);
    let compared = compared?;
    if context.json {
        output::json(&compared)?;
    } else {
        output::out(&told(&compared))?;
    }
    Ok(if compared.files.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

fn told(compared: &Comparison) -> String {
    let mut text: String = compared.files.iter().map(file).collect();
    for conflict in &compared.conflicts {
        text += &format!("{} {}\n", paint(WARN, "conflict:"), printable(&conflict.to_string()));
    }
    if let Some(reason) = &compared.unmergeable {
        text += &format!("{} {}\n", paint(WARN, "edits cannot be merged:"), printable(reason));
    }
    if text.is_empty() { format!("{}: no difference\n", printable(&compared.folder)) } else { text }
}

fn file(file: &FileDiff) -> String {
    let path = printable(&file.path);
    match (&file.text, file.kind) {
        (Some(text), _) => text.lines().map(line).collect(),
        (None, DiffKind::Mode) => paint(DIM, format!("{path}: only its mode differs\n")),
        (None, DiffKind::Added) => paint(GOOD, format!("{path}: new, not a text\n")),
        (None, DiffKind::Removed) => paint(BAD, format!("{path}: gone, not a text\n")),
        (None, DiffKind::Changed) => paint(WARN, format!("{path}: another content, not a text\n")),
    }
}

fn line(line: &str) -> String {
    let shown = printable(line);
    let painted = match line.as_bytes() {
        [b'-', b'-', b'-', b' ', ..] | [b'+', b'+', b'+', b' ', ..] => paint(BOLD, shown),
        [b'+', ..] => paint(GOOD, shown),
        [b'-', ..] => paint(BAD, shown),
        [b'@', ..] => paint(DIM, shown),
        _ => shown,
    };
    format!("{painted}\n")
}
