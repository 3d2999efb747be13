//! `cargo xtask package`: a Debian package of the program, and a trial of it.
//!
//! Everything that goes into the package is put into a folder of its own first: the program, its manual pages and
//! completions (which it writes itself), the licences. `cargo deb` makes the package from there, so the same recipe
//! (`[package.metadata.deb]` in `crates/program/prowess-cli/Cargo.toml`) serves a build for users and a quick one for tests.

mod notices;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process::{answers, cargo, command, output, root, run, shown, target};

/// The version of cargo-deb that the recipe was written for.
const CARGO_DEB: &str = "3.8.0";

/// What `cargo xtask package` is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    profile: String,
    build: bool,
}

impl Plan {
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        let mut plan = Self { profile: "dist".to_owned(), build: true };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match *argument {
                "--profile" => {
                    (*rest.next().context("--profile needs a name")?).clone_into(&mut plan.profile);
                }
                "--no-build" => plan.build = false,
                other => bail!("unknown argument `{other}`; usage: package [--profile NAME] [--no-build]"),
            }
        }
        Ok(plan)
    }

    /// The place where cargo puts the program.
    fn program(&self, target: &Path) -> PathBuf {
        let folder = if self.profile == "dev" { "debug" } else { &self.profile };
        target.join(folder).join("prowess")
    }

    /// A build for users is packed as small as it gets, any other one quickly.
    fn is_for_users(&self) -> bool {
        self.profile == "dist"
    }
}

/// Builds the package and tries it out.
pub(crate) fn run_plan(plan: &Plan) -> Result<()> {
    let target = target()?;
    if plan.build {
        let build = ["build", "--locked", "--package", "prowess-cli", "--profile", plan.profile.as_str()];
        said_and_run(&mut cargo(&build))?;
    }
    let tool = cargo_deb(&target)?;
    let package = make(plan, &target, &tool)?;
    trial::try_out(&package)?;
    println!("{}", package.display());
    Ok(())
}

/// The step of `cargo xtask test`: packs the program that was built already. Left out where there is no Debian.
pub(crate) fn check() -> Result<()> {
    println!("==> package: cargo xtask package --profile dev --no-build");
    if !answers("dpkg-deb", &["--version"]) {
        println!("    left out, there is no dpkg");
        return Ok(());
    }
    let target = target()?;
    let tool = match cargo_deb(&target) {
        Ok(tool) => tool,
        Err(error) => {
            println!("    skipped, cargo-deb failed to install: {error:#}");
            return Ok(());
        }
    };
    let package = make(&Plan { profile: "dev".to_owned(), build: false }, &target, &tool)?;
    trial::try_out(&package).context("package")
}

/// cargo-deb: the one on the path, else one in `target/tools`, installed if need be.
fn cargo_deb(target: &Path) -> Result<PathBuf> {
    if answers("cargo-deb", &["--version"]) {
        return Ok("cargo-deb".into());
    }
    let folder = target.join("tools/cargo-deb");
    let tool = folder.join("bin/cargo-deb");
    if !answers(&tool.to_string_lossy(), &["--version"]) {
        // Not optimised: it is built faster than it would save.
        let mut install =
            cargo(&["install", "cargo-deb", "--locked", "--debug", "--version", CARGO_DEB, "--root"]);
        install.arg(&folder).env("CARGO_TARGET_DIR", folder.join("build"));
        said_and_run(&mut install)?;
        // Only the program is needed from here on.
        let _ = fs::remove_dir_all(folder.join("build"));
    }
    Ok(tool)
}

/// Puts everything into a folder and packs it.
fn make(plan: &Plan, target: &Path, tool: &Path) -> Result<PathBuf> {
    // `cargo deb` looks for what is built in `release` below its target folder.
    let place = target.join("package").join(&plan.profile);
    let stage = place.join("release");
    if stage.exists() {
        fs::remove_dir_all(&stage)?;
    }
    fs::create_dir_all(&stage)?;
    let program = plan.program(target);
    let staged = stage.join("prowess");
    fs::copy(&program, &staged).with_context(|| format!("cannot pack `{}`", program.display()))?;
    generate(&staged, &stage)?;
    notices::write(&stage)?;

    let package = place.join("prowess.deb");
    let mut pack = Command::new(tool);
    pack.args(["--package", "prowess-cli", "--no-build", "--strip", "--quiet", "--output"]).arg(&package);
    if !plan.is_for_users() {
        pack.args(["--fast", "--compress-type", "gz", "--compress-system"]);
    }
    pack.current_dir(root()).env("CARGO_TARGET_DIR", &place);
    said_and_run(&mut pack)?;
    Ok(package)
}

/// What the program writes about itself.
fn generate(program: &Path, stage: &Path) -> Result<()> {
    let pages = stage.join("man");
    run(Command::new(program).args(["man", "--out"]).arg(&pages))?;
    for page in fs::read_dir(pages)? {
        compress(&page?.path())?;
    }
    let completions = stage.join("completions");
    fs::create_dir_all(&completions)?;
    for (shell, file) in [("bash", "prowess.bash"), ("zsh", "_prowess"), ("fish", "prowess.fish")] {
        let script = output(Command::new(program).args(["completions", shell]))?;
        fs::write(completions.join(file), script)?;
    }
    Ok(())
}

/// Compresses a file in place, the same way every time.
fn compress(file: &Path) -> Result<()> {
    run(command("gzip", &["--best", "--no-name", "--force"]).arg(file))
}

fn said_and_run(command: &mut Command) -> Result<()> {
    println!("    {}", shown(command));
    run(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_for_users_unless_another_profile_is_named() {
        let plan = Plan::parse(&[]).unwrap();
        assert!(plan.is_for_users() && plan.build);
        assert_eq!(plan.program("t".as_ref()), Path::new("t/dist/prowess"));
        let plan = Plan::parse(&["--profile", "dev", "--no-build"]).unwrap();
        assert!(!plan.is_for_users() && !plan.build);
        assert_eq!(plan.program("t".as_ref()), Path::new("t/debug/prowess"));
        assert!(Plan::parse(&["--profile"]).is_err());
        assert!(Plan::parse(&["--fast"]).is_err());
    }

    #[test]
    fn the_container_is_built_with_the_oldest_compiler_that_is_promised() {
        let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
        let recipe = fs::read_to_string(root().join("Containerfile")).unwrap();
        assert!(recipe.contains(&format!("library/rust:{}-slim", version.trim_matches('"'))), "{version}");
    }

    /// A clone is enough for `cargo install --path`: what the program embeds is not left to a step before.
    #[test]
    fn everything_that_the_program_embeds_is_in_the_repository() {
        let listed = output(&mut command("git", &["ls-files", "models", "skills", "studio/dist"]));
        // Without its history there is only what is there.
        let Ok(listed) = listed else { return };
        let program = fs::read_to_string(root().join("crates/program/prowess-cli/src/main.rs")).unwrap();
        let packs = program.split('"').filter_map(|text| text.strip_prefix("../../../../models/"));
        let packs: Vec<String> = packs.map(|name| format!("models/{name}")).collect();
        assert!(packs.len() > 2, "{packs:?}");
        let others = ["studio/dist/index.html", "skills/skill-creator/SKILL.md"].map(str::to_owned);
        for file in packs.iter().chain(&others) {
            assert!(listed.lines().any(|line| line == file), "`{file}` is not in the repository");
        }
    }
}
