//! Two texts, line by line.

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
    let start = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let is_bounded = old_rest.len() <= MAX_LINES && new_rest.len() <= MAX_LINES;
    old[..start].iter().for_each(|line| say(' ', line));
    let common = if is_bounded { longest_common(old_rest, new_rest) } else { Vec::new() };
    let (mut from, mut to) = (0, 0);
    for (at_old, at_new) in common.into_iter().chain([(old_rest.len(), new_rest.len())]) {
        old_rest[from..at_old].iter().for_each(|line| say('-', line));
        new_rest[to..at_new].iter().for_each(|line| say('+', line));
        if let Some(line) = old_rest.get(at_old) {
            say(' ', line);
        }
        (from, to) = (at_old + 1, at_new + 1);
    }
    text
}

/// The places of the lines that both have, in order, as many as possible.
fn longest_common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    // How many lines the rests from each pair of places on have in common.
    let mut lengths = vec![0_u16; (old.len() + 1) * width];
    for at_old in (0..old.len()).rev() {
        for at_new in (0..new.len()).rev() {
            lengths[at_old * width + at_new] = if old[at_old] == new[at_new] {
                lengths[(at_old + 1) * width + at_new + 1] + 1
            } else {
                lengths[(at_old + 1) * width + at_new].max(lengths[at_old * width + at_new + 1])
            };
        }
    }
    let (mut at_old, mut at_new) = (0, 0);
    let mut common = Vec::new();
    while at_old < old.len() && at_new < new.len() {
        if old[at_old] == new[at_new] {
            common.push((at_old, at_new));
            (at_old, at_new) = (at_old + 1, at_new + 1);
        } else if lengths[(at_old + 1) * width + at_new] >= lengths[at_old * width + at_new + 1] {
            at_old += 1;
        } else {
            at_new += 1;
        }
    }
    common
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
