//! The lines of a skill's text that tell what to do and what not.

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
/// How many rules are of use.
const MAX_RULES: usize = 12;

/// The rules of a text in the order they should be remembered: strict ones first, then the others, then headings.
///
/// Lines in code blocks are no rules. Long lines are cut.
pub(super) fn rules(body: &str) -> Vec<String> {
    let mut ranked: Vec<(usize, String)> = Vec::new();
    let mut is_code = false;
    for line in body.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && !line.is_empty() {
            let plain =
                line.trim_start_matches(|char: char| "-*+>#|".contains(char) || char.is_ascii_digit());
            let plain = plain.trim_start_matches(['.', ')', ' ']).replace("**", "");
            let rank = match strength(&plain) {
                Some(word) if word < STRICT => 0,
                Some(_) => 1,
                None if line.starts_with('#') => 2,
                None => continue,
            };
            ranked.push((rank, cut(&plain)));
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, rule)| rule).filter(|rule| !rule.is_empty()).take(MAX_RULES).collect()
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
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.trim_end().to_owned(),
    }
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
        let long = &rules(&"Always x. ".repeat(100))[0];
        assert!(long.ends_with("x.…") && long.chars().count() <= MAX_CHARS + 1, "{long}");
    }
}
