//! Languages with spaces: which words stand where they mean themselves.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use super::lexicon::{Class, Entry, LEXICONS, Language, Lexicon, Strength, TOOLS};
use super::{Found, common};

/// What a company calls itself at the end of its name.
const COMPANY: [&str; 16] = [
    "inc",
    "ltd",
    "llc",
    "llp",
    "corp",
    "corporation",
    "plc",
    "gmbh",
    "ag",
    "kg",
    "se",
    "ohg",
    "sa",
    "sl",
    "holding",
    "holdings",
];

/// What stands between two spaces.
pub(super) struct Token {
    pub(super) at: usize,
    /// Without the punctuation around it, as it was written.
    pub(super) text: String,
    pub(super) lower: String,
    /// Letters only, perhaps with hyphens between them.
    pub(super) is_word: bool,
    pub(super) is_capital: bool,
    /// The first word of a sentence, where a capital says nothing.
    pub(super) is_initial: bool,
    pub(super) is_quoted: bool,
}

pub(super) fn find(text: &str) -> Vec<Found> {
    // Where everything is in capitals, they say nothing.
    let is_shouted = !text.contains(char::is_lowercase) && text.split_whitespace().count() > 1;
    let tokens = if is_shouted { tokens(&text.to_lowercase()) } else { tokens(text) };
    let lexicon = language(&tokens);
    let barred = barred(&tokens, lexicon);
    let has_common = lexicon.language == Language::English && is_english(&tokens);
    let mut found: Vec<Found> = Vec::new();
    // Whether the word before was taken as a thing, so that the next may be one too (`the web page`).
    let mut is_after_thing = false;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let was_after_thing = std::mem::take(&mut is_after_thing);
        if let Some((length, meant)) = phrase(&tokens[at..], &barred[at..], lexicon) {
            found.push(strong(token, meant));
            at += length;
            continue;
        }
        at += 1;
        if !token.is_word && !token.is_quoted {
            found.extend(file_noun(&token.text, lexicon.language).map(|noun| strong(token, noun)));
            continue;
        }
        if barred[at - 1] {
            continue;
        }
        if TOOLS.contains(token.lower.as_str()) {
            found.push(strong(token, &token.lower));
            continue;
        }
        for (part, entry) in entries(token, lexicon, has_common) {
            let before = at.checked_sub(2).map(|before| &tokens[before]);
            let is_thing = was_after_thing || before.is_some_and(|before| is_determiner(before, lexicon));
            if means_itself(token, &entry, tokens.get(at), is_thing, lexicon) {
                is_after_thing = entry.class != Class::Verb && is_thing;
                let Entry { word, strength, rank, .. } = entry;
                found.push(Found { at: token.at + part, word, strength, rank });
            }
        }
    }
    found
}

/// The tools that a text in any language names, each once: also where a script or a suffix hangs on the name.
///
/// ```
/// assert_eq!(prowess_cortex::tools("ComfyUI에서 이미지를 만들어 Slack'e gönder"), ["comfyui", "slack"]);
/// ```
pub fn tools(text: &str) -> Vec<String> {
    let quotes = quoted(text);
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    for run in text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-') {
        let word = run.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric()).to_lowercase();
        let is_quoted = quotes.iter().any(|quote| quote.contains(&at));
        if !is_quoted && TOOLS.contains(word.as_str()) && !found.contains(&word) {
            found.push(word);
        }
        at += run.len();
    }
    found
}

fn strong(token: &Token, word: &str) -> Found {
    Found { at: token.at, word: word.to_owned(), strength: Strength::Strong, rank: 0 }
}

pub(super) fn is_determiner(token: &Token, lexicon: &Lexicon) -> bool {
    lexicon.determiners.contains(token.lower.as_str())
}

