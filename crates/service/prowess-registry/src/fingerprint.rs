//! What identifies the files of a skill to a registry.
//!
//! The order of the lines is that of a Unicode collation, not of the bytes, because the original sorts with
//! JavaScript's `localeCompare`: another order would give another hash for nearly every skill.

use std::cmp::Ordering;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};
use prowess_types::{Bundle, BundleFile};

use crate::ignore_rules::IgnoreRules;
use prowess_fs::sha256_hex;

/// The card a server adds; it is never part of what was published.
const GENERATED_CARD: &str = "skill-card.md";

/// The fingerprint of files: `path:sha256` lines in collation order, hashed.
///
/// All files count. A folder on disk is reduced to [`published_files`] first.
///
/// ```
/// use prowess_types::{Bundle, BundleFile};
/// let file = BundleFile { path: "SKILL.md".into(), bytes: b"a".to_vec(), executable: false };
/// let fingerprint = prowess_registry::fingerprint(&Bundle { files: vec![file] });
/// assert_eq!(fingerprint, "11db9ba9b64384be271043e21759e8ff61892d846bf808f74a0cb456a688d368");
/// ```
pub fn fingerprint(bundle: &Bundle) -> String {
    let files = bundle.files.iter().map(|file| (file.path.as_str(), sha256_hex(&file.bytes)));
    fingerprint_of_hashes(files)
}

/// The same for files of which only the SHA-256 in hexadecimal is known.
pub fn fingerprint_of_hashes<'a>(files: impl IntoIterator<Item = (&'a str, String)>) -> String {
    hash_lines(files.into_iter().map(|(path, hash)| (path, format!("{path}:{hash}"))))
}

/// The hash of a folder in a repository, as registries pin it: `path NUL size NUL sha256` lines, hashed.
pub fn content_hash(bundle: &Bundle) -> String {
    hash_lines(bundle.files.iter().map(|BundleFile { path, bytes, .. }| {
        (path.as_str(), format!("{path}\0{}\0{}", bytes.len(), sha256_hex(bytes)))
    }))
}

/// The files of a folder that a publication takes: nothing hidden, no dependencies, nothing the ignore files in
/// the root name, and not the card a server has generated.
#[must_use]
pub fn published_files(bundle: &Bundle) -> Bundle {
    let rules = IgnoreRules::of(bundle);
    let is_left_out = |path: &str| {
        path == GENERATED_CARD
            || path.split('/').any(|part| part.starts_with('.') || part == "node_modules")
            || rules.matches(path)
    };
    Bundle { files: bundle.files.iter().filter(|file| !is_left_out(&file.path)).cloned().collect() }
}

fn hash_lines<'a>(lines: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut lines: Vec<(&str, String)> = lines.collect();
    let collator = root_collator();
    lines.sort_by(|(one, _), (other, _)| compare(collator.as_ref(), one, other));
    let text: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
    sha256_hex(text.join("\n").as_bytes())
}

/// The collation of no language in particular. Its data are compiled in, so it is always there.
fn root_collator() -> Option<CollatorBorrowed<'static>> {
    Collator::try_new(CollatorPreferences::default(), CollatorOptions::default()).ok()
}

/// Paths the collation takes for the same are told apart by their bytes, so the order is total.
fn compare(collator: Option<&CollatorBorrowed<'_>>, one: &str, other: &str) -> Ordering {
    collator.map_or(Ordering::Equal, |collator| collator.compare(one, other)).then_with(|| one.cmp(other))
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
