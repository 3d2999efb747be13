//! A set with the vectors of its skills and messages, ready to be asked.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use prowess_embed::{Encoder, Reader};
use prowess_select::{Bridge, Index, Query, Route, SecondReader, SelectOptions, Selection};

use super::data::Set;
use super::encoded::encode_all;

/// A set, indexed.
pub(super) struct World {
    pub(super) set: Set,
    index: Index,
    encoders: Vec<Encoded>,
    texts: Texts,
}

/// The skills as the second reader reads them, and what it said before.
struct Texts {
    reader: Option<Reader>,
    documents: Vec<String>,
    known: Mutex<HashMap<(String, usize), f32>>,
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("count", &self.documents.len()).finish_non_exhaustive()
    }
}

impl SecondReader for Texts {
    fn read(&self, text: &str, rows: &[usize]) -> Option<Vec<f32>> {
        let reader = self.reader.as_ref()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<usize> =
            rows.iter().copied().filter(|row| !known.contains_key(&(text.to_owned(), *row))).collect();
        let documents: Vec<&str> = new.iter().map(|row| self.documents[*row].as_str()).collect();
        for (row, answer) in new.iter().zip(reader.read(text, &documents).ok()?) {
            known.insert((text.to_owned(), *row), answer);
        }
        rows.iter().map(|row| known.get(&(text.to_owned(), *row)).copied()).collect()
    }
}

/// What one encoder makes of a set.
struct Encoded {
    encoder: String,
    passages: Vec<Vec<f32>>,
    messages: Vec<Vec<f32>>,
    /// What a bridge makes of another encoder's message vectors.
    bridged: Vec<Vec<f32>>,
}

impl World {
    pub(super) fn new(
        set: Set,
        encoders: &[&dyn Encoder],
        nulls: &[Vec<Vec<f32>>],
        reader: Option<Reader>,
    ) -> Result<Self> {
        let passages: Vec<String> =
            set.documents.iter().map(prowess_select::SelectDocument::passage).collect();
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        let messages: Vec<&str> = set.messages.iter().map(|message| message.text.as_str()).collect();
        let mut index = Index::new(&set.documents);
        let mut encoded = Vec::new();
        for (encoder, nulls) in encoders.iter().zip(nulls) {
            let passages = encode_all(*encoder, &passages)?;
            for (row, vector) in passages.iter().enumerate() {
                index.set_vector(encoder.name(), row, vector)?;
            }
            index.set_nulls(encoder.name(), nulls)?;
            let messages = encode_all(*encoder, &messages)?;
            let encoder = encoder.name().to_owned();
            encoded.push(Encoded { encoder, passages, messages, bridged: Vec::new() });
        }
        let documents = set.documents.iter().map(prowess_select::SelectDocument::full_text).collect();
        let texts = Texts { reader, documents, known: Mutex::default() };
        Ok(Self { set, index, encoders: encoded, texts })
    }

    /// Lets one encoder read the messages for another.
    pub(super) fn build_bridge(&mut self, from: &str, to: &str, bridge: &Bridge) -> Result<()> {
        let carried: Option<Vec<Vec<f32>>> =
            self.messages(from).iter().map(|vector| bridge.carry(vector)).collect();
        ensure!(carried.is_some(), "a message of `{}` leads nowhere", self.set.name);
        for encoded in self.encoders.iter_mut().filter(|encoded| encoded.encoder == to) {
            encoded.bridged = carried.clone().unwrap_or_default();
        }
        Ok(())
    }

    pub(super) fn passages(&self, encoder: &str) -> &[Vec<f32>] {
        self.of(encoder).map_or(&[], |encoded| &encoded.passages)
    }

    pub(super) fn messages(&self, encoder: &str) -> &[Vec<f32>] {
        self.of(encoder).map_or(&[], |encoded| &encoded.messages)
    }

    fn of(&self, encoder: &str) -> Option<&Encoded> {
        self.encoders.iter().find(|encoded| encoded.encoder == encoder)
    }

    /// Asks with a message about the rows that are shown.
    pub(super) fn ask(&self, route: &Route, message: usize, shown: Option<&[bool]>) -> Selection {
        let vector = |voice: &prowess_select::Voice| {
            let encoded = self.of(&voice.encoder)?;
            let vectors = if voice.bridge.is_some() { &encoded.bridged } else { &encoded.messages };
            Some((encoded.encoder.as_str(), vectors.get(message)?.as_slice()))
        };
        let vectors: Vec<(&str, &[f32])> = route.voices.iter().filter_map(vector).collect();
        let text = &self.set.messages[message].text;
        let reader: &dyn SecondReader = &self.texts;
        let query =
            Query { text, vectors: &vectors, eligible: shown, reader: Some(reader), ..Query::default() };
        self.index.select(&query, route, &SelectOptions::default())
    }
}