/// Returns true if a known word is the word, and not a name that looks like it.
pub(super) fn means_itself(
    token: &Token,
    entry: &Entry,
    next: Option<&Token>,
    is_thing: bool,
    lexicon: &Lexicon,
) -> bool {
    let is_shouted =
        token.text.chars().count() > 1 && token.text.chars().all(|letter| !letter.is_lowercase());
    if entry.class == Class::Ambiguous {
        let is_plain = !token.is_capital || lexicon.language == Language::German;
        return is_plain && is_thing;
    }
    if !token.is_capital {
        return true;
    }
    // Abbreviations of the vocabulary are written in capitals (PDF, API, CSV).
    if is_shouted && token.text.chars().count() <= 5 {
        return entry.word == token.lower && entry.class == Class::Noun;
    }
    if lexicon.language == Language::German {
        // Nouns are capitalised, verbs only where a sentence begins.
        return entry.class == Class::Noun || token.is_initial;
    }
    // At the beginning of a sentence a verb is a verb; a thing is one unless a name goes on (`Data Systems AG`).
    token.is_initial && (entry.class == Class::Verb || next.is_none_or(|next| !next.is_capital))
}

/// The known words of a token with where they begin in it: one, or every part of `sales-report`.
pub(super) fn entries(token: &Token, lexicon: &Lexicon, has_common: bool) -> Vec<(usize, Entry)> {
    let is_stop = lexicon.stop.contains(token.lower.as_str());
    let common = || if has_common && !is_stop { common::find(&token.lower) } else { None };
    if let Some(entry) = lexicon.find(&token.lower).or_else(common) {
        return vec![(0, entry)];
    }
    let parts: Vec<&str> = token.lower.split('-').collect();
    let known: Vec<Option<Entry>> = parts.iter().map(|part| lexicon.find(part)).collect();
    if parts.len() < 2 {
        return Vec::new();
    }
    // The last part of a German compound is what it is; the others may be a name.
    if lexicon.language == Language::German {
        let head = known.into_iter().next_back().flatten().filter(|entry| entry.class == Class::Noun);
        return head.map(|entry| (0, entry)).into_iter().collect();
    }
    let entries: Option<Vec<Entry>> = known.into_iter().collect();
    entries.unwrap_or_default().into_iter().enumerate().collect()
}

/// Two or three words that stand for one, none of them barred.
fn phrase(tokens: &[Token], barred: &[bool], lexicon: &Lexicon) -> Option<(usize, &'static str)> {
    let said = lexicon.phrases.iter().find(|(words, _)| {
        words.len() <= tokens.len()
            && words.iter().zip(tokens).all(|(word, token)| *word == token.lower)
            && !barred[..words.len()].contains(&true)
            && tokens[1..words.len()].iter().all(|token| !token.is_capital)
            && (tokens[0].is_initial || !tokens[0].is_capital)
    });
    said.map(|(words, meant)| (words.len(), *meant))
}

/// Tokens that are part of a name for what stands around them.
pub(super) fn barred(tokens: &[Token], lexicon: &Lexicon) -> Vec<bool> {
    let mut barred: Vec<bool> = tokens.iter().map(|token| token.is_quoted).collect();
    let is_stop = |token: &Token| lexicon.stop.contains(token.lower.as_str());
    for (at, token) in tokens.iter().enumerate() {
        let is_title = lexicon.titles.contains(token.lower.as_str());
        let is_initial_letter =
            token.is_capital && token.text.chars().count() == 1 && token.lower != "i" && token.lower != "a";
        if is_title || (is_initial_letter && !token.is_initial) {
            barred[at] = true;
            // One name for sure, and more as long as they are written like names.
            let name = tokens[at + 1..]
                .iter()
                .enumerate()
                .take_while(|(place, token)| *place == 0 || (*place < 3 && token.is_capital));
            name.for_each(|(place, _)| barred[at + 1 + place] = true);
        }
        if lexicon.naming.contains(token.lower.as_str()) {
            let name = tokens[at + 1..].iter().take(3).take_while(|token| !is_stop(token)).count();
            barred[at + 1..at + 1 + name].fill(true);
        }
        if COMPANY.contains(&token.lower.as_str()) && (token.is_capital || token.lower.len() > 2) {
            barred[at] = true;
            let name = tokens[..at].iter().rev().take(3).take_while(|token| !is_stop(token)).count();
            barred[at - name..at].fill(true);
        }
        // `Müller & Koch`, `Smith, Price & Partner`
        if token.text == "&" {
            let around = at.saturating_sub(2)..(at + 2).min(tokens.len());
            barred[around].fill(true);
        }
        // In a row of names, a known word is one of them (`Larry Page`, `Angela Koch`); German nouns are no such row.
        let follows_name = at > 0 && is_name(&tokens[at - 1], lexicon) && !tokens[at - 1].is_initial;
        if follows_name && token.is_capital {
            barred[at] = true;
        }
    }
    barred
}

