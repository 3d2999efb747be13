//! Connections that take more than their share.

use std::time::Duration;

use prowess_gateway::GatewayOptions;
use prowess_testkit::eventually;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::raw::{ask, ask_known, host};
use crate::support::{GatewayHome as _, Home, TOKEN, skill};

/// Far longer than the limits of these tests, and far shorter than waiting for ever.
const ENOUGH: Duration = Duration::from_secs(20);

async fn closes(stream: &mut TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(ENOUGH, stream.read_to_end(&mut rest)).await;
    // A reset is an end as well.
    let _ = closed.expect("the gateway ends the connection");
    rest
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_sends_no_whole_head_is_closed() {
    let home = Home::new();
    let patience = Duration::from_millis(300);
    let address = home.start_with(|options| options.limits.patience = patience).await.address;
    for beginning in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        closes(&mut stream).await;
    }
    // Drop by drop is no better.
    let mut stream = TcpStream::connect(address).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let drip = async {
        while writing.write_all(b"a").await.is_ok() {
            // The pause between the drops is what is tested.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let end = async {
        let mut rest = Vec::new();
        let _ = reading.read_to_end(&mut rest).await;
    };
    tokio::time::timeout(ENOUGH, async {
        tokio::select! { () = drip => {}, () = end => {} }
    })
    .await
    .unwrap();
    // One that was answered may stay for a while, and then has to go as well.
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(format!("GET /healthz HTTP/1.1\r\n{}\r\n\r\n", host(address)).as_bytes()).await.unwrap();
    assert!(String::from_utf8_lossy(&closes(&mut stream).await).ends_with("ok"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let home = Home::new();
    let time = Duration::from_millis(300);
    let address = home.start_with(|options| options.limits.body_time = time).await.address;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /api/v1/health HTTP/1.1\r\n{}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n\
         Content-Length: 10\r\n\r\n{{",
        host(address)
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    tokio::time::timeout(ENOUGH, stream.read_exact(&mut answer)).await.unwrap().unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_keep_nobody_out() {
    let home = Home::new();
    let few = |options: &mut GatewayOptions| {
        options.limits.unfinished_per_address = 3;
        options.limits.unfinished_grace = Duration::ZERO;
    };
    let address = home.start_with(few).await.address;
    let mut oldest = TcpStream::connect(address).await.unwrap();
    let mut idle = Vec::new();
    for _ in 0..2 {
        idle.push(TcpStream::connect(address).await.unwrap());
    }
    assert_eq!(ask_known(address, "GET /metrics", &[], "").await.status, 200);
    assert_eq!(closes(&mut oldest).await, b"");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_beyond_the_limit_wait_for_their_turn() {
    let home = Home::new();
    let address = home.start_with(|options| options.limits.connections = 2).await.address;
    let first = TcpStream::connect(address).await.unwrap();
    let _second = TcpStream::connect(address).await.unwrap();
    let third = tokio::spawn(async move { ask(address, "GET /healthz", &[&host(address)], "").await.status });
    // No event tells that an answer does not come. On a slow machine this finds less, never a fault that is not there.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!third.is_finished());
    drop(first);
    assert_eq!(tokio::time::timeout(ENOUGH, third).await.unwrap().unwrap(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_nobody_takes_is_not_kept() {
    let home = Home::new();
    for number in 0..300 {
        home.add(&skill(&format!("skill-{number}"), &"Does something long. ".repeat(40)));
    }
    let patience = Duration::from_millis(500);
    let gateway = home.start_with(|options| options.limits.patience = patience).await;
    let mut stream = TcpStream::connect(gateway.address).await.unwrap();
    let request = format!(
        "POST /api/v1/skills.status HTTP/1.1\r\n{}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
        host(gateway.address)
    );
    // Many answers, so that they cannot all wait in the system's buffers.
    stream.write_all(request.repeat(60).as_bytes()).await.unwrap();
    eventually("the end of the connection", async || {
        let figures = ask_known(gateway.address, "GET /metrics", &[], "").await.body;
        figures.contains("prowess_gateway_connections 1\n").then_some(())
    })
    .await;
}
