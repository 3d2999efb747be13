//! The parts of a score.

use serde::Serialize;

use crate::lexical::TermSignal;

/// What a score is made of; the shares add up to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Signals {
    /// One per encoder of the route.
    pub voices: Vec<VoiceSignal>,
    /// Shared words.
    pub lexical: LexicalSignal,
    /// Trigger phrases in the message that are not a certain signal.
    pub triggers: Option<TriggerSignal>,
    /// What was learned before.
    pub prior: Option<f32>,
    /// The answer of the second reader; none if it did not read the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<ReaderSignal>,
    /// The action read by itself; none if it did not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<ActionSignal>,
}

/// The action of a message read by itself: "search the web" of "search the web for the latest release of X".
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionSignal {
    /// The action.
    pub text: String,
    /// Its part of the score.
    pub share: f32,
}

/// The answer of the second reader for a message and a skill.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReaderSignal {
    /// The reader's name.
    pub reader: String,
    /// Its answer: above 0 for a skill that fits, below 0 for one that does not.
    pub value: f32,
    /// Its part of the score.
    pub share: f32,
}

/// What one encoder says.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoiceSignal {
    /// The encoder's family name.
    pub encoder: String,
    /// Likeness of message and skill; none while the skill has no vector (then the voice is neutral).
    pub cosine: Option<f32>,
    /// The cosine in standard deviations above an unrelated skill's.
    pub value: f32,
    /// Its part of the score.
    pub share: f32,
}

/// What shared words say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LexicalSignal {
    /// The lexical score.
    pub value: f32,
    /// Its part of the score.
    pub share: f32,
    /// The words that made it, the best first; their shares add up to this share.
    pub terms: Vec<TermSignal>,
}

/// What trigger phrases say.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TriggerSignal {
    /// The phrases.
    pub phrases: Vec<String>,
    /// Their part of the score.
    pub share: f32,
}

impl Signals {
    /// The score that the shares add up to.
    pub fn total(&self) -> f32 {
        let voices: f32 = self.voices.iter().map(|voice| voice.share).sum();
        let triggers = self.triggers.as_ref().map_or(0.0, |triggers| triggers.share);
        let reader = self.reader.as_ref().map_or(0.0, |reader| reader.share);
        let action = self.action.as_ref().map_or(0.0, |action| action.share);
        voices + self.lexical.share + triggers + self.prior.unwrap_or(0.0) + reader + action
    }
}
