//! Machines with programs that only write down how they were called.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use prowess_net::{Client, NetOptions, NetworkReach};
use prowess_types::{DownloadRecipe, InstallKind, InstallRecipe, InstallSpec, NodeManager};

use super::{InstallEvent, InstallHost, InstallPlan, InstallResult, InstallRun, Privilege, clamp_timeout};

/// Writes down the program, its arguments, its folder and its variables.
const RECORDER: &str = r#"{ printf 'run %s' "${0##*/}"; for arg; do printf ' [%s]' "$arg"; done; printf '\n'; pwd; /usr/bin/env | /usr/bin/sort; } >> "$HOME/log""#;

pub(crate) struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    /// One with these programs and nothing else.
    pub(crate) fn with(programs: &[&str]) -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["bin", "home"] {
            std::fs::create_dir(machine.path(folder)).unwrap();
        }
        for program in programs {
            machine.program(program, "");
        }
        machine
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// A program that writes down how it was called and then does something.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{RECORDER}\n{script}\n")).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }

    pub(crate) fn host(&self) -> InstallHost {
        let text = |relative: &str| self.path(relative).display().to_string();
        InstallHost {
            environment: vec![("HOME".to_owned(), text("home")), ("PATH".to_owned(), text("bin"))],
            tools: self.path("tools"),
            home: self.path("home"),
            platform: "linux".to_owned(),
            node_manager: NodeManager::Npm,
            privilege: Privilege::Administrator,
        }
    }

    /// A text without the name of the folder.
    pub(crate) fn shown(&self, text: &str) -> String {
        text.replace(&self.folder.path().display().to_string(), "[ROOT]")
    }

    /// Everything that was written down.
    pub(crate) fn log(&self) -> String {
        self.shown(&std::fs::read_to_string(self.path("home/log")).unwrap_or_default())
    }

    /// The commands that were run.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.log().lines().filter_map(|line| line.strip_prefix("run ")).map(str::to_owned).collect()
    }

    /// Does what a plan says, and tells what was heard of it.
    pub(crate) fn install(&self, plan: &InstallPlan) -> (InstallResult, String) {
        let mut heard = String::new();
        let mut on_event = |event: InstallEvent<'_>| match event {
            InstallEvent::Starts(step) => heard += &format!("> {step}\n"),
            InstallEvent::Says(_, piece) => heard += &String::from_utf8_lossy(piece),
            InstallEvent::Received(..) => {}
        };
        let result = super::install(plan, &self.host(), &mut run(&loopback(), &mut on_event));
        (result, self.shown(&heard))
    }
}

pub(crate) fn run<'a>(client: &'a Client, on_event: &'a mut dyn FnMut(InstallEvent<'_>)) -> InstallRun<'a> {
    let cancel = Arc::new(AtomicBool::new(false));
    InstallRun { timeout: clamp_timeout(None), cancel, client, on_event }
}

/// A client that may ask this machine.
pub(crate) fn loopback() -> Client {
    Client::new(NetOptions { reach: NetworkReach::Loopback, retries: 0, ..NetOptions::default() }).unwrap()
}

fn spec(kind: InstallKind, recipe: InstallRecipe) -> InstallSpec {
    InstallSpec { id: None, kind, label: None, bins: Vec::new(), os: Vec::new(), recipe }
}

pub(crate) fn package_spec(kind: InstallKind, package: &str) -> InstallSpec {
    spec(kind, InstallRecipe::Package(package.to_owned()))
}

pub(crate) fn download_spec(url: &str, change: impl FnOnce(&mut DownloadRecipe)) -> InstallSpec {
    let mut recipe = DownloadRecipe { url: url.to_owned(), ..DownloadRecipe::default() };
    change(&mut recipe);
    spec(InstallKind::Download, InstallRecipe::Download(recipe))
}
