//! Strings, numbers and names.

use serde_json::Number;
use unicode_normalization::char::is_combining_mark;

use crate::Json5ParseError;
use crate::cursor::{Cursor, is_line_break};

/// A number as JSON5 writes it.
pub(crate) enum Numeral {
    Finite(Number),
    /// `NaN`, an infinity, or a number too large for 64-bit floating point.
    NonFinite,
}

/// Reads a string in single or double quotes.
pub(crate) fn string(cursor: &mut Cursor<'_>) -> Result<String, Json5ParseError> {
    let start = cursor.at();
    let Some(quote @ ('"' | '\'')) = cursor.bump() else {
        return Err(cursor.error(start, "expected a string"));
    };
    let mut value = String::new();
    loop {
        value.push_str(cursor.eat_while(|character| {
            character != quote && character != '\\' && character != '\n' && character != '\r'
        }));
        match cursor.peek() {
            Some('\\') => {
                cursor.bump();
                escape(cursor, &mut value)?;
            }
            Some(found) if found == quote => {
                cursor.bump();
                return Ok(value);
            }
            _ => return Err(cursor.error(start, "unterminated string")),
        }
    }
}

/// Reads what follows a backslash in a string.
fn escape(cursor: &mut Cursor<'_>, value: &mut String) -> Result<(), Json5ParseError> {
    let start = cursor.at() - 1;
    let Some(character) = cursor.bump() else {
        return Err(cursor.error(start, "unterminated string"));
    };
    match character {
        'b' => value.push('\u{8}'),
        'f' => value.push('\u{c}'),
        'n' => value.push('\n'),
        'r' => value.push('\r'),
        't' => value.push('\t'),
        'v' => value.push('\u{b}'),
        '0' if !cursor.peek().is_some_and(|next| next.is_ascii_digit()) => value.push('\0'),
        '0'..='9' => return Err(cursor.error(start, "octal escapes are not allowed")),
        'x' => value.push(char::from_u32(hex(cursor, start, 2)?).unwrap_or('\u{fffd}')),
        'u' => value.push(unicode_escape(cursor, start)?),
        // A backslash at the end of a line joins it with the next.
        '\r' => {
            cursor.eat('\n');
        }
        other if is_line_break(other) => {}
        other => value.push(other),
    }
    Ok(())
}

/// Reads the digits of `\u`, and the second half of a pair. A lone half becomes U+FFFD.
fn unicode_escape(cursor: &mut Cursor<'_>, start: usize) -> Result<char, Json5ParseError> {
    let unit = hex(cursor, start, 4)?;
    if (0xd800..0xdc00).contains(&unit) {
        let mut ahead = cursor.clone();
        if ahead.eat_text("\\u")
            && let Ok(low @ 0xdc00..0xe000) = hex(&mut ahead, start, 4)
        {
            *cursor = ahead;
            let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            return Ok(char::from_u32(code).unwrap_or('\u{fffd}'));
        }
    }
    Ok(char::from_u32(unit).unwrap_or('\u{fffd}'))
}

fn hex(cursor: &mut Cursor<'_>, start: usize, length: usize) -> Result<u32, Json5ParseError> {
    let mut code = 0;
    for _ in 0..length {
        let Some(digit) = cursor.peek().and_then(|character| character.to_digit(16)) else {
            return Err(cursor.error(start, format!("expected {length} hexadecimal digits")));
        };
        cursor.bump();
        code = code * 16 + digit;
    }
    Ok(code)
}

/// Reads a number with its sign.
pub(crate) fn number(cursor: &mut Cursor<'_>) -> Result<Numeral, Json5ParseError> {
    let start = cursor.at();
    let negative = cursor.eat('-');
    if !negative {
        cursor.eat('+');
    }
    let numeral = if cursor.eat_text("Infinity") || cursor.eat_text("NaN") {
        Numeral::NonFinite
    } else if cursor.eat_text("0x") || cursor.eat_text("0X") {
        let digits = cursor.eat_while(|character| character.is_ascii_hexdigit());
        if digits.is_empty() {
            return Err(cursor.expected("a hexadecimal digit"));
        }
        hexadecimal(digits, negative)
    } else {
        decimal(cursor, start)?
    };
    match cursor.peek() {
        Some(next) if is_name_part(next) || next == '.' => Err(cursor.expected("the end of the number")),
        _ => Ok(numeral),
    }
}

