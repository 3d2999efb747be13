//! What identifies the content of a skill: one hash from the registry to the prompt.

use data_encoding::HEXLOWER;
use prowess_types::Bundle;
use sha2::{Digest as _, Sha256};

/// The SHA-256 of bytes, in lower-case hexadecimal.
///
/// ```
/// assert!(prowess_fs::sha256_hex(b"").starts_with("e3b0c442"));
/// ```
pub fn sha256_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// The hash of a skill: of its paths, of who may be run, and of every content.
pub fn tree_hash(bundle: &Bundle) -> String {
    let files = bundle.files.iter();
    tree_hash_of(files.map(|file| (file.path.as_str(), file.executable, sha256_hex(&file.bytes))))
}

/// The same, when the content of each file is known by its hash only.
///
/// Each file counts as a line `path NUL x|- NUL sha256hex LF`, in the order of the paths' bytes.
pub fn tree_hash_of<'a>(files: impl IntoIterator<Item = (&'a str, bool, String)>) -> String {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by(|one, other| one.0.as_bytes().cmp(other.0.as_bytes()));
    let mut hasher = Sha256::new();
    for (path, executable, hash) in files {
        hasher.update(format!("{path}\0{}\0{hash}\n", if executable { 'x' } else { '-' }));
    }
    HEXLOWER.encode(&hasher.finalize())
}

#[cfg(test)]
mod tests {
    use prowess_types::BundleFile;

    use super::*;

    fn file(path: &str, executable: bool) -> BundleFile {
        BundleFile { path: path.to_owned(), bytes: b"abc".to_vec(), executable }
    }

    #[test]
    fn a_tree_is_its_paths_its_modes_and_its_contents() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let lines = format!("SKILL.md\0-\0{abc}\nscripts/run\0x\0{abc}\n");
        let bundle = Bundle { files: vec![file("scripts/run", true), file("SKILL.md", false)] };
        assert_eq!(tree_hash(&bundle), sha256_hex(lines.as_bytes()));
        let other = Bundle { files: vec![file("SKILL.md", false), file("scripts/run", false)] };
        assert_ne!(tree_hash(&bundle), tree_hash(&other));
    }
}
