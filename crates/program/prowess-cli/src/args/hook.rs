//! `prowess hook …`, `usage`, `replay` and `resume`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use prowess_connect::hook::{HookHarness, HookScope};
use prowess_trace::ImportKind;

use super::program::{history_programs, hook_programs};

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Let another agent program get the skill that each message asks for
    #[command(
        after_help = "Examples:\n  prowess hook install claude-code\n  prowess hook install codex --project --yes\n\nThe \
                            exact change of the program's file is shown first. Everything else in it stays as it is, \
                            comments and hooks of others included.\nExit codes: 0 installed, 1 not, 3 the file cannot be \
                            read or written."
    )]
    Install(HookChangeArgs),
    /// Remove the hook, and nothing else
    #[command(after_help = "Example:\n  prowess hook remove codex --yes")]
    Remove(HookChangeArgs),
    /// Show where the hook is installed, and its last problem
    #[command(after_help = "Examples:\n  prowess hook status\n  prowess hook status --json")]
    Status,
    /// Answer a hook: its JSON on standard input, the answer on standard output
    #[command(after_help = "Example:\n  echo \
                            '{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"will it rain?\"}' | prowess hook run \
                            claude-code\n\nAlways ends with 0, so that it can never get in the way of a message; \
                            `prowess hook status` shows the problems.")]
    Run {
        /// The agent program that asks
        #[arg(value_parser = hook_programs())]
        harness: HookHarness,
    },
}

#[derive(Debug, Args)]
pub(crate) struct HookChangeArgs {
    /// The agent program
    #[arg(value_parser = hook_programs())]
    pub(crate) harness: HookHarness,
    /// For all users of this project
    #[arg(long, conflicts_with = "user")]
    pub(crate) project: bool,
    /// For all your projects [default]
    #[arg(long)]
    pub(crate) user: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    pub(crate) yes: bool,
}

impl HookChangeArgs {
    pub(crate) fn scope(&self) -> HookScope {
        if self.project { HookScope::Project } else { HookScope::User }
    }
}

#[derive(Debug, Args)]
pub(crate) struct UsageArgs {
    /// Only events since a date (2026-11-01) or an age (7d, 12h)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<Since>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The agent program that wrote the history
    #[arg(long, value_parser = history_programs(), value_name = "AGENT")]
    pub(crate) from: ImportKind,
    /// A log, or a folder of logs [default: where that program keeps them]
    pub(crate) path: Option<PathBuf>,
    /// Maximum number of messages, from the newest logs first
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Only messages since a date (2026-11-01) or an age (7d, 12h)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<Since>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// Id of the session, the beginning of one, `last`, or the id that its program uses
    pub(crate) session: String,
    /// Maximum length of the block, in characters
    #[arg(long, value_name = "N", default_value_t = prowess_sessions::resume::RESUME_CHARS)]
    pub(crate) max_chars: usize,
}

/// A moment, or a time before now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// Milliseconds since 1970.
    At(u64),
    /// An age in milliseconds.
    Ago(u64),
}

impl Since {
    /// The moment, in milliseconds since 1970.
    pub(crate) fn moment(self, now_ms: u64) -> u64 {
        match self {
            Self::At(at) => at,
            Self::Ago(ms) => now_ms.saturating_sub(ms),
        }
    }
}

impl std::str::FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |unit: char| text.strip_suffix(unit).and_then(|number| number.parse::<u64>().ok());
        if let Some(days) = number('d') {
            return Ok(Self::Ago(days.saturating_mul(24 * 3_600_000)));
        }
        if let Some(hours) = number('h') {
            return Ok(Self::Ago(hours.saturating_mul(3_600_000)));
        }
        let date = text.parse::<jiff::civil::Date>().ok();
        let start = date.and_then(|date| date.to_zoned(jiff::tz::TimeZone::UTC).ok());
        let ms = start.and_then(|start| u64::try_from(start.timestamp().as_millisecond()).ok());
        ms.map(Self::At).ok_or_else(|| "expected a date like 2026-11-01, or a time like 7d or 12h".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_or_a_time_ago() {
        assert_eq!("1970-01-02".parse(), Ok(Since::At(86_400_000)));
        assert_eq!("2d".parse(), Ok(Since::Ago(172_800_000)));
        assert_eq!("3h".parse::<Since>().map(|since| since.moment(20_000_000)), Ok(9_200_000));
        for text in ["", "d", "soon", "-3d", "2026-13-01", "99999999999999999999d"] {
            assert!(text.parse::<Since>().is_err(), "{text}");
        }
    }
}
