//! Removing a managed skill on another host, by the system's `ssh`.
//!
//! The script is fixed and goes through standard input. What varies (the folder of skills there, which the user's own
//! config names, and the name of one folder in it) is quoted for the shell there. Nothing is asked for at a terminal: a
//! host that wants a password is an error. A removed skill lies in the trash beside the folder of skills, as it does
//! here.

use std::process::Command;
use std::time::Duration;

use prowess_config::RemoteGateway;
use prowess_fs::{ConverseError, Patience, converse};
use prowess_types::Secret;

use crate::context::Context;

/// Moves one folder into the trash. Prints one word about what it found.
const SCRIPT: &str = r#"set -eu
root=$1 name=$2 now=$3
cd
cd -P -- "$root" 2>/dev/null || { echo no-root; exit 0; }
if [ -L "$name" ]; then echo link; exit 0; fi
if [ ! -e "$name" ]; then echo gone; exit 0; fi
if [ ! -d "$name" ]; then echo no-folder; exit 0; fi
if [ -L "$name/SKILL.md" ] || [ ! -f "$name/SKILL.md" ]; then echo no-skill; exit 0; fi
here=$(pwd -P)
trash=$(dirname -- "$here")/trash
id=$now-$name
mkdir -p -- "$trash"
if [ -e "$trash/$id" ]; then echo taken; exit 0; fi
from=$(printf '%s/%s' "$here" "$name" | sed 's/[\\"]/\\&/g')
umask 077
printf '{"from":"%s","removedAt":%s}\n' "$from" "$now" > "$trash/$id.json"
mv -- "$name" "$trash/$id"
echo "removed $here/$name"
"#;

const PATIENCE: Patience =
    Patience { timeout: Duration::from_mins(1), silence: Duration::from_mins(1), max_output: 64 * 1024 };

/// The reason a skill on another host was not removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The config names no host that `ssh` could be asked for.
    #[error("`{0}` is not a valid ssh host (`gateway.remote.sshTarget`)")]
    Target(String),
    /// It is not a name of a folder of a skill.
    #[error("`{0}` is not the folder of a skill")]
    Name(String),
    /// The other host was not reached.
    #[error("ssh to `{target}` failed: it {source}")]
    Ssh {
        /// The host.
        target: String,
        /// The failure of the connection.
        #[source]
        source: ConverseError,
    },
    /// It was reached, and refused.
    #[error("`{name}` on `{target}` cannot be removed: {reason}")]
    Refused {
        /// The host.
        target: String,
        /// The folder.
        name: String,
        /// The reason.
        reason: &'static str,
    },
}

impl prowess_types::Classify for RemoteError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Target(_) | Self::Name(_) => Is(ErrorKind::InvalidValue),
            Self::Ssh { .. } => Is(ErrorKind::Network),
            Self::Refused { .. } => Is(ErrorKind::Refused),
        }
    }
}

/// A skill that was removed on another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteRemoval {
    /// Its path.
    pub path: String,
    /// True if it existed.
    pub was_there: bool,
    /// Its id in the trash there.
    pub trash_id: Option<String>,
}

impl Context {
    /// Moves a managed skill of another host to the trash there. `now` is in milliseconds since 1970.
    pub fn remove_remote_skill(
        &self,
        remote: &RemoteGateway,
        name: &str,
        now: u64,
    ) -> Result<RemoteRemoval, RemoteError> {
        let target = &remote.ssh_target;
        if target.starts_with('-') || target.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(RemoteError::Target(target.clone()));
        }
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        if name.is_empty() || name.starts_with(['.', '-']) || !name.chars().all(is_plain) {
            return Err(RemoteError::Name(name.to_owned()));
        }
        let question = Secret::new(SCRIPT);
        let answer = converse(self.ssh(remote, name, now), &question, PATIENCE)
            .map_err(|source| RemoteError::Ssh { target: target.clone(), source })?;
        let answer = String::from_utf8_lossy(&answer);
        let answer = answer.lines().last().unwrap_or_default().trim();
        let reason = match answer {
            "gone" => {
                let path = format!("{}/{name}", remote.managed_skills_dir.trim_end_matches('/'));
                return Ok(RemoteRemoval { path, was_there: false, trash_id: None });
            }
            "no-root" => "the folder of skills is not there",
            "link" => "it is a link",
            "no-folder" => "it is not a folder",
            "no-skill" => "it holds no `SKILL.md`",
            "taken" => "its place in the trash is taken",
            other => match other.strip_prefix("removed ") {
                Some(path) => {
                    let trash_id = Some(format!("{now}-{name}"));
                    return Ok(RemoteRemoval { path: path.to_owned(), was_there: true, trash_id });
                }
                None => "the answer is not understood",
            },
        };
        Err(RemoteError::Refused { target: target.clone(), name: name.to_owned(), reason })
    }

    fn ssh(&self, remote: &RemoteGateway, name: &str, now: u64) -> Command {
        let mut command = Command::new("ssh");
        if let Some(path) = self.env().get("PATH") {
            command.env("PATH", path);
        }
        command.args([
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=10",
            "-o",
            "ClearAllForwardings=yes",
        ]);
        if let Some(identity) = &remote.ssh_identity {
            command.arg("-i").arg(self.places().expand(identity));
        }
        let words =
            [remote.managed_skills_dir.as_str(), name, &now.to_string()].map(prowess_text::posix_word);
        command.args(["--", &remote.ssh_target, &format!("sh -s -- {}", words.join(" "))]);
        command
    }
}
