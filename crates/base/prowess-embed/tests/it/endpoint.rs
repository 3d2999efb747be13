//! Endpoints, with a real server on a real socket.

use std::error::Error as _;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use prowess_embed::{
    EncodeError, Encoder as _, EndpointEncoder, EndpointError, EndpointKey, EndpointOptions,
};
use serde_json::{Value, json};

/// What the server saw: the head and the body of a request.
type Seen = (String, Value);

/// A server that gives these answers, one for each request, and then stops.
fn serve(answers: Vec<String>) -> (String, Receiver<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, seen) = channel();
    thread::spawn(move || {
        for answer in answers {
            let Ok((stream, _)) = listener.accept() else { return };
            if let Some(request) = exchange(stream, &answer) {
                let _ = sender.send(request);
            }
        }
    });
    (url, seen)
}

fn exchange(mut stream: TcpStream, answer: &str) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).ok()?;
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_lowercase();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse::<usize>().ok()?;
        if body.len() >= length {
            stream.write_all(answer.as_bytes()).ok()?;
            return Some((head, serde_json::from_str(body).ok()?));
        }
    }
}

fn answer(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}")
}

fn vectors(vectors: &[&[f32]]) -> String {
    let data = vectors.iter().enumerate();
    let data: Vec<Value> = data.map(|(index, vector)| json!({"index": index, "embedding": vector})).collect();
    answer(200, "", &json!({"object": "list", "data": data}).to_string())
}

fn options(url: &str) -> EndpointOptions {
    let mut options = EndpointOptions::new(url, "tiny");
    options.timeout = Duration::from_secs(5);
    options.max_wait = Duration::from_millis(50);
    options
}

fn connect(answers: Vec<String>) -> Result<EndpointEncoder, EndpointError> {
    EndpointEncoder::connect(options(&serve(answers).0))
}

#[test]
fn vectors_come_back_with_unit_length() {
    let (url, seen) = serve(vec![vectors(&[&[3.0, 4.0]]), vectors(&[&[0.0, 2.0]])]);
    let mut options = options(&url);
    options.key = Some(EndpointKey::new(" sk-test "));
    options.max_characters = 5;
    let encoder = EndpointEncoder::connect(options).unwrap();
    assert_eq!((encoder.name(), encoder.dimensions()), ("tiny", 2));
    assert!(encoder.id().starts_with("endpoint-tiny-"));
    assert_eq!(encoder.encode("grüße und mehr").unwrap(), [0.0, 1.0]);
    let (head, _) = seen.recv().unwrap();
    assert!(head.starts_with("post /v1/embeddings "), "{head}");
    assert!(head.contains("authorization: bearer sk-test"), "{head}");
    let (_, body) = seen.recv().unwrap();
    assert_eq!(body, json!({"model": "tiny", "input": ["grüße"], "encoding_format": "float"}));
    assert!(!format!("{encoder:?}").contains("sk-test"));
}

#[test]
fn many_texts_go_in_batches_and_keep_their_order() {
    let turned =
        json!({"data": [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]});
    let batch: Vec<&[f32]> = vec![&[1.0, 0.0]; 32];
    let (url, seen) =
        serve(vec![vectors(&[&[1.0, 0.0]]), vectors(&batch), answer(200, "", &turned.to_string())]);
    let encoder = EndpointEncoder::connect(options(&url)).unwrap();
    let texts = vec![""; 34];
    let vectors = encoder.encode_all(&texts).unwrap();
    assert_eq!(vectors.len(), 34);
    assert_eq!(vectors[32..], [[1.0, 0.0], [0.0, 1.0]]);
    let sizes: Vec<usize> =
        seen.iter().take(3).map(|(_, body)| body["input"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [1, 32, 2]);
    assert!(encoder.encode_all(&[]).unwrap().is_empty());
}

#[test]
fn an_empty_text_is_sent_as_a_blank() {
    let (url, seen) = serve(vec![vectors(&[&[1.0]]), vectors(&[&[2.0]])]);
    let encoder = EndpointEncoder::connect(options(&url)).unwrap();
    assert_eq!(encoder.encode("").unwrap(), [1.0]);
    assert_eq!(seen.iter().nth(1).unwrap().1["input"], json!([" "]));
}

#[test]
fn nobody_listening_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = EndpointEncoder::connect(options(&url)).unwrap_err();
    assert!(matches!(error, EndpointError::Unreachable { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("cannot reach `{url}/v1/embeddings`; is the server running?"));
    assert!(error.source().is_some());
}

#[test]
fn statuses_are_told_apart() {
    let error = connect(vec![answer(401, "", "{}")]).unwrap_err();
    assert!(matches!(error, EndpointError::Unauthorised { status: 401, .. }), "{error:?}");
    let error = connect(vec![answer(404, "", "model \"tiny\" not found,\n try pulling it")]).unwrap_err();
    assert!(error.to_string().ends_with("model \"tiny\" not found,  try pulling it"), "{error}");
    let error = connect(vec![answer(400, "", "too long")]).unwrap_err();
    assert!(error.to_string().ends_with("answered with status 400: too long"), "{error}");
    let error = connect(vec![answer(307, "location: http://127.0.0.1:1/\r\n", "")]).unwrap_err();
    assert!(
        matches!(error, EndpointError::Status { status: 307, .. }),
        "redirects are not followed: {error:?}"
    );
}

#[test]
fn a_busy_server_gets_a_second_chance() {
    let start = Instant::now();
    let busy = || answer(429, "retry-after: 3600\r\n", "");
    assert!(connect(vec![busy(), vectors(&[&[1.0]])]).is_ok());
    assert!(connect(vec![answer(503, "", ""), vectors(&[&[1.0]])]).is_ok());
    let error = connect(vec![busy(), busy(), vectors(&[&[1.0]])]).unwrap_err();
    assert!(matches!(error, EndpointError::Status { status: 429, .. }), "one retry only: {error:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "an hour is not waited");
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
        let error = connect(vec![answer(200, "", body)]).unwrap_err();
        assert!(matches!(error, EndpointError::Shape { .. }), "{body}: {error:?}");
    }
    let cut = "HTTP/1.1 200 X\r\ncontent-length: 100\r\n\r\n{\"data\"".to_owned();
    assert!(matches!(connect(vec![cut]).unwrap_err(), EndpointError::Shape { .. }));
}

#[test]
fn vectors_must_stay_as_long_as_they_were() {
    let encoder =
        connect(vec![vectors(&[&[1.0, 2.0]]), vectors(&[&[1.0]]), vectors(&[&[0.0, 0.0]])]).unwrap();
    let error = encoder.encode("x").unwrap_err();
    assert_eq!(error.to_string(), "`tiny` gave a vector of 1 numbers after one of 2");
    let error = encoder.encode("x").unwrap_err();
    assert!(matches!(error, EncodeError::Endpoint(EndpointError::NoDirection { .. })), "{error:?}");
}

#[test]
fn a_silent_server_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut options = options(&format!("http://{}", listener.local_addr().unwrap()));
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
