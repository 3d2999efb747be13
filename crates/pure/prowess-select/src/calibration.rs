//! The constants that selection was calibrated with: which encoders speak, how loud, and when that is enough.
//!
//! They are data (`models/calibration.json`), because they belong to the weights of the encoders: a new pack
//! brings new constants and no new code. Only the route without encoders is part of the code.

use serde::{Deserialize, Serialize};

use crate::gate::{Feature, Gate};

/// No encoder's cosines vary less; fewer would make chance look like meaning.
const LEAST_DEVIATION: f32 = 0.02;
/// The layout of the file that this version reads.
const VERSION: u32 = 1;

/// All routes, the best first. The default knows no encoder and goes by words alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Calibration {
    version: u32,
    null_sentences: Vec<String>,
    routes: Vec<Route>,
    /// For an encoder that nobody calibrated; it has no voice of its own.
    #[serde(default = "Route::words_alone")]
    measured: Route,
    #[serde(skip, default = "Route::words_alone")]
    words_alone: Route,
}

impl Default for Calibration {
    fn default() -> Self {
        Self::new(Vec::new(), Vec::new(), Route::words_alone())
    }
}

/// Calibration data that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// Not the JSON that was expected.
    #[error("the calibration cannot be read")]
    Json(#[from] serde_json::Error),
    /// Made for another version.
    #[error("the calibration has version {0} instead of {VERSION}")]
    Version(u32),
    /// A number that would make nonsense of every score.
    #[error("the calibration of `{0}` has a number that is not finite, or a deviation that is not positive")]
    Number(String),
}

/// The messages that a route is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Languages {
    /// English ones.
    English,
    /// All but English ones.
    Other,
    /// All.
    Any,
}

/// One way to score messages, and when to act on the score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Route {
    /// The messages it is for.
    pub languages: Languages,
    /// The encoders that it needs.
    pub voices: Vec<Voice>,
    /// What the lexical score counts.
    pub lexical: f32,
    /// When a score is enough.
    pub gate: Gate,
    /// The settings of the second reading, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondReading>,
    /// The confidence from which a skill loads.
    pub load: f32,
    /// The confidence from which a skill is suggested.
    pub suggest: f32,
}

/// The settings of the second reading of the best rows by a [`SecondReader`](crate::SecondReader).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecondReading {
    /// The reader's name.
    pub reader: String,
    /// The number of best rows that it reads.
    pub rows: usize,
    /// The weight of its answer in the score of a row.
    pub weight: f32,
    /// Below this confidence of the first look nothing is read: the message asks for nothing.
    pub doubt: f32,
    /// When a score is enough, now that it was read.
    pub gate: Gate,
}

/// How the cosines of one encoder become a score: `weight * (cosine - mean) / deviation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Voice {
    /// The encoder's family name.
    pub encoder: String,
    /// The cosine of a message with a skill that has nothing to do with it.
    pub mean: f32,
    /// How much those cosines vary.
    pub deviation: f32,
    /// What it counts.
    pub weight: f32,
    /// The encoder whose message vector a [`Bridge`](crate::Bridge) carries over to this one; none if this encoder reads the message itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge: Option<String>,
}

impl Calibration {
    /// A calibration of these routes, the best first, and of one for encoders that nobody calibrated.
    pub fn new(null_sentences: Vec<String>, routes: Vec<Route>, measured: Route) -> Self {
        Self { version: VERSION, null_sentences, routes, measured, words_alone: Route::words_alone() }
    }

    /// Reads and checks a calibration.
    pub fn from_json(text: &str) -> Result<Self, CalibrationError> {
        let calibration: Self = serde_json::from_str(text)?;
        if calibration.version != VERSION {
            return Err(CalibrationError::Version(calibration.version));
        }
        let routes = calibration.routes.iter().chain([&calibration.measured]);
        if let Some(unsound) = routes.into_iter().find(|route| !route.is_sound()) {
            return Err(CalibrationError::Number(unsound.name()));
        }
        Ok(calibration)
    }

