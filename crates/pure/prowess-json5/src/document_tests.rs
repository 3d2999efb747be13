use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{Json5Document, Json5EditError, parse, testing, to_value};

fn edited(text: &str, path: &[&str], value: &Value) -> String {
    let mut document = Json5Document::parse_or_empty(text).unwrap();
    document.set(path, value).unwrap();
    document.into_text()
}

fn removed(text: &str, path: &[&str]) -> String {
    let mut document = parse(text).unwrap();
    assert!(document.remove(path).unwrap());
    document.into_text()
}

#[test]
fn replaces_only_the_value() {
    let text = "{ // head\n  'a' : 1 , /* one */\n  b:'x',c:[1,2]}";
    assert_eq!(edited(text, &["a"], &json!(2)), text.replace("'a' : 1", "'a' : 2"));
    assert_eq!(edited(text, &["b"], &json!("it's")), text.replace("'x'", "'it\\'s'"));
    assert_eq!(edited(text, &["c", "1"], &json!(true)), text.replace("[1,2]", "[1,true]"));
    assert_eq!(edited(text, &["c"], &json!([1, 2])), text);
}

#[test]
fn sets_in_every_kind_of_object() {
    let table = [
        ("", "{\n  \"n\": 1\n}\n"),
        ("\u{feff}  \n", "\u{feff}{\n  \"n\": 1\n}\n"),
        ("{}", "{\n  \"n\": 1\n}"),
        ("{ }\n", "{\n  \"n\": 1\n}\n"),
        ("{\n}\n", "{\n  \"n\": 1\n}\n"),
        ("{\n  // none yet\n}\n", "{\n  // none yet\n  \"n\": 1\n}\n"),
        ("{ /* none */ }", "{ /* none */\n  \"n\": 1\n}"),
        ("{a: 1}", "{a: 1, n: 1}"),
        ("{ a: 1 }", "{ a: 1, n: 1 }"),
        ("{a: 1,}", "{a: 1, n: 1,}"),
        ("{\"a\": 1 /* x */}", "{\"a\": 1, /* x */ \"n\": 1}"),
        ("{\n  a: 1\n}", "{\n  a: 1,\n  n: 1\n}"),
        ("{\n\ta: 1, // one\n\t// two\n}", "{\n\ta: 1, // one\n\tn: 1,\n\t// two\n}"),
        ("{\n  a: 1 // one\n}", "{\n  a: 1, // one\n  n: 1\n}"),
        ("{\r\n    a: 1,\r\n}\r\n", "{\r\n    a: 1,\r\n    n: 1,\r\n}\r\n"),
        ("{ a: {\n    b: 1\n  }\n}", "{ a: {\n    b: 1\n  },\n    n: 1\n}"),
    ];
    for (text, expected) in table {
        assert_eq!(edited(text, &["n"], &json!(1)), expected, "{text:?}");
    }
}

#[test]
fn creates_missing_parents_in_the_style_of_the_file() {
    assert_snapshot!(
        edited("{\n    'a': {},\n}\n", &["a", "my.key", "b"], &json!({"list": ["x", {"y": null}], "e": {}})),
        @r"
    {
        'a': {
            'my.key': {
                'b': {
                    'list': [
                        'x',
                        {
                            'y': null,
                        },
                    ],
                    'e': {},
                },
            },
        },
    }
    "
    );
    assert_eq!(edited("{a: {}}", &["a", "b", "c"], &json!([1, "x"])), "{a: {b: {c: [1, \"x\"]}}}");
    assert_eq!(edited("{\n  a: null\n}", &["a", "b"], &json!(1)), "{\n  a: {\n    b: 1\n  }\n}");
}

#[test]
fn changes_an_object_member_by_member() {
    let text = "{\n  // all\n  a: {\n    // one\n    x: 1,\n    // two\n    y: 2,\n  },\n}\n";
    assert_eq!(
        edited(text, &["a"], &json!({"y": 3, "z": 4})),
        "{\n  // all\n  a: {\n    // one\n    // two\n    y: 3,\n    z: 4,\n  },\n}\n"
    );
}

