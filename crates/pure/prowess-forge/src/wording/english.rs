//! English: a request in general words, its grammar kept.

use super::Wording;
use super::lexicon::{
    is_ambiguous, is_brand, is_common, is_determiner, is_done_to_people, is_function, is_number,
    is_preposition, is_time, is_unit, is_verb,
};
use super::tokens::Token;
use super::values::{Personal, looks};

/// Words of a phrase.
const LONGEST: usize = 24;
/// Words of the beginning of a phrase.
const CORE: usize = 7;
/// Sentences that a phrase is made of.
const SENTENCES: usize = 2;
/// Words for names.
const NAME_WORDS: usize = 6;

/// Polite words before a request.
const OPENERS: &[&str] = &[
    "i would like you to",
    "i would like to",
    "would you be so kind as to",
    "would you mind",
    "i want you to",
    "i need you to",
    "could you please",
    "can you please",
    "would you please",
    "will you please",
    "please can you",
    "please could you",
    "can you help me to",
    "can you help me",
    "could you help me",
    "help me to",
    "i want to",
    "i need to",
    "i have to",
    "i would love to",
    "go ahead and",
    "could you",
    "can you",
    "would you",
    "will you",
    "can we",
    "could we",
    "can i",
    "could i",
    "help me",
    "let us",
    "let is",
    "we need to",
    "we want to",
    "please",
    "kindly",
    "just",
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "now",
    "so",
];

/// Polite words after a request.
const CLOSERS: &[&str] = &[
    "thank you",
    "thanks",
    "for me please",
    "please",
    "for me",
    "right now",
    "right away",
    "asap",
    "now",
    "ok",
    "okay",
    "for us",
];

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A word that may be said.
    Word(String),
    /// Something that belongs to one task only.
    Value(Personal),
    /// A comma or another mark.
    Break,
}

pub(super) fn wording(tokens: &[Token]) -> Option<Wording> {
    let mut clauses: Vec<(Vec<String>, bool)> = Vec::new();
    for sentence in sentences(tokens) {
        let parts = stripped(parts(&sentence));
        let words = said(&parts);
        if words.iter().any(|word| is_content(word)) {
            let is_action = words.first().is_some_and(|first| is_verb(first));
            clauses.push((words, is_action));
        }
    }
    // A sentence that only tells something stays away beside one that asks.
    if clauses.iter().any(|(_, is_action)| *is_action) {
        clauses.retain(|(_, is_action)| *is_action);
    } else {
        clauses.sort_by_key(|(words, _)| {
            std::cmp::Reverse(words.iter().filter(|word| is_content(word)).count())
        });
        clauses.truncate(1);
    }
    clauses.truncate(SENTENCES);
    let is_action = clauses.first()?.1;
    let words: Vec<String> =
        clauses.into_iter().map(|(words, _)| words).collect::<Vec<_>>().join(&"and".to_owned());
    let words = shortened(words);
    let core = core(&words, is_action);
    let named: Vec<String> = named(&words);
    (!named.is_empty()).then(|| Wording {
        phrase: words.join(" "),
        core,
        words: named,
        native: None,
        is_action,
    })
}

fn sentences(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut found: Vec<Vec<Token>> = Vec::new();
    for token in tokens {
        match found.last_mut() {
            Some(last) if !token.is_initial => last.push(token.clone()),
            _ => found.push(vec![token.clone()]),
        }
    }
    found
}

/// The parts of a sentence.
fn parts(tokens: &[Token]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let next = tokens.get(at);
        let before = parts.iter().rev().find_map(|part| match part {
            Part::Word(word) => Some(word.clone()),
            _ => None,
        });
        let part = part(token, before.as_deref(), parts.last(), next);
        // A number says how long with the word after it: `10 minutes`.
        if part == Part::Value(Personal::Number) && next.is_some_and(|next| is_unit(&next.lower)) {
            at += 1;
            parts.push(Part::Value(Personal::Time));
            continue;
        }
        if part == Part::Value(Personal::Number)
            && next.is_some_and(|next| ["percent", "per"].contains(&next.lower.as_str()))
        {
            at += 1;
            parts.push(Part::Value(Personal::Level));
            continue;
        }
        if part == Part::Value(Personal::Number)
            && next.is_some_and(|next| {
                ["euro", "euros", "dollar", "dollars", "pounds", "francs", "usd", "eur", "yen"]
                    .contains(&next.lower.as_str())
            })
        {
            at += 1;
            parts.push(Part::Value(Personal::Amount));
            continue;
        }
        let breaks = token.is_before_break && at < tokens.len();
        if token.is_possessive && part == Part::Value(Personal::Name) {
            parts.push(Part::Value(Personal::Owner));
        } else {
            parts.push(part);
        }
        if breaks {
            parts.push(Part::Break);
        }
    }
    parts
}

