use proptest::prelude::*;

use super::*;
use crate::{ChatDelta, Reply, StopReason};

/// What an answer in chunks of this size means, and what was heard of it.
pub(crate) fn read(api: ModelApi, response: &[u8], chunk: usize) -> (Result<Reply, Fault>, Vec<ChatDelta>) {
    let mut heard = Vec::new();
    let mut on = |delta| heard.push(delta);
    let mut draft = Draft::new(&mut on, 7);
    let mut reader = Reader::new(api, 1 << 12);
    let mut taken = Ok(());
    for bytes in response.chunks(chunk) {
        taken = taken.and_then(|()| reader.push(bytes, &mut draft));
    }
    let reply = taken.and_then(|()| reader.end(&mut draft)).and_then(|()| draft.into_reply());
    (reply, heard)
}

/// An answer that must be readable, in small chunks.
pub(crate) fn reply(api: ModelApi, response: &str) -> Reply {
    read(api, response.as_bytes(), 5).0.expect("an answer")
}

/// Why an answer is none, and whether another may be one.
pub(crate) fn fault(api: ModelApi, response: &str) -> (String, Again) {
    let fault = read(api, response.as_bytes(), 5).0.expect_err("no answer");
    (fault.error.to_string(), fault.again)
}

const WORDS: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"na \"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

#[test]
fn an_answer_without_an_end_broke_off() {
    let (error, again) = fault(ModelApi::OpenAi, WORDS);
    assert_eq!(
        (error.as_str(), again),
        ("the model's answer broke off: it ended before it was finished", Again::Once)
    );
    let half = &format!("{WORDS}{STOP}")[..WORDS.len() + 20];
    assert_eq!(fault(ModelApi::OpenAi, half).1, Again::Once);
    assert_eq!(fault(ModelApi::OpenAi, "\n\n ").1, Again::Once);
}

#[test]
fn an_answer_with_a_whole_call_is_not_asked_for_again() {
    let call = |arguments: &str| {
        let arguments = Value::from(arguments);
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"function\":{{\"name\":\"exec\",\"arguments\":{arguments}}}}}]}}}}]}}\n\n"
        )
    };
    assert_eq!(fault(ModelApi::OpenAi, &call("{\"command\": \"ls\"}")).1, Again::Never);
    assert_eq!(fault(ModelApi::OpenAi, &call("{\"command\": \"l")).1, Again::Once);
}

#[test]
fn what_is_no_answer_is_quoted() {
    let (error, again) = fault(ModelApi::OpenAi, "<html><title>Sign in</title></html>");
    assert!(error.contains("not an event stream: `<html><title>Sign in"), "{error}");
    assert_eq!(again, Again::Never);
    assert!(fault(ModelApi::OpenAi, "{\"choices\"").0.contains("EOF while parsing"));
    assert!(fault(ModelApi::OpenAi, "{\"object\": \"list\"}").0.contains("no message: `{\"object"));
    assert!(fault(ModelApi::Anthropic, "data: {oops\n\n").0.contains("in `{oops`"));
}

#[test]
fn answers_are_bounded() {
    let limit = "the model's answer is longer than 4096 bytes";
    assert_eq!(fault(ModelApi::OpenAi, &WORDS.repeat(1366)).0, limit, "words");
    assert_eq!(fault(ModelApi::OpenAi, &format!("data: {}", "x".repeat(5000))).0, limit, "one line");
    assert_eq!(fault(ModelApi::OpenAi, &format!("{{{}", " ".repeat(5000))).0, limit, "one document");
    assert_eq!(fault(ModelApi::OpenAi, &": still there\n\n".repeat(20_000)).0, limit, "nothing but comments");
    let call = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"a\"}}]}}]}\n\n";
    assert_eq!(fault(ModelApi::OpenAi, &call.repeat(5)).0, limit, "empty calls");
}

#[test]
fn the_end_may_be_told_or_shown() {
    for end in [
        STOP.to_owned(),
        STOP.trim_end().to_owned(),
        "data: [DONE]\n\n".to_owned(),
        "data: [DONE]".to_owned(),
    ] {
        let reply = reply(ModelApi::OpenAi, &format!("{WORDS}{end}"));
        assert_eq!((reply.text.as_str(), reply.stop), ("na ", StopReason::End), "{end:?}");
    }
}

fn response() -> impl Strategy<Value = Vec<u8>> {
    let lines = [
        WORDS,
        STOP,
        "data: [DONE]\n\n",
        "{",
        "\r\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"é\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":{\"a\":[]}}}]}}]}\n\n",
        "data: {\"error\":{\"message\":\"no\",\"code\":429}}\n\n",
        "data: {\"choices\":{},\"usage\":{\"prompt_tokens\":18446744073709551615}}\n\n",
        "event: message_start\ndata: {\"message\":{\"usage\":{\"input_tokens\":18446744073709551615,\"cache_read_input_tokens\":1}}}\n\n",
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"name\":\"b\"}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}\n\n",
        "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    ];
    let line = prop::sample::select(lines.map(str::as_bytes).map(<[u8]>::to_vec).to_vec());
    let piece = prop_oneof![4 => line, 1 => prop::collection::vec(any::<u8>(), 0..8)];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_in_any_chunks_give_one_result(response in response(), chunk in 1_usize..50) {
        for api in [ModelApi::OpenAi, ModelApi::Anthropic] {
            let (small, heard_small) = read(api, &response, chunk);
            let (large, heard_large) = read(api, &response, usize::MAX);
            let plain = |result: Result<Reply, Fault>| result.map_err(|fault| (fault.error.to_string(), fault.again));
            prop_assert_eq!(plain(small), plain(large));
            prop_assert_eq!(heard_small, heard_large);
        }
    }
}
