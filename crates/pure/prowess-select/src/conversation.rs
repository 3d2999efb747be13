//! The rule for a message that follows others: are the skills of the turn before still in use?
//!
//! "No, the second one" has no word of its own that a skill could be found by, and still it needs the skill that is in
//! use. "Thanks!" needs none. The rule looks at the form of the message and at the answer of the plain choice. It uses
//! no model and no list of skills, so it can be read and tested like a table.
//!
//! The user's word always comes first: a skill that is called by name, or that the plain choice is sure of, is never
//! replaced by one of the turn before.

mod form;
mod table;

use std::fmt;

use form::Form;

/// The confidence from which another skill replaces the one in use although the message reads like a follow-up.
const SURE: f32 = 0.9;

/// The plain choice: the answer for the message without the turns before.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainChoice<'a> {
    /// The best skill, if there is one.
    pub best: Option<&'a str>,
    /// Probability that the best skill is asked for.
    pub confidence: f32,
    /// True if it is loaded.
    pub is_loaded: bool,
    /// True if it is suggested or loaded.
    pub is_suggested: bool,
    /// True if the user's own word or a file leaves no doubt.
    pub is_certain: bool,
}

/// The effect of the turns before on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUpRule {
    /// The skills of the turn before stay loaded.
    Keep(KeepReason),
    /// Nothing is loaded.
    Drop,
    /// The plain choice decides.
    Plain(PlainReason),
}

/// The reason that skills are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepReason {
    /// The message opens like a continuation: "and …", "same for …".
    Continues,
    /// The message points back: "the second one", "again", "it".
    PointsBack,
    /// The message is too short to be a request of its own.
    Fragment,
    /// The plain choice would suggest the same skill.
    SameSkill,
}

/// The reason that the plain choice decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainReason {
    /// No skill was in use.
    NothingLoaded,
    /// The plain choice loads a skill that is in use anyway.
    SameSkill,
    /// The plain choice is sure of another skill.
    OtherSkill,
    /// The message is a request or a question of its own.
    NewTopic,
}

impl FollowUpRule {
    /// Applies the rule to a message. `loaded` are the names of the skills that the turn before had in use.
    ///
    /// ```
    /// use prowess_select::{FollowUpRule, KeepReason, PlainChoice};
    ///
    /// let unsure = PlainChoice::default();
    /// let kept = FollowUpRule::of("and on Sunday?", &["weather"], &unsure);
    /// assert_eq!(kept, FollowUpRule::Keep(KeepReason::Continues));
    /// assert_eq!(FollowUpRule::of("thanks!", &["weather"], &unsure), FollowUpRule::Drop);
    /// ```
    pub fn of(message: &str, loaded: &[&str], plain: &PlainChoice<'_>) -> Self {
        if loaded.is_empty() {
            return Self::Plain(PlainReason::NothingLoaded);
        }
        let is_same = plain.best.is_some_and(|best| loaded.contains(&best));
        if plain.is_certain {
            return Self::Plain(if is_same { PlainReason::SameSkill } else { PlainReason::OtherSkill });
        }
        let form = Form::of(message);
        if form == Form::Closing {
            return Self::Drop;
        }
        if plain.is_loaded && is_same {
            return Self::Plain(PlainReason::SameSkill);
        }
        if plain.is_loaded && (plain.confidence >= SURE || form.keeps().is_none()) {
            return Self::Plain(PlainReason::OtherSkill);
        }
        match form.keeps() {
            Some(reason) => Self::Keep(reason),
            None if is_same && plain.is_suggested && form == Form::Request => {
                Self::Keep(KeepReason::SameSkill)
            }
            None => Self::Plain(PlainReason::NewTopic),
        }
    }
}

impl fmt::Display for FollowUpRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Keep(KeepReason::Continues) => "the message continues the one before",
            Self::Keep(KeepReason::PointsBack) => "the message points back to the one before",
            Self::Keep(KeepReason::Fragment) => "the message is too short to be a request of its own",
            Self::Keep(KeepReason::SameSkill) => "the same skill is the best match again",
            Self::Drop => "the message only thanks, greets or confirms",
            Self::Plain(PlainReason::NothingLoaded) => "no skill was in use",
            Self::Plain(PlainReason::SameSkill) => "the message asks for the same skill",
            Self::Plain(PlainReason::OtherSkill) => "the message asks for another skill",
            Self::Plain(PlainReason::NewTopic) => "the message begins something new",
        })
    }
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
