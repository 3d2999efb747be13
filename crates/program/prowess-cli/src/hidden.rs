//! A line that is typed without being shown.
//!
//! The crate `rpassword` does not replace this module. It opens the terminal a second time, beside the one owner of
//! standard input ([`crate::input`]), and blocks until a key comes: a signal from elsewhere would leave the terminal silent, or
//! would wait for the end of the line. Here a signal ends the question as Ctrl-C does, and the terminal is restored.

use crate::failure::Failure;

#[cfg(unix)]
pub(crate) fn ask(question: &str) -> Result<String, Failure> {
    crate::input::wait(unix::ask(question))
}

#[cfg(not(unix))]
pub(crate) fn ask(_question: &str) -> Result<String, Failure> {
    Err(Failure::usage("a secret cannot be typed here without being shown".to_owned())
        .hint("pipe it in: `type key.txt | prowess secret set weather`"))
}

#[cfg(unix)]
mod unix {
    use std::io;

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    use crate::failure::Failure;
    use crate::interrupt::Interrupts;
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

    /// Reads a line that is not shown. Keys come one by one, and Ctrl-C as a key. A signal from elsewhere ends the
    /// question as Ctrl-C does, so that the program never ends while the terminal shows nothing.
    pub(super) async fn ask(question: &str) -> Result<String, Failure> {
        let mut input = crate::input::own().await?;
        let mut interrupts = Interrupts::listen()?;
        let before = tcgetattr(io::stdin()).map_err(io::Error::from)?;
        let mut silent = before.clone();
        silent.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
        let _restore = Restore(before);
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent).map_err(io::Error::from)?;
        input.discard()?;
        // Shown last: whatever answers the question is not flushed away.
        output::err(question);
        let mut typed = Vec::new();
        loop {
            let key = tokio::select! {
                biased;
                _ = interrupts.next() => Some(INTERRUPT),
                key = input.key() => key?,
            };
            match key {
                None | Some(b'\n' | b'\r' | END) => break,
                Some(INTERRUPT) => return Err(Failure::interrupted("interrupted; nothing was changed")),
                Some(0x7f | 0x08) => erase(&mut typed),
                Some(ERASE_LINE) => typed.clear(),
                Some(byte) => typed.push(byte),
            }
        }
        String::from_utf8(typed).map_err(|_| crate::input::not_text())
    }

    /// Takes the last character away, however many bytes it has.
    fn erase(typed: &mut Vec<u8>) {
        while typed.pop().is_some_and(|byte| byte & 0xC0 == 0x80) {}
    }
}
