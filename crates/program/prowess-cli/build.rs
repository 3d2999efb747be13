//! Embeds the bundled skills and the stage of the demo, so that an installed binary has them without any file beside it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    embed("../../../skills", "bundled_skills.rs")?;
    embed("demo", "demo_files.rs")
}

/// Writes a table of all files in a folder.
fn embed(folder: &str, table_name: &str) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&folder).unwrap_or(file).to_string_lossy().replace('\\', "/");
        // Debug output is a valid Rust string literal for any path.
        let _ = writeln!(
            table,
            "    prowess_context::EmbeddedFile {{ path: {name:?}, bytes: include_bytes!({:?}), executable: {} }},",
            file.canonicalize()?.to_string_lossy(),
            is_executable(file)?
        );
    }
    table.push_str("]\n");
    #[allow(clippy::disallowed_methods, reason = "cargo tells a build script its folder this way")]
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    fs::write(out.join(table_name), table)
}

/// Folders that are for working on a skill, not for using it. Its `evals` belong to it: `prowess eval` runs them.
const LEFT_OUT: [&str; 2] = ["tests", "__pycache__"];

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_hidden = name.starts_with('.');
        if path.is_dir() && !is_hidden && !LEFT_OUT.contains(&&*name) {
            collect(&path, files)?;
        } else if path.is_file() && !is_hidden {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_executable(file: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(file)?.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_file: &Path) -> io::Result<bool> {
    Ok(false)
}
