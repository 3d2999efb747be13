//! Messages that are not for a learned skill, and requests of many kinds.

/// Talk, and words that look like a request and are none.
const TALK: &str = include_str!("../data/talk.txt");
/// Requests in general words, each with the words of its kind.
const REQUESTS: &str = include_str!("../data/requests.txt");

/// Of the requests of other kinds every third is tried.
const EVERY: usize = 3;

/// Messages that should not load a skill with these words: talk, and requests of other kinds.
///
/// ```
/// let words = ["set".to_owned(), "alarm".to_owned()];
/// let foreign = prowess_forge::foreign_messages(&words);
/// assert!(foreign.contains(&"my turn"));
/// assert!(!foreign.contains(&"set a timer"), "it is of the same kind");
/// ```
pub fn foreign_messages(words: &[String]) -> Vec<&'static str> {
    let is_other = |kind: &str| !kind.split(' ').any(|one| words.iter().any(|word| is_same(word, one)));
    let requests = requests().filter(|(kind, _)| is_other(kind)).map(|(_, request)| request);
    let talk = lines(TALK).filter_map(|line| match line.split_once(" | ") {
        Some((kind, message)) => is_other(kind).then_some(message),
        None => Some(line),
    });
    let mut found: Vec<&'static str> = talk.chain(requests.step_by(EVERY)).collect();
    // Messages with a word in common come first: those load a skill by mistake.
    let shares = |message: &&str| {
        message
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|said| words.iter().any(|word| is_same(word, said)))
    };
    found.sort_by_key(|message| !shares(message));
    found
}

/// Requests of many kinds in general words.
pub fn general_requests() -> Vec<&'static str> {
    requests().map(|(_, request)| request).collect()
}

fn requests() -> impl Iterator<Item = (&'static str, &'static str)> {
    lines(REQUESTS).filter_map(|line| line.split_once(" | "))
}

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Returns true if two words differ in an ending at most.
fn is_same(one: &str, other: &str) -> bool {
    let stem = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    stem(one) == stem(other)
}
