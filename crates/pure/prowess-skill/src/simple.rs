//! A short cut for frontmatter that needs no YAML parser.
//!
//! Many skills write nothing but `key: plain text` and `key: "quoted text"`, one per line. Those are read
//! here in one pass; anything else, however slightly unusual, is left to [`crate::yaml`]. Whenever this module
//! answers, the answer is exactly what the YAML parser would give: a property test holds that.

use prowess_types::Span;

use crate::yaml::{Kind, Node};

/// Most pairs that are read here. More of them are no longer simple, and the YAML parser has a budget for them.
const MAX_PAIRS: usize = 64;

/// The pairs of a simple block; none if it is not simple.
pub(crate) fn parse(block: &str) -> Option<Vec<(Node, Node)>> {
    let mut pairs: Vec<(Node, Node)> = Vec::with_capacity(6);
    let mut start = 0;
    for line in block.split('\n') {
        let (key, value) = if line.is_empty() {
            start += 1;
            continue;
        } else {
            split(line)?
        };
        let value_at = start + line.len() - value.len();
        let (text, plain) = scalar(value)?;
        let is_twice =
            pairs.iter().any(|(other, _)| matches!(&other.kind, Kind::Scalar { text, .. } if text == key));
        if is_twice || pairs.len() == MAX_PAIRS {
            return None;
        }
        let node = |text: &str, plain: bool, from: usize, len: usize| Node {
            span: Span::new(from, from + len),
            kind: Kind::Scalar { text: text.to_owned(), plain, tag: None },
        };
        pairs.push((node(key, true, start, key.len()), node(text, plain, value_at, value.len())));
        start += line.len() + 1;
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// `key: value`, the key a plain word at the start of the line, the value not blank.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(": ")?;
    let is_word = key.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    // These keys are not text in YAML.
    let is_text = !matches!(key.to_ascii_lowercase().as_str(), "null" | "true" | "false");
    let value = rest.trim_start_matches(' ');
    (is_word && is_text && !value.is_empty() && !value.ends_with(' ')).then_some((key, value))
}

/// The text of a scalar that ends on its line, and whether it is plain.
fn scalar(value: &str) -> Option<(&str, bool)> {
    let first = value.chars().next()?;
    for quote in ['"', '\''] {
        if first == quote {
            let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
            let is_literal = !inner.contains([quote, '\\']) && inner.chars().all(is_ordinary);
            return is_literal.then_some((inner, false));
        }
    }
    let is_plain = first.is_alphanumeric()
        && value.chars().all(is_ordinary)
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.ends_with(':');
    is_plain.then_some((value, true))
}

/// Characters that mean nothing to YAML wherever they stand: no controls, tabs, line ends or marks.
fn is_ordinary(next: char) -> bool {
    match next {
        ' '..='~' => true,
        '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}' => false,
        next => !next.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;
    use proptest::prelude::*;

    fn agrees(block: &str) {
        if let Some(pairs) = parse(block) {
            let node = yaml::parse(block).expect("what is simple is valid").expect("and not empty");
            assert_eq!(node.kind, Kind::Mapping(pairs), "{block:?}");
        }
    }

    #[test]
    fn ordinary_frontmatter_is_simple() {
        for block in [
            "name: a\ndescription: Does things, e.g. this (and that).\n",
            "name: \"a b\"\ndescription: 'it is: so # here'\nhomepage: https://e.example/x#y\n",
            "name: 技能\nversion: 1.2.0\n\n",
        ] {
            assert!(parse(block).is_some(), "{block:?}");
            agrees(block);
        }
        for block in [
            "",
            "a:\n",
            "a: b\n  c\n",
            "a: b\n- c\n",
            "a: [b]\n",
            "a: b: c\n",
            "a: b #c\n",
            "a: \"b\\n\"\n",
            "a: &b c\n",
            "a: b\na: c\n",
            "a: b \n",
            "a: b\t\n",
            " a: b\n",
            "a: b:\n",
            "# c\n",
            "---\n",
            "null: x\n",
            "a: 'it''s'\n",
        ] {
            assert_eq!(parse(block), None, "{block:?}");
        }
    }

    #[test]
    fn many_pairs_are_not_simple() {
        let block = |count| (0..count).fold(String::new(), |text, number| text + &format!("k{number}: v\n"));
        assert!(parse(&block(MAX_PAIRS)).is_some());
        assert_eq!(parse(&block(MAX_PAIRS + 1)), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn simple_is_what_yaml_says(
            lines in proptest::collection::vec("([a-z]{1,3}|true|[A-Z-]{1,2}):[ ]{0,2}[ -~é技\u{2028}\t]{0,10}|[ -~]{0,8}", 0..4)
        ) {
            agrees(&lines.join("\n"));
            agrees(&(lines.join("\n") + "\n"));
        }
    }
}
