use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{MAX_DEPTH, parse, testing, to_value};

#[test]
fn reads_everything_json5_allows() {
    let table = [
        ("null", json!(null)),
        ("true", json!(true)),
        ("\u{feff} false // end", json!(false)),
        ("'it\\'s'", json!("it's")),
        ("\"a\\u00e9\\x41\\v\\0\\q\"", json!("a\u{e9}A\u{b}\0q")),
        ("'one\\\ntwo\\\r\nthree\\\u{2028}four'", json!("onetwothreefour")),
        ("'\\ud83d\\ude00'", json!("😀")),
        ("'\\ud83dx'", json!("\u{fffd}x")),
        ("'raw\ttab\u{2028}line'", json!("raw\ttab\u{2028}line")),
        ("+1", json!(1)),
        ("-7", json!(-7)),
        (".5", json!(0.5)),
        ("5.", json!(5.0)),
        ("1e3", json!(1000.0)),
        ("0x1F", json!(31)),
        ("-0XfF", json!(-255)),
        ("9223372036854775807", json!(i64::MAX)),
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("-0x8000000000000000", json!(i64::MIN)),
        ("0xffffffffffffffff", json!(u64::MAX)),
        ("18446744073709551616", json!(18_446_744_073_709_551_616.0)),
        ("0x10000000000000000", json!(18_446_744_073_709_551_616.0)),
        ("[]", json!([])),
        ("[1,/* two */2,]", json!([1, 2])),
        ("{}", json!({})),
        ("{a:1,'b c':2,\"d\":3,}", json!({"a": 1, "b c": 2, "d": 3})),
        (
            "{$_9:1, \\u0061b:2, größe:3, नमस्ते:4, null:5}",
            json!({"$_9": 1, "ab": 2, "größe": 3, "नमस्ते": 4, "null": 5}),
        ),
        ("{a:1, b:2, a:3}", json!({"a": 3, "b": 2})),
        ("\u{a0}{\u{3000}a\u{2003}:\u{b}1 /**/ , // x\u{2029} }", json!({"a": 1})),
    ];
    for (text, expected) in table {
        assert_eq!(to_value(text), Ok(expected), "{text}");
    }
}

#[test]
fn keeps_the_order_of_keys() {
    let value = to_value("{z: 1, a: 2, m: 3}").unwrap();
    let keys: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["z", "a", "m"]);
}

#[test]
fn negative_zero_stays_negative() {
    let value = to_value("-0").unwrap();
    assert!(value.as_f64().unwrap().is_sign_negative());
}

#[test]
fn what_json_cannot_say_is_null() {
    let text = "{a: NaN, b: [-Infinity, +Infinity], c: 1e999, d: 1}";
    let document = parse(text).unwrap();
    assert_eq!(document.value(), json!({"a": null, "b": [null, null], "c": null, "d": 1}));
}

