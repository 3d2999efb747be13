//! The real program in a terminal of its own. A test waits for what is shown before it types.

use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use pty_process::blocking::{Command, Pty, open};

use crate::support::Home;

/// Only a program that hangs lets a test wait for so long.
const HANGS: Duration = Duration::from_mins(1);

pub(crate) const CTRL_C: &str = "\u{3}";
pub(crate) const CTRL_D: &str = "\u{4}";

pub(crate) struct Terminal {
    child: Child,
    keys: Pty,
    shown: Receiver<Vec<u8>>,
    /// What was shown and not waited for yet.
    text: String,
    /// Everything that was shown.
    pub(crate) all: String,
}

impl Terminal {
    /// Starts the program in a home, with the system's own programs beside ours.
    pub(crate) fn start(home: &Home, args: &[&str]) -> Self {
        let (keys, program_side) = open().expect("a terminal");
        keys.resize(pty_process::Size::new(50, 200)).expect("a size");
        let command = Command::new(assert_cmd::cargo::cargo_bin!("prowess"))
            .env_clear()
            .env("HOME", home.tree.root())
            .env("PATH", format!("{}:/usr/bin:/bin", home.tree.path("bin").display()))
            .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("bundled"))
            .env("NO_COLOR", "1")
            .env("TERM", "dumb")
            .current_dir(home.tree.path("ws"))
            .args(args);
        let child = command.spawn(program_side).expect("the program starts");
        let mut screen = std::fs::File::from(keys.as_fd().try_clone_to_owned().expect("a handle"));
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails once the program has closed its side.
            while let Ok(length @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keys, shown, text: String::new(), all: String::new() }
    }

    /// Waits until something is shown, and gives what was shown before it.
    pub(crate) fn wait_for(&mut self, expected: &str) -> String {
        loop {
            if let Some(at) = self.text.find(expected) {
                let before = self.text[..at].to_owned();
                self.text.drain(..at + expected.len());
                return before;
            }
            match self.shown.recv_timeout(HANGS) {
                Ok(bytes) => self.add(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("no {expected:?} in\n{}", self.all),
                Err(RecvTimeoutError::Disconnected) => panic!("ended without {expected:?}\n{}", self.all),
            }
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.text += &text;
        self.all += &text;
    }

    pub(crate) fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Sends a signal to the program, as another process would.
    pub(crate) fn signal(&self, name: &str) {
        let status =
            std::process::Command::new("/bin/kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.expect("kill").success());
    }

    /// Whether the terminal shows what is typed.
    pub(crate) fn shows_keys(&self) -> bool {
        let modes = rustix::termios::tcgetattr(&self.keys).expect("a terminal").local_modes;
        modes.contains(rustix::termios::LocalModes::ECHO | rustix::termios::LocalModes::ICANON)
    }

    /// Waits for the end, and gives the exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        loop {
            match self.shown.recv_timeout(HANGS) {
                Ok(bytes) => self.add(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end\n{}", self.all),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.child.wait().expect("its end").code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
