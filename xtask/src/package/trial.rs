//! The package, tried as an administrator would: installed, looked at, started without privileges, removed.
//!
//! Where this runs as root and no systemd is running, `dpkg` installs it for real, below a folder that is thrown away;
//! its scripts would otherwise act on the services of this machine, so elsewhere it is only unpacked.

mod service;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

use crate::process::{answers, output, run, shown};

/// The unit with its settings, below the root.
const UNIT: &str = "usr/lib/systemd/system/prowess-gateway.service";
const USER_UNIT: &str = "usr/lib/systemd/user/prowess-gateway.service";
/// Systemd counts what a service is exposed to, from 0 to 10, here times ten. It calls anything below 20 safe.
const MAX_EXPOSURE: &str = "20";

/// What is left after a package was purged: the state of the service, and dpkg's own records.
const MAY_STAY: [&str; 4] = ["var/lib/prowess", "var/lib/dpkg", "var/lib/systemd", "var/log/dpkg.log"];

/// The place where the package is installed.
struct Trial {
    root: PathBuf,
    /// True if dpkg did it and can undo it.
    is_installed: bool,
    is_root: bool,
}

/// Installs a package, checks everything in it, and removes it again.
pub(super) fn try_out(package: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let trial = Trial::install(package, folder.path())?;
    trial.check_program()?;
    trial.check_pages()?;
    trial.check_completions()?;
    trial.check_units()?;
    service::check(&trial)?;
    trial.remove()
}

