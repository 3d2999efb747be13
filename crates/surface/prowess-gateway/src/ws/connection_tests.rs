use futures_util::{SinkExt as _, StreamExt as _};
use proptest::prelude::*;
use prowess_config::GatewaySettings;
use prowess_testkit::reached;
use tokio::io::DuplexStream;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::*;
use crate::test_support::{TOKEN, TestGateway};

/// Somebody on this machine.
fn visit() -> Visit {
    let headers = [("host".parse().unwrap(), "localhost".parse().unwrap())].into_iter().collect();
    Visit::new(Some("127.0.0.1".parse().unwrap()), &headers, GatewaySettings::default, "n".to_owned())
}

/// A client on a pipe instead of a socket.
async fn open(test: &TestGateway) -> WebSocketStream<DuplexStream> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let slot = test.gateway.clients.pending.enter(None).await;
    tokio::spawn(serve(Arc::clone(&test.gateway), theirs, visit(), slot));
    let mut client = WebSocketStream::from_raw_socket(ours, Role::Client, None).await;
    assert!(next(&mut client).await.unwrap().contains("connect.challenge"));
    client
}

/// The next text, or how it ended.
async fn next(client: &mut WebSocketStream<impl AsyncRead + AsyncWrite + Unpin>) -> Result<String, u16> {
    loop {
        match client.next().await {
            Some(Ok(Message::Text(text))) => return Ok(text.to_string()),
            Some(Ok(Message::Close(Some(frame)))) => return Err(frame.code.into()),
            Some(Ok(Message::Close(None)) | Err(_)) | None => return Err(1005),
            Some(Ok(_)) => {}
        }
    }
}

async fn login(client: &mut WebSocketStream<impl AsyncRead + AsyncWrite + Unpin>) {
    let params = json!({ "minProtocol": 4, "maxProtocol": 4, "auth": { "token": TOKEN },
        "client": { "id": "cli", "version": "1", "platform": "linux", "mode": "cli" } });
    let connect = json!({ "type": "req", "id": "c", "method": "connect", "params": params });
    client.send(Message::text(connect.to_string())).await.unwrap();
    assert!(next(client).await.unwrap().contains("hello-ok"));
}

fn figures(test: &TestGateway) -> String {
    test.gateway.metrics.text(Duration::ZERO)
}

#[tokio::test(start_paused = true)]
async fn whoever_says_nothing_is_sent_away() {
    let test = TestGateway::new();
    let mut client = open(&test).await;
    let begin = Instant::now();
    assert_eq!(next(&mut client).await, Err(Close::POLICY));
    assert_eq!(begin.elapsed().as_secs(), HANDSHAKE.as_secs());
}

