//! Languages in Latin script: what each word says for and against them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::prose::Word;

/// In the order of the columns of `trigrams.txt`; English first.
const LANGUAGES: [&str; 19] = [
    "en", "de", "es", "fr", "it", "pt", "nl", "pl", "tr", "sv", "da", "no", "fi", "cs", "ro", "hu", "id",
    "vi", "ca",
];
const ENGLISH: usize = 0;

/// What a known word is worth if so many languages have it.
const SHARED: [f32; 5] = [0.0, 1.0, 0.75, 0.6, 0.5];
/// What is left of that for the others if English has the word too.
const ENGLISH_TOO: f32 = 0.6;
/// What is left of it for English if others have it.
const OTHERS_TOO: f32 = 0.7;
/// A word of one letter is nearly nothing.
const LETTER: f32 = 0.25;
/// What the letters of an unknown word can say at most, and per bit of likelihood.
const LEAN: f32 = 0.5;
const LEAN_PER_BIT: f32 = 0.06;
/// What a word of the trade says for English: people use it in every language.
const COMMON: f32 = 0.15;
/// So much of a word must be known before its language counts as recognised.
const KNOWN: f32 = 0.5;
/// Names are the least of a language's own.
const NAME: f32 = 0.4;

/// Signs that occur in some of the languages only.
const SIGNS: &[(&str, &[&str])] = &[
    ("ß", &["de"]),
    ("äö", &["de", "sv", "fi"]),
    ("ü", &["de", "tr", "hu"]),
    ("ñ", &["es"]),
    ("ãõ", &["pt"]),
    ("ç", &["fr", "pt", "tr", "ca"]),
    ("èùêîûœ", &["fr", "it", "ca"]),
    ("ąęłńśźż", &["pl"]),
    ("ğşı\u{307}", &["tr"]),
    ("å", &["sv", "da", "no"]),
    ("æø", &["da", "no"]),
    ("ěřůčšž", &["cs"]),
    ("ăâîșțşţ", &["ro"]),
    ("őű", &["hu"]),
    ("đơưạảấầẩậắằẵặẹẻẽếềểễệỉịọỏốồổỗộớờởợụủứừửựỳỹ", &["vi"]),
];
const SIGN: f32 = 0.2;

type Scores = [f32; LANGUAGES.len()];

/// How much speaks for each language, in words.
pub(super) struct Evidence {
    total: Scores,
    /// The part of it that known words said, not mere letters.
    known: Scores,
}

impl Evidence {
    pub(super) fn of(words: &[Word]) -> Self {
        let tables = &*TABLES;
        let mut evidence = Self { total: [0.0; LANGUAGES.len()], known: [0.0; LANGUAGES.len()] };
        for word in words {
            if let Some(scores) = tables.known(&word.text) {
                evidence.add_known(&scores, word.weight);
                continue;
            }
            // `don't` is known as a whole, `l'email` by its parts.
            for part in word.text.split(['\'', '’']).filter(|part| !part.is_empty()) {
                match tables.known(part) {
                    Some(scores) => evidence.add_known(&scores, word.weight),
                    None if word.is_name => add(&mut evidence.total, &tables.lean(part), word.weight * NAME),
                    None => add(&mut evidence.total, &tables.lean(part), word.weight),
                }
            }
        }
        evidence
    }

    fn add_known(&mut self, scores: &Scores, weight: f32) {
        add(&mut self.total, scores, weight);
        add(&mut self.known, scores, weight);
    }

    pub(super) fn english(&self) -> f32 {
        self.total[ENGLISH]
    }

    /// The language for which the most speaks, English aside.
    pub(super) fn best_other(&self) -> Other {
        let others = (ENGLISH + 1..LANGUAGES.len())
            .reduce(|best, other| if self.total[other] > self.total[best] { other } else { best });
        let best = others.unwrap_or(ENGLISH);
        Other { language: LANGUAGES[best], strength: self.total[best], is_known: self.known[best] >= KNOWN }
    }
}