impl Trial {
    fn install(package: &Path, folder: &Path) -> Result<Self> {
        let root = folder.join("root");
        fs::create_dir(&root)?;
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755))?;
        let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
        let is_installed = is_root && !Path::new("/run/systemd/system").exists();
        let trial = Self { root, is_installed, is_root };
        if is_installed {
            fs::create_dir_all(trial.path("var/lib/dpkg/info"))?;
            fs::create_dir_all(trial.path("var/lib/dpkg/updates"))?;
            fs::write(trial.path("var/lib/dpkg/status"), "")?;
            said_and_run(trial.dpkg().arg("--install").arg(package))?;
        } else {
            said_and_run(Command::new("dpkg-deb").arg("--extract").arg(package).arg(&trial.root))?;
        }
        Ok(trial)
    }

    /// dpkg for this root. There is no other package in it, so what this one needs is not there.
    fn dpkg(&self) -> Command {
        let mut dpkg = Command::new("dpkg");
        dpkg.arg(format!("--root={}", self.root.display())).args([
            "--force-depends",
            "--force-script-chrootless",
            "--force-not-root",
            "--no-debsig",
        ]);
        dpkg.stdout(Stdio::null());
        dpkg
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    fn files(&self, folder: &str) -> Result<Vec<PathBuf>> {
        let entries =
            fs::read_dir(self.path(folder)).with_context(|| format!("the package has no `{folder}`"))?;
        let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        files.sort();
        Ok(files)
    }

    fn check_program(&self) -> Result<()> {
        let said = output(Command::new(self.path("usr/bin/prowess")).arg("--version"))?;
        let expected = format!("prowess {}", env!("CARGO_PKG_VERSION"));
        ensure!(said.trim().starts_with(&expected), "the installed program says `{}`", said.trim());
        for file in ["copyright", "changelog.gz", "changelog.Debian.gz", "third-party.txt.gz"] {
            let file = self.path("usr/share/doc/prowess").join(file);
            ensure!(file.is_file(), "the package has no `{}`", file.display());
        }
        ensure!(self.path("etc/default/prowess-gateway").is_file(), "the package has no environment file");
        Ok(())
    }

    /// Every command has a page, and none of them makes the formatter complain.
    fn check_pages(&self) -> Result<()> {
        let pages = self.files("usr/share/man/man1")?;
        for page in ["prowess.1.gz", "prowess-gateway.1.gz", "prowess-match.1.gz"] {
            ensure!(pages.iter().any(|path| path.ends_with(page)), "the package has no `{page}`");
        }
        if !answers("man", &["--version"]) {
            println!("    {} manual pages, not formatted: there is no `man`", pages.len());
            return Ok(());
        }
        let mut man = Command::new("man");
        man.args(["--warnings", "--local-file", "-Tutf8", "-Z"]).args(&pages);
        let formatted = man.env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).output()?;
        let complaints = String::from_utf8_lossy(&formatted.stderr);
        ensure!(formatted.status.success() && complaints.trim().is_empty(), "manual pages: {complaints}");
        println!("    {} manual pages", pages.len());
        Ok(())
    }

    fn check_completions(&self) -> Result<()> {
        for (shell, option, script) in [
            ("bash", "-n", "usr/share/bash-completion/completions/prowess"),
            ("zsh", "-n", "usr/share/zsh/vendor-completions/_prowess"),
            ("fish", "--no-execute", "usr/share/fish/vendor_completions.d/prowess.fish"),
        ] {
            let path = self.path(script);
            ensure!(path.is_file(), "the package has no `{script}`");
            if answers(shell, &["--version"]) {
                run_quietly(Command::new(shell).arg(option).arg(&path))?;
            } else {
                println!("    completions of {shell}: not read, the shell is not installed");
            }
        }
        Ok(())
    }

    fn check_units(&self) -> Result<()> {
        for unit in [UNIT, USER_UNIT] {
            ensure!(self.path(unit).is_file(), "the package has no `{unit}`");
        }
        if !answers("systemd-analyze", &["--version"]) {
            println!("    units: not verified, there is no systemd-analyze");
            return Ok(());
        }
        self.verify_units()?;
        let mut exposure = Command::new("systemd-analyze");
        exposure.args(["security", "--no-pager", "--offline=yes", "--threshold", MAX_EXPOSURE]);
        let said = run_quietly(exposure.arg(self.path(UNIT)))?;
        let said = said.lines().last().unwrap_or_default();
        println!("    {}", said.trim_start_matches(|letter: char| !letter.is_ascii_alphabetic()));
        Ok(())
    }

    /// Lets systemd read the units in this root, where the targets that they mention are empty.
    fn verify_units(&self) -> Result<()> {
        let folder = self.path("etc/systemd/system");
        fs::create_dir_all(&folder)?;
        for target in ["sysinit", "basic", "shutdown", "network", "multi-user", "default"] {
            fs::write(folder.join(format!("{target}.target")), "[Unit]\n")?;
        }
        // Units of users are looked for elsewhere; for the sake of the check this one is a unit of the system.
        fs::copy(self.path(USER_UNIT), folder.join("of-user.service"))?;
        for unit in ["prowess-gateway.service", "of-user.service"] {
            let mut verify = Command::new("systemd-analyze");
            verify.args(["verify", "--man=no", unit]).arg(format!("--root={}", self.root.display()));
            let said = verify.output()?;
            let complaints = String::from_utf8_lossy(&said.stderr);
            ensure!(said.status.success() && complaints.trim().is_empty(), "systemd: {complaints}");
        }
        Ok(fs::remove_dir_all(self.path("etc/systemd"))?)
    }

    /// Purges the package and looks for what is left.
    fn remove(&self) -> Result<()> {
        if !self.is_installed {
            return Ok(());
        }
        said_and_run(self.dpkg().args(["--purge", "prowess"]))?;
        let mut left = Vec::new();
        files_below(&self.root, &mut left)?;
        left.retain(|file| {
            let name = file.strip_prefix(&self.root).unwrap_or(file);
            !MAY_STAY.iter().any(|stays| name.starts_with(stays))
        });
        ensure!(left.is_empty(), "purging the package leaves {left:?}");
        ensure!(
            self.path("var/lib/prowess/prowess.json").is_file(),
            "purging the package took the state away"
        );
        Ok(())
    }
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files_below(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn said_and_run(command: &mut Command) -> Result<()> {
    println!("    {}", shown(command));
    run(command)
}

/// Runs a program whose output matters only if it fails, and returns it.
fn run_quietly(command: &mut Command) -> Result<String> {
    let ended = command.output().with_context(|| format!("cannot start `{}`", shown(command)))?;
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    if !ended.status.success() {
        bail!("`{}` failed: {said}{}", shown(command), String::from_utf8_lossy(&ended.stderr));
    }
    Ok(said)
}
