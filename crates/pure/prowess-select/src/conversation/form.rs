//! The form of a message in a conversation, by its words alone.

use super::KeepReason;
use super::table::{JOINED, SOUNDS, SPACED, Words};
use crate::stop::is_stop_word;
use crate::words::{fold, is_spaceless};

/// A message of at most this many words is too short to be a request of its own.
const FRAGMENT_WORDS: usize = 3;
/// The same for scripts without spaces, in characters.
const FRAGMENT_CHARS: usize = 6;
/// A pronoun points back in a question with at most this many words of its own.
const QUESTION_CONTENT: usize = 2;
/// A pronoun points back in any other message with at most this many words of its own.
const REQUEST_CONTENT: usize = 3;
/// A message that opens like a continuation, or points back, has at most this many words of its own.
const FOLLOW_UP_CONTENT: usize = 6;
/// A short addition has at most this many words of its own.
const ADDITION_CONTENT: usize = 4;
/// A sentence in front of a follow-up has at most this many words of its own.
const REMARK_CONTENT: usize = 3;
/// The most characters of a follow-up in a script without spaces.
const FOLLOW_UP_CHARS: usize = 24;
/// A pronoun among the first words of a message has nothing in the message to stand for.
const EARLY: usize = 3;

/// The form of a message that follows another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Opens like a continuation.
    Continues,
    /// Points back to something.
    PointsBack,
    /// Too short to stand alone.
    Fragment,
    /// Only thanks, greets or confirms.
    Closing,
    /// A request or a question that can stand alone.
    Request,
    /// A new topic: after a word that ends the turn before, or after the announcement of another topic.
    NewTopic,
}

impl Form {
    /// The form of a message.
    pub(super) fn of(message: &str) -> Self {
        let text = fold(message).replace(['\'', '’'], "");
        let mut sentences = sentences(&text);
        if sentences.is_empty() {
            // Only signs: a smiley is an acknowledgement, a question mark is a reminder.
            let is_picture = message.chars().any(|letter| u32::from(letter) > 0x2000);
            return if is_picture { Self::Closing } else { Self::Fragment };
        }
        if sentences.iter().all(Sentence::is_closing) {
            return Self::Closing;
        }
        // "And for May. Thanks!" is about May.
        while sentences.last().is_some_and(Sentence::is_closing) {
            sentences.pop();
        }
        let Some((last, before)) = sentences.split_last() else { return Self::Closing };
        let form = last.form(!before.is_empty());
        let Some(first) = before.iter().find(|sentence| !sentence.is_closing()) else { return form };
        match (first.form(false), form) {
            // The first sentence continues, and the others are part of that, unless the last one asks anew.
            (Self::Continues, Self::NewTopic) if !last.is_question() => Self::Continues,
            // A message that brings its own topic points back to that.
            (Self::Request | Self::NewTopic, _) if !first.is_remark() => Self::Request,
            _ => form,
        }
    }

    /// The reason that this form keeps the skills of the turn before.
    pub(super) fn keeps(self) -> Option<KeepReason> {
        match self {
            Self::Continues => Some(KeepReason::Continues),
            Self::PointsBack => Some(KeepReason::PointsBack),
            Self::Fragment => Some(KeepReason::Fragment),
            Self::Closing | Self::Request | Self::NewTopic => None,
        }
    }
}

/// One sentence, folded.
struct Sentence<'a> {
    text: &'a str,
    words: Vec<&'a str>,
    /// True if it is written without spaces, or joins particles to words.
    is_joined: bool,
}

impl<'a> Sentence<'a> {
    fn new(text: &'a str) -> Option<Self> {
        let words: Vec<&str> =
            text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let joined = text.chars().filter(|letter| is_joined(*letter)).count();
        let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
        (!words.is_empty()).then(|| Self { text: text.trim(), is_joined: joined * 2 > letters, words })
    }

