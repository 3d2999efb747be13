//! The patterns of `STYLE.md` that a program can find.

/// Words with which a comment must not open: it names the thing instead.
const OPENINGS: [&str; 7] = ["What", "Who", "How", "Whether", "Why", "Where", "Which"];

/// People in the place of parts of the system.
const PEOPLE: [&str; 7] =
    ["nobody", "somebody", "whoever", "anybody", "everybody", "the one who", "those who"];

/// Phrases that have a plainer form.
const PHRASES: [&str; 38] = [
    "be had",
    "be got",
    "may not be asked",
    "is there already",
    "are there already",
    "speaks against",
    "speak against",
    "all the same",
    "is told",
    "are told",
    "be told",
    "once more",
    "sure of the best",
    "let in",
    "is no more",
    "are no more",
    "so many",
    "so much",
    "so long",
    "again and again",
    "any more",
    "brought up to date",
    "exists already",
    "in step",
    "is in the way",
    "is turned away",
    "let it in",
    "lets in",
    "lets it in",
    "makes no sense",
    "mend",
    "mended",
    "mends",
    "no longer wanted",
    "not wanted",
    "taken away",
    "who asks",
    "you have anyway",
];

/// What may follow "is no": a comparison, or a set phrase.
const AFTER_IS_NO: [&str; 8] = ["longer", "less", "fewer", "better", "larger", "newer", "older", "such"];

/// What may follow "so many", "so long": a comparison or a consequence.
const AFTER_SO: [&str; 2] = ["as", "that"];

/// The rule that a text breaks, if any. Questions and openings count in comments and help only.
pub(super) fn broken_rule(text: &str, is_literal: bool) -> Option<&'static str> {
    if !is_literal && opens_with_a_question_word(text) {
        return Some("opening");
    }
    let lower = text.to_lowercase();
    // Patterns of the scanner are matched against other people's texts.
    if is_literal && (lower.contains("\\b") || lower.contains("(?") || lower.contains("\\s")) {
        return None;
    }
    if PEOPLE.iter().any(|word| occurrences(&lower, word).next().is_some()) {
        return Some("people");
    }
    if PHRASES.iter().any(|phrase| occurrences(&lower, phrase).any(|rest| !is_set_phrase(phrase, rest))) {
        return Some("phrase");
    }
    let is_no = ["is no", "are no", "was no", "were no"];
    is_no.iter().any(|words| says_is_no(&lower, words)).then_some("is no")
}

fn opens_with_a_question_word(text: &str) -> bool {
    let first: String = text.trim_start().chars().take_while(|letter| letter.is_alphabetic()).collect();
    OPENINGS.contains(&first.as_str()) && !text.trim_end().ends_with('?')
}

fn is_set_phrase(phrase: &str, rest: &str) -> bool {
    let next = rest.split_whitespace().next().unwrap_or_default();
    (phrase.starts_with("so ") && AFTER_SO.contains(&next)) || (phrase.ends_with("no more") && next == "than")
}

/// "X is no Y" for "X is not a Y"; "there is no Y" is plain.
fn says_is_no(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(place, _)| {
        let before = text[..place].trim_end();
        let after = &text[place + words.len()..];
        let next: String = after.trim_start().chars().take_while(|letter| letter.is_alphanumeric()).collect();
        let is_word = starts_word(text, place) && after.starts_with(' ');
        let is_there = before.ends_with("there") || before.ends_with("where");
        is_word && !is_there && !AFTER_IS_NO.contains(&next.as_str())
    })
}

/// The texts after each occurrence of `words` as whole words.
fn occurrences<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(words).filter_map(move |(place, _)| {
        let rest = &text[place + words.len()..];
        let ends = !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        (starts_word(text, place) && ends).then_some(rest)
    })
}

fn starts_word(text: &str, place: usize) -> bool {
    !text[..place].ends_with(|before: char| before.is_alphanumeric() || before == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_judged() {
        for (text, is_literal, rule) in [
            ("What a run came to.", false, Some("opening")),
            ("What now?", false, None),
            ("What a run came to.", true, None),
            ("The result of a run.", false, None),
            ("nobody agreed", true, Some("people")),
            ("`x` is no host", true, Some("is no")),
            ("there is no host", true, None),
            ("it is no longer used", true, None),
            ("so many calls", true, Some("phrase")),
            ("so long as it runs", true, None),
            ("the key cannot be had", true, Some("phrase")),
            ("it is not used any more", true, Some("phrase")),
            ("the letter inside", true, None),
            (r"\bnobody\b", true, None),
        ] {
            assert_eq!(broken_rule(text, is_literal), rule, "{text}");
        }
    }
}
