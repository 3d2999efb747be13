//! The real program in a throw-away home.

use std::path::Path;

use assert_cmd::Command;
pub(crate) use prowess_testkit::Home;
use prowess_testkit::Programs;
use serde_json::Value;

/// How a command ended and what it printed; the home's own path is `[ROOT]`.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program in a home; it runs in the workspace.
pub(crate) trait Program: Sized {
    /// A home with a skill in every state.
    fn full() -> Self;

    /// The program, for tests that do more than wait for its end. Its environment has only what a test needs.
    fn process(&self) -> std::process::Command;

    /// Runs a command that was prepared.
    fn finish(&self, command: &mut Command) -> Ran;

    /// The program, for tests that wait for its end.
    fn command(&self) -> Command {
        Command::from_std(self.process())
    }

    /// Runs a command line.
    fn run(&self, args: &[&str]) -> Ran {
        self.finish(self.command().args(args))
    }

    /// Runs a command line that must work and print nothing to standard error.
    fn good(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}\n{}", ran.stdout);
        ran.stdout
    }

    /// Runs a command line that answers in JSON.
    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.good(args)).expect("JSON and nothing else")
    }
}

impl Program for Home {
    fn full() -> Self {
        let home = Self::new();
        home.skill("bundled/notes", "notes", "");
        home.skill("bundled/weather", "weather", "license: MIT\n");
        home.skill("bundled/unwanted", "unwanted", "");
        home.skill("ws/skills/weather", "weather", "metadata: {\"prowess\":{\"emoji\":\"🌦\"}}\n");
        let install =
            "\"install\":[{\"id\":\"brew\",\"kind\":\"brew\",\"formula\":\"gh\",\"bins\":[\"gh\"]}]";
        let needs = format!(
            "homepage: https://example.org\nmetadata: {{\"prowess\":{{\"primaryEnv\":\"GH_KEY\",\"requires\":{{\"bins\":[\"gh\",\"git\"],\"env\":[\"GH_KEY\"]}},{install}}}}}\n"
        );
        home.skill("ws/skills/github", "github", &needs);
        home.skill("ws/skills/amiga", "amiga", "metadata: {\"prowess\":{\"os\":[\"amiga\"]}}\n");
        home.skill("ws/skills/hidden", "hidden", "disable-model-invocation: true\n");
        home.skill("ws/skills/off", "off", "");
        home.tree.write("ws/skills/broken/SKILL.md", "---\nname: broken\n---\nNo description.\n");
        home.program("git");
        home.config(
            "{
  // switches
  skills: {
    allowBundled: ['notes', 'weather'],
    entries: { off: { enabled: false } },
  },
}
",
        );
        home
    }

    fn process(&self) -> std::process::Command {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("prowess"));
        command.env_clear().envs(self.variables(Programs::Own)).current_dir(self.workspace());
        command
    }

    fn finish(&self, command: &mut Command) -> Ran {
        let output = command.output().expect("the program starts");
        let here = format!("this is `{}`", prowess_inventory::platform());
        let printed = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            self.shown(&text).replace(&here, "this is `[PLATFORM]`")
        };
        Ran {
            code: output.status.code().expect("an exit code, not a signal"),
            stdout: printed(output.stdout),
            stderr: printed(output.stderr),
        }
    }
}

/// The strings at `key` in a list of objects.
pub(crate) fn texts<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().expect("a list").iter().map(|item| item[key].as_str().expect("a text")).collect()
}

/// The keys of an object, in their order.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Every file below a folder, as sorted paths relative to it.
pub(crate) fn files_below(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                files.push(path.strip_prefix(folder).expect("inside").display().to_string());
            }
        }
    }
    files.sort();
    files
}

/// Every file and folder below a folder: its place, its rights, when it was changed, and what is in it.
pub(crate) fn fingerprint(folder: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let about = std::fs::symlink_metadata(&path).expect("what it is");
            let changed = about.modified().expect("a moment");
            let content = if about.is_file() { std::fs::read(&path).expect("its bytes") } else { Vec::new() };
            lines.push(format!("{} {:?} {changed:?} {content:?}", path.display(), about.permissions()));
            if about.is_dir() {
                waiting.push(path);
            }
        }
    }
    lines.sort();
    lines
}
