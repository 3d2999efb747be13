//! Package managers.

use super::ProgramArguments;
use crate::tags::EffectTags;

const MANAGERS: &[&str] = &[
    "apk",
    "apt",
    "apt-cache",
    "apt-get",
    "aptitude",
    "asdf",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "choco",
    "clawhub",
    "composer",
    "conda",
    "dnf",
    "dotnet",
    "dpkg",
    "emerge",
    "flatpak",
    "gem",
    "go",
    "guix",
    "luarocks",
    "mamba",
    "mas",
    "micromamba",
    "mise",
    "nix",
    "nix-env",
    "npm",
    "npx",
    "nuget",
    "opkg",
    "pacman",
    "pdm",
    "pip",
    "pip3",
    "pipenv",
    "pipx",
    "pkg",
    "pnpm",
    "bunx",
    "pnpx",
    "poetry",
    "port",
    "prowess",
    "rpm",
    "rustup",
    "scoop",
    "snap",
    "swift",
    "uv",
    "uvx",
    "winget",
    "yarn",
    "yay",
    "yum",
    "zypper",
    "skills",
];
const READS: &[&str] = &[
    "list",
    "ls",
    "show",
    "search",
    "info",
    "view",
    "outdated",
    "tree",
    "why",
    "explain",
    "help",
    "version",
    "policy",
    "madison",
    "leaves",
    "deps",
    "uses",
    "desc",
    "freeze",
    "check",
    "index",
    "whoami",
    "root",
    "prefix",
    "bin",
    "depends",
    "rdepends",
    "metadata",
    "locate-project",
    "doc",
    "env",
    "query",
    "home",
    "which",
    "la",
    "ll",
    "config-list",
    "inspect",
];
const REMOVES: &[&str] = &[
    "remove",
    "uninstall",
    "rm",
    "purge",
    "autoremove",
    "autoclean",
    "clean",
    "prune",
    "erase",
    "un",
    "untap",
    "delete",
    "zap",
    "unpublish",
    "yank",
];
const ADDS: &[&str] = &[
    "install",
    "add",
    "i",
    "ci",
    "update",
    "upgrade",
    "dist-upgrade",
    "full-upgrade",
    "reinstall",
    "get",
    "require",
    "sync",
    "tap",
    "link",
    "restore",
    "download",
    "build-dep",
    "up",
    "inject",
    "fetch",
    "create",
    "init",
    "new",
    "mod",
];
const SENDS: &[&str] = &["publish", "push", "deploy", "upload", "login", "submit"];

pub(super) fn is_manager(name: &str) -> bool {
    MANAGERS.contains(&name)
}

/// Adds the effects of a package manager. False for other programs.
pub(super) fn judge(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) -> bool {
    if !is_manager(name) {
        return false;
    }
    let mut own = EffectTags::default();
    let by_letters = match name {
        "pacman" | "yay" | "dpkg" | "rpm" | "nix-env" => judge_letters(name, arguments, &mut own),
        _ => false,
    };
    if !by_letters {
        judge_verb(name, arguments, &mut own);
    }
    if !own.is_empty() && !own.blocks() {
        tags.merge(own);
        return true;
    }
    own.shell(name);
    tags.merge(own);
    true
}

/// Words in front of a verb: `uv pip install`, `brew services list`.
const GROUPS: &[&str] = &[
    "pip",
    "services",
    "tool",
    "toolchain",
    "target",
    "component",
    "repo",
    "global",
    "package",
    "cask",
    "source",
    "cache",
];
/// Words in front of a verb about settings.
const SETTINGS: &[&str] = &["config", "registry", "dist-tag", "token", "owner", "org", "team", "access"];

fn judge_verb(name: &str, arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let words: Vec<&str> = arguments.operands().map(|word| word.text.as_str()).take(3).collect();
    let verb = match words.as_slice() {
        _ if name == "apt-cache" => "show",
        // `uv pip install`, `brew services list`, `uv tool install`.
        [group, verb, ..] if GROUPS.contains(group) => verb,
        [group, "list" | "get" | "ls", ..] if SETTINGS.contains(group) => "list",
        [group, _, ..] if SETTINGS.contains(group) => "update",
        ["audit", "fix", ..] => "update",
        [verb, ..] => verb,
        [] => "",
    };
    let fixes = arguments.has(&["--fix", "--write", "--apply"]);
    if REMOVES.contains(&verb) {
        own.delete("packages");
    } else if ADDS.contains(&verb) || (fixes && !verb.is_empty()) {
        own.write("packages");
    } else if SENDS.contains(&verb) {
        own.write("registry");
    } else if READS.contains(&verb) {
        own.read(name);
    }
}

/// Managers whose verbs are letters: `pacman -Syu`, `dpkg -i`.
fn judge_letters(name: &str, arguments: &ProgramArguments<'_>, own: &mut EffectTags) -> bool {
    let Some(option) = arguments.texts().find(|word| word.starts_with('-') && word.len() > 1) else {
        return false;
    };
    let letters = option.trim_start_matches('-');
    let has = |any: &[char]| letters.chars().any(|letter| any.contains(&letter));
    match name {
        "pacman" | "yay" => {
            if has(&['R']) {
                own.delete("packages");
            } else if has(&['Q'])
                || (has(&['S']) && has(&['s', 'i', 'l']) && !has(&['y', 'u']))
                || has(&['F'])
            {
                own.read(name);
            } else {
                own.write("packages");
            }
        }
        "dpkg" => match letters {
            "l" | "L" | "s" | "S" | "p" | "c" | "I" | "list" | "listfiles" | "status" | "search"
            | "print-architecture" | "get-selections" => own.read(name),
            "r" | "P" | "remove" | "purge" => own.delete("packages"),
            _ => own.write("packages"),
        },
        "rpm" => {
            if has(&['q']) {
                own.read(name);
            } else if has(&['e']) {
                own.delete("packages");
            } else {
                own.write("packages");
            }
        }
        _ => {
            if has(&['q']) {
                own.read(name);
            } else {
                own.write("packages");
            }
        }
    }
    true
}