/// A capitalised word that nobody knows.
pub(super) fn is_name(token: &Token, lexicon: &Lexicon) -> bool {
    token.is_capital
        && !lexicon.stop.contains(token.lower.as_str())
        && !TOOLS.contains(token.lower.as_str())
        && (!token.is_word || lexicon.find(&token.lower).is_none())
}

/// Returns true if at least half of the plain words are English: `pour` is a word of another language as well.
fn is_english(tokens: &[Token]) -> bool {
    let plain: Vec<&Token> = tokens.iter().filter(|token| token.is_word && !token.is_capital).collect();
    let lexicon = &LEXICONS[0];
    let known = plain.iter().filter(|token| {
        let word = token.lower.as_str();
        lexicon.stop.contains(word) || lexicon.find(word).is_some() || common::is_known(word)
    });
    2 * known.count() >= plain.len()
}

/// The language with the most known words; English if none has more.
pub(super) fn language(tokens: &[Token]) -> &'static Lexicon {
    let score = |lexicon: &Lexicon| -> usize {
        let word = |token: &Token| {
            let letters = match lexicon.language {
                Language::English => "",
                Language::German => "äöüß",
                Language::Spanish => "áéíóúñ",
            };
            usize::from(lexicon.stop.contains(token.lower.as_str()))
                + usize::from(token.is_word && lexicon.find(&token.lower).is_some())
                + usize::from(token.lower.contains(|letter| letters.contains(letter)))
        };
        tokens.iter().map(word).sum()
    };
    let [english, german, spanish] = &*LEXICONS;
    let (mut best, mut most) = (english, score(english));
    for lexicon in [german, spanish] {
        let points = score(lexicon);
        if points > most {
            (best, most) = (lexicon, points);
        }
    }
    best
}

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let quotes = quoted(text);
    let mut found: Vec<Token> = Vec::new();
    let mut is_initial = true;
    for (at, chunk) in chunks(text) {
        if chunk == "\n" {
            is_initial = true;
            continue;
        }
        let is_edge = |letter: char| !letter.is_alphanumeric() && !"@#$€£¥/\\~_%&+".contains(letter);
        let word = chunk.trim_matches(is_edge);
        if word.is_empty() {
            continue;
        }
        let text: String = word.nfc().collect();
        let is_word = text.split('-').all(|part| !part.is_empty() && part.chars().all(char::is_alphabetic))
            && has_plain_case(&text);
        let lower = text.to_lowercase();
        let is_capital = text.chars().next().is_some_and(char::is_uppercase);
        let is_quoted = quotes.iter().any(|quote| quote.contains(&at));
        found.push(Token { at, text, lower, is_word, is_capital, is_initial, is_quoted });
        let is_short = word.chars().count() <= 3 && word.chars().next().is_some_and(char::is_uppercase);
        let tail = chunk.trim_end_matches(['"', '\'', ')', '”', '’', '»', '“']);
        // `Dr.` and `J.` end no sentence.
        is_initial = tail.ends_with(['!', '?', ':']) || (tail.ends_with('.') && !is_short);
    }
    found
}

