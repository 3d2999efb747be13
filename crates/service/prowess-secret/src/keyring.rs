//! The system's own keyring, through the system's own program: `secret-tool` on Linux, `security` on macOS.
//!
//! A secret is never an argument of a program, where every user of the machine could read it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use prowess_config::{ChildEnvironment, Env};
use prowess_fs::{ConverseError, Patience, UntrustedError, converse};
use prowess_types::Secret;

/// The name under which secrets are kept.
pub const KEYRING_SERVICE: &str = "prowess";
/// A person may have to unlock it.
const TIMEOUT: Duration = Duration::from_mins(1);
/// More than any key needs.
const MAX_OUTPUT: usize = 64 * 1024;
/// `security` reads lines of at most 4,096 bytes, and a secret takes two digits for a byte.
const LONGEST_ON_MACOS: usize = 1_500;

/// The reason the keyring did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyringError {
    /// Its program is missing.
    #[error("`{0}` is not on the `PATH`, so there is no keyring")]
    NoProgram(&'static str),
    /// This system has none that is known.
    #[error("there is no keyring that is known on this system")]
    Unsupported,
    /// Others could have changed its program.
    #[error("the keyring's program is not run")]
    Untrusted(#[source] UntrustedError),
    /// It did not do it.
    #[error("the keyring's program {0}")]
    Program(String),
    /// The name under which it is kept has characters that are not allowed.
    #[error("`{0}` cannot be the name of a secret: use letters, digits and `._:/@_-`")]
    BadName(String),
    /// The secret is too long for this keyring.
    #[error("the keyring takes at most {0} bytes")]
    TooLong(usize),
}

/// The system's keyring.
#[derive(Clone, Debug)]
pub struct Keyring {
    tool: Tool,
    program: PathBuf,
    service: String,
    env: Env,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    SecretTool,
    Security,
}

impl Keyring {
    /// Finds the keyring of this system.
    pub fn open(env: &Env, service: Option<&str>) -> Result<Self, KeyringError> {
        let (tool, name) = match std::env::consts::OS {
            "macos" => (Tool::Security, "security"),
            "linux" | "freebsd" | "openbsd" | "netbsd" => (Tool::SecretTool, "secret-tool"),
            _ => return Err(KeyringError::Unsupported),
        };
        let folders = std::env::split_paths(env.get("PATH").unwrap_or_default());
        let found = folders
            .filter(|folder| folder.is_absolute())
            .filter_map(|folder| prowess_fs::real(&folder.join(name)))
            .find(|program| program.is_file());
        let program = found.ok_or(KeyringError::NoProgram(name))?;
        prowess_fs::check_trusted_program(&program, &[]).map_err(KeyringError::Untrusted)?;
        let service = service.unwrap_or(KEYRING_SERVICE).to_owned();
        check_name(&service)?;
        Ok(Self { tool, program, service, env: env.clone() })
    }

    /// The program that is asked.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The secret of a name; none if there is none.
    pub fn get(&self, name: &str) -> Result<Option<Secret>, KeyringError> {
        check_name(name)?;
        let args: &[&str] = match self.tool {
            Tool::SecretTool => &["lookup", "service", &self.service, "account", name],
            Tool::Security => &["find-generic-password", "-s", &self.service, "-a", name, "-w"],
        };
        match self.run(args, "") {
            Ok(output) => {
                let text = String::from_utf8(output).map_err(|_| {
                    KeyringError::Program("answered with something other than text".to_owned())
                })?;
                let text = text.strip_suffix('\n').unwrap_or(&text);
                Ok((!text.is_empty()).then(|| Secret::new(text)))
            }
            // Both programs fail where there is nothing.
            Err(ConverseError::Failed(_)) => Ok(None),
            Err(error) => Err(KeyringError::Program(error.to_string())),
        }
    }

    /// Keeps a secret under a name, in the place of one that is there already.
    pub fn set(&self, name: &str, secret: &Secret) -> Result<(), KeyringError> {
        check_name(name)?;
        let value = secret.expose();
        let done = match self.tool {
            Tool::SecretTool => {
                let label = format!("--label=Prowess: {name}");
                self.run(&["store", &label, "service", &self.service, "account", name], value)
            }
            Tool::Security if value.len() > LONGEST_ON_MACOS => {
                return Err(KeyringError::TooLong(LONGEST_ON_MACOS));
            }
            Tool::Security => self.run(&["-i"], &security_line(&self.service, name, value)),
        };
        done.map(drop).map_err(|error| KeyringError::Program(error.to_string()))
    }

    /// Forgets a secret. It is fine if there is none.
    pub fn remove(&self, name: &str) -> Result<(), KeyringError> {
        check_name(name)?;
        let args: &[&str] = match self.tool {
            Tool::SecretTool => &["clear", "service", &self.service, "account", name],
            Tool::Security => &["delete-generic-password", "-s", &self.service, "-a", name],
        };
        match self.run(args, "") {
            Ok(_) | Err(ConverseError::Failed(_)) => Ok(()),
            Err(error) => Err(KeyringError::Program(error.to_string())),
        }
    }

    fn run(&self, args: &[&str], input: &str) -> Result<Vec<u8>, ConverseError> {
        let mut command = Command::new(&self.program);
        command.args(args).env_clear().envs(ChildEnvironment::Keyring.select(&self.env));
        let limits = Patience { timeout: TIMEOUT, silence: TIMEOUT, max_output: MAX_OUTPUT };
        converse(command, &Secret::new(input), limits)
    }
}

/// The input of `security -i`. The secret is in hexadecimal, so nothing in it can end the line or a word.
fn security_line(service: &str, name: &str, value: &str) -> String {
    let hex = data_encoding::HEXLOWER.encode(value.as_bytes());
    format!("add-generic-password -U -s {service} -a {name} -X {hex}\n")
}

/// Names are arguments, and words of a line: nothing in them may mean anything else.
fn check_name(name: &str) -> Result<(), KeyringError> {
    let is_rest = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/@_-".contains(&byte);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.len() <= 256
        && name.bytes().all(is_rest);
    if is_name { Ok(()) } else { Err(KeyringError::BadName(name.escape_debug().to_string())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_one_word_of_a_line() {
        let line = security_line("prowess", "weather/KEY", "a \"b\"\nquit");
        assert_eq!(line, "add-generic-password -U -s prowess -a weather/KEY -X 61202262220a71756974\n");
        assert_eq!(line.lines().count(), 1);
    }

    #[test]
    fn names_mean_nothing_else() {
        for name in ["weather/KEY", "a", "my.skill:x@y_z-1"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "-w", "a b", "a\nb", "a\"b", "ключ", &"a".repeat(257)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
