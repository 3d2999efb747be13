//! Names and numbers in sentences.

use std::fmt::Display;

/// Items in backticks, joined by a separator such as `", "` or `" or "`.
///
/// ```
/// assert_eq!(prowess_text::backtick_list(["gh", "jq"], " or "), "`gh` or `jq`");
/// ```
pub fn backtick_list<T: Display>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| format!("`{item}`")).collect();
    items.join(separator)
}

/// A number and its noun.
pub fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The first `limit` items, and `and N more` in the place of the others.
pub fn and_more<T>(items: &[T], limit: usize) -> (&[T], Option<String>) {
    let (shown, rest) = items.split_at(limit.min(items.len()));
    (shown, (!rest.is_empty()).then(|| format!("and {} more", rest.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_numbers_read_as_sentences() {
        assert_eq!(backtick_list(Vec::<String>::new(), ", "), "");
        assert_eq!(backtick_list([1, 2, 3], ", "), "`1`, `2`, `3`");
        assert_eq!(plural(1, "skill", "skills"), "1 skill");
        assert_eq!(plural(0, "skill", "skills"), "0 skills");
        assert_eq!(and_more(&["a", "b"], 2), (&["a", "b"][..], None));
        assert_eq!(and_more(&["a", "b", "c"], 1), (&["a"][..], Some("and 2 more".to_owned())));
    }
}
