//! The result of an install, in the words and the shape that OpenClaw's clients know.

use prowess_fs::{FollowEnd, Followed};
use serde::Serialize;

/// Characters of the line that explains a failure.
const MAX_SUMMARY: usize = 200;

/// The result of an install.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallResult {
    /// True if it worked.
    pub ok: bool,
    /// What happened, in a line.
    pub message: String,
    /// The end of the installer's output.
    pub stdout: String,
    /// The end of its messages.
    pub stderr: String,
    /// Its exit code; none if it was not started or did not end by itself.
    pub code: Option<i32>,
    /// What to look at before, or after, trusting the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What has to be there first, if that is why it did not work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<SkipReason>,
}

/// What has to be on the machine before an installer can work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SkipReason {
    /// A Go that is recent enough.
    Go,
}

impl InstallResult {
    /// It did not even start.
    pub fn refused(message: impl Into<String>) -> Self {
        Self {
            ok: false,
            message: message.into(),
            stdout: String::new(),
            stderr: String::new(),
            code: None,
            warnings: Vec::new(),
            skip_reason: None,
        }
    }

    /// It worked.
    pub(super) fn done(message: String, stdout: String) -> Self {
        Self { ok: true, stdout, code: Some(0), ..Self::refused(message) }
    }

    /// It failed without a program that could have said why.
    pub(super) fn failed(message: String) -> Self {
        Self { stderr: message.clone(), ..Self::refused(message) }
    }

    /// What a program made of it.
    pub(super) fn of(followed: &Followed, message: String) -> Self {
        let code = match followed.end {
            FollowEnd::Exited(code) => Some(code),
            FollowEnd::Killed | FollowEnd::TimedOut | FollowEnd::Cancelled => None,
        };
        Self {
            ok: code == Some(0),
            stdout: followed.stdout.trim().to_owned(),
            stderr: followed.stderr.trim().to_owned(),
            code,
            ..Self::refused(message)
        }
    }
}

/// The message for the last command of an install.
pub(super) fn message_of(followed: &Followed, seconds: u64) -> String {
    let how = match followed.end {
        FollowEnd::Exited(0) => return "Installed".to_owned(),
        FollowEnd::Cancelled => return "Install cancelled".to_owned(),
        FollowEnd::Exited(code) => format!("exit {code}"),
        FollowEnd::Killed => "unknown exit".to_owned(),
        FollowEnd::TimedOut => format!("timed out after {seconds} s"),
    };
    match best_line(&followed.stderr).or_else(|| best_line(&followed.stdout)) {
        Some(line) => format!("Install failed ({how}): {line}"),
        None => format!("Install failed ({how})"),
    }
}

/// The line that says most about a failure: the first that starts with "error", else the first with an error in it,
/// else the last.
fn best_line(text: &str) -> Option<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let words = |line: &str| -> Vec<String> {
        line.to_lowercase()
            .split(|next: char| !next.is_alphanumeric() && !"_!:".contains(next))
            .map(str::to_owned)
            .collect()
    };
    let starts = |line: &&str| {
        let lower = line.to_lowercase();
        lower
            .strip_prefix("error")
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    };
    let tells = |line: &&str| {
        words(line).iter().any(|word| {
            word.starts_with("err!")
                || word.starts_with("error:")
                || word.trim_matches([':', '!']) == "failed"
        })
    };
    let best = lines().find(starts).or_else(|| lines().find(tells)).or_else(|| lines().next_back())?;
    let line = best.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_SUMMARY {
        return Some(line);
    }
    Some(line.chars().take(MAX_SUMMARY - 1).chain(['…']).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(end: FollowEnd, stdout: &str, stderr: &str) -> Followed {
        Followed { end, stdout: stdout.to_owned(), stderr: stderr.to_owned() }
    }

    #[test]
    fn the_best_line_tells_why() {
        let table = [
            ("one\nError: no such formula\nfailed", "Error: no such formula"),
            ("errors ahead\nnpm ERR! 404\nlast", "npm ERR! 404"),
            ("a\nbuild failed: x\nlast", "build failed: x"),
            ("unfailed\n  last \t line \n\n", "last line"),
            ("fatal error: y\nz", "fatal error: y"),
        ];
        for (text, best) in table {
            assert_eq!(best_line(text).as_deref(), Some(best), "{text:?}");
        }
        assert_eq!(best_line(" \n\t\n"), None);
        let long = best_line(&format!("error: {}", "é".repeat(300))).unwrap();
        assert_eq!((long.chars().count(), long.chars().last()), (200, Some('…')));
    }

    #[test]
    fn messages_are_openclaws() {
        let message = |end, stdout: &str, stderr: &str| message_of(&followed(end, stdout, stderr), 300);
        assert_eq!(message(FollowEnd::Exited(0), "", "error: never mind"), "Installed");
        assert_eq!(message(FollowEnd::Exited(1), "out", "err"), "Install failed (exit 1): err");
        assert_eq!(message(FollowEnd::Exited(1), "out", " \n"), "Install failed (exit 1): out");
        assert_eq!(message(FollowEnd::Killed, "", ""), "Install failed (unknown exit)");
        assert_eq!(message(FollowEnd::TimedOut, "x", ""), "Install failed (timed out after 300 s): x");
        assert_eq!(message(FollowEnd::Cancelled, "x", ""), "Install cancelled");
    }

    #[test]
    fn the_shape_is_openclaws() {
        let shown = serde_json::to_value(InstallResult::refused("no")).unwrap();
        let expected =
            serde_json::json!({"ok": false, "message": "no", "stdout": "", "stderr": "", "code": null});
        assert_eq!(shown, expected);
        let result = InstallResult {
            warnings: vec!["w".to_owned()],
            skip_reason: Some(SkipReason::Go),
            ..InstallResult::of(&followed(FollowEnd::Exited(0), " out\n", "err\n"), "Installed".to_owned())
        };
        let expected = serde_json::json!({"ok": true, "message": "Installed", "stdout": "out", "stderr": "err",
            "code": 0, "warnings": ["w"], "skipReason": "go"});
        assert_eq!(serde_json::to_value(result).unwrap(), expected);
    }
}
