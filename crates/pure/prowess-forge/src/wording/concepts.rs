//! Tasks in other languages: their words for everyday things, each with what it means in English.

use std::sync::LazyLock;

use super::lexicon;
use super::tokens::{Token, unquoted};

const LIST: &str = include_str!("../../data/concepts.txt");
/// Letters that a form may add to a word of the list (plurals, cases, pronouns).
const ENDING: usize = 3;
/// Shorter words stand as they are.
const SHORTEST_STEM: usize = 4;
/// A shorter part of a compound is not looked for.
const SHORTEST_PART: usize = 5;

/// The kind of a concept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Verb,
    Thing,
    Quality,
}

/// A language of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    German,
    Spanish,
    French,
    Italian,
    Portuguese,
    Dutch,
    Polish,
    Turkish,
    Russian,
    Arabic,
    Hindi,
    Chinese,
    Japanese,
    Korean,
}

/// In the order of the columns.
const TONGUES: [Tongue; 14] = [
    Tongue::German,
    Tongue::Spanish,
    Tongue::French,
    Tongue::Italian,
    Tongue::Portuguese,
    Tongue::Dutch,
    Tongue::Polish,
    Tongue::Turkish,
    Tongue::Russian,
    Tongue::Arabic,
    Tongue::Hindi,
    Tongue::Chinese,
    Tongue::Japanese,
    Tongue::Korean,
];

impl Tongue {
    fn is_spaceless(self) -> bool {
        matches!(self, Self::Chinese | Self::Japanese)
    }

    /// Returns true if what is to be done stands at the end.
    pub(super) fn ends_with_verb(self) -> bool {
        matches!(self, Self::Turkish | Self::Hindi | Self::Japanese | Self::Korean)
    }

    /// Between the words of a phrase.
    pub(super) fn blank(self) -> &'static str {
        if self.is_spaceless() { "" } else { " " }
    }
}

/// A word of a task with what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meant {
    pub(super) class: Class,
    pub(super) english: &'static str,
    /// The word of the list.
    pub(super) shown: &'static str,
}

/// The words of a task in its own language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Native {
    pub(super) tongue: Tongue,
    pub(super) meant: Vec<Meant>,
    /// The number of tokens that they are.
    pub(super) tokens: usize,
    /// True if the task is written in another script than English.
    pub(super) is_foreign: bool,
}

/// A form of a word: its words, the last of which may have any ending.
struct Form {
    words: Vec<&'static str>,
    is_open: bool,
    meant: Meant,
}

static FORMS: LazyLock<Vec<Vec<Form>>> = LazyLock::new(|| (0..TONGUES.len()).map(forms).collect());

fn forms(column: usize) -> Vec<Form> {
    let mut forms = Vec::new();
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('|');
        let (Some(english), Some(class)) = (cells.next(), cells.next()) else { continue };
        let class = match class {
            "v" => Class::Verb,
            "a" => Class::Quality,
            _ => Class::Thing,
        };
        let Some(cell) = cells.nth(column) else { continue };
        let list: Vec<&'static str> = cell.split(',').filter(|form| !form.is_empty()).collect();
        let first = list.iter().find(|form| !form.contains('*')).or(list.first());
        let first = first.map_or("", |form| form.trim_end_matches('*'));
        for form in list {
            let is_open = form.ends_with('*');
            let shown = if form.contains('*') { first } else { form };
            let meant = Meant { class, english, shown };
            let words = form.split(' ').map(|word| word.trim_end_matches('*')).collect();
            forms.push(Form { words, is_open: is_open || form.contains("* "), meant });
        }
    }
    forms
}

/// The words of the list in a task, in the language that has most of them.
pub(super) fn find(text: &str, tokens: &[Token]) -> Option<Native> {
    let plain = unquoted(text);
    let tongues: Vec<usize> = match script(&plain) {
        Script::Latin => (0..8).collect(),
        Script::Cyrillic => vec![8],
        Script::Arabic => vec![9],
        Script::Devanagari => vec![10],
        Script::Han => vec![11],
        Script::Kana => vec![12],
        Script::Hangul => vec![13],
        Script::Other => return None,
    };
    let is_foreign = tongues.first().is_some_and(|first| *first > 0);
    let mut best: Option<Native> = None;
    for column in tongues {
        let tongue = TONGUES[column];
        let (meant, count) = if tongue.is_spaceless() {
            in_run(&plain, &FORMS[column])
        } else {
            in_tokens(tokens, tongue, &FORMS[column])
        };
        let meant = if tongue == Tongue::German { separated(meant, tokens) } else { meant };
        if !meant.is_empty() && count > best.as_ref().map_or(0, |best| best.tokens) {
            best = Some(Native { tongue, meant, tokens: count, is_foreign });
        }
    }
    best
}

