//! The common words of English, and the words that hold sentences together.

use std::collections::HashSet;
use std::sync::LazyLock;

const LIST: &str = include_str!("../../data/english.txt");

static VERBS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| section("verbs"));
static AMBIGUOUS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| section("ambiguous"));
static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| section("words"));

/// Names of programs and services that many people use and that no person has.
const BRANDS: &[&str] = &[
    "airtable",
    "android",
    "asana",
    "bash",
    "bluetooth",
    "chrome",
    "cron",
    "csv",
    "discord",
    "docker",
    "dropbox",
    "evernote",
    "excel",
    "facebook",
    "ffmpeg",
    "figma",
    "firefox",
    "git",
    "github",
    "gitlab",
    "gmail",
    "google",
    "grafana",
    "instagram",
    "iphone",
    "jira",
    "json",
    "kubernetes",
    "latex",
    "linkedin",
    "linux",
    "macos",
    "markdown",
    "messenger",
    "mysql",
    "netflix",
    "notion",
    "npm",
    "obsidian",
    "outlook",
    "pandas",
    "pdf",
    "postgres",
    "powerpoint",
    "python",
    "reddit",
    "redis",
    "rust",
    "signal",
    "slack",
    "spotify",
    "sqlite",
    "telegram",
    "tiktok",
    "todoist",
    "trello",
    "twitter",
    "uber",
    "wechat",
    "whatsapp",
    "wifi",
    "youtube",
];

const FUNCTION: &[&str] = &[
    "a",
    "about",
    "above",
    "across",
    "after",
    "again",
    "all",
    "also",
    "among",
    "an",
    "and",
    "any",
    "are",
    "around",
    "as",
    "at",
    "back",
    "be",
    "because",
    "before",
    "behind",
    "below",
    "between",
    "both",
    "but",
    "by",
    "down",
    "during",
    "each",
    "every",
    "everyone",
    "everything",
    "few",
    "for",
    "from",
    "has",
    "have",
    "he",
    "her",
    "his",
    "how",
    "i",
    "if",
    "in",
    "inside",
    "into",
    "is",
    "it",
    "its",
    "let",
    "many",
    "me",
    "more",
    "most",
    "much",
    "my",
    "near",
    "no",
    "not",
    "of",
    "off",
    "on",
    "onto",
    "or",
    "other",
    "our",
    "out",
    "over",
    "per",
    "she",
    "should",
    "so",
    "some",
    "someone",
    "something",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "until",
    "up",
    "us",
    "was",
    "we",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "with",
    "within",
    "without",
];

const PREPOSITIONS: &[&str] = &[
    "about", "above", "across", "after", "around", "as", "at", "before", "behind", "below", "between", "by",
    "during", "every", "for", "from", "in", "inside", "into", "near", "of", "on", "onto", "over", "per",
    "since", "through", "till", "to", "until", "with", "within", "without",
];

const DETERMINERS: &[&str] = &[
    "a", "all", "an", "any", "each", "every", "her", "his", "its", "my", "our", "some", "that", "the",
    "their", "these", "this",
];

/// Words of time that say when, and so belong to one task only.
const TIMES: &[&str] = &[
    "afternoon",
    "am",
    "april",
    "august",
    "dec",
    "december",
    "evening",
    "feb",
    "february",
    "fri",
    "friday",
    "jan",
    "january",
    "july",
    "june",
    "mar",
    "march",
    "midnight",
    "mon",
    "monday",
    "mondays",
    "morning",
    "mornings",
    "night",
    "noon",
    "nov",
    "november",
    "oct",
    "october",
    "oclock",
    "pm",
    "sat",
    "saturday",
    "sept",
    "september",
    "sun",
    "sunday",
    "sundays",
    "thu",
    "thursday",
    "today",
    "tomorrow",
    "tonight",
    "tue",
    "tuesday",
    "wed",
    "wednesday",
    "weekend",
    "weekends",
    "yesterday",
    "fridays",
    "saturdays",
    "may",
    "todays",
];

const UNITS: &[&str] = &[
    "am", "pm", "clock", "day", "days", "h", "hour", "hours", "hr", "hrs", "m", "min", "mins", "minute",
    "minutes", "month", "months", "o'clock", "oclock", "s", "sec", "second", "seconds", "secs", "week",
    "weeks", "year", "years",
];

const NUMBERS: &[&str] = &[
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "half",
    "quarter",
    "dozen",
];
/// A shorter word has no ending.
const SHORTEST_STEM: usize = 4;

/// Verbs that are done to people.
const TO_PEOPLE: &[&str] = &[
    "alert",
    "ask",
    "call",
    "congratulate",
    "contact",
    "dial",
    "email",
    "follow",
    "greet",
    "inform",
    "invite",
    "mail",
    "meet",
    "message",
    "notify",
    "pay",
    "phone",
    "ping",
    "remind",
    "ring",
    "tell",
    "text",
    "thank",
    "unblock",
    "unfollow",
    "warn",
    "block",
];

pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(word)
}

/// A word that may also be a name.
pub(super) fn is_ambiguous(word: &str) -> bool {
    AMBIGUOUS.contains(word)
}

pub(super) fn is_brand(word: &str) -> bool {
    BRANDS.contains(&word)
}

pub(super) fn is_function(word: &str) -> bool {
    FUNCTION.contains(&word)
}

pub(super) fn is_preposition(word: &str) -> bool {
    PREPOSITIONS.contains(&word)
}

pub(super) fn is_determiner(word: &str) -> bool {
    DETERMINERS.contains(&word)
}

pub(super) fn is_time(word: &str) -> bool {
    TIMES.contains(&word)
}

pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word)
}

pub(super) fn is_done_to_people(verb: &str) -> bool {
    TO_PEOPLE.contains(&verb)
}

/// A word that says something and is in the list, perhaps with an ending.
pub(super) fn is_common(word: &str) -> bool {
    let is_listed = |word: &str| WORDS.contains(word) || VERBS.contains(word);
    if is_listed(word) || AMBIGUOUS.contains(word) || is_brand(word) {
        return true;
    }
    let stem = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() >= SHORTEST_STEM);
    let ends =
        |ending: &str, instead: &str| stem(ending).is_some_and(|stem| is_listed(&format!("{stem}{instead}")));
    ends("s", "")
        || ends("es", "")
        || ends("ies", "y")
        || ends("ed", "")
        || ends("ed", "e")
        || ends("ing", "")
        || ends("ing", "e")
}

/// A number in letters.
pub(super) fn is_number(word: &str) -> bool {
    NUMBERS.contains(&word)
}

pub(super) fn is_known(word: &str) -> bool {
    is_common(word) || is_function(word) || is_time(word)
}

fn section(name: &str) -> HashSet<&'static str> {
    let heading = format!("[{name}]");
    let lines = LIST.lines().skip_while(move |line| *line != heading).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
}