fn part(token: &Token, before: Option<&str>, last: Option<&Part>, next: Option<&Token>) -> Part {
    let word = token.lower.as_str();
    if token.is_quoted {
        return Part::Value(Personal::Text);
    }
    if let Some(value) = looks(&token.text) {
        return Part::Value(value);
    }
    if is_time(word) && (token.is_capital || !["may", "sun", "mar", "sat", "wed"].contains(&word)) {
        return Part::Value(Personal::Time);
    }
    if ["next", "last", "this"].contains(&word)
        && next.is_some_and(|next| {
            is_time(&next.lower) || (is_unit(&next.lower) && word != "this" && next.lower.len() > 2)
        })
        && before.is_none_or(|before| !is_determiner(before))
    {
        return Part::Value(Personal::Time);
    }
    if is_unit(word) && word.len() > 2 && last == Some(&Part::Value(Personal::Time)) {
        return Part::Value(Personal::Time);
    }
    if is_number(word) && !(["half", "quarter"].contains(&word) && before.is_some_and(is_determiner)) {
        return Part::Value(Personal::Number);
    }
    if !token.is_word() {
        return Part::Value(Personal::Name);
    }
    if is_brand(word) {
        return Part::Word(word.to_owned());
    }
    let is_shouted =
        token.text.chars().count() > 1 && token.text.chars().all(|letter| !letter.is_lowercase());
    if token.is_capital && !token.is_initial && word != "i" {
        // Abbreviations are written in capitals.
        let is_plain =
            is_shouted && token.text.chars().count() <= 5 && is_common(word) && !is_ambiguous(word);
        return if is_plain { Part::Word(word.to_owned()) } else { Part::Value(Personal::Name) };
    }
    if is_function(word) {
        return Part::Word(word.to_owned());
    }
    if is_ambiguous(word) {
        let is_start = token.is_initial && is_verb(word);
        let after_thing = before.is_some_and(|before| {
            is_determiner(before) || (!is_function(before) && !is_done_to_people(before))
        });
        let follows_word = matches!(last, Some(Part::Word(_)));
        return if is_start || (after_thing && follows_word) || (last.is_none() && !token.is_capital) {
            Part::Word(word.to_owned())
        } else {
            Part::Value(Personal::Name)
        };
    }
    // A capital at the beginning may be a name's, if another follows.
    if token.is_capital
        && !is_verb(word)
        && next.is_some_and(|next| next.is_capital && next.is_word() && next.lower != "i")
        && !is_shouted
    {
        return Part::Value(Personal::Name);
    }
    let is_said = is_common(word)
        || (word.contains('-') && word.split('-').all(|part| is_common(part) || is_function(part)));
    if is_said { Part::Word(word.replace('-', " ")) } else { Part::Value(Personal::Name) }
}

/// A sentence without what is only polite.
fn stripped(mut parts: Vec<Part>) -> Vec<Part> {
    let starts = |parts: &[Part], words: &[&str]| {
        let plain: Vec<&str> = parts.iter().take(words.len()).filter_map(word_of).collect();
        plain == words
    };
    let mut again = true;
    while again {
        again = false;
        while parts.first() == Some(&Part::Break) {
            parts.remove(0);
        }
        for opener in OPENERS {
            let words: Vec<&str> = opener.split(' ').collect();
            if words.len() < parts.len() && starts(&parts, &words) {
                parts.drain(..words.len());
                again = true;
                break;
            }
        }
    }
    again = true;
    while again {
        again = false;
        while parts.last() == Some(&Part::Break) {
            parts.pop();
        }
        for closer in CLOSERS {
            let words: Vec<&str> = closer.split(' ').collect();
            let begin = parts.len().saturating_sub(words.len());
            if begin > 0 && starts(&parts[begin..], &words) {
                parts.truncate(begin);
                again = true;
                break;
            }
        }
    }
    parts
}

