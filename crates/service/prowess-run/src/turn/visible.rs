//! Text as a person must see it before saying yes.

/// The text with every character that cannot be seen, or that moves others, as an escape.
///
/// Line breaks stay. So an approval never shows less than what will happen, nor in another order.
///
/// ```
/// use prowess_run::turn::visible;
/// assert_eq!(visible("rm \u{202e}txt.\u{200b}a\r"), r"rm \u{202e}txt.\u{200b}a\r");
/// ```
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            _ if is_unseen(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

/// Controls, format and bidi marks, blanks that are no plain space, fillers, variation selectors, tags,
/// private use.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}'
            | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{is_unseen, visible};

    proptest! {
        #[test]
        fn nothing_unseen_is_left(text in any::<String>()) {
            let shown = visible(&text);
            prop_assert!(shown.chars().all(|character| character == '\n' || !is_unseen(character)));
            prop_assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
        }
    }

    #[test]
    fn what_is_unseen_becomes_an_escape() {
        let cases = [
            ("ls -l ~/Bücher 日本 🦀", "ls -l ~/Bücher 日本 🦀"),
            ("one\ntwo", "one\ntwo"),
            ("a\u{1b}[2Kb\u{7f}", "a\\u{1b}[2Kb\\u{7f}"),
            ("echo\u{a0}x\u{3000}y", "echo\\u{a0}x\\u{3000}y"),
            ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
            ("\u{e0041}\u{feff}\u{3164}", "\\u{e0041}\\u{feff}\\u{3164}"),
            ("tab\there\u{2028}", "tab\\there\\u{2028}"),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text), shown);
        }
    }
}