fn hexadecimal(digits: &str, negative: bool) -> Numeral {
    if let Ok(magnitude) = u64::from_str_radix(digits, 16) {
        if !negative {
            return Numeral::Finite(magnitude.into());
        }
        if let Some(number) = 0_i64.checked_sub_unsigned(magnitude) {
            return Numeral::Finite(number.into());
        }
    }
    let magnitude = digits
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .fold(0.0, |sum, digit| sum * 16.0 + f64::from(digit));
    float(if negative { -magnitude } else { magnitude })
}

fn decimal(cursor: &mut Cursor<'_>, start: usize) -> Result<Numeral, Json5ParseError> {
    let is_digit = |character: char| character.is_ascii_digit();
    let whole_start = cursor.at();
    let whole = cursor.eat_while(is_digit);
    if whole.len() > 1 && whole.starts_with('0') {
        return Err(cursor.error(whole_start, "a number must not start with zero"));
    }
    let mut is_integer = true;
    let mut has_digits = !whole.is_empty();
    if cursor.eat('.') {
        is_integer = false;
        has_digits |= !cursor.eat_while(is_digit).is_empty();
    }
    if !has_digits {
        return Err(cursor.expected("a digit"));
    }
    if cursor.eat('e') || cursor.eat('E') {
        is_integer = false;
        let _ = cursor.eat('+') || cursor.eat('-');
        if cursor.eat_while(is_digit).is_empty() {
            return Err(cursor.expected("a digit"));
        }
    }
    let written = cursor.since(start);
    let written = written.strip_prefix('+').unwrap_or(written);
    // A negative zero is not an integer, so it stays a float as in JSON.
    if is_integer && written != "-0" {
        if let Ok(number) = written.parse::<i64>() {
            return Ok(Numeral::Finite(number.into()));
        }
        if let Ok(number) = written.parse::<u64>() {
            return Ok(Numeral::Finite(number.into()));
        }
    }
    Ok(written.parse().map_or(Numeral::NonFinite, float))
}

fn float(value: f64) -> Numeral {
    Number::from_f64(value).map_or(Numeral::NonFinite, Numeral::Finite)
}

/// Reads an unquoted name. `None` when there is none here.
pub(crate) fn name(cursor: &mut Cursor<'_>) -> Result<Option<String>, Json5ParseError> {
    let mut name = String::new();
    loop {
        let is_allowed = if name.is_empty() { is_name_start } else { is_name_part };
        let start = cursor.at();
        match cursor.peek() {
            Some(character) if is_allowed(character) => {
                cursor.bump();
                name.push(character);
            }
            Some('\\') => {
                cursor.bump();
                if !cursor.eat('u') {
                    return Err(cursor.error(start, "only `\\u` escapes are allowed in a name"));
                }
                let character = unicode_escape(cursor, start)?;
                if !is_allowed(character) {
                    return Err(cursor.error(start, "this character is not allowed in a name"));
                }
                name.push(character);
            }
            _ => return Ok((!name.is_empty()).then_some(name)),
        }
    }
}

fn is_name_start(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || matches!(character, '$' | '_');
    }
    character.is_alphabetic() && !is_combining_mark(character)
}

fn is_name_part(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || matches!(character, '$' | '_');
    }
    character.is_alphanumeric()
        || is_combining_mark(character)
        // Joiners and connecting punctuation.
        || matches!(
            character,
            '\u{200c}' | '\u{200d}' | '\u{203f}' | '\u{2040}' | '\u{2054}' | '\u{fe33}' | '\u{fe34}'
                | '\u{fe4d}'..='\u{fe4f}' | '\u{ff3f}'
        )
}
