//! Questions to the person at the terminal. A secret comes from there or from standard input, never from an argument,
//! where every user of the machine could read it, and the shell would remember it.

use std::io::{self, IsTerminal as _};

use crate::failure::Failure;
use crate::output;
use crate::{hidden, input};

/// Returns true if there is a terminal to ask.
pub(crate) fn is_somebody_there() -> bool {
    input::is_terminal() && io::stderr().is_terminal()
}

/// Asks for a line.
pub(crate) fn line(question: &str) -> Result<String, Failure> {
    output::err(question);
    input::line()?
        .ok_or_else(|| Failure::usage("the question got no answer".to_owned()).hint("run it in a terminal"))
}

/// A question that only a clear word answers with yes; the end of the input is a no.
pub(crate) fn agrees(question: &str) -> Result<bool, Failure> {
    if !is_somebody_there() {
        return Ok(false);
    }
    output::err(&format!("{question} [y/N] "));
    let answer = input::line()?;
    if answer.is_none() {
        output::err("\n");
    }
    Ok(is_yes(&answer.unwrap_or_default()))
}

/// Returns true if an answer is a clear yes.
fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// More than any key needs.
const MAX_BYTES: usize = 1024 * 1024;

/// Asks for a secret without showing it, or reads all of standard input if that is not a terminal.
pub(crate) fn secret(question: &str) -> Result<String, Failure> {
    if input::is_terminal() {
        return hidden::ask(question);
    }
    let bytes = input::rest(MAX_BYTES + 1)?;
    if bytes.len() > MAX_BYTES {
        return Err(Failure::usage(format!("a secret is at most {MAX_BYTES} bytes long"))
            .hint("keep long ones in a file, and name it with a `file` provider (docs/secrets.md)"));
    }
    let text = String::from_utf8(bytes).map_err(|_| input::not_text())?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_word_is_a_yes() {
        for (typed, expected) in
            [("y", true), (" YES ", true), ("", false), ("n", false), ("yep", false), ("yes please", false)]
        {
            assert_eq!(is_yes(typed), expected, "{typed:?}");
        }
    }
}