#[tokio::test(start_paused = true)]
async fn a_silent_client_is_asked_for_a_sign_of_life_and_then_given_up() {
    let test = TestGateway::new();
    let mut client = open(&test).await;
    login(&mut client).await;
    // It answers pings as long as it reads.
    let reading = tokio::time::timeout(MAX_QUIET * 3, async { while next(&mut client).await.is_ok() {} });
    assert!(reading.await.is_err(), "a client that answers stays");
    tokio::time::sleep(MAX_QUIET * 2).await;
    while next(&mut client).await.is_ok() {}
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(
        test.gateway.clients.presence.list(0).as_array().unwrap().len(),
        1,
        "only the gateway itself is left"
    );
    assert!(figures(&test).contains(r#"clients_evicted_total{reason="silent"} 1"#));
}

#[tokio::test]
async fn lost_events_leave_a_gap_in_the_numbers() {
    let test = TestGateway::new();
    let mut client = open(&test).await;
    login(&mut client).await;
    assert!(next(&mut client).await.unwrap().contains(r#""seq":1"#), "the health");
    // Nothing else runs on this thread until the next `await`, so the client's connection cannot keep up.
    for number in 0..5000 {
        test.gateway.events.publish(Event::new("cron", json!({ "number": number })));
    }
    let event: Value = serde_json::from_str(&next(&mut client).await.unwrap()).unwrap();
    assert_eq!(event["payload"]["number"], 5000 - 4096);
    assert_eq!(event["seq"], 2 + (5000 - 4096), "so many were lost");
}

#[tokio::test]
async fn whoever_does_not_read_events_is_closed_and_nobody_else() {
    let test = TestGateway::new();
    let (mut slow, mut quick) = (open(&test).await, open(&test).await);
    login(&mut slow).await;
    login(&mut quick).await;
    let filler = "x".repeat(10_000);
    for number in 0..300 {
        test.gateway.events.publish(Event::new("cron", json!({ "number": number, "filler": filler })));
        loop {
            let event = next(&mut quick).await.unwrap();
            if event.contains(&format!(r#""number":{number}"#)) {
                break;
            }
        }
    }
    let mut taken = 0;
    let end = loop {
        match next(&mut slow).await {
            Ok(_) => taken += 1,
            Err(code) => break code,
        }
    };
    assert_eq!(end, Close::POLICY);
    assert!(taken < 150, "{taken} events of 10 kB were waiting");
    assert!(figures(&test).contains(r#"clients_evicted_total{reason="slow"} 1"#));
}

/// A client on a real socket, whose system buffers as well.
async fn open_socket(test: &TestGateway) -> WebSocketStream<TcpStream> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (theirs, _) = listener.accept().await.unwrap();
    let slot = test.gateway.clients.pending.enter(None).await;
    tokio::spawn(serve(Arc::clone(&test.gateway), theirs, visit(), slot));
    let mut client = WebSocketStream::from_raw_socket(ours, Role::Client, None).await;
    next(&mut client).await.unwrap();
    login(&mut client).await;
    client
}

/// Publishes so many events, one when the last one arrived. Gives how long they took to a client, sorted.
async fn deliver(test: &TestGateway, client: &mut WebSocketStream<TcpStream>, count: u32) -> Vec<Duration> {
    let filler = "x".repeat(1000);
    let mut times = Vec::new();
    for number in 0..count {
        let start = Instant::now();
        test.gateway.events.publish(Event::new("cron", json!({ "number": number, "filler": filler })));
        while !next(client).await.unwrap().contains(&format!(r#""number":{number},"#)) {}
        times.push(start.elapsed());
    }
    times.sort();
    times
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "sends ten thousand events twice; `cargo xtask soak` runs it"]
async fn soak_a_client_that_reads_a_byte_a_second_disturbs_nobody() {
    const EVENTS: u32 = 10_000;
    let test = TestGateway::new();
    let mut quick = open_socket(&test).await;
    let alone = deliver(&test, &mut quick, EVENTS).await;
    let slow = open_socket(&test).await;
    let drip = tokio::spawn(async move {
        let mut stream = slow.into_inner();
        while stream.read_exact(&mut [0]).await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    let beside = deliver(&test, &mut quick, EVENTS).await;
    reached("the eviction", || figures(&test).contains(r#"clients_evicted_total{reason="slow"} 1"#)).await;
    drip.abort();
    let of = |times: &[Duration], percent: usize| times[times.len() * percent / 100];
    println!(
        "soak: {EVENTS} events of 1 kB beside a client that reads a byte a second: p50 {:?}, p99 {:?}; without it p50 {:?}, \
         p99 {:?}; the slow client was sent away",
        of(&beside, 50),
        of(&beside, 99),
        of(&alone, 50),
        of(&alone, 99),
    );
}

#[tokio::test]
async fn the_end_is_announced() {
    let test = TestGateway::new();
    let mut client = open(&test).await;
    login(&mut client).await;
    test.gateway.hang_up().await;
    let mut last = String::new();
    let end = loop {
        match next(&mut client).await {
            Ok(text) => last = text,
            Err(code) => break code,
        }
    };
    assert!(last.contains(r#""event":"shutdown""#), "{last}");
    assert_eq!(end, Close::RESTART);
}

fn any_frame() -> impl Strategy<Value = String> {
    let id = prop_oneof![Just(json!("x")), Just(json!("")), Just(json!(5)), Just(Value::Null)];
    let method = prop_oneof![
        Just(json!("health")),
        Just(json!("connect")),
        Just(json!("node.facts")),
        Just(json!("device.pair.remove")),
        Just(json!("skills.status")),
        Just(json!("")),
        Just(json!([1])),
        "[a-z.]{0,12}".prop_map(Value::from),
    ];
    let params = prop_oneof![
        Just(json!({})),
        Just(Value::Null),
        Just(json!([])),
        Just(json!("text")),
        Just(json!({ "agentId": 5 })),
        Just(json!({ "deviceId": "d", "extra": {} })),
        "[ -~]{0,20}".prop_map(Value::from),
    ];
    let kind = prop_oneof![Just(json!("req")), Just(json!("res")), Just(json!("event")), Just(Value::Null)];
    let request = (kind, id, method, params).prop_map(|(kind, id, method, params)| {
        json!({ "type": kind, "id": id, "method": method, "params": params }).to_string()
    });
    prop_oneof![4 => request, 1 => ".{0,200}", 1 => Just("[".repeat(10_000)), 1 => "[{}\":,0-9a-z]{0,100}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_frame_is_answered_or_ends_the_connection(frames in prop::collection::vec(any_frame(), 1..6), is_in: bool) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let test = TestGateway::new();
            let mut client = open(&test).await;
            if is_in {
                login(&mut client).await;
            }
            for frame in frames {
                let sent = client.send(Message::text(frame.clone())).await;
                if sent.is_err() {
                    return;
                }
                loop {
                    match next(&mut client).await {
                        Ok(text) if text.starts_with(r#"{"type":"event""#) => {}
                        Ok(text) => {
                            let answer: Value = serde_json::from_str(&text).unwrap();
                            assert_eq!(answer["type"], "res", "{frame}");
                            assert!(answer["ok"].is_boolean());
                            break;
                        }
                        Err(_) => return,
                    }
                }
            }
        });
    }
}