#[test]
fn changes_a_list_where_it_differs() {
    let text = "[\n  'a', // first\n  'b', // second\n  'c', // third\n]\n";
    let set = |items: Value| edited(text, &[], &items);
    assert_eq!(set(json!(["b", "c"])), "[\n  // first\n  'b', // second\n  'c', // third\n]\n");
    assert_eq!(set(json!(["a", "c"])), "[\n  'a', // first\n  // second\n  'c', // third\n]\n");
    assert_eq!(
        set(json!(["z", "a", "b", "x", "c"])),
        "[\n  'z', // first\n  'a', // second\n  'b',\n  'x',\n  'c', // third\n]\n"
    );
    assert_eq!(edited("[1, 2]", &[], &json!([0, 1, 2])), "[0, 1, 2]");
    assert_eq!(edited("[ 1, 2 ]", &[], &json!([0, 1, 2])), "[ 0, 1, 2 ]");
    assert_eq!(edited("[1]", &["1"], &json!(2)), "[1, 2]");
    assert_eq!(edited("[\n  // c\n  1\n]", &[], &json!([0, 1])), "[\n  0,\n  // c\n  1\n]");
}

#[test]
fn long_lists_get_a_line_each() {
    let long: Vec<_> = (0..12).map(|index| format!("element-{index}")).collect();
    let text = edited("{\n  a: 1\n}\n", &["b"], &json!(long));
    assert_eq!(text.lines().count(), 17);
    assert_eq!(
        edited("{\n  a: 1\n}\n", &["b"], &json!(["x", "y"])).lines().nth(2),
        Some("  b: [\"x\", \"y\"]")
    );
}

#[test]
fn removes_members_and_their_lines() {
    let table = [
        ("{a: 1}", "a", "{}"),
        ("{\n  a: 1,\n}\n", "a", "{}\n"),
        ("{a: 1, b: 2}", "a", "{b: 2}"),
        ("{a: 1, b: 2}", "b", "{a: 1}"),
        ("{ a: 1, b: 2, }", "b", "{ a: 1, }"),
        ("{\n  a: 1,\n  b: 2\n}", "b", "{\n  a: 1\n}"),
        ("{\n  a: 1,\n  b: 2\n}", "a", "{\n  b: 2\n}"),
        ("{\n  a: {\n    x: 1\n  }, // one\n  b: 2,\n}", "a", "{\n  // one\n  b: 2,\n}"),
        ("{\n  // about a\n  a: 1, // one\n}", "a", "{\n  // about a\n  // one\n}"),
        ("{\n  a: 1, b: 2,\n  c: 3\n}", "b", "{\n  a: 1,\n  c: 3\n}"),
        ("{\r\n  a: 1,\r\n  b: 2\r\n}", "a", "{\r\n  b: 2\r\n}"),
        ("{a: 1, b: 2, a: 3}", "a", "{b: 2}"),
        ("{a: 1 /* x */, b: 2}", "a", "{/* x */ b: 2}"),
    ];
    for (text, name, expected) in table {
        assert_eq!(removed(text, &[name]), expected, "{text:?}");
    }
    assert_eq!(removed("{a: [1, 2, 3]}", &["a", "1"]), "{a: [1, 3]}");
    let mut document = parse("{a: 1}").unwrap();
    assert_eq!(document.remove(&["b"]), Ok(false));
    assert_eq!(document.remove(&["a", "b"]), Ok(false));
}

