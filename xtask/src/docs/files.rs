//! The reference of files: what is read and written where, by whom, and what happens when it is damaged.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::process::root;

/// A file that the engine reads or writes.
struct File {
    /// Its location.
    place: &'static str,
    /// How the source names it; empty where a profile does, which has a page of its own.
    literal: &'static str,
    /// Who writes it.
    writer: &'static str,
    /// What is in it, and where that is described.
    format: &'static str,
    /// What happens when it is damaged.
    damaged: &'static str,
}

const fn file(
    place: &'static str,
    literal: &'static str,
    writer: &'static str,
    format: &'static str,
    damaged: &'static str,
) -> File {
    File { place, literal, writer, format, damaged }
}

const CHAPTERS: [(&str, &[File]); 4] = [
    (
        "In the state folder (`~/.prowess`, or `--home`)",
        &[
            file(
                "`prowess.json`",
                "prowess.json",
                "you; `prowess config`, `secret`, the gateway",
                "JSON5, [config.schema.json](config.schema.json), [config.md](../config.md)",
                "its place is named, defaults hold, nothing is written; exit code 3",
            ),
            file(
                "`trust.json`",
                "trust.json",
                "`prowess trust`, the Studio",
                "JSON: answers by digest, [trust.md](../trust.md)",
                "nothing counts as trusted; answers are refused until it is repaired",
            ),
            file(
                "`state.db`",
                "state.db",
                "the cortex",
                "SQLite, the log of events, [cortex.md](../cortex.md)",
                "what needs it fails and says so; skills work without it",
            ),
            file(
                "`cortex.json`",
                "cortex.json",
                "the cortex; you",
                "JSON, `prowess schema cortex export`",
                "its bytes are kept under another name, and it is written anew from the log",
            ),
            file(
                "`sessions/<id>/trace.jsonl`",
                "trace.jsonl",
                "runs, `prowess sessions import`",
                "one JSON value a line, [sessions.md](../sessions.md)",
                "lines that are not understood are counted and skipped",
            ),
            file(
                "`sessions/<id>/snapshot.json`",
                "snapshot.json",
                "runs",
                "JSON, `prowess schema snapshot`",
                "kept as `snapshot.damaged.json`; the current snapshot takes its place",
            ),
            file(
                "`hooks/problems.jsonl`",
                "problems.jsonl",
                "hooks",
                "one JSON value a line, [hooks.md](../hooks.md)",
                "lines that are not understood are skipped",
            ),
            file(
                "`forge/drafts/<name>/draft.json`",
                "draft.json",
                "the forge",
                "JSON, `prowess schema forge draft`",
                "that draft is reported; the others work",
            ),
            file(
                "`gateway/running.json`",
                "running.json",
                "the gateway",
                "JSON: process and address of the one that runs",
                "counts as if none ran",
            ),
            file(
                "`gateway/devices.json`",
                "devices.json",
                "the gateway",
                "JSON: devices, with hashes of tokens, [gateway-protocol.md](../gateway-protocol.md)",
                "devices are refused, and the message names the file; nothing is overwritten",
            ),
            file(
                "`cron/jobs.json`",
                "jobs.json",
                "the gateway",
                "JSON, [automations.md](../automations.md)",
                "no automation runs, and the message names the file; nothing is overwritten",
            ),
            file(
                "`node.json`",
                "node.json",
                "`prowess node`",
                "JSON: the identity of this machine",
                "`prowess node` fails and names the file",
            ),
            file(
                "`registry/registry.db`",
                "registry.db",
                "`prowess registry serve`",
                "SQLite, [registry.md](../registry.md)",
                "the registry does not start and says so",
            ),
            file(
                "`cache/skills/*.bin`",
                "bin",
                "every command",
                "binary, of one version of the program",
                "thrown away and built anew",
            ),
            file(
                "`cache/*/*.vec`",
                "vec",
                "selection",
                "binary, one encoder each",
                "thrown away and computed anew",
            ),
        ],
    ),
    (
        "In a workspace",
        &[
            file(
                "`.prowess/config.json`",
                ".prowess/config.json",
                "you",
                "JSON5, the part of the config that a project may set, [config.md](../config.md)",
                "its place is named, and the layer is left out",
            ),
            file(
                "`.prowess/lock.json`",
                "lock.json",
                "`prowess install`, `update`, `uninstall`, `pin`",
                "JSON: source, version and digest of every file, [install.md](../install.md)",
                "kept as `lock.json.damaged-1`; commands that need it fail with the code `damaged`",
            ),
            file(
                "`.prowess/install-journal.json`",
                "install-journal.json",
                "the same, while they work",
                "JSON: how to finish or undo what was interrupted",
                "it and what was staged are kept under other names; nothing is lost",
            ),
            file(
                "`skills/<name>/SKILL.md`",
                "SKILL.md",
                "you, `prowess new`, `install`, the forge",
                "YAML and Markdown, [format.md](../format.md)",
                "the skill is not loaded, and `prowess list --all` says why",
            ),
            file(
                "`skills/<name>/evals/triggers.json`",
                "evals/triggers.json",
                "you, the forge",
                "JSON: `should` and `shouldNot`, [match.md](../match.md)",
                "`prowess eval` reports it as an issue",
            ),
        ],
    ),
    (
        "Of other programs",
        &[
            file(
                "`.clawhub/lock.json`",
                ".clawhub/lock.json",
                "ClawHub; `prowess install` in the profile `openclaw`",
                "JSON, [registry-client.md](../registry-client.md)",
                "nothing is installed until it is repaired or moved away",
            ),
            file(
                "`skills-lock.json`, `skills.lock`, `vskill.lock`",
                "skills-lock.json",
                "their own tools",
                "read only: what they installed is listed, [install.md](../install.md)",
                "named as not read; the rest works",
            ),
            file(
                "`~/.config/clawhub/config.json`",
                "clawhub/config.json",
                "ClawHub, `prowess registry login`",
                "JSON: registry and token, [registry-client.md](../registry-client.md)",
                "it is not written, and the message names the file",
            ),
        ],
    ),
    (
        "Written where you ask for it",
        &[file(
            "`DIR/.prowess-sync.json`",
            ".prowess-sync.json",
            "`prowess sandbox sync`",
            "JSON: what was copied",
            "nothing is removed that it does not name",
        )],
    ),
];

/// The page; fails where a name is no longer to be found in the source.
pub(super) fn page() -> Result<String> {
    let source = source(&root().join("crates"))?;
    let mut text = String::from(
        "# Files\n\nEvery file that is read or written: where it is, who writes it, what is in it, and what happens when \
         it is damaged. Files\nare replaced whole, so a reader never sees half of one; those that several processes write \
         are locked. Where other\nprofiles keep theirs is in [profiles.md](profiles.md).\n",
    );
    for (title, files) in CHAPTERS {
        text += &format!(
            "\n## {title}\n\n| file | written by | format | when it is damaged |\n|---|---|---|---|\n"
        );
        for File { place, literal, writer, format, damaged } in files {
            if !source.contains(literal) {
                bail!("no source names `{literal}`: correct the table of files");
            }
            text += &format!("| {place} | {writer} | {format} | {damaged} |\n");
        }
    }
    Ok(text)
}

/// Everything below the crates' `src`, tests left out.
fn source(folder: &Path) -> Result<String> {
    let mut text = String::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !["tests", "benches", "web"].contains(&name.as_str()) {
            text += &source(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !name.contains("test") {
            text += &fs::read_to_string(&path)?;
        }
    }
    Ok(text)
}
