//! The frames of the protocol: requests, responses and events, one JSON object each.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::events::Published;
use crate::message::Written;
use crate::refusal::Refusal;

/// The longest id of a request; it is sent back.
const MAX_ID: usize = 512;

/// What a client asks.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) id: String,
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) params: Value,
}

/// What a text is, if it is not a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotARequest {
    /// An object with an id, which can be answered.
    Answerable { id: String, why: String },
    /// Nothing that can be answered.
    Nonsense,
}

/// Reads a text as a request.
pub(crate) fn read_request(text: &str) -> Result<Request, NotARequest> {
    let value: Value = serde_json::from_str(text).map_err(|_| NotARequest::Nonsense)?;
    let id = value.get("id").and_then(Value::as_str).filter(|id| !id.is_empty() && id.len() <= MAX_ID);
    let id = id.ok_or(NotARequest::Nonsense)?.to_owned();
    let answerable = |why: &str| NotARequest::Answerable { id: id.clone(), why: why.to_owned() };
    if value.get("type").and_then(Value::as_str) != Some("req") {
        return Err(answerable("`type` must be \"req\""));
    }
    if !value.get("params").is_none_or(|params| params.is_object() || params.is_null()) {
        return Err(answerable("`params` must be an object"));
    }
    match value.get("method").and_then(Value::as_str) {
        Some("") | None => Err(answerable("`method` must be a name")),
        Some(_) => serde_json::from_value(value).map_err(|error| answerable(&error.to_string())),
    }
}

#[derive(Serialize)]
struct Failure<'a> {
    r#type: &'static str,
    id: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<&'a Value>,
    error: &'a Refusal,
}

/// The answer to a request. What is written down already is not written again.
pub(crate) fn response(id: &str, answer: &Result<Written, Refusal>) -> String {
    match answer {
        Ok(payload) => {
            let id = Value::from(id);
            format!(r#"{{"type":"res","id":{id},"ok":true,"payload":{payload}}}"#)
        }
        Err(error) => {
            let payload = error.payload.as_deref();
            let failure = Failure { r#type: "res", id, ok: false, payload, error };
            serde_json::to_string(&failure).unwrap_or_default()
        }
    }
}

/// An event for one connection. The payload was written once for all of them.
pub(crate) fn event(event: &Published, seq: Option<u64>) -> String {
    let Published { name, payload, state, .. } = event;
    let mut text = format!(r#"{{"type":"event","event":"{name}","payload":{payload}"#);
    if let Some(seq) = seq {
        text += &format!(r#","seq":{seq}"#);
    }
    if let Some(state) = state {
        text += &format!(r#","stateVersion":{{"presence":{},"health":{}}}"#, state.presence, state.health);
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Event, Events};
    use serde_json::json;

    #[test]
    fn requests_are_told_from_what_can_and_what_cannot_be_answered() {
        let request = read_request(r#"{"type":"req","id":"1","method":"health"}"#).unwrap();
        assert_eq!((request.id.as_str(), request.method.as_str()), ("1", "health"));
        for text in ["", "x", "[]", "null", r#"{"type":"req"}"#, r#"{"id":5}"#, r#"{"id":""}"#] {
            assert_eq!(read_request(text).unwrap_err(), NotARequest::Nonsense, "{text}");
        }
        for text in [
            r#"{"id":"1"}"#,
            r#"{"id":"1","type":"res"}"#,
            r#"{"id":"1","type":"req"}"#,
            r#"{"id":"1","type":"req","method":""}"#,
            r#"{"id":"1","type":"req","method":"m","params":[]}"#,
        ] {
            let answerable = read_request(text).unwrap_err();
            assert!(matches!(answerable, NotARequest::Answerable { ref id, .. } if id == "1"), "{text}");
        }
    }

    #[test]
    fn a_failure_may_carry_its_answer() {
        let refusal = Refusal::unavailable("no").with_payload(json!({ "ok": false }));
        let text = response("a\"b", &Err(refusal));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            value,
            json!({ "type": "res", "id": "a\"b", "ok": false, "payload": { "ok": false },
                    "error": { "code": "UNAVAILABLE", "message": "no", "details": { "code": "environment" } } })
        );
    }

    #[tokio::test]
    async fn an_event_is_numbered_per_connection() {
        let events = Events::new();
        let mut subscriber = events.subscribe();
        events.publish(Event::new("cron", json!({ "a": 1 })));
        let published = subscriber.recv().await.unwrap();
        let value: Value = serde_json::from_str(&event(&published, Some(7))).unwrap();
        assert_eq!(value, json!({ "type": "event", "event": "cron", "payload": { "a": 1 }, "seq": 7 }));
    }
}
