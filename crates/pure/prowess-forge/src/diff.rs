//! Two texts, line by line.

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Longer texts are shown as replaced in whole.
const MAX_LINES: usize = 4_000;

/// What changed from one text to another: lines with ` `, `-` or `+` in front; empty if nothing did.
///
/// ```
/// assert_eq!(prowess_forge::diff("a\nb\n", "a\nc\n"), " a\n-b\n+c\n");
/// assert_eq!(prowess_forge::diff("a", "a"), "");
/// ```
pub fn diff(old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut text = String::new();
    let mut say = |mark: char, line: &str| {
        text.push(mark);
        text.push_str(line);
        text.push('\n');
    };
    if old.len() > MAX_LINES || new.len() > MAX_LINES {
        for line in old {
            say('-', line);
        }
        for line in new {
            say('+', line);
        }
        return text;
    }
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (tag, from, to) = operation.as_tag_tuple();
        if tag == DiffTag::Equal {
            old[from].iter().for_each(|line| say(' ', line));
        } else {
            old[from].iter().for_each(|line| say('-', line));
            new[to].iter().for_each(|line| say('+', line));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(
            old in proptest::collection::vec("[abc]", 0..12),
            new in proptest::collection::vec("[abc]", 0..12),
        ) {
            let shown = diff(&old.join("\n"), &new.join("\n"));
            let side = |mark: char| -> Vec<String> {
                shown.lines().filter(|line| line.starts_with([' ', mark])).map(|line| line[1..].to_owned()).collect()
            };
            if old != new {
                prop_assert_eq!(side('-'), old);
                prop_assert_eq!(side('+'), new);
            }
        }
    }
}
