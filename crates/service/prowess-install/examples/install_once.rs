//! Makes one change to a home and ends: what the fault tests interrupt.
//!
//! `install_once FOLDER first|second|force|remove|recover` answers with its exit code.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use prowess_install::{Edits, Existing, Folder, Home, Placement, Provenance, Writer};
use prowess_types::{Bundle, BundleFile};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.as_slice() {
        [_, folder, action] => match change(Path::new(folder), action) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        _ => ExitCode::from(2),
    }
}

fn change(folder: &Path, action: &str) -> Result<(), Box<dyn Error>> {
    let mirror = Some(folder.join(".clawhub/lock.json"));
    let home = Home { mirror, ..Home::new(folder.join("skills"), folder.join(".prowess")) };
    let writer = Writer::open(&home, Duration::from_secs(30))?;
    if action == "recover" {
        return Ok(());
    }
    let name = Folder::parse("@ada/demo")?;
    let mirror = Some(format!("{{\"version\": 1, \"last\": \"{action}\"}}"));
    if action == "remove" {
        let trash = home.trash.join("removed");
        let take = |path: &Path| -> std::io::Result<PathBuf> {
            std::fs::create_dir_all(&home.trash)?;
            std::fs::rename(path, &trash)?;
            Ok(trash.clone())
        };
        writer.uninstall(&name, mirror.as_deref(), take)?;
        return Ok(());
    }
    let bundle = version(action);
    let provenance = Provenance { name: "demo".into(), source: action.into(), ..Provenance::default() };
    let placement = Placement { mirror, ..Placement::new(name, &bundle, provenance, 1000) };
    match action {
        "first" => _ = writer.place(&placement, Existing::Refuse)?,
        "second" => _ = writer.update(&placement, Edits::Merge)?,
        "force" => _ = writer.update(&placement, Edits::Overwrite)?,
        other => return Err(format!("`{other}` is no action").into()),
    }
    Ok(())
}

fn version(name: &str) -> Bundle {
    let mut files = vec![
        ("SKILL.md", format!("# Demo\n\none\ntwo\nthree\n\n{name}\n"), false),
        ("scripts/run.sh", format!("#!/bin/sh\necho {name}\n"), true),
    ];
    if name != "first" {
        files.push(("scripts/new.txt", "new\n".to_owned(), false));
    }
    let files = files.into_iter().map(|(path, text, executable)| BundleFile {
        path: path.to_owned(),
        bytes: text.into_bytes(),
        executable,
    });
    let mut files: Vec<BundleFile> = files.collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Bundle { files }
}