fn word_of(part: &Part) -> Option<&str> {
    match part {
        Part::Word(word) => Some(word),
        _ => None,
    }
}

/// The words of a sentence, with general words in the place of values.
fn said(parts: &[Part]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut verb: Option<String> = None;
    for (at, part) in parts.iter().enumerate() {
        let next = parts[at + 1..].iter().find(|part| **part != Part::Break);
        match part {
            Part::Break => {}
            // The content of a message stays private.
            Part::Word(word)
                if ["that", "saying", "because"].contains(&word.as_str())
                    && verb.as_deref().is_some_and(is_said_to_someone) =>
            {
                break;
            }
            Part::Word(word) => {
                let word = match word.as_str() {
                    "my" | "our" => "the",
                    "me" | "us" | "i" if !words.is_empty() => "the user",
                    word => word,
                };
                if is_verb(word)
                    && (words.is_empty()
                        || words.last().is_some_and(|last| last == "and" || last == "then" || last == "to"))
                {
                    verb = Some(word.to_owned());
                }
                words.extend(word.split(' ').map(str::to_owned));
            }
            Part::Value(value) => {
                let is_modifier = matches!(next, Some(Part::Word(next)) if !is_function(next));
                put(*value, &mut words, verb.as_deref(), is_modifier, parts.get(at.wrapping_sub(1)));
            }
        }
    }
    cleaned(words)
}

/// Verbs that bring a message along.
fn is_said_to_someone(verb: &str) -> bool {
    is_done_to_people(verb)
        || ["answer", "draft", "let", "post", "reply", "say", "send", "tweet", "write"].contains(&verb)
}

/// Adds the general word for a value.
fn put(
    value: Personal,
    words: &mut Vec<String>,
    verb: Option<&str>,
    is_modifier: bool,
    before: Option<&Part>,
) {
    let last = words.last().cloned().unwrap_or_default();
    let time = ["a", "given", "time"].map(str::to_owned);
    let is_after = |list: &[&str]| list.contains(&last.as_str());
    // A second time says nothing more.
    if value == Personal::Time
        && is_preposition(&last)
        && words.len() > 3
        && words[..words.len() - 1].ends_with(&time)
    {
        words.pop();
        return;
    }
    let is_repeated = matches!(before, Some(Part::Value(known)) if *known == value);
    let general = match value {
        Personal::Time if last == "every" => {
            words.pop();
            "regularly"
        }
        Personal::Time if is_modifier && !is_preposition(&last) => return,
        Personal::Time if words.ends_with(&time) => return,
        Personal::Time if last == "on" => {
            words.pop();
            "at a given time"
        }
        Personal::Time if is_preposition(&last) && last != "of" => "a given time",
        Personal::Time if last == "of" || is_determiner(&last) => "given time",
        Personal::Time if words.is_empty() => return,
        Personal::Time if words.iter().any(|word| word == "time") => return,
        Personal::Time => "at a given time",
        Personal::Number
            if is_after(&["to", "at", "by", "than", "above", "below", "over", "under"]) && !is_modifier =>
        {
            "a given number"
        }
        Personal::Amount if is_modifier => return,
        Personal::Amount => "an amount",
        Personal::Level => "a given level",
        Personal::Web => return thing("web page", words),
        Personal::Address => "an address",
        Personal::File(_) | Personal::Text if is_repeated => return,
        Personal::File(kind) => return thing(kind, words),
        Personal::Text => "a given text",
        Personal::Owner if is_determiner(&last) => return,
        Personal::Owner => "someone's",
        Personal::Name if is_modifier || is_repeated => return,
        Personal::Name if last == "someone" || last == "something" || last == "place" => return,
        Personal::Name if is_after(&["in", "at", "near", "around", "inside"]) => "a given place",
        Personal::Name if is_after(&["to", "with", "from", "for", "by"]) => "someone",
        Personal::Name if is_after(&["about", "on", "of", "into", "as", "called", "named"]) => "something",
        Personal::Name if is_done_to_people(&last) => "someone",
        Personal::Name if verb == Some(last.as_str()) => "something",
        Personal::Name if is_determiner(&last) => "thing",
        Personal::Number | Personal::Name => return,
    };
    words.extend(general.split(' ').map(str::to_owned));
}

