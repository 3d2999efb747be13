//! The throw-away home that the tour is played in.

use std::io::{self, Read as _};
use std::path::PathBuf;
use std::process::Stdio;

use prowess_config::Env;
use prowess_context::EmbeddedFile;
use tempfile::TempDir;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::tour::Scene;
use crate::failure::Failure;

/// What is on the stage.
const FILES: &[EmbeddedFile] = include!(concat!(env!("OUT_DIR"), "/demo_files.rs"));

/// The programs that the skills of the stage use. No others can be found, so that every machine shows the same.
const PROGRAMS: [&str; 12] =
    ["sh", "awk", "cat", "dirname", "env", "grep", "mkdir", "printf", "sort", "tee", "uniq", "wc"];

/// The user's config: who plays the model.
const CONFIG: &str = r#"{
  agents: { defaults: { model: "tour/script" } },
  models: { providers: { tour: { api: "script", script: "script.json" } } },
}
"#;

/// A home with skills in it. It is removed with this value.
pub(super) struct Stage {
    folder: TempDir,
    /// Its resolved path; some systems link their temporary folder.
    home: PathBuf,
    program: PathBuf,
}

impl Stage {
    /// Builds it in the folder for temporary files.
    pub(super) fn build(env: &Env) -> Result<Self, Failure> {
        let folder = tempfile::Builder::new().prefix("prowess-demo-").tempdir().map_err(|error| {
            Failure::environment(&error).hint("`TMPDIR` names the folder for temporary files")
        })?;
        let home = folder.path().canonicalize()?;
        let stage = Self { folder, home, program: std::env::current_exe()? };
        stage.fill()?;
        stage.link_programs(env)?;
        Ok(stage)
    }

    fn fill(&self) -> io::Result<()> {
        for file in FILES {
            let place = match file.path.split_once('/') {
                Some(("managed", rest)) => format!(".prowess/skills/{rest}"),
                Some(_) => file.path.to_owned(),
                None => format!(".prowess/{}", file.path),
            };
            let path = self.home.join(place);
            if let Some(parent) = path.parent() {
                prowess_fs::make_folders(parent)?;
            }
            prowess_fs::write_plain(&path, file.bytes)?;
        }
        prowess_fs::write_plain(&self.home.join(".prowess/prowess.json"), CONFIG.as_bytes())?;
        ["bin", "bundled", "tmp"].iter().try_for_each(|name| prowess_fs::make_folder(&self.home.join(name)))
    }

    /// Links the few programs that are needed, from wherever they are on this machine.
    #[cfg(unix)]
    fn link_programs(&self, env: &Env) -> io::Result<()> {
        let path = env.get("PATH").unwrap_or("/usr/bin:/bin");
        for name in PROGRAMS {
            let found =
                std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| file.is_file());
            if let Some(found) = found {
                prowess_fs::make_link(&found, &self.home.join("bin").join(name))?;
            }
        }
        Ok(())
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "this platform has no symbolic links")]
    fn link_programs(&self, _env: &Env) -> io::Result<()> {
        let _ = PROGRAMS;
        Ok(())
    }

    /// Plays a scene. Gives how it ended and what it wrote, in the order it was written; none if it was stopped.
    pub(super) async fn perform(
        &self,
        scene: &Scene,
        has_colors: bool,
        stop: &CancellationToken,
    ) -> Result<Option<(i32, String)>, Failure> {
        let (mut reader, writer) = io::pipe()?;
        let mut command = Command::new(&self.program);
        command
            .args(scene.args)
            .args(["--color", if has_colors { "always" } else { "never" }])
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", self.home.join("bin"))
            .env("TMPDIR", self.home.join("tmp"))
            .env("PROWESS_BUNDLED_SKILLS_DIR", self.home.join("bundled"))
            .current_dir(self.home.join("project"))
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        // It holds the other end of the pipe, which would never close.
        drop(command);
        let written = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map(|_| bytes)
        });
        let Some(status) = stop.run_until_cancelled(child.wait()).await else {
            // Nobody may write into the folder while it is removed.
            child.kill().await?;
            return Ok(None);
        };
        let bytes = written.await.map_err(io::Error::other)??;
        // A signal has no code.
        Ok(Some((status?.code().unwrap_or(-1), self.told(&bytes))))
    }

    /// Text with the home written as people write theirs.
    fn told(&self, bytes: &[u8]) -> String {
        let home = self.home.display().to_string();
        String::from_utf8_lossy(bytes).replace(&home, "~")
    }

    /// Leaves the folder where it is.
    pub(super) fn keep(mut self) -> PathBuf {
        self.folder.disable_cleanup(true);
        self.folder.path().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_away_with_its_owner() {
        let stage = Stage::build(&Env::default()).unwrap();
        let home = stage.home.clone();
        assert!(home.join("project/skills/weather/SKILL.md").is_file());
        assert!(home.join(".prowess/skills/meeting-notes/SKILL.md").is_file());
        assert!(home.join(".prowess/script.json").is_file());
        drop(stage);
        assert!(!home.exists());
    }

    #[test]
    fn it_stays_if_it_is_to() {
        let folder = Stage::build(&Env::default()).unwrap().keep();
        assert!(folder.join("downloads/free-wallpapers/SKILL.md").is_file());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
