//! Long lists, a page at a time.
//!
//! A cursor names the last key that was given out, so a list that changes between two pages neither repeats nor skips
//! what stayed.

use crate::fault::Fault;

const PREFIX: &str = "after:";
/// The number of entries of a page.
pub(crate) const PAGE: usize = 100;

/// A page, and the cursor of the next one if there is more.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    pub(crate) next: Option<String>,
}

/// The key after which the page begins; the empty key is before all others.
pub(crate) fn after(cursor: Option<&str>) -> Result<&str, Fault> {
    let Some(cursor) = cursor else { return Ok("") };
    cursor
        .strip_prefix(PREFIX)
        .ok_or_else(|| Fault::invalid("the cursor is not one that this server gave out"))
}

/// The next page of entries that come in the order of their keys, each after the cursor's.
pub(crate) fn cut<T>(entries: impl IntoIterator<Item = (String, T)>, size: usize) -> Page<T> {
    let mut entries = entries.into_iter();
    let mut items = Vec::new();
    let mut last = String::new();
    for (key, item) in entries.by_ref().take(size) {
        last = key;
        items.push(item);
    }
    let next = entries.next().map(|_| format!("{PREFIX}{last}"));
    Page { items, next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other() {
        let all = ["a", "b", "c", "d", "e"];
        let page = |cursor: Option<&str>| {
            let after = after(cursor).unwrap();
            cut(all.iter().filter(|key| **key > after).map(|key| ((*key).to_owned(), *key)), 2)
        };
        let mut cursor = None;
        let mut seen = Vec::new();
        loop {
            let page = page(cursor.as_deref());
            seen.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, all);
        assert_eq!(page(Some("after:b")).next.as_deref(), Some("after:d"));
        assert_eq!(page(Some("after:zzz")), Page { items: vec![], next: None });
        assert!(after(Some("17")).is_err());
    }
}