/// German puts the end of a verb at the end: `Schalte das Licht ein`.
fn separated(mut meant: Vec<Meant>, tokens: &[Token]) -> Vec<Meant> {
    let last =
        tokens.iter().rev().map(|token| token.lower.as_str()).find(|word| !["bitte", "danke"].contains(word));
    let (english, shown) = match last {
        Some("ein" | "an") => ("turn on", "einschalten"),
        Some("aus" | "ab") => ("turn off", "ausschalten"),
        _ => return meant,
    };
    for one in &mut meant {
        if one.class == Class::Verb && ["switch", "make"].contains(&one.english) {
            (one.english, one.shown) = (english, shown);
        }
    }
    meant
}

enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Devanagari,
    Han,
    Kana,
    Hangul,
    Other,
}

/// The script with most letters; any kana makes a text Japanese.
fn script(text: &str) -> Script {
    let count = |is: fn(char) -> bool| text.chars().filter(|letter| is(*letter)).count();
    let latin = count(|letter| letter.is_alphabetic() && letter < '\u{250}') / 2;
    let scripts = [
        (latin, Script::Latin),
        (count(|letter| matches!(letter, '\u{0400}'..='\u{052f}')), Script::Cyrillic),
        (count(|letter| matches!(letter, '\u{0600}'..='\u{06ff}')), Script::Arabic),
        (count(|letter| matches!(letter, '\u{0900}'..='\u{097f}')), Script::Devanagari),
        (count(|letter| matches!(letter, '\u{ac00}'..='\u{d7a3}')), Script::Hangul),
        (count(|letter| matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}')), Script::Han),
    ];
    let has_kana = count(|letter| matches!(letter, '\u{3040}'..='\u{30ff}')) > 0;
    let most = scripts.into_iter().max_by_key(|(count, _)| *count);
    match most {
        Some((count, Script::Han)) if count > 0 && has_kana => Script::Kana,
        Some((count, script)) if count > 0 => script,
        _ if latin > 0 => Script::Latin,
        _ => Script::Other,
    }
}

fn in_tokens(tokens: &[Token], tongue: Tongue, forms: &[Form]) -> (Vec<Meant>, usize) {
    let mut found: Vec<Meant> = Vec::new();
    let mut count = 0;
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let matching = forms.iter().filter(|form| fits(form, rest, tongue));
        // The longest form; of equal ones that with fewest letters beyond the list.
        let best = matching
            .rev()
            .max_by_key(|form| (form.words.len(), form.words.iter().map(|word| word.len()).sum::<usize>()));
        if let Some(form) = best {
            count += form.words.len();
            at += form.words.len();
            if !found.contains(&form.meant) {
                found.push(form.meant.clone());
            }
            continue;
        }
        let token = &tokens[at];
        if lexicon::is_brand(&token.lower) || small_words(tongue).contains(&token.lower.as_str()) {
            count += 1;
        }
        at += 1;
    }
    (found, count)
}

/// Small words of a language in Latin letters, which tell it from others.
fn small_words(tongue: Tongue) -> &'static [&'static str] {
    match tongue {
        Tongue::German => &[
            "am", "an", "auf", "aus", "bitte", "das", "dem", "den", "der", "die", "ein", "eine", "einem",
            "einen", "für", "ich", "im", "ist", "mich", "mir", "mit", "nach", "nicht", "um", "und", "von",
            "zu", "zum", "zur",
        ],
        Tongue::Spanish => &[
            "al", "con", "de", "del", "el", "en", "favor", "la", "las", "lo", "los", "mi", "para", "por",
            "que", "se", "su", "un", "una", "y",
        ],
        Tongue::French => &[
            "au", "avec", "ce", "dans", "de", "des", "du", "en", "et", "la", "le", "les", "ma", "mes", "moi",
            "mon", "plaît", "pour", "que", "sur", "te", "un", "une", "à",
        ],
        Tongue::Italian => &[
            "al", "che", "con", "da", "del", "della", "di", "e", "gli", "il", "la", "le", "lo", "mi", "per",
            "su", "un", "una",
        ],
        Tongue::Portuguese => &[
            "ao", "as", "com", "da", "de", "do", "dos", "e", "em", "me", "meu", "minha", "na", "no", "o",
            "os", "para", "por", "que", "um", "uma",
        ],
        Tongue::Dutch => &[
            "alsjeblieft",
            "de",
            "een",
            "en",
            "het",
            "me",
            "met",
            "mijn",
            "naar",
            "om",
            "op",
            "te",
            "van",
            "voor",
        ],
        Tongue::Polish => &["dla", "do", "i", "mi", "mój", "na", "o", "po", "proszę", "się", "w", "z", "że"],
        Tongue::Turkish => &["bana", "bir", "bu", "da", "de", "için", "ile", "lütfen", "ve", "şu"],
        _ => &[],
    }
}

