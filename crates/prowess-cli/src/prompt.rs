//! Questions to the person at the terminal. A secret comes from there or from standard input, never from an argument,
//! where every user of the machine could read it, and the shell would remember it.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use crate::failure::Failure;
use crate::output;

/// Whether somebody can be asked.
pub(crate) fn is_somebody_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a line.
pub(crate) fn line(question: &str) -> Result<String, Failure> {
    output::err(question);
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line)? == 0 {
        return Err(Failure::usage("nobody answered".to_owned()).hint("run it where somebody can answer"));
    }
    Ok(line)
}

/// A question that only a clear word answers with yes.
pub(crate) fn agrees(question: &str) -> Result<bool, Failure> {
    if !is_somebody_there() {
        return Ok(false);
    }
    let answer = line(&format!("{question} [y/N] "))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// More than any key needs.
const MAX_BYTES: u64 = 1024 * 1024;

/// Asks for a secret without showing it, or reads all of standard input if that is no terminal.
pub(crate) fn secret(question: &str) -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        return hidden::ask(question);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::usage(format!("a secret is at most {MAX_BYTES} bytes long"))
            .hint("keep long ones in a file, and name it with a `file` provider (docs/secrets.md)"));
    }
    let text = String::from_utf8(bytes).map_err(|_| not_text())?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

fn not_text() -> Failure {
    Failure::usage("a secret must be text".to_owned()).hint("it must be UTF-8")
}

#[cfg(unix)]
mod hidden {
    use std::io::{self, Read as _};

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    use crate::failure::Failure;
    use crate::output;

    const INTERRUPT: u8 = 0x03;
    const END: u8 = 0x04;
    const ERASE_LINE: u8 = 0x15;

    /// Puts the terminal back as it was, however the question ends.
    struct Restore(Termios);

    impl Drop for Restore {
        fn drop(&mut self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
            output::err("\n");
        }
    }

    /// Reads a line that is not shown. Keys come one by one, and Ctrl-C as a key, so that no signal can end the
    /// program while the terminal shows nothing.
    pub(super) fn ask(question: &str) -> Result<String, Failure> {
        let before = tcgetattr(io::stdin()).map_err(io::Error::from)?;
        let mut silent = before.clone();
        silent.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
        output::err(question);
        let _restore = Restore(before);
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent).map_err(io::Error::from)?;
        let mut typed = Vec::new();
        let mut key = [0];
        while io::stdin().lock().read(&mut key)? == 1 {
            match key[0] {
                b'\n' | b'\r' | END => break,
                INTERRUPT => {
                    return Err(Failure::usage("nothing was changed".to_owned())
                        .hint("run it again to type the secret"));
                }
                0x7f | 0x08 => erase(&mut typed),
                ERASE_LINE => typed.clear(),
                byte => typed.push(byte),
            }
        }
        String::from_utf8(typed).map_err(|_| super::not_text())
    }

    /// Takes the last character away, however many bytes it has.
    fn erase(typed: &mut Vec<u8>) {
        while typed.pop().is_some_and(|byte| byte & 0xC0 == 0x80) {}
    }
}

#[cfg(not(unix))]
mod hidden {
    use crate::failure::Failure;

    pub(super) fn ask(_question: &str) -> Result<String, Failure> {
        Err(Failure::usage("a secret cannot be typed here without being shown".to_owned())
            .hint("pipe it in: `type key.txt | prowess secret set weather`"))
    }
}
