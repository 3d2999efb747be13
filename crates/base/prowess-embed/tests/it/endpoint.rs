//! Endpoints, with a real server on a real socket.

use std::error::Error as _;
use std::time::Duration;

use prowess_embed::{
    EncodeError, Encoder as _, EndpointEncoder, EndpointError, EndpointKey, EndpointOptions,
};
use prowess_testkit::web::{Answer, Fault, Web, WebRequest};
use serde_json::{Value, json};

fn vectors(vectors: &[&[f32]]) -> Answer {
    let data = vectors.iter().enumerate();
    let data: Vec<Value> = data.map(|(index, vector)| json!({"index": index, "embedding": vector})).collect();
    Answer::json(&json!({"object": "list", "data": data}))
}

fn options(url: &str) -> EndpointOptions {
    let mut options = EndpointOptions::new(url, "tiny");
    options.timeout = Duration::from_mins(1);
    options.max_wait = Duration::from_millis(50);
    options
}

fn connect(answers: Vec<Answer>) -> Result<EndpointEncoder, EndpointError> {
    let server = Web::script(answers);
    EndpointEncoder::connect(options(&server.url("")))
}

#[test]
fn vectors_come_back_with_unit_length() {
    let server = Web::script(vec![vectors(&[&[3.0, 4.0]]), vectors(&[&[0.0, 2.0]])]);
    let mut options = options(&server.url(""));
    options.key = Some(EndpointKey::new(" sk-test "));
    options.max_characters = 5;
    let encoder = EndpointEncoder::connect(options).unwrap();
    assert_eq!((encoder.name(), encoder.dimensions()), ("tiny", 2));
    assert!(encoder.id().starts_with("endpoint-tiny-"));
    assert_eq!(encoder.encode("grüße und mehr").unwrap(), [0.0, 1.0]);
    assert_eq!(server.targets(), ["POST /v1/embeddings"; 2]);
    let requests = server.requests();
    assert_eq!(requests[0].header("authorization"), Some("Bearer sk-test"));
    assert_eq!(requests[1].json(), json!({"model": "tiny", "input": ["grüße"], "encoding_format": "float"}));
    assert!(!format!("{encoder:?}").contains("sk-test"));
}

#[test]
fn many_texts_go_in_batches_and_keep_their_order() {
    let turned =
        json!({"data": [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]});
    let batch: Vec<&[f32]> = vec![&[1.0, 0.0]; 32];
    let server = Web::script(vec![vectors(&[&[1.0, 0.0]]), vectors(&batch), Answer::json(&turned)]);
    let encoder = EndpointEncoder::connect(options(&server.url(""))).unwrap();
    let texts = vec![""; 34];
    let vectors = encoder.encode_all(&texts).unwrap();
    assert_eq!(vectors.len(), 34);
    assert_eq!(vectors[32..], [[1.0, 0.0], [0.0, 1.0]]);
    let size = |request: &WebRequest| request.json()["input"].as_array().unwrap().len();
    assert_eq!(server.requests().iter().map(size).collect::<Vec<_>>(), [1, 32, 2]);
    assert!(encoder.encode_all(&[]).unwrap().is_empty());
}

#[test]
fn an_empty_text_is_sent_as_a_blank() {
    let server = Web::script(vec![vectors(&[&[1.0]]), vectors(&[&[2.0]])]);
    let encoder = EndpointEncoder::connect(options(&server.url(""))).unwrap();
    assert_eq!(encoder.encode("").unwrap(), [1.0]);
    assert_eq!(server.requests()[1].json()["input"], json!([" "]));
}

#[test]
fn nobody_listening_is_told() {
    let url = Web::script(Vec::new()).url("");
    let error = EndpointEncoder::connect(options(&url)).unwrap_err();
    assert!(matches!(error, EndpointError::Unreachable { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("cannot reach `{url}/v1/embeddings`; is the server running?"));
    assert!(error.source().is_some());
}

#[test]
fn statuses_are_told_apart() {
    let error = connect(vec![Answer::status(401, "{}")]).unwrap_err();
    assert!(matches!(error, EndpointError::Unauthorised { status: 401, .. }), "{error:?}");
    let error = connect(vec![Answer::status(404, "model \"tiny\" not found,\n try pulling it")]).unwrap_err();
    assert!(error.to_string().ends_with("model \"tiny\" not found,  try pulling it"), "{error}");
    let error = connect(vec![Answer::status(400, "too long")]).unwrap_err();
    assert!(error.to_string().ends_with("answered with status 400: too long"), "{error}");
    let error = connect(vec![Answer::redirect(307, "http://127.0.0.1:1/")]).unwrap_err();
    assert!(
        matches!(error, EndpointError::Status { status: 307, .. }),
        "redirects are not followed: {error:?}"
    );
}

#[test]
fn a_busy_server_gets_a_second_chance() {
    // An hour is not waited, or this test would take one.
    let busy = || Answer::status(429, "").header("retry-after", "3600");
    assert!(connect(vec![busy(), vectors(&[&[1.0]])]).is_ok());
    assert!(connect(vec![Answer::status(503, ""), vectors(&[&[1.0]])]).is_ok());
    let error = connect(vec![busy(), busy(), vectors(&[&[1.0]])]).unwrap_err();
    assert!(matches!(error, EndpointError::Status { status: 429, .. }), "one retry only: {error:?}");
}

#[test]
fn answers_of_another_shape_are_refused() {
    for body in [
        "<html>",
        "{}",
        r#"{"data": []}"#,
        r#"{"data": [{"embedding": []}]}"#,
        r#"{"data": [{"embedding": ["a"]}]}"#,
        r#"{"data": [{"embedding": [1.0]}, {"embedding": [1.0]}]}"#,
        r#"{"data": [{"index": 1, "embedding": [1.0]}]}"#,
    ] {
        let error = connect(vec![Answer::status(200, body)]).unwrap_err();
        assert!(matches!(error, EndpointError::Shape { .. }), "{body}: {error:?}");
    }
    let cut = Answer::ok("{\"data\"").claiming(100);
    assert!(matches!(connect(vec![cut]).unwrap_err(), EndpointError::Shape { .. }));
}

#[test]
fn vectors_must_stay_as_long_as_they_were() {
    let server = Web::script(vec![vectors(&[&[1.0, 2.0]]), vectors(&[&[1.0]]), vectors(&[&[0.0, 0.0]])]);
    let encoder = EndpointEncoder::connect(options(&server.url(""))).unwrap();
    let error = encoder.encode("x").unwrap_err();
    assert_eq!(error.to_string(), "`tiny` gave a vector of 1 numbers after one of 2");
    let error = encoder.encode("x").unwrap_err();
    assert!(matches!(error, EncodeError::Endpoint(EndpointError::NoDirection { .. })), "{error:?}");
}

#[test]
fn a_silent_server_is_not_waited_for() {
    let server = Web::start(|_| Answer::ok("").with(Fault::Silence));
    let mut options = options(&server.url(""));
    options.timeout = Duration::from_millis(200);
    let error = EndpointEncoder::connect(options).unwrap_err();
    assert!(matches!(error, EndpointError::TimedOut { .. }), "{error:?}");
}

#[test]
fn a_key_that_cannot_be_sent_is_told() {
    let mut options = options("http://127.0.0.1:1");
    options.key = Some(EndpointKey::new("a\nb"));
    assert!(matches!(EndpointEncoder::connect(options).unwrap_err(), EndpointError::Key));
}