#[test]
fn refuses_with_a_place_and_a_reason() {
    let table = [
        "",
        " // only a comment",
        "{\n  a 1\n}",
        "{a: 1 b: 2}",
        "[1 2]",
        "{a: }",
        "{a: hello}",
        "{1: 2}",
        "[,]",
        "{a: 1}}",
        "'open",
        "'line\nbreak'",
        "/* open",
        "'\\1'",
        "'\\x4'",
        "'\\u12'",
        "012",
        "+",
        "1.2.3",
        "0x",
        "5a",
        "1e",
        "{\\x61: 1}",
        "{\\u0020: 1}",
        "tru\\u0065",
        "{a: 'é', ü ö}",
        "@",
    ];
    let report: Vec<_> =
        table.iter().map(|text| format!("{text:?}\n    {}", parse(text).unwrap_err())).collect();
    assert_snapshot!(report.join("\n"), @r#"
    ""
        line 1, column 1: expected a value, found the end of the text
    " // only a comment"
        line 1, column 19: expected a value, found the end of the text
    "{\n  a 1\n}"
        line 2, column 5: expected `:`, found `1`
    "{a: 1 b: 2}"
        line 1, column 7: expected `,` or `}`, found `b`
    "[1 2]"
        line 1, column 4: expected `,` or `]`, found `2`
    "{a: }"
        line 1, column 5: expected a value, found `}`
    "{a: hello}"
        line 1, column 5: expected a value, found a word without quotes
    "{1: 2}"
        line 1, column 2: expected a key, found `1`
    "[,]"
        line 1, column 2: expected a value, found `,`
    "{a: 1}}"
        line 1, column 7: expected the end of the text, found `}`
    "'open"
        line 1, column 1: unterminated string
    "'line\nbreak'"
        line 1, column 1: unterminated string
    "/* open"
        line 1, column 1: unterminated comment
    "'\\1'"
        line 1, column 2: octal escapes are not allowed
    "'\\x4'"
        line 1, column 2: expected 2 hexadecimal digits
    "'\\u12'"
        line 1, column 2: expected 4 hexadecimal digits
    "012"
        line 1, column 1: a number must not start with zero
    "+"
        line 1, column 2: expected a digit, found the end of the text
    "1.2.3"
        line 1, column 4: expected the end of the number, found `.`
    "0x"
        line 1, column 3: expected a hexadecimal digit, found the end of the text
    "5a"
        line 1, column 2: expected the end of the number, found `a`
    "1e"
        line 1, column 3: expected a digit, found the end of the text
    "{\\x61: 1}"
        line 1, column 2: only `\u` escapes are allowed in a name
    "{\\u0020: 1}"
        line 1, column 2: this character is not allowed in a name
    "tru\\u0065"
        line 1, column 1: expected a value, found a word without quotes
    "{a: 'é', ü ö}"
        line 1, column 12: expected `:`, found `ö`
    "@"
        line 1, column 1: expected a value, found `@`
    "#);
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    let error = parse(&nested(MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 129: nested deeper than 128 levels");
    assert!(parse(&"[{a:".repeat(1_000_000)).is_err());
}

#[test]
fn values_know_their_bytes() {
    let text = "{ a: [1, {b: 'x'}], a: [2, {b: 'y'}] }";
    let document = parse(text).unwrap();
    let at = |path: &[&str]| document.span_of(path).map(|span| &text[span]);
    assert_eq!(at(&[]), Some(text));
    assert_eq!(at(&["a", "1", "b"]), Some("'y'"));
    assert_eq!(at(&["a", "2"]), None);
    assert_eq!(at(&["a", "01"]), None);
    assert_eq!(at(&["a", "b"]), None);
    assert_eq!(document.key_span_of(&["a", "1", "b"]).map(|span| &text[span]), Some("b"));
    assert_eq!(document.key_span_of(&["a", "1"]), None);
    let position = document.position_of(document.span_of(&["a", "0"]).unwrap().start);
    assert_eq!((position.line, position.column), (1, 25));
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn no_text_that_looks_like_json5_panics(text in r#"[{}\[\],:'"\\/*\nux0-9a-zé+.\- \u{2028}]{0,60}"#) {
        if let Err(error) = parse(&text) {
            prop_assert!(error.span.end <= text.len() && error.span.start <= error.span.end);
            prop_assert!(text.is_char_boundary(error.span.start) && text.is_char_boundary(error.span.end));
        }
    }

    #[test]
    fn json_is_a_subset(value in testing::value()) {
        prop_assert_eq!(to_value(&value.to_string()).unwrap(), value.clone());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(to_value(&pretty).unwrap(), value);
    }

    #[test]
    fn what_is_written_is_read(value in testing::value(), seed in any::<u64>()) {
        let text = testing::write(&value, seed);
        prop_assert_eq!(to_value(&text).map_err(|error| format!("{error}\n{text}")), Ok::<Value, String>(value));
    }
}
