//! A task in another language as an English phrase, with its own words beside it.

use super::Wording;
use super::concepts::{Class, Meant, Native};

/// Clauses of a phrase, and words of the native phrase.
const CLAUSES: usize = 3;
const THINGS: usize = 4;
const NATIVE: usize = 8;
const NAME_WORDS: usize = 6;

/// Things that are not counted.
const BARE: &[&str] = &[
    "airplane mode",
    "bluetooth",
    "bubble tea",
    "code",
    "coffee",
    "dark mode",
    "data",
    "food",
    "groceries",
    "home",
    "medicine",
    "money",
    "music",
    "news",
    "parking",
    "restaurant delivery",
    "settings",
    "tea",
    "text",
    "water",
    "wifi",
    "workout",
    "pdf",
    "translation",
    "weather",
    "brightness",
    "volume",
    "error",
];
/// Things of which there is one.
const ONLY: &[&str] = &[
    "battery",
    "calendar",
    "heating",
    "language",
    "phone",
    "screen",
    "wallpaper",
    "light",
    "washing machine",
    "vacuum cleaner",
    "car",
    "table of contents",
];

pub(super) fn wording(native: &Native) -> Option<Wording> {
    let clauses = clauses(native);
    let said: Vec<String> = clauses.iter().map(Clause::said).filter(|said| !said.is_empty()).collect();
    let phrase = said.join(" and ");
    if phrase.is_empty() {
        return None;
    }
    let is_action = clauses.iter().any(|clause| clause.verb.is_some());
    let core = clauses.first().filter(|clause| clause.verb.is_some() && !clause.things.is_empty());
    let mut words: Vec<String> = Vec::new();
    for clause in &clauses {
        for word in clause.verb.iter().chain(&clause.things).flat_map(|text| text.split([' ', '\''])) {
            if !words.iter().any(|known| known == word) && word.len() > 1 && word != "of" {
                words.push(word.to_owned());
            }
        }
    }
    words.truncate(NAME_WORDS);
    let shown: Vec<&str> = native.meant.iter().map(|meant| meant.shown).take(NATIVE).collect();
    let is_first = said.first().is_some_and(|_| clauses.first().is_some_and(|clause| clause.verb.is_some()));
    Some(Wording {
        core: core.map(Clause::said).unwrap_or_default(),
        words,
        native: Some(shown.join(native.tongue.blank())),
        is_action: is_action && is_first,
        phrase,
    })
}

/// A verb and its things.
#[derive(Clone, Debug, Default)]
struct Clause {
    verb: Option<&'static str>,
    things: Vec<&'static str>,
}

impl Clause {
    fn said(&self) -> String {
        let mut words: Vec<String> = self.verb.iter().map(|verb| (*verb).to_owned()).collect();
        let mut has_quality = false;
        let mut is_later = false;
        for thing in self.things.iter().take(THINGS) {
            if is_quality(thing) {
                has_quality = true;
                words.push((*thing).to_owned());
                continue;
            }
            let article = if has_quality || BARE.contains(thing) {
                ""
            } else if ONLY.contains(thing) {
                "the "
            } else if thing.starts_with(['a', 'e', 'i', 'o', 'u']) {
                "an "
            } else {
                "a "
            };
            let link = if is_later { link(thing) } else { "" };
            words.push(format!("{link}{article}{thing}"));
            (is_later, has_quality) = (true, false);
        }
        words.join(" ")
    }
}

/// The link between a thing and the one before it.
fn link(thing: &str) -> &'static str {
    match thing {
        "phone" | "screen" | "website" | "server" => "on ",
        "folder" | "app" | "calendar" | "spreadsheet" | "list" | "shopping list" | "database"
        | "document" | "repository" | "project" | "settings" | "account" | "restaurant" => "in ",
        "home" => "at ",
        "date" | "name" | "price" => "by ",
        "customer" | "birthday" | "meeting" | "game" | "class" => "for ",
        _ => "with ",
    }
}

/// A place where something is done, which is named after the thing.
fn is_place(thing: &str) -> bool {
    ["on ", "in "].contains(&link(thing))
}

fn is_quality(word: &str) -> bool {
    ["new", "last", "unread", "all", "duplicate", "large", "daily", "weekly", "monthly"].contains(&word)
}

/// The verbs with their things: those after them, or those before them where verbs come last.
fn clauses(native: &Native) -> Vec<Clause> {
    let mut meant: Vec<&Meant> = native.meant.iter().collect();
    if native.tongue.ends_with_verb() {
        meant.reverse();
    }
    let mut clauses: Vec<Clause> = vec![Clause::default()];
    for one in meant {
        let Some(last) = clauses.last_mut() else { break };
        if one.class == Class::Verb {
            if last.verb.is_none() && (last.things.is_empty() || !native.tongue.ends_with_verb()) {
                last.verb = Some(one.english);
            } else if last.verb.is_none_or(|verb| verb != one.english) {
                clauses.push(Clause { verb: Some(one.english), things: Vec::new() });
            }
        } else if !last.things.contains(&one.english) {
            last.things.push(one.english);
        }
    }
    clauses.retain(|clause| clause.verb.is_some() || !clause.things.is_empty());
    if native.tongue.ends_with_verb() {
        clauses.reverse();
        for clause in &mut clauses {
            clause.things.reverse();
        }
    }
    for clause in &mut clauses {
        // `log file` says more than `file`.
        let all = clause.things.clone();
        clause
            .things
            .retain(|thing| !all.iter().any(|other| other != thing && other.ends_with(&format!(" {thing}"))));
        if clause.things.iter().any(|thing| thing.ends_with(" mode"))
            && clause.verb.is_some_and(|verb| ["switch", "set", "make", "change"].contains(&verb))
        {
            clause.verb = Some("turn on");
        }
    }
    // A quality stands before the thing.
    for clause in &mut clauses {
        let is_lone = clause.things.iter().all(|thing| is_place(thing) || is_quality(thing));
        clause.things.sort_by_key(|thing| (is_place(thing) && !is_lone, !is_quality(thing)));
    }
    // A verb without a thing says little beside others.
    if clauses.iter().any(|clause| !clause.things.is_empty()) {
        clauses.retain(|clause| !clause.things.is_empty());
    }
    // Things of which nothing is done are about something else.
    if clauses.iter().any(|clause| clause.verb.is_some()) {
        clauses.retain(|clause| clause.verb.is_some());
    }
    clauses.truncate(CLAUSES);
    clauses
}
