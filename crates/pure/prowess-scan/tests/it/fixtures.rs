//! Labelled skills, as files and as the parser read them.

use std::collections::BTreeMap;
use std::io::Read as _;

use prowess_scan::{File, Report, scan};
use prowess_types::Skill;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
pub(crate) struct Set {
    pub(crate) items: Vec<Item>,
}

#[derive(Deserialize)]
pub(crate) struct Item {
    pub(crate) skill: String,
    pub(crate) truth: String,
    pub(crate) category: String,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) parsed: Skill,
}

impl Item {
    pub(crate) fn scan(&self) -> Report {
        let files: Vec<File<'_>> =
            self.files.iter().map(|(path, text)| File::new(path, text.as_bytes())).collect();
        scan(&files, Some(&self.parsed))
    }
}

/// Reads a fixture that is compressed JSON.
pub(crate) fn packed<T: DeserializeOwned>(bytes: &[u8]) -> T {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).expect("the fixture is gzip");
    serde_json::from_str(&text).expect("the fixture is JSON")
}

/// The labelled development set.
pub(crate) fn labelled() -> Set {
    packed(include_bytes!("../fixtures/labelled.json.gz"))
}

/// Variants of the same behaviours.
pub(crate) fn variants() -> Set {
    packed(include_bytes!("../fixtures/variants.json.gz"))
}