    /// Returns true if nothing is said but thanks, a greeting or a confirmation.
    fn is_closing(&self) -> bool {
        if self.is_joined {
            return self.is_closing_joined();
        }
        let mut rest = self.words.as_slice();
        let mut closes = false;
        while !rest.is_empty() {
            let closing = longest(rest, |row| row.closings);
            let beside = longest(rest, |row| row.beside).max(sound(rest));
            closes |= closing > 0;
            match closing.max(beside) {
                0 => return false,
                count => rest = &rest[count..],
            }
        }
        closes
    }

    fn is_closing_joined(&self) -> bool {
        let mut rest: String = self.text.chars().filter(|letter| letter.is_alphanumeric()).collect();
        let whole = rest.len();
        let cut = |text: String, of: fn(&Words) -> &'static [&'static str]| {
            let mut phrases: Vec<&str> = JOINED.iter().flat_map(|row| of(row).iter().copied()).collect();
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
            phrases.into_iter().fold(text, |text, phrase| text.replace(&phrase.replace(' ', ""), ""))
        };
        rest = cut(rest, |row| row.closings);
        rest.len() < whole && cut(rest, |row| row.beside).is_empty()
    }

    fn is_question(&self) -> bool {
        let (rest, _) = self.opened();
        longest(rest, |row| row.questions) > 0 && longest(rest, |row| row.courtesies) == 0
    }

    /// Returns true for a short statement in front of what matters: "that failed".
    fn is_remark(&self) -> bool {
        !self.is_joined && !self.is_question() && content(&self.words) <= REMARK_CONTENT
    }

    /// The words after sounds and words that end a turn, and whether there were any of the latter.
    fn opened(&self) -> (&[&'a str], bool) {
        let mut rest = self.words.as_slice();
        let mut ends_turn = false;
        loop {
            let closing = longest(rest, |row| row.closings);
            let sound = sound(rest);
            if closing.max(sound) == 0 || closing.max(sound) == rest.len() {
                return (rest, ends_turn);
            }
            ends_turn |= closing > sound;
            rest = &rest[closing.max(sound)..];
        }
    }

    /// The form of this sentence. `ends_turn`: a sentence before it ended the turn.
    fn form(&self, ends_turn: bool) -> Form {
        if self.is_joined {
            return self.form_joined(ends_turn);
        }
        let (rest, closes) = self.opened();
        let ends_turn = ends_turn || closes;
        let alone = if ends_turn { Form::NewTopic } else { Form::Request };
        if contains(&self.words, |row| row.asides) {
            return Form::NewTopic;
        }
        let courtesy = longest(rest, |row| row.courtesies);
        let rest = if courtesy < rest.len() { &rest[courtesy..] } else { rest };
        let content = content(rest);
        let opens = longest(rest, |row| row.continues) > 0 && content <= FOLLOW_UP_CONTENT;
        let adds = longest(rest, |row| row.adds) > 0 && content <= ADDITION_CONTENT;
        if opens || adds {
            return Form::Continues;
        }
        if courtesy == 0 && longest(rest, |row| row.questions) > 0 {
            // "What does it mean again?" asks for something known, and for nothing in the turn before.
            let without: Vec<&str> = rest.iter().copied().filter(|word| *word != "again").collect();
            let points = points_back(&without);
            let room = if ends_turn { QUESTION_CONTENT - 1 } else { QUESTION_CONTENT };
            let is_about = has_pronoun(rest, rest.len()) && content <= room;
            return if points || is_about { Form::PointsBack } else { alone };
        }
        if points_back(rest) {
            return Form::PointsBack;
        }
        if (content <= FOLLOW_UP_CONTENT && has_pronoun(rest, EARLY))
            || (content <= REQUEST_CONTENT && has_pronoun(rest, rest.len()))
        {
            return Form::PointsBack;
        }
        if !ends_turn && rest.len() <= FRAGMENT_WORDS && content < FRAGMENT_WORDS {
            Form::Fragment
        } else {
            alone
        }
    }

    fn form_joined(&self, ends_turn: bool) -> Form {
        let of = |of: fn(&Words) -> &'static [&'static str]| {
            JOINED.iter().flat_map(move |row| of(row).iter().copied())
        };
        let finds = |phrase: &str| self.text.contains(phrase);
        if of(|row| row.asides).any(finds) {
            return Form::NewTopic;
        }
        let opening = of(|row| row.closings).chain(of(|row| row.courtesies));
        let opening: Vec<&str> = opening.filter(|phrase| self.text.starts_with(phrase)).collect();
        let cut = opening.iter().map(|phrase| phrase.len()).max().unwrap_or_default();
        let rest = self.text[cut..].trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let letters = rest.chars().filter(|letter| letter.is_alphanumeric()).count();
        let is_short = letters <= FOLLOW_UP_CHARS;
        if is_short && of(|row| row.continues).any(|phrase| rest.starts_with(phrase)) {
            return Form::Continues;
        }
        if is_short && of(|row| row.points_back).any(|phrase| rest.contains(phrase)) {
            return Form::PointsBack;
        }
        let is_question = of(|row| row.questions).any(|phrase| rest.contains(phrase));
        if !is_question && !ends_turn && letters <= FRAGMENT_CHARS {
            return Form::Fragment;
        }
        if ends_turn || cut > 0 { Form::NewTopic } else { Form::Request }
    }
}

