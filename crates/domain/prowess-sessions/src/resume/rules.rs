//! The lines of a skill's text that tell what to do and what not.

use prowess_text::char_prefix;

/// Words that make a line a rule, in lower case.
const WORDS: [&str; 12] = [
    "must",
    "never",
    "always",
    "do not",
    "don't",
    "required",
    "important",
    "warning",
    "only",
    "before",
    "first",
    "ask",
];
/// Words that make a rule a strict one; such rules come first.
const STRICT: usize = 8;
/// Characters of a rule.
const MAX_CHARS: usize = 200;
/// The maximum number of rules.
const MAX_RULES: usize = 12;

/// The rules of a text in the order they should be remembered: strict ones first, then the others, then headings.
///
/// A rule is a heading, an item of a list or a paragraph, wherever its lines are broken; of a long one the sentences
/// that tell what to do. Text in code blocks is not a rule.
pub(super) fn rules(body: &str) -> Vec<String> {
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for Block { text, is_heading } in blocks(body) {
        let is_long = text.chars().count() > MAX_CHARS;
        let parts = if is_long { sentences(&text) } else { vec![text.as_str()] };
        for part in parts {
            let rank = match strength(part) {
                Some(word) if word < STRICT => 0,
                Some(_) => 1,
                None if is_heading => 2,
                None => continue,
            };
            ranked.push((rank, cut(part)));
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, rule)| rule).filter(|rule| !rule.is_empty()).take(MAX_RULES).collect()
}

/// A heading, an item of a list or a paragraph, without its marks and in one line.
struct Block {
    text: String,
    is_heading: bool,
}

fn blocks(body: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for line in body.lines().map(str::trim) {
        let is_fence = line.starts_with("```") || line.starts_with("~~~");
        if is_fence || is_code || line.is_empty() {
            is_code ^= is_fence;
            is_open = false;
            continue;
        }
        let plain = without_mark(line);
        let is_heading = line.starts_with('#') && plain.len() < line.len();
        if !is_open || plain.len() < line.len() {
            blocks.push(Block { text: String::new(), is_heading });
        }
        is_open = !is_heading;
        if let Some(block) = blocks.last_mut() {
            let gap = if block.text.is_empty() { "" } else { " " };
            block.text += &format!("{gap}{}", plain.replace("**", ""));
        }
    }
    blocks
}

/// A line without what makes it a heading, an item, a quotation or a row.
fn without_mark(line: &str) -> &str {
    let rest = line.trim_start_matches(|char: char| "-*+>#|".contains(char));
    let number = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    let rest = if number.len() < rest.len() && number.starts_with(['.', ')']) { &number[1..] } else { rest };
    // A word in bold or a number at the start of a line is not a mark.
    if rest.starts_with(' ') { rest.trim_start() } else { line }
}

/// The sentences of a text.
fn sentences(text: &str) -> Vec<&str> {
    let ends = text.match_indices(['.', '!', '?', ';']).map(|(at, _)| at + 1);
    let ends = ends.filter(|&end| {
        let rest = &text[end..];
        rest.starts_with(' ') && rest.trim_start().starts_with(|char: char| !char.is_lowercase())
    });
    let mut starts = 0;
    let mut parts = Vec::new();
    for end in ends.chain([text.len()]) {
        parts.push(text[starts..end].trim());
        starts = end;
    }
    parts
}

/// The first of the words that a line has, by its place among them.
fn strength(line: &str) -> Option<usize> {
    let padded: String =
        line.to_lowercase().chars().map(|char| if is_word(char) { char } else { ' ' }).collect();
    let padded = format!(" {} ", padded.split_whitespace().collect::<Vec<_>>().join(" "));
    WORDS.iter().position(|word| padded.contains(&format!(" {word} ")))
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '\''
}

fn cut(line: &str) -> String {
    let line = line.trim_end();
    prowess_text::ellipsize(line, MAX_CHARS, |line, chars| char_prefix(line, chars).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_rules_come_first_and_code_is_none() {
        let body = "# Release\n\nSome words.\n\n1. Run the tests first.\n- **Never** push to main!\n\n```sh\n# never run this\n```\n> You MUST tag.\n## Notes\n";
        assert_eq!(
            rules(body),
            ["Never push to main!", "You MUST tag.", "Run the tests first.", "Release", "Notes"]
        );
        assert_eq!(rules("mustard onlyfans\n"), Vec::<String>::new());
        let long = &rules(&"always xy ".repeat(100))[0];
        assert!(long.ends_with("xy…") && long.chars().count() <= MAX_CHARS + 1, "{long}");
    }

    #[test]
    fn a_rule_may_be_broken_into_lines() {
        let body = "Ask before you\npush to the\nmain branch.\n\n- Never sign\n  with a key\n- **Only** one\n**word**\n";
        assert_eq!(
            rules(body),
            ["Never sign with a key", "Ask before you push to the main branch.", "Only one word"]
        );
        let filler = "Words that say nothing at all are here to make this paragraph a long one. ".repeat(3);
        let long = format!("{filler}\nYou must not push, e.g. to\nmain. {filler}");
        assert_eq!(rules(&long), ["You must not push, e.g. to main."]);
    }
}
