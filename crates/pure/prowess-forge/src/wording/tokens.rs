//! A task as tokens: the pieces between blanks, with what their looks say.

use super::lexicon;

/// A piece of text between two blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// In lower case, without the punctuation around it and without a possessive.
    pub(super) lower: String,
    /// As it was written, without the punctuation around it.
    pub(super) text: String,
    pub(super) is_capital: bool,
    /// The first of a sentence, where a capital says nothing.
    pub(super) is_initial: bool,
    pub(super) is_quoted: bool,
    /// It ended with `'s`.
    pub(super) is_possessive: bool,
    /// A comma or another mark that separates follows.
    pub(super) is_before_break: bool,
}

impl Token {
    /// Letters only, perhaps with hyphens between them.
    pub(super) fn is_word(&self) -> bool {
        let is_letter = |letter: char| letter.is_alphabetic() || is_mark(letter);
        self.text.split('-').all(|part| !part.is_empty() && part.chars().all(is_letter))
    }
}

/// A vowel sign, which is part of the letter before.
pub(super) fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0900}'..='\u{0903}' | '\u{093a}'..='\u{094f}' | '\u{0300}'..='\u{036f}' | '\u{064b}'..='\u{0652}')
}

const QUOTES: [(char, char); 11] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('«', '»'),
    ('»', '«'),
    ('「', '」'),
    ('『', '』'),
    ('《', '》'),
    ('`', '`'),
    ('‘', '’'),
];

/// A text without its quotes: they are a person's words or the name of something.
pub(super) fn unquoted(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(at, letter)| opens(rest, *at, *letter)) {
        let after = at + open.len_utf8();
        let closing = QUOTES.iter().filter(|(start, _)| *start == open).map(|(_, end)| *end);
        let end = if open == '\'' {
            let closes = |(place, _): &(usize, &str)| {
                rest[after + place + 1..].chars().next().is_none_or(|next| !next.is_alphanumeric())
            };
            rest[after..].match_indices('\'').find(closes).map(|(place, _)| (place, '\''))
        } else {
            closing.filter_map(|close| Some((rest[after..].find(close)?, close))).min_by_key(|(at, _)| *at)
        };
        plain.push_str(&rest[..at]);
        let Some((end, close)) = end else {
            rest = &rest[after..];
            continue;
        };
        plain.push_str(" \u{1}");
        let tail = &rest[after + end + close.len_utf8()..];
        plain.push(' ');
        rest = tail;
    }
    plain.push_str(rest);
    plain
}

/// Returns true if a quote begins here. An apostrophe opens one only before a word.
fn opens(text: &str, at: usize, letter: char) -> bool {
    if letter == '\'' {
        return text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
    }
    QUOTES.iter().any(|(open, _)| *open == letter)
}

/// The tokens of a text. A quote is one token without letters.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let text = unquoted(text).replace(['’', '`'], "'");
    let mut found: Vec<Token> = Vec::new();
    let mut is_initial = true;
    for line in text.lines() {
        is_initial = is_initial || !found.is_empty();
        for chunk in line.split_whitespace() {
            if chunk.starts_with('\u{1}') {
                found.push(quote(is_initial));
                is_initial = false;
                continue;
            }
            is_initial = add(chunk, is_initial, &mut found);
        }
        is_initial = true;
    }
    // In a text of capitals, capitals say nothing.
    let words = || found.iter().filter(|token| !token.is_quoted && token.is_word());
    let capitals = words().filter(|token| token.is_capital).count();
    if words().count() > 2
        && capitals == words().count()
        && words().all(|token| lexicon::is_known(&token.lower))
    {
        for token in &mut found {
            token.is_capital = false;
        }
    }
    found
}

fn quote(is_initial: bool) -> Token {
    Token {
        lower: String::new(),
        text: String::new(),
        is_capital: false,
        is_initial,
        is_quoted: true,
        is_possessive: false,
        is_before_break: false,
    }
}

/// Adds the tokens of what stands between blanks; returns true if a sentence ends with it.
fn add(chunk: &str, is_initial: bool, found: &mut Vec<Token>) -> bool {
    let is_edge =
        |letter: char| !letter.is_alphanumeric() && !is_mark(letter) && !"@#$€£¥%+/~".contains(letter);
    let word = chunk.trim_matches(is_edge);
    let tail = chunk.trim_end_matches(['"', '\'', ')', '”', '’', '»', '“']);
    let is_short = word.chars().count() <= 3 && word.chars().next().is_some_and(char::is_uppercase);
    let ends = tail.ends_with(['!', '?', ':', '。', '！', '？', '؟', '।', '…'])
        || (tail.ends_with('.') && !is_short);
    if word.is_empty() {
        return is_initial || ends;
    }
    let is_before_break = ends || tail.ends_with([',', ';', '،', '，', '、']);
    let (whole, is_possessive) = match word.strip_suffix("'s") {
        Some(owner)
            if !["it", "that", "what", "let", "who", "where", "how", "there"]
                .contains(&owner.to_lowercase().as_str()) =>
        {
            (owner, true)
        }
        _ => (word, false),
    };
    let parts: Vec<String> = contracted(whole);
    let count = parts.len();
    for (at, part) in parts.into_iter().enumerate() {
        found.push(Token {
            lower: part.to_lowercase(),
            is_capital: part.chars().next().is_some_and(char::is_uppercase),
            text: part,
            is_initial: is_initial && at == 0,
            is_quoted: false,
            is_possessive,
            is_before_break: is_before_break && at + 1 == count,
        });
    }
    ends
}

/// `what's` as two words.
fn contracted(word: &str) -> Vec<String> {
    let lower = word.to_lowercase();
    let ending = [
        ("n't", "not"),
        ("'s", "is"),
        ("'re", "are"),
        ("'ll", "will"),
        ("'ve", "have"),
        ("'m", "am"),
        ("'d", "would"),
    ];
    for (end, meant) in ending {
        if lower.ends_with(end) && lower.len() > end.len() {
            let stem: String = word.chars().take(word.chars().count() - end.chars().count()).collect();
            return vec![stem, meant.to_owned()];
        }
    }
    vec![word.to_owned()]
}