/// Returns true if the character belongs to a language whose particles are joined to words.
fn is_joined(letter: char) -> bool {
    is_spaceless(letter) || matches!(letter, '\u{ac00}'..='\u{d7a3}')
}

/// The sentences of a text. A sign inside a word (`v2.0.1`, `.bat`) ends none.
fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        let is_last = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match letter {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' | ';' | '…' => is_last,
            _ => false,
        };
        if ends {
            let end = place + letter.len_utf8();
            sentences.extend(Sentence::new(&text[start..end]));
            start = end;
        }
    }
    sentences.extend(Sentence::new(&text[start..]));
    sentences
}

/// The number of words of the longest phrase of all languages that the words open with; 0 if they open with none.
fn longest(words: &[&str], of: fn(&Words) -> &'static [&'static str]) -> usize {
    let phrases = SPACED.iter().flat_map(|row| of(row).iter());
    phrases.filter_map(|phrase| opens(words, phrase)).max().unwrap_or_default()
}

/// Returns true if a phrase of any language stands among the words.
fn contains(words: &[&str], of: fn(&Words) -> &'static [&'static str]) -> bool {
    (0..words.len()).any(|start| longest(&words[start..], of) > 0)
}

/// Returns true if one of the first words is a pronoun. "That" is one only where no word of its own follows: "text Ben
/// that dinner is ready" points to nothing.
fn has_pronoun(words: &[&str], first: usize) -> bool {
    let joins = |place: usize| words.get(place + 1).is_some_and(|next| is_content(next) || *next == "the");
    (0..words.len().min(first)).any(|place| {
        longest(&words[place..], |row| row.pronouns) > 0 && !(words[place] == "that" && joins(place))
    })
}

fn sound(words: &[&str]) -> usize {
    SOUNDS.iter().filter_map(|phrase| opens(words, phrase)).max().unwrap_or_default()
}

/// The number of words of a phrase that the words open with.
fn opens(words: &[&str], phrase: &str) -> Option<usize> {
    let count = phrase.split(' ').count();
    let is_same = words.len() >= count && phrase.split(' ').zip(words).all(|(part, word)| part == *word);
    is_same.then_some(count)
}

/// Returns true if the words point back and bring little of their own.
fn points_back(words: &[&str]) -> bool {
    let is_pick = |start: usize| match longest(&words[start..], |row| row.picks) {
        0 => false,
        count => words.get(start + count).is_none_or(|next| !is_content(next)),
    };
    let points = contains(words, |row| row.points_back) || (0..words.len()).any(is_pick);
    points && content(words) <= FOLLOW_UP_CONTENT
}

/// The number of words that are more than grammar.
fn content(words: &[&str]) -> usize {
    words.iter().filter(|word| is_content(word)).count()
}

/// Returns true if a word is more than grammar.
fn is_content(word: &str) -> bool {
    !is_stop_word(word) && !SPACED.iter().any(|row| row.pronouns.contains(&word))
}
