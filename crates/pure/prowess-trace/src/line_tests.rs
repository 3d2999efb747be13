use proptest::prelude::*;
use prowess_types::TraceEvent;

use super::*;
use crate::test_support::any_lines;

fn read_one(text: &str) -> UnreadReason {
    let session = read(text.as_bytes()).unwrap();
    assert_eq!(session.lines, []);
    session.unread[0].reason.clone()
}

#[test]
fn what_is_not_understood_is_kept_with_the_reason() {
    let text = concat!(
        r#"{"at":1,"type":"thought","text":"one"}"#,
        "\n\n",
        r#"{"at":2,"type":"dream","text":"two"}"#,
        "\r\n",
        r#"{"at":3,"type":"answer","text":"three"}"#,
        "\r\n",
        r#"{"at":4,"type":"ans"#,
    );
    let session = read(text.as_bytes()).unwrap();
    assert_eq!(session.lines.iter().map(|line| line.at).collect::<Vec<_>>(), [1, 3]);
    let unread: Vec<_> = session.unread.iter().map(|unread| (unread.line, unread.raw.as_str())).collect();
    assert_eq!(unread, [(3, r#"{"at":2,"type":"dream","text":"two"}"#), (5, r#"{"at":4,"type":"ans"#)]);
    assert_eq!(session.unread[0].reason, UnreadReason::UnknownType("dream".into()));
    assert!(matches!(session.unread[1].reason, UnreadReason::NotJson(_)));
}

#[test]
fn each_kind_of_bad_line_has_its_reason() {
    assert!(matches!(read_one("[1]"), UnreadReason::Malformed(_)));
    assert!(matches!(read_one("{}"), UnreadReason::Malformed(_)));
    assert!(matches!(read_one(r#"{"at":-1,"type":"thought","text":""}"#), UnreadReason::Malformed(_)));
    assert!(matches!(read_one(r#"{"at":1,"type":"thought"}"#), UnreadReason::Malformed(_)));
    let backend = r#"{"at":1,"type":"run_started","message":"m","backend":{"kind":"oracle","name":"n"}}"#;
    assert!(matches!(read_one(backend), UnreadReason::Malformed(_)));
    let deep = format!(r#"{{"at":1,"type":"foreign","entry":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    assert!(matches!(read_one(&deep), UnreadReason::NotJson(_)));
    let session = read(b"{\"at\":1,\"type\":\"thought\",\"text\":\"\xff\"}").unwrap();
    assert_eq!(session.unread[0].reason, UnreadReason::NotText);
    let long = vec![b'x'; MAX_LINE_BYTES + 1];
    let session = read(&long).unwrap();
    assert_eq!(session.unread[0].reason, UnreadReason::TooLong(long.len()));
    assert_eq!(session.unread[0].raw.len(), MAX_RAW_CHARS);
}

#[test]
fn a_newer_format_is_refused_and_an_older_one_is_read() {
    let text = |format| {
        format!(r#"{{"at":1,"type":"session","format":{format},"session":"s","agent":"a","workspace":"w"}}"#)
    };
    assert_eq!(
        read(text(TRACE_FORMAT + 1).as_bytes()),
        Err(TraceReadError::NewerFormat { found: TRACE_FORMAT + 1 })
    );
    for format in 0..=TRACE_FORMAT {
        assert_eq!(read(text(format).as_bytes()).unwrap().lines.len(), 1);
    }
}

#[test]
fn unknown_fields_are_counted_and_known_ones_are_not() {
    let text = concat!(
        r#"{"at":1,"run":"","type":"tool_result","id":"1","ok":true,"output":"","omittedBytes":0,"colour":"red"}"#,
        "\n",
        r#"{"at":1,"type":"tool_result","id":"1","ok":true,"output":"","exitCode":null,"colour":"blue"}"#,
        "\n",
        r#"{"at":1,"type":"run_ended","outcome":{"result":"unknown","by":"nobody"},"stopped":false,"mood":1}"#,
    );
    let session = read(text.as_bytes()).unwrap();
    assert_eq!(session.unread, []);
    let expected = [("run_ended.mood".to_owned(), 1), ("tool_result.colour".to_owned(), 2)];
    assert_eq!(session.unknown_fields.into_iter().collect::<Vec<_>>(), expected);
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(lines in any_lines()) {
        let text: String = lines.iter().map(|line| write(line) + "\n").collect();
        let session = read(text.as_bytes()).unwrap();
        prop_assert_eq!(&session.lines, &lines);
        prop_assert_eq!(session.unread, []);
        prop_assert!(session.unknown_fields.is_empty());
        prop_assert_eq!(text.lines().count(), lines.len());
    }

    #[test]
    fn any_bytes_are_read_or_reported(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let session = read(&bytes).unwrap();
        let filled = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        prop_assert_eq!(session.lines.len() + session.unread.len(), filled);
    }

    #[test]
    fn a_cut_file_loses_at_most_its_last_line(lines in any_lines(), cut in any::<prop::sample::Index>()) {
        let text: String = lines.iter().map(|line| write(line) + "\n").collect();
        let bytes = &text.as_bytes()[..cut.index(text.len() + 1)];
        let session = read(bytes).unwrap();
        let whole = bytes.split(|byte| *byte == b'\n').count() - 1;
        prop_assert!(session.lines.len() >= whole);
        prop_assert!(session.unread.len() <= 1);
        prop_assert_eq!(&session.lines[..whole], &lines[..whole]);
    }
}

#[test]
fn a_session_line_without_its_type_is_no_session() {
    assert!(matches!(read_one(r#"{"at":1,"format":9}"#), UnreadReason::Malformed(_)));
    assert!(!matches!(
        read(br#"{"at":1,"type":"answer","text":"x","format":9}"#).unwrap().lines[0].event,
        TraceEvent::Session { .. }
    ));
}

#[test]
fn the_prompt_of_a_run_is_read_and_an_older_reader_keeps_it() {
    let text = concat!(
        r#"{"at":1,"run":"r","type":"prompt","system":"aa","chars":7,"listed":1,"#,
        r#""skills":[{"name":"weather","path":"/w/SKILL.md","how":"text"}]}"#
    );
    let session = read(text.as_bytes()).unwrap();
    assert_eq!((session.lines.len(), session.unknown_fields.len()), (1, 0));
    assert_eq!(write(&session.lines[0]), text);
    // The way back: an event that this version does not know stands beside the others with its text.
    let session = read(text.replace("\"prompt\"", "\"vision\"").as_bytes()).unwrap();
    assert_eq!(session.unread[0].raw, text.replace("\"prompt\"", "\"vision\""));
}
