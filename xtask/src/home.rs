//! A place to run the examples of the documents in: nothing of the person's own machine is seen or touched.
//!
//! What the examples print must not depend on the machine either: which programs are installed, its variables, its time
//! zone. Figures that the processor's arithmetic may round differently are `…` in the documents.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use prowess_skill::{ParseOptions, SkillInput};

use crate::process::root;

/// The home as the documents show it. Commands run in its folder `project`; the bundled skills are in
/// `prowess/skills`, as if the repository had been cloned there.
const SHOWN_HOME: &str = "/home/you";

/// The bundled skills that the examples see; with all of them every list would fill a page.
const SKILLS: [&str; 4] = ["github", "skill-creator", "tmux", "weather"];

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
        let mut needed = BTreeSet::new();
        for skill in SKILLS {
            needed.extend(needed_programs(skill)?);
            copy(&root().join("skills").join(skill), &path("home/prowess/skills").join(skill))?;
        }
        symlink(prowess, path("bin/prowess"))?;
        fs::create_dir(path("tmp"))?;
        for program in needed {
            fs::write(path("bin").join(&program), "#!/bin/sh\n")?;
            fs::set_permissions(path("bin").join(&program), fs::Permissions::from_mode(0o755))?;
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
            .args(["-c", &format!("umask 022; {command} 2>&1")])
            .current_dir(home.join("project"))
            .env_clear()
            .env("HOME", &home)
            .env("PATH", self.folder.path().join("bin"))
            .env("PROWESS_BUNDLED_SKILLS_DIR", home.join("prowess/skills"))
            .env("TMPDIR", self.folder.path().join("tmp"))
            .env("TZ", "UTC")
            .output()
            .with_context(|| format!("cannot run `{command}`"))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let shown = printed.replace(&home.display().to_string(), SHOWN_HOME);
        Ok((shown, output.status.code().unwrap_or(-1)))
    }
}

/// The programs that a bundled skill needs. They are stood in for, so that every machine shows the skill as ready.
fn needed_programs(skill: &str) -> Result<Vec<String>> {
    let file = root().join("skills").join(skill).join("SKILL.md");
    let bytes = fs::read(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let requirements =
        prowess_skill::parse(&SkillInput::folder(&bytes, skill), &ParseOptions::default()).requirements;
    Ok([requirements.bins, requirements.any_bins].concat())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_not_seen() {
        let home = Home::new(Path::new("/bin/sh")).unwrap();
        let (printed, exit) = home.run("env").unwrap();
        assert_eq!(exit, 0, "{printed}");
        let known =
            ["HOME", "PATH", "PROWESS_BUNDLED_SKILLS_DIR", "TMPDIR", "TZ", "PWD", "OLDPWD", "SHLVL", "_"];
        let strange: Vec<&str> = printed
            .lines()
            .filter_map(|line| line.split('=').next())
            .filter(|name| !known.contains(name))
            .collect();
        assert!(strange.is_empty(), "{strange:?}");
        for program in ["cargo", "git", "ls", "node", "python3"] {
            assert_ne!(home.run(&format!("command -v {program}")).unwrap().1, 0, "{program}");
        }
    }

    #[test]
    fn what_the_skills_need_is_stood_in_for() {
        let home = Home::new(Path::new("/bin/sh")).unwrap();
        for program in ["curl", "gh", "tmux"] {
            let (place, exit) = home.run(&format!("command -v {program}")).unwrap();
            assert_eq!(exit, 0, "{program}");
            assert!(Path::new(place.trim()).starts_with(home.folder.path()), "{place}");
        }
    }
}