/// Returns true if the tokens begin with a form.
fn fits(form: &Form, tokens: &[Token], tongue: Tongue) -> bool {
    if tokens.len() < form.words.len() {
        return false;
    }
    let last = form.words.len() - 1;
    form.words.iter().zip(tokens).enumerate().all(|(at, (word, token))| {
        !token.is_quoted
            && !is_barred(token, form, tongue)
            && is_form(word, &token.lower, form.is_open, at == last, tongue)
    })
}

/// Returns true if a capital makes a token a name: inside of a sentence, except in German.
fn is_barred(token: &Token, form: &Form, tongue: Tongue) -> bool {
    if tongue == Tongue::German || !token.is_capital || token.is_initial || form.words.len() > 1 {
        return false;
    }
    !token.text.chars().all(|letter| !letter.is_lowercase())
}

fn is_form(word: &str, token: &str, is_open: bool, is_last: bool, tongue: Tongue) -> bool {
    let word = word.to_lowercase();
    if token == word {
        return true;
    }
    let letters = word.chars().count();
    match tongue {
        Tongue::Korean => return token.starts_with(&word) && (letters > 1 || token.chars().count() <= 3),
        Tongue::Arabic => {
            let bare = ["وال", "بال", "كال", "لل", "ال", "و", "ب", "ل", "ف"]
                .iter()
                .find_map(|prefix| token.strip_prefix(prefix));
            let forms = [Some(token), bare];
            return forms.into_iter().flatten().any(|token| {
                token == word
                    || (letters >= 3 && token.starts_with(&word) && token.chars().count() - letters <= 2)
            });
        }
        Tongue::Hindi => return false,
        _ => {}
    }
    if let Some(ending) = token.strip_prefix(word.as_str()) {
        let longer = ending.chars().count();
        let most = if tongue == Tongue::Turkish { ENDING * 2 } else { ENDING };
        return (is_open && longer <= ENDING * 2)
            || (is_last && letters >= SHORTEST_STEM && longer <= most && !ending.contains('-'));
    }
    // The last part of a compound is what it is.
    matches!(tongue, Tongue::German | Tongue::Dutch)
        && is_last
        && letters >= SHORTEST_PART
        && token.ends_with(&word)
}

/// The longest known words of a text without blanks, from left to right.
fn in_run(text: &str, forms: &[Form]) -> (Vec<Meant>, usize) {
    let text = text.to_lowercase();
    let mut found: Vec<Meant> = Vec::new();
    let (mut count, mut skip) = (0, 0);
    for (at, _) in text.char_indices() {
        if at < skip {
            continue;
        }
        let rest = &text[at..];
        let matching = forms.iter().filter(|form| {
            form.words.len() == 1
                && form.words.first().is_some_and(|word| rest.starts_with(&word.to_lowercase()))
        });
        let Some(form) = matching.rev().max_by_key(|form| form.words.first().map_or(0, |word| word.len()))
        else {
            continue;
        };
        let word = form.words.first().copied().unwrap_or_default();
        skip = at + word.to_lowercase().len();
        count += word.chars().count();
        if !found.contains(&form.meant) {
            found.push(form.meant.clone());
        }
    }
    // A single character is part of many words: beside longer words it counts only as what is to be done.
    let is_long = |meant: &Meant| meant.shown.chars().count() > 1;
    if found.iter().any(|meant| meant.class == Class::Thing && is_long(meant)) {
        found.retain(|meant| meant.class == Class::Verb || is_long(meant));
    }
    (found, count)
}
