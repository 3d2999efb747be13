//! Skills that compete: a message that one of them was written for finds the other, or nearly.
//!
//! The messages are the skills' own words: trigger phrases, quoted examples and the clauses of the description
//! ([`probes`]). The caller encodes them and hands them to [`overlaps`].

use std::collections::BTreeMap;

use serde::Serialize;

use crate::calibration::Route;
use crate::document::Field;
use crate::document::SelectDocument;
use crate::index::Index;
use crate::query::Query;
use crate::rarity::rarity;
use crate::search::Search;
use crate::terms::terms;

/// A rival this much behind still competes.
const CLOSE: f32 = 0.5;
/// A phrase or a clause of fewer meaningful words is too little to tell skills apart.
const PHRASE_WORDS: usize = 2;
const CLAUSE_WORDS: usize = 3;
/// At most this many messages are made of one skill.
const PROBES: usize = 6;
/// So many words are named as a difference.
const WORDS: usize = 5;

/// A message made of a skill's own words.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// The skill that it was made of.
    pub row: usize,
    /// The message.
    pub text: &'a str,
    /// Its vectors, by encoder.
    pub vectors: &'a [(&'a str, &'a [f32])],
}

/// Two skills that compete.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overlap {
    /// The skill that the message was made of.
    pub meant: usize,
    /// The skill that it finds as well.
    pub rival: usize,
    /// The message that separates them least.
    pub message: String,
    /// How much the rival is ahead with that message; negative if it is behind.
    pub ahead: f32,
    /// With how many messages of either skill the other one competes.
    pub contested: usize,
    /// Words that only the meant skill's name and description have, the rarest first.
    pub only_meant: Vec<String>,
    /// Words that only the rival's have.
    pub only_rival: Vec<String>,
}

impl Overlap {
    /// What the authors can do about it.
    pub fn suggestion(&self, meant: &str, rival: &str) -> String {
        let words =
            |list: &[String]| list.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        match (self.only_meant.is_empty(), self.only_rival.is_empty()) {
            (true, true) => format!(
                "nothing in the descriptions tells `{meant}` and `{rival}` apart: merge them, or say in each what it is not for"
            ),
            (true, false) => format!(
                "`{meant}` says nothing that `{rival}` does not: add to its description what only it does (`{rival}` alone has {})",
                words(&self.only_rival)
            ),
            (false, true) => format!(
                "`{rival}` says nothing that `{meant}` does not: add to its description what only it does (`{meant}` alone has {})",
                words(&self.only_meant)
            ),
            (false, false) => format!(
                "say when to use which: `{meant}` alone has {}; `{rival}` alone has {}",
                words(&self.only_meant),
                words(&self.only_rival)
            ),
        }
    }
}

/// Messages made of a skill's own words: what its author expects to be asked.
pub fn probes(document: &SelectDocument) -> Vec<String> {
    let description = document.description.as_str();
    let phrases = document.triggers.any.iter().map(String::as_str).chain(quoted(description));
    let texts = [description].into_iter().chain(document.when_to_use.as_deref());
    let clauses = texts.flat_map(|text| text.split(['.', ';', '!', '?', '\n', '。', '；']));
    let phrases = phrases.map(|text| (text, PHRASE_WORDS));
    let clauses = clauses.map(|text| (text, CLAUSE_WORDS));
    let mut probes: Vec<String> = Vec::new();
    for (text, fewest) in phrases.chain(clauses) {
        let text = text.trim();
        let mut count = 0;
        terms(text, |_| count += 1);
        if count >= fewest && !probes.iter().any(|known| known == text) {
            probes.push(text.to_owned());
        }
    }
    probes.truncate(PROBES);
    probes
}

/// What stands in double quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '“', '”']).skip(1).step_by(2)
}

/// The pairs that compete, the worst first.
pub fn overlaps(
    index: &Index,
    documents: &[SelectDocument],
    probes: &[Probe<'_>],
    route: &Route,
) -> Vec<Overlap> {
    let mut found: BTreeMap<(usize, usize), Overlap> = BTreeMap::new();
    for probe in probes.iter().filter(|probe| probe.row < index.len()) {
        let query = Query { text: probe.text, vectors: probe.vectors, ..Query::default() };
        let search = Search::plain(index, &query, route);
        let own = search.score(probe.row);
        for rival in search.best(2).into_iter().filter(|rival| rival.row != probe.row) {
            let ahead = rival.score - own;
            if ahead < -CLOSE {
                continue;
            }
            let pair = (probe.row.min(rival.row), probe.row.max(rival.row));
            let overlap = found.entry(pair).or_insert_with(|| Overlap {
                meant: probe.row,
                rival: rival.row,
                message: String::new(),
                ahead: f32::NEG_INFINITY,
                contested: 0,
                only_meant: Vec::new(),
                only_rival: Vec::new(),
            });
            overlap.contested += 1;
            if ahead > overlap.ahead {
                (overlap.meant, overlap.rival, overlap.ahead) = (probe.row, rival.row, ahead);
                probe.text.clone_into(&mut overlap.message);
            }
        }
    }
    let mut overlaps: Vec<Overlap> = found.into_values().collect();
    for overlap in &mut overlaps {
        let words = |row: usize| documents.get(row).map(vocabulary).unwrap_or_default();
        let (meant, rival) = (words(overlap.meant), words(overlap.rival));
        overlap.only_meant = rarest(&meant, &rival);
        overlap.only_rival = rarest(&rival, &meant);
    }
    overlaps.sort_by(|a, b| b.ahead.total_cmp(&a.ahead).then((a.meant, a.rival).cmp(&(b.meant, b.rival))));
    overlaps
}

/// The terms of a skill's name and description, each with its word.
fn vocabulary(document: &SelectDocument) -> BTreeMap<String, String> {
    let mut vocabulary = BTreeMap::new();
    for field in [Field::Name, Field::Description] {
        for text in document.texts(field) {
            terms(text, |term| {
                vocabulary.entry(term.text.to_owned()).or_insert_with(|| term.word.to_lowercase());
            });
        }
    }
    vocabulary
}

/// The words that only the first has, the rarest first.
fn rarest(of: &BTreeMap<String, String>, not_of: &BTreeMap<String, String>) -> Vec<String> {
    let mut own: Vec<(&String, &String)> =
        of.iter().filter(|(term, _)| !not_of.contains_key(*term)).collect();
    own.sort_by(|a, b| rarity(b.0).total_cmp(&rarity(a.0)).then(a.cmp(b)));
    own.into_iter().take(WORDS).map(|(_, word)| word.clone()).collect()
}
