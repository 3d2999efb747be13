//! Every command that the documentation shows works as it is written.
//!
//! Code blocks marked `console` are transcripts: lines that start with `$ ` are run, in their order and in one
//! home per page; the others are what they print. `[exit 1]` after them is how the command ends, if not with 0. Of
//! other programs only those run that prepare a file.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::{Home, Program as _, files_below};

/// What a transcript may use besides `prowess`.
const PREPARATIONS: [&str; 7] = ["cat", "cp", "echo", "for", "mkdir", "printf", "rm"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().expect("the repository")
}

/// The README and every page below `docs`.
fn pages() -> Vec<PathBuf> {
    let root = repository();
    let docs = files_below(&root.join("docs")).into_iter().map(|file| root.join("docs").join(file));
    let mut pages: Vec<PathBuf> = docs.chain([root.join("README.md")]).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md") && page.is_file());
    pages
}

/// A command line and how it ends.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    line: String,
    code: i32,
}

/// The commands of a page's transcripts; a line that ends with `\` goes on in the next.
fn transcript(text: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut is_console = false;
    let mut goes_on = false;
    for line in text.lines().map(str::trim) {
        if let Some(language) = line.strip_prefix("```") {
            is_console = !is_console && language.trim() == "console";
            goes_on = false;
            continue;
        }
        let start = line.strip_prefix("$ ").filter(|command| is_console && may_run(command));
        let next = || goes_on.then(|| line.strip_prefix("> ").unwrap_or(line));
        if let Some(part) = start.or_else(next) {
            goes_on = part.ends_with('\\');
            let part = part.trim_end_matches('\\').trim();
            match commands.last_mut().filter(|_| start.is_none()) {
                Some(command) => command.line.extend([" ", part]),
                None => commands.push(Shown { line: part.to_owned(), code: 0 }),
            }
        } else if let Some(code) = line.strip_prefix("[exit ").and_then(|rest| rest.strip_suffix(']'))
            && is_console
            && let Some(command) = commands.last_mut()
        {
            command.code = code.parse().expect("an exit code");
        }
    }
    commands
}

fn may_run(command: &str) -> bool {
    let program = command.split_whitespace().next().unwrap_or_default();
    program == "prowess" || PREPARATIONS.contains(&program)
}

#[test]
fn every_command_in_the_documentation_works() {
    let program = PathBuf::from(assert_cmd::cargo::cargo_bin!("prowess"));
    let path = format!("{}:/usr/bin:/bin", program.parent().expect("a folder").display());
    let mut problems = Vec::new();
    for page in pages() {
        let home = Home::new();
        // The pages speak of a checkout beside the project.
        home.tree.lay("prowess", &json!({"symlink": repository()}));
        for Shown { line, code } in transcript(&std::fs::read_to_string(&page).expect("a page")) {
            let mut command = assert_cmd::Command::new("/bin/sh");
            command
                .env_clear()
                .env("HOME", home.tree.root())
                .env("PATH", &path)
                .env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("prowess/skills"))
                .current_dir(home.tree.path("ws"))
                .args(["-c", &line]);
            let ran = home.finish(&mut command);
            if ran.code != code {
                problems.push(format!("{}: `{line}` ends with {}\n{}", page.display(), ran.code, ran.stderr));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn transcripts_are_found() {
    let page = "text\n```console\n$ prowess list\nSkills (1/1 ready)\n$ git clone x\n$ mkdir y\n\
                $ prowess config set a \\\n> b\nanswer\n[exit 2]\n```\n```sh\n$ prowess not-this\n```\n\
                $ prowess nor-this\n  ```console\n  $ prowess why x\n  ```\n";
    let expected = [("prowess list", 0), ("mkdir y", 0), ("prowess config set a b", 2), ("prowess why x", 0)];
    assert_eq!(transcript(page), expected.map(|(line, code)| Shown { line: line.to_owned(), code }));
}
