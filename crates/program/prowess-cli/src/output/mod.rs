//! Where every byte of output passes: JSON or text, colours only where they are wanted.

mod diagnostics;
mod progress;
mod table;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use diagnostics::print_diagnostics;
pub(crate) use progress::{ProgressLine, clear_line};
pub(crate) use table::{Cell, Table};

pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();

/// Tells every later write whether colours are wanted.
pub(crate) fn set_color(color: Color) {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::AlwaysAnsi,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Text in a style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes text to standard output. A reader that went away ends the program in silence.
pub(crate) fn out(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Writes bytes that no one may change: a prompt, a JSON answer.
pub(crate) fn out_exact(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Writes text to standard error.
pub(crate) fn err(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Writes an answer as JSON with two blanks of indentation. Every answer has a schema.
pub(crate) fn json<T: Serialize + JsonSchema>(value: &T) -> io::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    out_exact(&text)
}

/// Writes one of several answers as a line of JSON, for programs that read line by line.
pub(crate) fn json_line<T: Serialize + JsonSchema>(value: &T) -> io::Result<()> {
    out_exact(&(serde_json::to_string(value)? + "\n"))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}
