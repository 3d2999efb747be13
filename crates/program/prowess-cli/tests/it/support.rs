//! The real program in a throw-away home.

use std::path::Path;

use assert_cmd::Command;
use prowess_testkit::Tree;
use serde_json::Value;

/// A home that holds a workspace (`ws`), bundled skills (`bundled`) and programs (`bin`). The program runs in the
/// workspace.
pub(crate) struct Home {
    pub(crate) tree: Tree,
}

/// How a command ended and what it printed; the home's own path is `[ROOT]`.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    /// One without any skills.
    pub(crate) fn empty() -> Self {
        let tree = Tree::new();
        for folder in ["ws", "bundled", "bin"] {
            std::fs::create_dir_all(tree.path(folder)).expect("a folder");
        }
        Self { tree }
    }

    /// One with a skill in every state.
    pub(crate) fn full() -> Self {
        let home = Self::empty();
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
        home.tree.write_program("bin/git");
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

    /// Writes a small valid skill at `folder/SKILL.md`.
    pub(crate) fn skill(&self, folder: &str, name: &str, fields: &str) {
        let text = format!(
            "---\nname: {name}\ndescription: Does {name}. Use when asked.\n{fields}---\n# {name}\n\nBody.\n"
        );
        self.tree.write(&format!("{folder}/SKILL.md"), text);
    }

    /// Writes the user's config.
    pub(crate) fn config(&self, text: &str) {
        self.tree.write(".prowess/prowess.json", self.tree.expand(text));
    }

    /// What the user's config says now.
    pub(crate) fn config_text(&self) -> String {
        std::fs::read_to_string(self.tree.path(".prowess/prowess.json")).expect("the config")
    }

    /// Sets who may do what with a file or folder, where the system has such rights.
    pub(crate) fn set_mode(&self, relative: &str, mode: u32) {
        #[cfg(unix)]
        {
            let rights = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(self.tree.path(relative), rights).expect("a file or folder");
        }
        #[cfg(not(unix))]
        let _ = (relative, mode);
    }

    /// Writes a file that was last changed long ago.
    pub(crate) fn leftover(&self, relative: &str) {
        let path = self.tree.write(relative, "half");
        let file = std::fs::File::options().write(true).open(path).expect("a file");
        file.set_modified(std::time::UNIX_EPOCH).expect("a time");
    }

    /// The program with nothing in its environment but what a test needs.
    pub(crate) fn command(&self) -> Command {
        Command::from_std(self.process())
    }

    /// The same, for tests that do more than wait for its end.
    pub(crate) fn process(&self) -> std::process::Command {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("prowess"));
        command
            .env_clear()
            .env("HOME", self.tree.root())
            .env("PATH", self.tree.path("bin"))
            .env("PROWESS_BUNDLED_SKILLS_DIR", self.tree.path("bundled"))
            .current_dir(self.tree.path("ws"));
        command
    }

    /// Runs a command line.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.finish(self.command().args(args))
    }

    /// Runs a command that was prepared.
    pub(crate) fn finish(&self, command: &mut Command) -> Ran {
        let output = command.output().expect("the program starts");
        Ran {
            code: output.status.code().expect("an exit code, not a signal"),
            stdout: self.shown(&output.stdout),
            stderr: self.shown(&output.stderr),
        }
    }

    /// Runs a command line that must work and print nothing to standard error.
    pub(crate) fn good(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}\n{}", ran.stdout);
        ran.stdout
    }

    /// Runs a command line that answers in JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.good(args)).expect("JSON and nothing else")
    }

    /// What differs from machine to machine is replaced.
    fn shown(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let here = format!("this is `{}`", prowess_inventory::platform());
        text.replace(&self.tree.root().display().to_string(), "[ROOT]").replace(&here, "this is `[PLATFORM]`")
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
