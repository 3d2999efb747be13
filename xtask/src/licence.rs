//! SPDX expressions, as far as crates write them.

use std::collections::BTreeSet;

/// Tells if the allowed licences satisfy an expression: names joined by `AND`, `OR` or `/`, in parentheses.
pub(crate) fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, allowed };
    reader.any() == Some(true) && reader.words.is_empty()
}

struct Reader<'a> {
    words: &'a [&'a str],
    allowed: &'a BTreeSet<String>,
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        let is_next = self.words.first().is_some_and(|next| *next == word);
        if is_next {
            self.words = &self.words[1..];
        }
        is_next
    }

    fn any(&mut self) -> Option<bool> {
        let mut is_allowed = self.all()?;
        while self.take("OR") {
            is_allowed |= self.all()?;
        }
        Some(is_allowed)
    }

    fn all(&mut self) -> Option<bool> {
        let mut is_allowed = self.one()?;
        while self.take("AND") {
            is_allowed &= self.one()?;
        }
        Some(is_allowed)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let is_allowed = self.any()?;
            return self.take(")").then_some(is_allowed);
        }
        let (name, rest) = self.words.split_first()?;
        self.words = rest;
        if !self.take("WITH") {
            return Some(self.allowed.contains(*name));
        }
        let (exception, rest) = self.words.split_first()?;
        self.words = rest;
        Some(self.allowed.contains(&format!("{name} WITH {exception}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_by_their_operators() {
        let allowed = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
        for (expression, is_fine) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("MIT/GPL-3.0", true),
            ("GPL-3.0 AND MIT", false),
            ("(MIT OR GPL-3.0) AND ISC", true),
            ("MIT AND (GPL-3.0 OR LGPL-3.0)", false),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
            ("", false),
            ("MIT MIT", false),
            ("(MIT", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), is_fine, "{expression}");
        }
    }
}
