use serde_json::json;

use super::*;
use crate::turn::test_support::call;

fn exchange(number: usize) -> Vec<Message> {
    vec![
        Message::User(format!("question {number}")),
        Message::Assistant { text: String::new(), calls: vec![call("a", "read", json!({"path": "x"}))] },
        Message::Tool { call_id: "a".to_owned(), content: "text".to_owned(), is_error: false },
        Message::Assistant { text: "answer".to_owned(), calls: Vec::new() },
    ]
}

fn status(status: u16, message: &str) -> ModelError {
    ModelError::Status { status, message: message.to_owned() }
}

#[test]
fn only_whole_exchanges_are_dropped_and_the_oldest_first() {
    let history: Vec<Message> = (0..5).flat_map(exchange).collect();
    let all: usize = history.iter().map(chars).sum();
    let kept = |max: usize| trim(history.clone(), max).len();
    assert_eq!((kept(all), kept(all - 1), kept(all / 5), kept(all / 5 - 1), kept(0)), (20, 16, 4, 0, 0));
    assert_eq!(trim(history.clone(), all / 5), exchange(4));
}

#[test]
fn endpoints_say_overflow_in_many_ways() {
    for said in [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size, try increasing it",
        "Please reduce the length of the messages",
        "input length and `max_tokens` exceed context window",
    ] {
        assert!(is_overflow(&status(400, said)), "{said}");
        assert!(!is_overflow(&status(500, said)), "{said}");
    }
    assert!(!is_overflow(&status(400, "tools.0.name: invalid")));
}

#[test]
fn room_is_made_in_the_past_and_in_old_results() {
    let mut messages: Vec<Message> = (0..8).flat_map(exchange).collect();
    let past = messages.len();
    messages.push(Message::User("now".to_owned()));
    let result =
        |id: &str| Message::Tool { call_id: id.to_owned(), content: "ü".repeat(5000), is_error: false };
    messages.extend(["1", "2", "3"].map(result));
    let left = make_room(&mut messages, past).unwrap();
    assert_eq!(left, 8);
    assert!(matches!(&messages[left], Message::User(text) if text == "now"));
    let lengths: Vec<usize> = messages[left + 1..].iter().map(chars).collect();
    assert!(lengths[0] < 1200 && lengths[1..] == [5001, 5001], "{lengths:?}");

    let mut nothing_to_drop = vec![Message::User("now".to_owned())];
    assert_eq!(make_room(&mut nothing_to_drop, 0), None);
    assert_eq!(nothing_to_drop.len(), 1);
}
