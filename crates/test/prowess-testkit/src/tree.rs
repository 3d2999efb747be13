//! A throw-away folder laid out from a description.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use serde_json::Value;

/// A throw-away folder, removed when dropped.
#[derive(Debug)]
pub struct Tree {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// An empty one.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("prowess-").tempdir().expect("a temporary folder");
        // Links in the path of the temporary folder would show up as differences.
        let root = folder.path().canonicalize().expect("the folder exists");
        Self { folder, root }
    }

    /// Its path, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path in it.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Keeps it on disk and tells where, to look at after a failure.
    pub fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    /// Writes a file and the folders above it.
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a folder");
        }
        fs::write(&path, bytes).expect("a file");
        path
    }

    /// Writes an executable.
    pub fn write_program(&self, relative: &str) -> PathBuf {
        let path = self.write(relative, "#!/bin/sh\n");
        set_mode(&path, 0o755);
        path
    }

    /// Lays out one entry: text, or `{b64}`, `{symlink}`, `{hardlink}`, `{dir}`, `{repeat, head, tail}`, with an
    /// optional `mode`. `$ROOT` in links is this folder.
    pub fn lay(&self, relative: &str, entry: &Value) {
        let path = self.path(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a folder");
        }
        let target = |value: &Value| self.expand(value.as_str().expect("a path"));
        if let Some(text) = entry.as_str() {
            fs::write(&path, text).expect("a file");
        } else if let Some(encoded) = entry["b64"].as_str() {
            fs::write(&path, BASE64.decode(encoded.as_bytes()).expect("base64")).expect("a file");
        } else if !entry["symlink"].is_null() {
            link(&PathBuf::from(target(&entry["symlink"])), &path);
        } else if !entry["hardlink"].is_null() {
            fs::hard_link(self.path(&target(&entry["hardlink"])), &path).expect("a hard link");
        } else if entry["dir"] == Value::Bool(true) {
            fs::create_dir_all(&path).expect("a folder");
        } else if let Some(repeat) = entry["repeat"].as_array() {
            let times = usize::try_from(repeat[1].as_u64().expect("a count")).expect("a count");
            let middle = repeat[0].as_str().expect("a text").repeat(times);
            let part = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            fs::write(&path, part("head") + &middle + &part("tail")).expect("a file");
        } else {
            panic!("an entry that cannot be laid out: {entry}");
        }
        if let Some(mode) = entry["mode"].as_u64() {
            set_mode(&path, u32::try_from(mode).expect("a mode"));
        }
    }

    /// Copies a recorded folder into this one. `dot-` at the start of a name becomes a dot, files that end in `.gz` are
    /// unpacked, and `$ROOT` in texts is this folder.
    pub fn lay_recorded(&self, folder: &Path) {
        let mut waiting = vec![(folder.to_owned(), self.root.clone())];
        while let Some((from, to)) = waiting.pop() {
            fs::create_dir_all(&to).expect("a folder");
            for entry in fs::read_dir(&from).expect("a recorded folder") {
                let path = entry.expect("an entry").path();
                let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
                let name =
                    name.strip_prefix("dot-").map_or_else(|| name.to_owned(), |rest| format!(".{rest}"));
                if path.is_dir() {
                    waiting.push((path, to.join(name)));
                    continue;
                }
                let bytes = fs::read(&path).expect("a recorded file");
                match name.strip_suffix(".gz") {
                    Some(name) => fs::write(to.join(name), unpacked(&bytes)),
                    None => fs::write(to.join(name), self.expanded(bytes)),
                }
                .expect("a file");
            }
        }
    }

    /// Replaces `$ROOT` in a text; anything else stays as it is.
    fn expanded(&self, bytes: Vec<u8>) -> Vec<u8> {
        match String::from_utf8(bytes) {
            Ok(text) => self.expand(&text).into_bytes(),
            Err(error) => error.into_bytes(),
        }
    }

    /// Replaces `$ROOT` by this folder.
    pub fn expand(&self, text: &str) -> String {
        text.replace("$ROOT", &self.root.display().to_string())
    }

    /// Replaces `$ROOT` in every text of a value.
    pub fn expand_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.expand(text)),
            Value::Array(items) => items.iter().map(|item| self.expand_value(item)).collect(),
            Value::Object(map) => {
                map.iter().map(|(key, item)| (self.expand(key), self.expand_value(item))).collect()
            }
            other => other.clone(),
        }
    }
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) {
    std::os::unix::fs::symlink(target, path).expect("a link");
}

#[cfg(not(unix))]
fn link(_target: &Path, _path: &Path) {
    panic!("links are laid out on Unix only");
}

#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

#[cfg(not(unix))]
pub(crate) fn set_mode(_path: &Path, _mode: u32) {}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut unpacked).expect("gzip");
    unpacked
}
