//! The requests that one message makes, if it makes several.

/// Words that join requests.
const JOINTS: [&str; 3] = ["and", "plus", "then"];
/// Words that may stand between a joint and the request.
const LINKS: [&str; 8] =
    ["additionally", "afterwards", "also", "finally", "lastly", "maybe", "please", "then"];
/// Words that a request starts with, sorted.
#[rustfmt::skip]
pub(crate) const OPENERS: [&str; 134] = [
    "add", "analyse", "analyze", "answer", "append", "are", "arrange", "ask", "book", "build", "buy",
    "calculate", "call", "can", "cancel", "change", "check", "clean", "close", "compare", "compose",
    "conduct", "connect", "convert", "copy", "could", "create", "cut", "delete", "deploy", "describe",
    "design", "do", "does", "download", "draft", "draw", "edit", "email", "explain", "export",
    "extract", "fetch", "fill", "find", "fix", "generate", "get", "give", "guide", "help", "how", "i",
    "identify", "inform", "install", "is", "let", "list", "look", "make", "mark", "message", "move",
    "notify", "open", "order", "organise", "organize", "pay", "plan", "play", "please", "post",
    "prepare", "print", "provide", "publish", "pull", "push", "put", "read", "recommend", "record",
    "reload", "remind", "remove", "rename", "reply", "report", "reschedule", "reserve", "restart",
    "retrieve", "review", "run", "save", "scan", "schedule", "search", "sell", "send", "set", "share",
    "show", "sign", "start", "stop", "suggest", "summarise", "summarize", "sync", "take", "tell",
    "text", "track", "transcribe", "translate", "turn", "update", "upload", "use", "verify", "walk",
    "watch", "what", "when", "where", "which", "who", "why", "will", "would", "write",
];
/// A clause of fewer words is not a request of its own.
const FEWEST_WORDS: usize = 3;
/// More are not looked at.
const MOST_CLAUSES: usize = 4;

/// Splits a message into its requests; empty if it makes but one.
///
/// ```
/// # use prowess_select::clauses;
/// let message = "Translate this letter to French and then send it to Marie.";
/// assert_eq!(clauses(message), ["Translate this letter to French", "send it to Marie"]);
/// assert!(clauses("Compare bread and butter").is_empty());
/// ```
pub fn clauses(message: &str) -> Vec<String> {
    let mut clauses: Vec<String> = Vec::new();
    for clause in pieces(message) {
        let clause =
            clause.trim_matches(|letter: char| letter.is_whitespace() || ".,;:!?\"'".contains(letter));
        if clause.is_empty() {
            continue;
        }
        let is_short = |text: &str| text.split_whitespace().count() < FEWEST_WORDS;
        match clauses.last_mut() {
            Some(last) if is_short(clause) || is_short(last) => {
                last.push(' ');
                last.push_str(clause);
            }
            _ => clauses.push(clause.to_owned()),
        }
    }
    clauses.truncate(MOST_CLAUSES);
    if clauses.len() > 1 { clauses } else { Vec::new() }
}

/// The message cut after sentences and lines, and at joints that a new request follows; the joint is left out.
fn pieces(message: &str) -> Vec<&str> {
    let words = words(message);
    let mut pieces = Vec::new();
    let mut start = 0;
    for (number, &(from, word)) in words.iter().enumerate().skip(1) {
        let (before_from, before) = words[number - 1];
        let before_end = before_from + before.len();
        let ends_sentence =
            before.trim_end_matches(['"', '\'', ')', '”', '’', ']']).ends_with(['.', '!', '?', ';']);
        if ends_sentence || message[before_end..from].contains('\n') {
            pieces.push(&message[start..before_end]);
            start = from;
        } else if JOINTS.contains(&word.to_lowercase().as_str()) && opens_request(&words[number + 1..]) {
            // Nothing stands between two joints.
            pieces.extend(message.get(start..before_end));
            start = words.get(number + 1).map_or(message.len(), |(next, _)| *next);
        }
    }
    pieces.push(&message[start.min(message.len())..]);
    pieces
}

/// Returns true if words start with a request.
fn opens_request(words: &[(usize, &str)]) -> bool {
    let mut words = words.iter().map(|(_, word)| {
        word.trim_matches(|letter: char| ".,;:!?\"'()[]“”‘’".contains(letter)).to_lowercase()
    });
    words
        .find(|word| !LINKS.contains(&word.as_str()))
        .is_some_and(|word| OPENERS.binary_search(&word.as_str()).is_ok())
}

/// The words of a text with where they start.
pub(crate) fn words(text: &str) -> Vec<(usize, &str)> {
    let mut end = 0;
    let mut place = |word: &str| {
        let start = end + text[end..].find(word).unwrap_or_default();
        end = start + word.len();
        start
    };
    text.split_whitespace().map(|word| (place(word), word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_can_be_searched() {
        assert!(OPENERS.is_sorted());
    }

    #[test]
    fn sentences_and_lines_are_clauses() {
        assert_eq!(
            clauses("Book a flight to Rome. Find a hotel nearby!"),
            ["Book a flight to Rome", "Find a hotel nearby"]
        );
        assert_eq!(clauses("book a flight\nfind a hotel"), ["book a flight", "find a hotel"]);
        assert_eq!(
            clauses("He said \"book a flight.\" Then find a hotel"),
            ["He said \"book a flight", "Then find a hotel"]
        );
    }

    #[test]
    fn short_pieces_belong_to_their_neighbours() {
        assert!(clauses("Hi! Please translate this letter").is_empty());
        assert!(clauses("Translate this letter. Thanks!").is_empty());
    }

    #[test]
    fn one_request_has_no_clauses() {
        for message in ["", " ", "and", "read and write files", "and send", "send and"] {
            assert!(clauses(message).is_empty(), "{message}");
        }
    }

    #[test]
    fn many_requests_are_cut_off() {
        assert_eq!(clauses(&"send the letter now. ".repeat(9)).len(), MOST_CLAUSES);
    }
}