/// The best of the languages that are not English.
pub(super) struct Other {
    pub(super) language: &'static str,
    /// How much speaks for it, in words.
    pub(super) strength: f32,
    /// True if some of its words were recognised, not letters alone.
    pub(super) is_known: bool,
}

fn add(total: &mut Scores, scores: &Scores, weight: f32) {
    for (total, score) in total.iter_mut().zip(scores) {
        *total += score * weight;
    }
}

struct Tables {
    /// Which languages have a word, as bits.
    words: HashMap<&'static str, u32>,
    /// Words of the trade, which people use in every language.
    common: HashSet<&'static str>,
    /// Bits that three letters cost in each language.
    trigrams: HashMap<[char; 3], [u8; LANGUAGES.len()]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut words = HashMap::new();
    let mut common: HashSet<_> = lines(include_str!("../../data/language/common.txt")).collect();
    for line in lines(include_str!("../../data/language/words.txt")) {
        let (language, list) = line.split_once(' ').unwrap_or((line, ""));
        let language = LANGUAGES.iter().position(|known| *known == language);
        for word in list.split(' ') {
            if let Some(language) = language {
                *words.entry(word).or_default() |= 1 << language;
            } else {
                common.insert(word);
            }
        }
    }
    let mut trigrams = HashMap::new();
    for line in lines(include_str!("../../data/language/trigrams.txt")) {
        let (letters, costs) = line.split_once(' ').unwrap_or((line, ""));
        let letters: Vec<char> = letters.chars().collect();
        if let (Ok(letters), Ok(costs)) =
            (letters.try_into(), <[u8; LANGUAGES.len()]>::try_from(costs.as_bytes()))
        {
            trigrams.insert(letters, costs.map(|cost| cost.saturating_sub(b'a')));
        }
    }
    Tables { words, common, trigrams }
});

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

impl Tables {
    /// What a word says that is in the tables.
    fn known(&self, word: &str) -> Option<Scores> {
        let is_common = self.common.contains(word);
        let languages = self.words.get(word).copied();
        let languages = if is_common { languages.unwrap_or_default() } else { languages? };
        let is_english = languages & 1 << ENGLISH != 0;
        let mut others = languages & !(1 << ENGLISH);

        let length = if word.chars().nth(1).is_none() { LETTER } else { 1.0 };
        let share = SHARED[(others.count_ones() as usize).min(SHARED.len() - 1)];
        let worth = length * share * if is_english || is_common { ENGLISH_TOO } else { 1.0 };
        let mut scores = [0.0; LANGUAGES.len()];
        if is_english {
            scores[ENGLISH] = length * if others == 0 { 1.0 } else { OTHERS_TOO };
        } else if is_common {
            scores[ENGLISH] = COMMON;
        }
        while others != 0 {
            scores[others.trailing_zeros() as usize] = worth;
            others &= others - 1;
        }
        Some(scores)
    }

    /// What the letters of a word say, compared with English.
    fn lean(&self, word: &str) -> Scores {
        let mut scores: Scores = [0.0; LANGUAGES.len()];
        let letters: Vec<char> = std::iter::once('_').chain(word.chars()).chain(['_']).collect();
        for letters in letters.windows(3) {
            if let Some(costs) = letters.first_chunk().and_then(|letters| self.trigrams.get(letters)) {
                for (score, cost) in scores.iter_mut().zip(costs) {
                    *score += f32::from(costs[ENGLISH]) - f32::from(*cost);
                }
            }
        }
        let signs = |language: &str| {
            let mut signs = SIGNS.iter().filter(|(_, languages)| languages.contains(&language));
            signs.any(|(signs, _)| word.contains(|letter| signs.contains(letter)))
        };
        for (score, language) in scores.iter_mut().zip(LANGUAGES) {
            *score = (*score * LEAN_PER_BIT).clamp(-LEAN, LEAN);
            if signs(language) {
                *score += SIGN;
            }
        }
        scores
    }
}