#[test]
fn refuses_edits_that_have_no_place() {
    let text = "{a: 'x', b: [1], c: 1}";
    let mut document = parse(text).unwrap();
    let mut messages = Vec::new();
    for path in [&["a", "b"][..], &["b", "x"], &["b", "3"], &["c", "d", "e"]] {
        messages.push(document.set(path, &json!(1)).unwrap_err().to_string());
    }
    messages.push(document.remove(&[]).unwrap_err().to_string());
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    messages.push(document.set(&["a"], &deep).unwrap_err().to_string());
    assert_snapshot!(messages.join("\n"), @r"
    `a` is a string, so nothing can be set below it
    `b` is a list of 1, it has no element `x`
    `b` is a list of 1, it has no element `3`
    `c` is a number, so nothing can be set below it
    the whole document cannot be removed
    the value is nested deeper than 128 levels
    ");
    assert_eq!(document.text(), text);
    let path = vec!["a"; 200];
    assert_eq!(parse("{}").unwrap().set(&path, &json!(1)), Err(Json5EditError::TooDeep));
}

#[test]
fn plain_json_stays_plain_json() {
    let text = "{\n  \"a\": [],\n  \"b\": {}\n}\n";
    let text = edited(text, &["b", "c d"], &json!({"e": "f\u{1}\n"}));
    let text = edited(&text, &["a", "0"], &json!({"g": [1, {"h": 2}]}));
    let expected = json!({"a": [{"g": [1, {"h": 2}]}], "b": {"c d": {"e": "f\u{1}\n"}}});
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
}

/// The edit that a document should undergo, on plain values.
fn model_set(target: &mut Value, path: &[&str], value: &Value) -> bool {
    let Some((first, rest)) = path.split_first() else {
        *target = value.clone();
        return true;
    };
    match target {
        Value::Null => {
            *target = Value::Object(Map::new());
            model_set(target, path, value)
        }
        Value::Object(map) => {
            if !map.contains_key(*first) {
                // What is missing is made of objects only.
                map.insert((*first).into(), Value::Null);
            }
            model_set(&mut map[*first], rest, value)
        }
        Value::Array(items) => match first.parse::<usize>() {
            Ok(index) if index < items.len() && *first == index.to_string() => {
                model_set(&mut items[index], rest, value)
            }
            Ok(index) if index == items.len() && *first == index.to_string() => {
                items.push(Value::Null);
                model_set(&mut items[index], rest, value)
            }
            _ => false,
        },
        _ => false,
    }
}

fn model_remove(target: &mut Value, path: &[&str]) -> bool {
    let Some((last, parents)) = path.split_last() else {
        return false;
    };
    let escape = |segment: &&str| segment.replace('~', "~0").replace('/', "~1");
    let pointer = [&[String::new()][..], &parents.iter().map(escape).collect::<Vec<_>>()].concat();
    let pointer = pointer.join("/");
    match target.pointer_mut(&pointer) {
        Some(Value::Object(map)) => map.shift_remove(*last).is_some(),
        Some(Value::Array(items)) => match last.parse::<usize>() {
            Ok(index) if index < items.len() && *last == index.to_string() => {
                items.remove(index);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// Comments outside the value at `path` (or outside the member, for a removal).
fn comments_around(document: &Json5Document, path: &[&str], with_key: bool) -> Vec<String> {
    let text = document.text();
    let Some(value) = document.span_of(path) else {
        return testing::comments(text).into_iter().map(Into::into).collect();
    };
    let start =
        if with_key { document.key_span_of(path).map_or(value.start, |key| key.start) } else { value.start };
    let (before, after) = (&text[..start], &text[value.end..]);
    testing::comments(before).into_iter().chain(testing::comments(after)).map(Into::into).collect()
}

fn path() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(prop_oneof![4 => testing::name(), 2 => "[0-3]"], 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn setting_changes_one_value_and_keeps_comments(
        before in testing::document(), seed in any::<u64>(), path in path(), value in testing::value(),
    ) {
        let path: Vec<_> = path.iter().map(String::as_str).collect();
        let text = testing::write(&before, seed);
        let mut document = parse(&text).unwrap();
        let comments = comments_around(&document, &path, false);
        let span = document.span_of(&path);
        let mut expected = before;
        if model_set(&mut expected, &path, &value) {
            document.set(&path, &value).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            prop_assert_eq!(to_value(document.text()).unwrap(), expected, "{}", document.text());
            if let Some(span) = span {
                prop_assert!(document.text().starts_with(&text[..span.start]));
                prop_assert!(document.text().ends_with(&text[span.end..]));
            }
            let kept = testing::comments(document.text()).into_iter().map(String::from).collect::<Vec<_>>();
            for comment in comments {
                prop_assert!(kept.contains(&comment), "lost {}\n{}\n---\n{}", comment, text, document.text());
            }
        } else {
            prop_assert!(document.set(&path, &value).is_err());
            prop_assert_eq!(document.text(), text);
        }
    }

    #[test]
    fn removing_takes_one_member_and_keeps_comments(
        before in testing::document(), seed in any::<u64>(), path in path(),
    ) {
        let path: Vec<_> = path.iter().map(String::as_str).collect();
        let text = testing::write(&before, seed);
        let mut document = parse(&text).unwrap();
        let comments = comments_around(&document, &path, true);
        let mut expected = before;
        let found = model_remove(&mut expected, &path);
        prop_assert_eq!(document.remove(&path), Ok(found));
        prop_assert_eq!(to_value(document.text()).unwrap(), expected, "{}", document.text());
        let kept = testing::comments(document.text()).into_iter().map(String::from).collect::<Vec<_>>();
        for comment in comments {
            prop_assert!(kept.contains(&comment), "lost {}\n{}\n---\n{}", comment, text, document.text());
        }
        if !found {
            prop_assert_eq!(document.text(), text);
        }
    }

    #[test]
    fn a_whole_document_can_become_any_other(
        before in testing::document(), after in testing::document(), seed in any::<u64>(),
    ) {
        let mut document = parse(&testing::write(&before, seed)).unwrap();
        document.set(&[], &after).unwrap();
        prop_assert_eq!(to_value(document.text()).unwrap(), after, "{}", document.text());
    }
}