    /// The calibration as the file has it: a line by sentence and by route.
    pub fn to_json(&self) -> String {
        format!(
            "{{\n\"version\": {},\n\"nullSentences\": {},\n\"routes\": {},\n\"measured\": {}\n}}\n",
            self.version,
            lines(&self.null_sentences),
            lines(&self.routes),
            line(&self.measured),
        )
    }

    /// The first route for the language whose encoders are all available; if there is none, words alone.
    pub fn route(&self, is_english: bool, available: &[&str]) -> &Route {
        let fits = |route: &&Route| {
            let speaks = match route.languages {
                Languages::English => is_english,
                Languages::Other => !is_english,
                Languages::Any => true,
            };
            let needed = route.voices.iter().flat_map(|voice| [Some(&voice.encoder), voice.bridge.as_ref()]);
            speaks && needed.flatten().all(|encoder| available.contains(&encoder.as_str()))
        };
        self.routes.iter().find(fits).unwrap_or(&self.words_alone)
    }

    /// The route for an encoder that nobody calibrated: [`Voice::measured`] tells its voice.
    pub fn route_with(&self, voice: Voice) -> Route {
        Route { voices: vec![voice], ..self.measured.clone() }
    }

    /// The routes, the best first.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// Sentences that ask for no skill; encode them once per encoder.
    pub fn null_sentences(&self) -> &[String] {
        &self.null_sentences
    }

    /// Returns true if an encoder was calibrated.
    pub fn knows(&self, encoder: &str) -> bool {
        self.routes.iter().flat_map(|route| &route.voices).any(|voice| voice.encoder == encoder)
    }
}

impl Route {
    /// The route that needs no encoder; `cargo xtask calibrate` checks its constants.
    pub fn words_alone() -> Self {
        Self {
            languages: Languages::Any,
            voices: Vec::new(),
            lexical: 0.8,
            gate: Gate { intercept: -1.0489, weights: vec![(Feature::Score, 1.0273)], request: Vec::new() },
            second: None,
            load: 0.85,
            suggest: 0.5,
        }
    }

    /// The encoders' names.
    fn name(&self) -> String {
        let names: Vec<&str> = self.voices.iter().map(|voice| voice.encoder.as_str()).collect();
        names.join(" + ")
    }

    fn is_sound(&self) -> bool {
        let voice_is_sound = |voice: &Voice| {
            voice.deviation > 0.0
                && [voice.mean, voice.deviation, voice.weight].iter().all(|number| number.is_finite())
        };
        let numbers = [self.lexical, self.load, self.suggest];
        let second_is_sound = |second: &SecondReading| {
            second.gate.is_sound() && second.weight.is_finite() && second.doubt.is_finite()
        };
        self.voices.iter().all(voice_is_sound)
            && self.gate.is_sound()
            && self.second.as_ref().is_none_or(second_is_sound)
            && numbers.iter().all(|number| number.is_finite())
    }
}

impl Voice {
    /// A voice for an encoder that nobody calibrated, from the cosines of the null sentences with the skills at
    /// hand ([`Index::null_cosines`](crate::Index::null_cosines)); twenty skills are enough.
    pub fn measured(encoder: &str, cosines: &[f32]) -> Self {
        let count = cosines.len().max(1) as f32;
        let mean = cosines.iter().sum::<f32>() / count;
        let variance = cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f32>() / count;
        let deviation = variance.sqrt().max(LEAST_DEVIATION);
        Self { encoder: encoder.to_owned(), mean, deviation, weight: 1.0, bridge: None }
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn lines(values: &[impl Serialize]) -> String {
    let lines: Vec<String> = values.iter().map(line).collect();
    format!("[\n{}\n]", lines.join(",\n"))
}

#[cfg(test)]
#[path = "calibration_tests.rs"]
mod tests;
