//! Languages that show by their script.

use super::prose::Word;

/// What a letter of a script is worth, as a share of a word.
struct Script {
    language: &'static str,
    worth: f32,
    ranges: &'static [(char, char)],
}

const HAN: usize = 0;
const KANA: usize = 1;
const CYRILLIC: usize = 2;
const ARABIC: usize = 3;

/// Scripts by the language that uses them most.
const SCRIPTS: &[Script] = &[
    script("zh", 0.4, &[('\u{3400}', '\u{9fff}'), ('\u{f900}', '\u{faff}'), ('\u{20000}', '\u{2fa1f}')]),
    script("ja", 0.3, &[('\u{3041}', '\u{30ff}'), ('\u{31f0}', '\u{31ff}'), ('\u{ff66}', '\u{ff9f}')]),
    script("ru", 0.2, &[('\u{400}', '\u{52f}')]),
    script(
        "ar",
        0.2,
        &[('\u{600}', '\u{6ff}'), ('\u{750}', '\u{77f}'), ('\u{fb50}', '\u{fdff}'), ('\u{fe70}', '\u{fefc}')],
    ),
    script("ko", 0.4, &[('\u{1100}', '\u{11ff}'), ('\u{3130}', '\u{318f}'), ('\u{ac00}', '\u{d7af}')]),
    script("th", 0.2, &[('\u{e00}', '\u{e7f}')]),
    script("el", 0.2, &[('\u{370}', '\u{3ff}'), ('\u{1f00}', '\u{1fff}')]),
    script("he", 0.2, &[('\u{590}', '\u{5ff}')]),
    script("hi", 0.2, &[('\u{900}', '\u{97f}')]),
    script("bn", 0.2, &[('\u{980}', '\u{9ff}')]),
    script("pa", 0.2, &[('\u{a00}', '\u{a7f}')]),
    script("gu", 0.2, &[('\u{a80}', '\u{aff}')]),
    script("ta", 0.2, &[('\u{b80}', '\u{bff}')]),
    script("te", 0.2, &[('\u{c00}', '\u{c7f}')]),
    script("kn", 0.2, &[('\u{c80}', '\u{cff}')]),
    script("ml", 0.2, &[('\u{d00}', '\u{d7f}')]),
    script("si", 0.2, &[('\u{d80}', '\u{dff}')]),
    script("lo", 0.2, &[('\u{e80}', '\u{eff}')]),
    script("my", 0.2, &[('\u{1000}', '\u{109f}')]),
    script("ka", 0.2, &[('\u{10a0}', '\u{10ff}')]),
    script("hy", 0.2, &[('\u{530}', '\u{58f}')]),
    script("am", 0.3, &[('\u{1200}', '\u{137f}')]),
    script("km", 0.2, &[('\u{1780}', '\u{17ff}')]),
];

const fn script(language: &'static str, worth: f32, ranges: &'static [(char, char)]) -> Script {
    Script { language, worth, ranges }
}

/// Letters that tell languages of one script apart.
const SIGNS: &[(usize, &str, &str)] = &[
    (CYRILLIC, "uk", "іїєґ"),
    (CYRILLIC, "sr", "јљњћђџ"),
    (ARABIC, "ur", "ٹڈڑےں"),
    (ARABIC, "fa", "پچژگکی"),
];

/// The language of the script other than Latin that says the most, and how many words that is; none if
/// there is no such word.
pub(super) fn dominant(words: &[Word]) -> Option<(&'static str, f32)> {
    let mut totals = [0.0_f32; SCRIPTS.len()];
    for word in words {
        let mut counts = [0_usize; SCRIPTS.len()];
        word.text.chars().filter_map(index).for_each(|script| counts[script] += 1);
        for (script, count) in counts.into_iter().enumerate() {
            // One letter of an alphabet is a symbol, as `α`; in Chinese and Japanese it is a word.
            if count > 1 || script == HAN || script == KANA {
                totals[script] += count as f32 * SCRIPTS[script].worth * word.weight;
            }
        }
    }
    // Japanese is written in both; a little of its own script shows it.
    if totals[KANA] * 8.0 > totals[HAN] {
        totals[KANA] += std::mem::take(&mut totals[HAN]);
    }
    let (script, total) = totals.into_iter().enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    (total > 0.0).then(|| (language(script, words), total))
}

fn language(script: usize, words: &[Word]) -> &'static str {
    let has = |signs: &str| words.iter().any(|word| word.text.contains(|letter| signs.contains(letter)));
    let sign = SIGNS.iter().find(|(of, _, signs)| *of == script && has(signs));
    sign.map_or(SCRIPTS[script].language, |(_, language, _)| language)
}

fn index(letter: char) -> Option<usize> {
    if letter < '\u{370}' {
        return None;
    }
    SCRIPTS
        .iter()
        .position(|script| script.ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)))
}
