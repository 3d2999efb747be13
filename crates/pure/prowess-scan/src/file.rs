//! The files of a skill as the scanner takes them, and what kind of text each one is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One file of a skill.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Path relative to the skill, with `/` between its parts.
    pub path: &'a str,
    /// Its bytes, or why there are none.
    pub content: Content<'a>,
}

impl<'a> File<'a> {
    /// A file that was read.
    pub const fn new(path: &'a str, bytes: &'a [u8]) -> Self {
        Self { path, content: Content::Bytes(bytes) }
    }

    /// A file that was not read.
    pub const fn unread(path: &'a str, size: u64, reason: UnscannedReason) -> Self {
        Self { path, content: Content::Unread { size, reason } }
    }
}

/// The content of a file, as far as it was read.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// Every byte.
    Bytes(&'a [u8]),
    /// Nothing but its size.
    Unread {
        /// Its size, where known.
        size: u64,
        /// The reason it was not read.
        reason: UnscannedReason,
    },
}

/// The reason why bytes were not looked at.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
#[schemars(rename = "Unread")]
pub enum UnscannedReason {
    /// Larger than the limit for one file.
    TooLarge,
    /// Beyond the limit of files for one skill.
    TooMany,
    /// A link that leaves the skill.
    LinkOutside,
    /// A link to nothing.
    LinkDangling,
    /// The same file has another name outside the skill.
    HardLink,
    /// A pipe, socket or device.
    Special,
    /// The name is not text.
    BadName,
    /// The system did not let us.
    Unreadable,
    /// A picture, font or program: known by its header only.
    Binary,
    /// An archive: its entry list was read, its content was not.
    Packed,
    /// More text than one file gets time for.
    Budget,
    /// The git metadata of a folder that is a working copy, with settings that run nothing.
    WorkingCopy,
}

impl UnscannedReason {
    /// The word used in files and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooLarge => "too-large",
            Self::TooMany => "too-many",
            Self::LinkOutside => "link-outside",
            Self::LinkDangling => "link-dangling",
            Self::HardLink => "hard-link",
            Self::Special => "special",
            Self::BadName => "bad-name",
            Self::Unreadable => "unreadable",
            Self::Binary => "binary",
            Self::Packed => "packed",
            Self::Budget => "budget",
            Self::WorkingCopy => "working-copy",
        }
    }
}

impl fmt::Display for UnscannedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What kind of text a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Prose with markup: an agent reads it.
    Markdown,
    /// A program.
    Script,
    /// Configuration or data.
    Data,
}

/// Kind by name, and by the first line where the name says nothing.
pub(crate) fn text_kind(path: &str, text: &str) -> TextKind {
    let name = path.rsplit('/').next().unwrap_or(path);
    if text.starts_with("#!") {
        return TextKind::Script;
    }
    let Some((stem, suffix)) = name.rsplit_once('.') else {
        return match name.to_ascii_lowercase().as_str() {
            "makefile" | "dockerfile" | "justfile" | "rakefile" | "gemfile" | "vagrantfile" | "procfile" => {
                TextKind::Script
            }
            _ => TextKind::Markdown,
        };
    };
    if stem.is_empty() {
        return TextKind::Data;
    }
    match suffix.to_ascii_lowercase().as_str() {
        "js" | "ts" | "mjs" | "cjs" | "mts" | "cts" | "jsx" | "tsx" | "py" | "pyw" | "sh" | "bash"
        | "zsh" | "fish" | "ps1" | "psm1" | "bat" | "cmd" | "vbs" | "rb" | "pl" | "pm" | "php" | "lua"
        | "go" | "rs" | "java" | "kt" | "swift" | "c" | "h" | "cc" | "cpp" | "cs" | "scala" | "r" | "jl"
        | "ex" | "exs" | "erl" | "clj" | "applescript" | "scpt" | "osascript" | "awk" | "sed" | "mk"
        | "nix" | "tf" | "sol" | "command" | "vue" | "svelte" | "ipynb" | "el" | "hs" | "dart" | "groovy"
        | "gradle" => TextKind::Script,
        "json" | "json5" | "jsonc" | "jsonl" | "yaml" | "yml" | "toml" | "ini" | "cfg" | "conf" | "csv"
        | "tsv" | "xml" | "plist" | "svg" | "lock" | "env" | "properties" | "sql" | "css" | "scss"
        | "less" | "log" | "map" | "service" | "desktop" | "proto" | "graphql" | "ndjson" => TextKind::Data,
        _ => TextKind::Markdown,
    }
}

/// Returns true if an agent follows a file as instructions.
pub(crate) fn is_manifest(path: &str) -> bool {
    path.eq_ignore_ascii_case("SKILL.md") || path.to_ascii_lowercase().ends_with("/skill.md")
}
