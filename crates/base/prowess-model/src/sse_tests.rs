use proptest::prelude::*;

use super::*;

fn decode(stream: &[u8]) -> Vec<(String, String)> {
    let mut decoder = Decoder::new(1 << 20);
    let mut events = decoder.push(stream).expect("short enough");
    events.extend(decoder.finish());
    events.into_iter().map(|event| (event.name, event.data)).collect()
}

fn event(name: &str, data: &str) -> (String, String) {
    (name.to_owned(), data.to_owned())
}

#[test]
fn events_are_taken_apart() {
    let stream =
        "\u{feff}: a comment\nevent: ping\ndata: 1\ndata:2\nid: 7\nretry: 3\n\n\n\ndata\n\nevent: lost\n\n";
    assert_eq!(decode(stream.as_bytes()), [event("ping", "1\n2"), event("", "")]);
}

#[test]
fn every_line_end_counts() {
    for end in ["\n", "\r\n", "\r"] {
        let stream = format!("event: a{end}data: é{end}{end}data: 2{end}{end}");
        assert_eq!(decode(stream.as_bytes()), [event("a", "é"), event("", "2")], "{end:?}");
    }
}

#[test]
fn the_last_empty_line_may_be_missing() {
    for stream in ["data: 1", "data: 1\n", "data: 1\n\n"] {
        assert_eq!(decode(stream.as_bytes()), [event("", "1")], "{stream:?}");
    }
}

#[test]
fn an_error_field_is_an_error_event() {
    assert_eq!(decode(b"error: {\"code\":500}\n\n"), [event("error", "{\"code\":500}")]);
}

#[test]
fn events_are_bounded() {
    assert_eq!(Decoder::new(10).push(b"data: 12345"), Err(TooLong));
    // Many short lines of one event count together.
    let mut decoder = Decoder::new(10);
    assert!((0..10).any(|_| decoder.push(b"data:1\n") == Err(TooLong)));
    // Many short events do not.
    let mut decoder = Decoder::new(10);
    assert!((0..10).all(|_| decoder.push(b"data:1\n\n").is_ok()));
}

/// Bytes that look like a stream often enough to get somewhere.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"data: ".to_vec()),
        Just(b"event: x".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just("é€😀\u{feff}".as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn in_chunks(stream: &[u8], sizes: &[usize], limit: usize) -> Result<Vec<Event>, TooLong> {
    let mut decoder = Decoder::new(limit);
    let mut events = Vec::new();
    let (mut rest, mut sizes) = (stream, sizes.iter().cycle());
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at((*sizes.next().expect("a size")).min(rest.len()));
        events.extend(decoder.push(chunk)?);
        rest = after;
    }
    events.extend(decoder.finish());
    Ok(events)
}

proptest! {
    #[test]
    fn chunking_does_not_matter(
        stream in stream(),
        sizes in prop::collection::vec(1_usize..9, 1..9),
        limit in 8_usize..200,
    ) {
        prop_assert_eq!(in_chunks(&stream, &sizes, limit), in_chunks(&stream, &[usize::MAX], limit));
    }
}
