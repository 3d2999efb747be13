//! A world of skills with an encoder that needs no model.

use prowess_select::{
    Calibration, Index, Languages, Query, Route, SelectDocument, SelectOptions, Selection, Voice,
};

pub(crate) const ENCODER: &str = "toy";
const DIMENSIONS: usize = 48;

/// A vector of the text's letter triples: texts that share them are near each other.
pub(crate) fn encode(text: &str) -> Vec<f32> {
    let mut vector = vec![0.01; DIMENSIONS];
    let letters: Vec<char> = format!("  {}  ", text.to_lowercase()).chars().collect();
    for triple in letters.windows(3) {
        let hash = triple
            .iter()
            .fold(2_166_136_261_u32, |hash, &letter| (hash ^ u32::from(letter)).wrapping_mul(16_777_619));
        let sign = if hash & 1 == 0 { 1.0 } else { -1.0 };
        vector[(hash >> 8) as usize % DIMENSIONS] += sign;
    }
    vector
}

pub(crate) fn skill(name: &str, description: &str) -> SelectDocument {
    SelectDocument { name: name.to_owned(), description: description.to_owned(), ..SelectDocument::default() }
}

pub(crate) fn route() -> Route {
    Route {
        languages: Languages::Any,
        voices: vec![Voice {
            encoder: ENCODER.to_owned(),
            mean: 0.1,
            deviation: 0.15,
            weight: 1.0,
            bridge: None,
        }],
        ..Calibration::default().route(true, &[]).clone()
    }
}

pub(crate) fn index(documents: &[SelectDocument]) -> Index {
    let mut index = Index::new(documents);
    for (row, document) in documents.iter().enumerate() {
        index.set_vector(ENCODER, row, &encode(&document.passage())).unwrap();
    }
    index.set_nulls(ENCODER, &[encode("hello there"), encode("thank you very much")]).unwrap();
    index
}

/// The selection for a message with its vector.
pub(crate) fn select(index: &Index, query: &Query<'_>, options: &SelectOptions) -> Selection {
    let vector = encode(query.text);
    let vectors = [(ENCODER, &vector[..])];
    index.select(&Query { vectors: &vectors, ..*query }, &route(), options)
}
