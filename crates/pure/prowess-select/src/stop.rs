//! Words that say nothing about what is asked for.

/// Sorted, lower case, without accents.
#[rustfmt::skip]
const STOP_WORDS: [&str; 144] = [
    "a", "about", "all", "also", "am", "an", "and", "any", "anything", "are", "aren", "as", "at", "be",
    "been", "being", "but", "by", "can", "could", "couldn", "d", "did", "didn", "do", "does", "doesn",
    "doing", "don", "done", "for", "from", "get", "give", "had", "has", "have", "having", "he", "help",
    "her", "here", "hers", "him", "his", "how", "i", "id", "if", "im", "in", "into", "is", "isn", "it",
    "its", "ive", "just", "let", "lets", "like", "ll", "m", "make", "me", "mine", "more", "most",
    "much", "my", "need", "no", "nor", "not", "of", "off", "on", "one", "only", "or", "other", "our",
    "ours", "out", "over", "own", "please", "re", "s", "same", "shall", "she", "should", "shouldn",
    "so", "some", "something", "such", "t", "tell", "than", "that", "thats", "the", "their", "theirs",
    "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "until",
    "up", "us", "ve", "very", "want", "was", "we", "were", "what", "whats", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "won", "would", "wouldn", "you", "your", "youre",
    "yours",
];

/// The index of the first word for each first letter: every word of every skill is looked up here.
const STARTS: [usize; 27] = starts();

const fn starts() -> [usize; 27] {
    let mut starts = [0; 27];
    let mut at = 0;
    while at < STOP_WORDS.len() {
        let next_letter = (STOP_WORDS[at].as_bytes()[0] - b'a') as usize + 1;
        at += 1;
        starts[next_letter] = at;
    }
    let mut letter = 1;
    while letter < starts.len() {
        if starts[letter] == 0 {
            starts[letter] = starts[letter - 1];
        }
        letter += 1;
    }
    starts
}

/// Returns true if a folded word says nothing about what is asked for.
pub(crate) fn is_stop_word(word: &str) -> bool {
    let Some(first @ b'a'..=b'z') = word.bytes().next() else { return false };
    let letter = usize::from(first - b'a');
    let (from, to) = (STARTS[letter], STARTS[letter + 1]);
    STOP_WORDS[from..to].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        for word in ["pdf", "", "z", "é", "-", "them-", "zzz"] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
