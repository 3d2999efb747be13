//! A set with the vectors of its skills and messages, ready to be asked.

use anyhow::{Result, ensure};
use prowess_embed::Encoder;
use prowess_select::{Bridge, Index, Query, Route, SelectOptions, Selection};

use super::data::Set;
use super::encoded::encode_all;

/// A set, indexed.
pub(super) struct World {
    pub(super) set: Set,
    index: Index,
    encoders: Vec<Encoded>,
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
    pub(super) fn new(set: Set, encoders: &[&dyn Encoder], nulls: &[Vec<Vec<f32>>]) -> Result<Self> {
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
        Ok(Self { set, index, encoders: encoded })
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
        let query = Query { text, vectors: &vectors, eligible: shown, ..Query::default() };
        self.index.select(&query, route, &SelectOptions::default())
    }
}
