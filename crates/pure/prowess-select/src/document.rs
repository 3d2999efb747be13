//! What selection knows of one skill.

use std::fmt;

use prowess_types::Triggers;
use serde::Serialize;

/// How many trigger phrases the passage has room for.
const PASSAGE_PHRASES: usize = 8;
/// How many characters of a body are read.
pub const BODY_CHARS: usize = 1_500;

/// The text of one skill, as far as it helps to recognise a message that asks for it.
///
/// Only the name and a description are needed; everything else may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectDocument {
    /// The skill's name, which is also its command.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Claude Code's additional text on when to use it.
    pub when_to_use: Option<String>,
    /// Phrases that call for it, or rule it out.
    pub triggers: Triggers,
    /// Single words and tags that speak for it.
    pub keywords: Vec<String>,
    /// The instructions; only their beginning is read.
    pub body: String,
    /// Globs of the files it is for; with globs, nothing else loads it unasked.
    pub paths: Vec<String>,
}

impl SelectDocument {
    /// The text whose vector stands for the skill: what the caller encodes and caches.
    ///
    /// ```
    /// # use prowess_select::SelectDocument;
    /// let skill = SelectDocument {
    ///     name: "get-tldr".to_owned(),
    ///     description: "Summarises a link".to_owned(),
    ///     ..SelectDocument::default()
    /// };
    /// assert_eq!(skill.passage(), "get tldr: Summarises a link");
    /// ```
    pub fn passage(&self) -> String {
        let phrases = self.triggers.any.iter().chain(&self.triggers.all).take(PASSAGE_PHRASES);
        let phrases = phrases.map(|phrase| phrase.trim()).collect::<Vec<_>>().join("; ");
        let said =
            affirmed(&self.description).chain(self.when_to_use.as_deref().into_iter().flat_map(affirmed));
        let texts = said.chain([phrases.as_str()]).map(str::trim).filter(|text| !text.is_empty());
        let text = texts.collect::<Vec<_>>().join(" ");
        let name = spaced(&self.name);
        if name.is_empty() || text.is_empty() { name + &text } else { format!("{name}: {text}") }
    }

    /// The text that a second reader reads: the passage, then the beginning of the instructions without their markup.
    ///
    /// ```
    /// # use prowess_select::SelectDocument;
    /// let skill = SelectDocument {
    ///     name: "get-tldr".to_owned(),
    ///     description: "Summarises a link".to_owned(),
    ///     body: "# How\n\nRun `tldr`".to_owned(),
    ///     ..SelectDocument::default()
    /// };
    /// assert_eq!(skill.full_text(), "get tldr: Summarises a link How Run tldr");
    /// ```
    pub fn full_text(&self) -> String {
        let is_markup =
            |letter: char| letter.is_whitespace() || matches!(letter, '#' | '*' | '`' | '_' | '|' | '>');
        let mut text = self.passage();
        for word in start(&self.body, BODY_CHARS).split(is_markup).filter(|word| !word.is_empty()) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }

    /// The texts of a field.
    pub(crate) fn texts(&self, field: Field) -> Vec<&str> {
        match field {
            Field::Name => vec![&self.name],
            Field::Description => {
                let texts = [self.description.as_str()].into_iter().chain(self.when_to_use.as_deref());
                texts.flat_map(affirmed).collect()
            }
            Field::Triggers => {
                let phrases = self.triggers.any.iter().chain(&self.triggers.all);
                phrases.chain(&self.keywords).map(String::as_str).collect()
            }
            Field::Body => vec![start(&self.body, BODY_CHARS)],
        }
    }
}

/// A text without the sentences that say what the skill is not for: their words would call for it.
fn affirmed(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let mut parts: Vec<&str> = Vec::new();
    let mut start = 0;
    // Sentences that are kept stay together, so that a text without such a sentence is left as it is.
    for sentence in text.split_inclusive(['.', '!', '?', ';', '\n']) {
        let end = start + sentence.len();
        if is_denial(sentence) {
            let skipped = text.len() - rest.len();
            parts.push(&text[skipped..start]);
            rest = &text[end..];
        }
        start = end;
    }
    parts.push(rest);
    parts.into_iter().filter(|part| !part.trim().is_empty())
}

/// Returns true if a sentence says when a skill should be left alone.
fn is_denial(sentence: &str) -> bool {
    const OPENINGS: [&str; 10] = [
        "not for ",
        "not when ",
        "not if ",
        "not as ",
        "do not use ",
        "don't use ",
        "don’t use ",
        "never use ",
        "not intended for ",
        "not suitable for ",
    ];
    let start = sentence.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    OPENINGS.iter().any(|opening| {
        start.get(..opening.len()).is_some_and(|written| written.eq_ignore_ascii_case(opening))
    })
}

/// The first characters of a text.
fn start(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

/// A name as words: `get-tldr` is `get tldr`, `getUserInfo` is `get User Info`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        let is_hump = before.is_lowercase() && letter.is_uppercase();
        let separates = !letter.is_alphanumeric();
        if (is_hump || separates) && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        if !separates {
            words.push(letter);
        }
        before = letter;
    }
    words.truncate(words.trim_end().len());
    words
}

/// A part of a skill's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// The name.
    Name,
    /// The description, and when to use it.
    Description,
    /// Trigger phrases and keywords.
    Triggers,
    /// The beginning of the instructions.
    Body,
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Triggers => "triggers",
            Self::Body => "body",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(spaced("get-tldr"), "get tldr");
        assert_eq!(spaced("getUserInfo"), "get User Info");
        assert_eq!(spaced("--PDF__tools--"), "PDF tools");
        assert_eq!(spaced("…"), "");
    }

    #[test]
    fn the_passage_has_all_that_the_author_says_on_when_to_use_it() {
        let skill = SelectDocument {
            name: "notes".to_owned(),
            description: " Keeps notes. ".to_owned(),
            when_to_use: Some("When asked to remember".to_owned()),
            triggers: Triggers {
                any: vec!["note this".to_owned(), "jot down".to_owned()],
                ..Triggers::default()
            },
            ..SelectDocument::default()
        };
        assert_eq!(skill.passage(), "notes: Keeps notes. When asked to remember note this; jot down");
        assert_eq!(SelectDocument::default().passage(), "");
        assert_eq!(SelectDocument { name: "a-b".to_owned(), ..SelectDocument::default() }.passage(), "a b");
    }

    #[test]
    fn what_a_skill_is_not_for_does_not_call_for_it() {
        let skill = |description: &str| SelectDocument {
            description: description.to_owned(),
            ..SelectDocument::default()
        };
        for (description, passage) in [
            ("Pull requests on GitHub. Not for local git work such as rebase.", "Pull requests on GitHub."),
            ("Not for children. Tells stories; do NOT use at night! Ever.", "Tells stories; Ever."),
            ("Notes for everyone. Notable.", "Notes for everyone. Notable."),
            ("A v1.2 tool, not for windows", "A v1.2 tool, not for windows"),
            ("Don’t use for é", ""),
        ] {
            assert_eq!(skill(description).passage(), passage, "{description}");
        }
    }

    #[test]
    fn only_the_beginning_of_the_body_is_read() {
        let body = "é".repeat(BODY_CHARS + 1);
        let skill = SelectDocument { body, ..SelectDocument::default() };
        assert_eq!(skill.texts(Field::Body)[0].chars().count(), BODY_CHARS);
    }
}
