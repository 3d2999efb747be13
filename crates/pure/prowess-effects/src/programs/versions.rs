//! Version control.

use super::{ProgramArguments, judge_target};
use crate::shell::CallWord;
use crate::tags::{EffectTags, host_of, origin_of};

pub(super) const PROGRAMS: &[&str] = &["git", "hg", "svn", "jj"];

const READS: &[&str] = &[
    "blame",
    "cat-file",
    "check-ignore",
    "count-objects",
    "describe",
    "diff",
    "diff-tree",
    "for-each-ref",
    "grep",
    "help",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "name-rev",
    "range-diff",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-branch",
    "show-ref",
    "status",
    "var",
    "verify-commit",
    "version",
    "whatchanged",
];

/// Adds the effects of version control. False for other programs.
pub(super) fn judge(name: &str, arguments: &ProgramArguments<'_>, tags: &mut EffectTags) -> bool {
    match name {
        "git" => judge_git(arguments, tags),
        "hg" | "svn" | "jj" => {
            let reads = [
                "status", "st", "log", "diff", "info", "show", "cat", "ls", "list", "blame", "help",
                "annotate",
            ];
            if arguments.first().is_some_and(|verb| reads.contains(&verb)) {
                tags.read(name);
            } else {
                tags.write("repository");
                tags.shell(name);
            }
        }
        _ => return false,
    }
    true
}

fn judge_git(arguments: &ProgramArguments<'_>, tags: &mut EffectTags) {
    let operands =
        arguments.operands_without(&["-C", "-c", "--git-dir", "--work-tree", "--exec-path", "--namespace"]);
    let words: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let Some((verb, rest)) = words.split_first() else { return tags.read("git") };
    let mut own = EffectTags::default();
    // A setting may name a program: `-c core.pager=…`.
    let sets = arguments
        .texts()
        .take_while(|word| word != verb)
        .any(|word| word == "-c" || word.starts_with("--config"));
    if sets || operands.first().is_some_and(|verb| !verb.is_constant) {
        own.shell("git");
    }
    if !is_reading(verb, rest, arguments) {
        judge_change(verb, rest, arguments, &mut own);
        own.shell("git");
    }
    if let Some(file) = arguments.value(&["--output"]) {
        judge_target(&file, &mut own);
    }
    if arguments.has(&["--ext-diff", "--textconv", "--upload-pack", "--open-files-in-pager", "-O"]) {
        own.shell("git");
    }
    rest.iter()
        .filter(|word| word.contains("://"))
        .filter_map(|word| host_of(word))
        .for_each(|host| own.network(host));
    if own.blocks() {
        own.shell("git");
    } else {
        own.read("git");
    }
    tags.merge(own);
}

fn is_reading(verb: &str, rest: &[&str], arguments: &ProgramArguments<'_>) -> bool {
    let first = rest.first().copied().unwrap_or_default();
    match verb {
        "branch" => {
            let changes = [
                "-d",
                "-D",
                "-m",
                "-M",
                "-c",
                "-C",
                "-f",
                "-u",
                "--delete",
                "--move",
                "--copy",
                "--force",
                "--set-upstream-to",
                "--unset-upstream",
                "--edit-description",
            ];
            let lists = ["--list", "-l", "--contains", "--merged", "--no-merged", "--points-at"];
            !arguments.has(&changes) && (rest.is_empty() || arguments.has(&lists))
        }
        "tag" => {
            !arguments.has(&["-d", "--delete", "-a", "-s", "-f", "-m"])
                && (rest.is_empty() || arguments.has(&["-l", "--list", "-n"]))
        }
        "remote" => rest.is_empty() || matches!(first, "show" | "get-url"),
        "stash" | "worktree" | "notes" | "bisect" => matches!(first, "list" | "show" | "log"),
        "reflog" => rest.is_empty() || first == "show",
        "submodule" => matches!(first, "status" | "summary"),
        "config" => {
            let asks =
                arguments.has(&["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "-l"]);
            let changes = [
                "--unset",
                "--unset-all",
                "--add",
                "--replace-all",
                "--remove-section",
                "--rename-section",
                "-e",
                "--edit",
            ];
            !arguments.has(&changes) && (asks || matches!(first, "get" | "list") || rest.len() == 1)
        }
        _ => READS.contains(&verb),
    }
}

fn judge_change(verb: &str, rest: &[&str], arguments: &ProgramArguments<'_>, own: &mut EffectTags) {
    let address = rest.iter().find(|word| word.contains("://"));
    match verb {
        "push" | "send-email" | "request-pull" => {
            let target = address.map_or("git-remote".to_owned(), |address| origin_of(address));
            own.write(&target);
            if arguments.has(&["--delete", "-d", "--mirror", "--prune"]) {
                own.delete("git-remote");
            }
        }
        "clone" => {
            let folder = rest.get(1).map(|folder| (*folder).to_owned()).or_else(|| {
                let name = rest.first()?.trim_end_matches('/').rsplit(['/', ':']).next()?;
                Some(name.trim_end_matches(".git").to_owned())
            });
            judge_target(&CallWord::constant(folder.unwrap_or_else(|| ".".to_owned())), own);
        }
        "rm" => rest.iter().for_each(|file| own.delete(file)),
        "clean" | "restore" => own.delete("git-worktree"),
        "reset" if arguments.has(&["--hard", "--merge", "--keep"]) => own.delete("git-worktree"),
        "checkout" | "switch" => {
            own.write("git-worktree");
            let discards = arguments
                .texts()
                .any(|word| matches!(word, "--" | "." | "-f" | "--force" | "--discard-changes"));
            if discards {
                own.delete("git-worktree");
            }
        }
        "branch" | "tag" if arguments.has(&["-d", "-D", "--delete"]) => own.delete("git-repository"),
        "stash" if matches!(rest.first().copied(), Some("drop" | "clear")) => own.delete("git-repository"),
        "worktree" if rest.first() == Some(&"remove") => own.delete("git-worktree"),
        "gc" | "prune" | "filter-branch" | "filter-repo" => own.delete("git-repository"),
        "archive" | "bundle" | "format-patch" => own.write("."),
        "add" | "am" | "apply" | "bisect" | "branch" | "cherry-pick" | "commit" | "config" | "fetch"
        | "init" | "merge" | "mv" | "notes" | "pull" | "rebase" | "reflog" | "remote" | "reset"
        | "revert" | "stash" | "submodule" | "subtree" | "tag" | "update-index" | "update-ref"
        | "worktree" | "lfs" => own.write("git-repository"),
        _ => {}
    }
}