/// `word`, `Word` or `WORD`, but not `ProjectX`; names of tools may be written as they like.
fn has_plain_case(text: &str) -> bool {
    let mut letters = text.split('-').flat_map(|part| part.chars().skip(1));
    let is_shouted = text.chars().all(|letter| !letter.is_lowercase());
    is_shouted || letters.all(|letter| !letter.is_uppercase()) || TOOLS.contains(text.to_lowercase().as_str())
}

/// What stands between white space, Chinese text and commas; and line ends.
fn chunks(text: &str) -> Vec<(usize, &str)> {
    let is_break = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '\u{3000}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
            || letter == ';'
    };
    let mut found = Vec::new();
    let mut at = 0;
    for chunk in text.split_inclusive(is_break) {
        let word = chunk.trim_end_matches(is_break);
        if !word.is_empty() {
            found.push((at, word));
        }
        if chunk.ends_with('\n') {
            found.push((at, "\n"));
        }
        at += chunk.len();
    }
    found
}

/// What stands in quotes is somebody's words or the name of something.
pub(super) fn quoted(text: &str) -> Vec<Range<usize>> {
    const PAIRS: [(char, char); 12] = [
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('„', '”'),
        ('«', '»'),
        ('»', '«'),
        ('‹', '›'),
        ('「', '」'),
        ('『', '』'),
        ('《', '》'),
        ('`', '`'),
        ('‘', '’'),
    ];
    let mut found = Vec::new();
    let mut rest = 0;
    for (at, letter) in text.char_indices() {
        if at < rest {
            continue;
        }
        let after = at + letter.len_utf8();
        let closing = PAIRS.iter().filter(|(open, _)| *open == letter).map(|(_, close)| *close);
        let mut end = closing.filter_map(|close| text[after..].find(close)).min();
        // An apostrophe opens a quote only before a word, and closes one only after it.
        let is_open = text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        if letter == '\'' && is_open {
            let closes = |(place, _): &(usize, &str)| {
                text[after + place + 1..].chars().next().is_none_or(|next| !next.is_alphanumeric())
            };
            end = text[after..].match_indices('\'').find(closes).map(|(place, _)| place);
        }
        if let Some(end) = end {
            found.push(at..after + end + 1);
            rest = after + end;
        }
    }
    found
}

/// A file is what its ending says; its name is nobody's business.
pub(super) fn file_noun(text: &str, language: Language) -> Option<&'static str> {
    let (name, ending) = text.rsplit_once('.')?;
    if name.is_empty() {
        return None;
    }
    let [english, german, spanish] = match ending.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" | "png" | "gif" | "webp" | "heic" | "bmp" | "tiff" | "svg" => {
            ["image", "bild", "imagen"]
        }
        "mp3" | "wav" | "flac" | "ogg" | "m4a" => ["audio", "audio", "audio"],
        "mp4" | "mov" | "mkv" | "avi" | "webm" => ["video", "video", "vídeo"],
        "csv" | "xls" | "xlsx" | "ods" | "tsv" => ["spreadsheet", "tabelle", "tabla"],
        "ppt" | "pptx" | "key" | "odp" => ["presentation", "präsentation", "presentación"],
        "pdf" | "doc" | "docx" | "odt" | "txt" | "md" | "rtf" => ["document", "dokument", "documento"],
        "zip" | "tar" | "gz" | "7z" | "rar" => ["archive", "archiv", "archivo"],
        "py" | "rs" | "js" | "ts" | "java" | "cpp" | "rb" => ["code", "code", "código"],
        "json" | "yaml" | "yml" | "xml" | "toml" => ["data", "daten", "datos"],
        _ => return None,
    };
    Some(match language {
        Language::English => english,
        Language::German => german,
        Language::Spanish => spanish,
    })
}
