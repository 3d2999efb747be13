//! What the body tells: headings and first lines.

/// The first level-1 heading, code fences included, trailing `#`s removed.
pub(crate) fn title(body: &str) -> Option<String> {
    body.lines().find_map(|line| {
        let rest = line.strip_prefix('#')?;
        let text = rest.strip_prefix([' ', '\t'])?.trim();
        let text = text.trim_end_matches('#').trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    })
}

/// A name made readable: split at `-` and `_`, each word's first letter in upper case. A name that is
/// nothing but separators stays as it is.
pub(crate) fn humanise(name: &str) -> String {
    let words: Vec<String> = name.split(['-', '_']).filter(|word| !word.is_empty()).map(capitalise).collect();
    if words.is_empty() { name.to_owned() } else { words.join(" ") }
}

fn capitalise(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        assert_eq!(title("# The Title #\n").as_deref(), Some("The Title"));
        assert_eq!(title("## Sub\ntext\n"), None);
        assert_eq!(title("```\n# in code\n```\n# Real\n").as_deref(), Some("in code"));
        assert_eq!(title("#\n#hash\n"), None);
    }

    #[test]
    fn readable_names() {
        assert_eq!(humanise("b-c_d"), "B C D");
        assert_eq!(humanise("--__--"), "--__--");
        assert_eq!(humanise("é"), "É");
        assert_eq!(humanise("multi\nline"), "Multi\nline");
    }
}
