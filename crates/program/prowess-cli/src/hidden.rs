//! A line that is typed without being shown.
//!
//! `rpassword` reads and edits it. On Unix its keys come from [`crate::input`], the one owner of standard input, and the
//! terminal is silenced here before the question is shown: left alone, `rpassword` would show the keys typed in between,
//! and a signal from another process would leave the terminal silent.

use std::io;

use crate::failure::Failure;

/// Stands for bytes that are not UTF-8 in what `rpassword` returns.
const UNREADABLE: char = '\u{fffd}';

/// Shows a question and reads the answer. Ctrl-C and signals end the question, and the terminal is restored.
pub(crate) fn ask(question: &str) -> Result<String, Failure> {
    match platform::ask(question) {
        Ok(typed) if typed.contains(UNREADABLE) => Err(crate::input::not_text()),
        Ok(typed) => Ok(typed),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            Err(Failure::interrupted("interrupted; nothing was changed"))
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
mod platform {
    pub(super) use rpassword::prompt_password as ask;
}

#[cfg(unix)]
mod platform {
    use std::io;

    use rpassword::{ConfigBuilder, read_password_with_config};
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    use crate::input::{self, Held};
    use crate::interrupt::Interrupts;
    use crate::output;

    const INTERRUPT: u8 = 0x03;
    const END: u8 = 0x04;

    pub(super) fn ask(question: &str) -> io::Result<String> {
        let mut keys = Keys { input: input::wait(input::own())?, interrupts: Interrupts::listen()? };
        let _restore = Restore::silence()?;
        keys.input.discard()?;
        // Shown last: whatever answers the question is not flushed away.
        output::err(question);
        read_password_with_config(ConfigBuilder::new().input_reader(keys).output_discard().build())
    }

    /// Restores the terminal, however the question ends.
    struct Restore(Termios);

    impl Restore {
        /// Hides the keys and passes them on one by one, Ctrl-C included.
        fn silence() -> io::Result<Self> {
            let before = tcgetattr(io::stdin())?;
            let mut silent = before.clone();
            silent.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
            let restore = Self(before);
            tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
            Ok(restore)
        }
    }

    impl Drop for Restore {
        fn drop(&mut self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
            output::err("\n");
        }
    }

    /// The keys that are typed. Ctrl-C and signals are an error, Ctrl-D is the end.
    struct Keys {
        input: Held,
        interrupts: Interrupts,
    }

    impl io::Read for Keys {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(first) = buffer.first_mut() else { return Ok(0) };
            let next = async {
                tokio::select! {
                    biased;
                    _ = self.interrupts.next() => Ok(Some(INTERRUPT)),
                    key = self.input.key() => key,
                }
            };
            match input::wait(next)? {
                None | Some(END) => Ok(0),
                Some(INTERRUPT) => Err(io::ErrorKind::Interrupted.into()),
                Some(key) => {
                    *first = key;
                    Ok(1)
                }
            }
        }
    }
}
