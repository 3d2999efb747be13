//! A place to run the examples of the documents in: nothing of the person's own machine is seen or touched.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process::root;

/// The home as the documents show it. Commands run in its folder `project`; the bundled skills are in
/// `prowess/skills`, as if the repository had been cloned there.
const SHOWN_HOME: &str = "/home/you";

/// The bundled skills that the examples see; with all of them every list would fill a page.
const SKILLS: [&str; 4] = ["github", "skill-creator", "tmux", "weather"];

/// Programs that these skills ask for: the examples must not depend on what a machine has.
const ASKED_FOR: [&str; 3] = ["curl", "gh", "tmux"];

/// Programs that the examples themselves use.
const SHELL: [&str; 14] = [
    "awk", "cat", "cp", "dirname", "env", "grep", "mkdir", "printf", "rm", "sh", "sort", "tee", "uniq", "wc",
];

/// A throw-away home with a workspace and the bundled skills.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new(prowess: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("bin"))?;
        fs::create_dir_all(path("home/project"))?;
        fs::create_dir_all(path("home/prowess"))?;
        for skill in SKILLS {
            copy(&root().join("skills").join(skill), &path("home/prowess/skills").join(skill))?;
        }
        symlink(prowess, path("bin/prowess"))?;
        for program in ASKED_FOR {
            fs::write(path("bin").join(program), "#!/bin/sh\n")?;
            fs::set_permissions(path("bin").join(program), fs::Permissions::from_mode(0o755))?;
        }
        for program in SHELL {
            let place = ["/usr/bin", "/bin"]
                .iter()
                .map(|bin| Path::new(bin).join(program))
                .find(|file| file.exists());
            symlink(place.with_context(|| format!("no `{program}`"))?, path("bin").join(program))?;
        }
        Ok(Self { folder })
    }

    /// What a command prints, on either stream, and how it ends.
    pub(crate) fn run(&self, command: &str) -> Result<(String, i32)> {
        let home = self.folder.path().join("home");
        let output = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(home.join("project"))
            .env_clear()
            .env("HOME", &home)
            .env("PATH", self.folder.path().join("bin"))
            .env("PROWESS_BUNDLED_SKILLS_DIR", home.join("prowess/skills"))
            .output()
            .with_context(|| format!("cannot run `{command}`"))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let shown = printed.replace(&home.display().to_string(), SHOWN_HOME);
        Ok((shown, output.status.code().unwrap_or(-1)))
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