/// Adds a kind of thing with an article.
fn thing(kind: &str, words: &mut Vec<String>) {
    if !words.last().is_some_and(|last| is_determiner(last)) {
        let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        words.push(article.to_owned());
    }
    words.extend(kind.split(' ').map(str::to_owned));
}

/// Takes out what was left hanging.
fn cleaned(words: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        let last = found.last().map_or("", String::as_str);
        // `to the from a given place`: what held the missing word goes with it.
        let is_loose = |word: &str| is_determiner(word) && word != "all";
        if is_loose(last)
            && (is_preposition(&word) || word == "and" || is_loose(&word))
            && !is_determiner_pair(last, &word)
        {
            found.pop();
        }
        // A preposition whose word is gone goes with it.
        let is_open = |word: &str| ["for", "of", "to", "with", "by", "from", "in", "at"].contains(&word);
        if found.last().is_some_and(|last| is_open(last)) && is_open(&word) {
            found.pop();
        }
        let last = found.last().map_or("", String::as_str);
        if last == word && word != "that" {
            continue;
        }
        if last == "and" && word == "and" {
            continue;
        }
        found.push(word);
    }
    while found.last().is_some_and(|last| {
        (is_preposition(last) && !["on", "off", "in", "out", "up", "down", "about"].contains(&last.as_str()))
            || (is_determiner(last) && last != "all" && last != "this" && last != "that")
            || ["and", "or", "but", "then", "so", "if", "is", "are", "because", "while", "who", "which"]
                .contains(&last.as_str())
    }) {
        found.pop();
    }
    while found.first().is_some_and(|first| ["and", "or", "but", "then", "so"].contains(&first.as_str())) {
        found.remove(0);
    }
    found
}

fn is_determiner_pair(last: &str, word: &str) -> bool {
    last == "all" || (last == "this" && word == "the")
}

/// A phrase that is not too long, cut where a circumstance begins.
fn shortened(mut words: Vec<String>) -> Vec<String> {
    if words.len() > LONGEST {
        words.truncate(LONGEST);
        words = cleaned(words);
    }
    words
}

/// A word that says something.
fn is_content(word: &str) -> bool {
    !is_function(word)
        && !["given", "time", "user", "someone's", "thing", "please", "regularly"].contains(&word)
}

/// The request up to its first circumstance.
fn core(words: &[String], is_action: bool) -> String {
    if !is_action {
        return String::new();
    }
    let is_circumstance = |at: usize, word: &str| {
        at > 1
            && (is_preposition(word) || ["and", "then", "that", "if", "when", "so"].contains(&word))
            && !["on", "off", "up", "down", "of"].contains(&word)
    };
    let end =
        words.iter().enumerate().position(|(at, word)| is_circumstance(at, word)).unwrap_or(words.len());
    let core: Vec<&str> = words[..end].iter().map(String::as_str).take(CORE).collect();
    let is_general =
        core.iter().any(|word| ["given", "someone", "something", "user", "amount"].contains(word));
    let content = core.iter().filter(|word| is_content(word)).count();
    if content < 2 || is_general { String::new() } else { core.join(" ") }
}

/// The words of a name: those that say something, and what belongs to a verb (`turn on`).
fn named(words: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut after_verb = false;
    for word in words {
        let is_first = found.is_empty() && word == "back";
        let is_particle =
            is_first || after_verb && ["on", "off", "up", "down", "out"].contains(&word.as_str());
        after_verb = is_verb(word) || is_first;
        let says = is_content(word)
            && !["someone", "something", "place", "amount", "number", "level"].contains(&word.as_str());
        if (says || is_particle) && !found.contains(word) {
            found.push(word.clone());
        }
    }
    found.truncate(NAME_WORDS);
    found
}
