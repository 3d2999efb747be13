use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

const LONG: Duration = Duration::from_hours(1);

/// A connection that was taken in, and its other end.
async fn admitted(lobby: &Lobby) -> (Patient<()>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (stream, address) = listener.accept().await.unwrap();
    (lobby.admit(stream, address.ip(), ()).await, client)
}

/// A connection whose place was needed for another one, and its other end.
async fn expelled() -> (Patient<()>, TcpStream) {
    let lobby = Lobby::new(Forbearance {
        patience: LONG,
        unfinished_per_address: 1,
        unfinished_grace: Duration::ZERO,
    });
    let first = admitted(&lobby).await;
    drop(admitted(&lobby).await);
    first
}

#[tokio::test]
async fn a_connection_without_a_request_makes_room() {
    let (mut patient, _client) = expelled().await;
    assert_eq!(patient.read(&mut [0]).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
}

#[tokio::test]
async fn a_connection_whose_request_came_in_time_stays() {
    let (mut patient, mut client) = expelled().await;
    client.write_all(b"1").await.unwrap();
    let mut byte = [0];
    patient.read_exact(&mut byte).await.unwrap();
    patient.seat().settle();
    // It is read before there is anything to read.
    let next = async {
        tokio::task::yield_now().await;
        client.write_all(b"2").await
    };
    let (read, written) = tokio::join!(patient.read_exact(&mut byte), next);
    written.unwrap();
    assert_eq!((read.unwrap(), byte), (1, *b"2"));
}

#[tokio::test]
async fn a_request_that_comes_drop_by_drop_is_waited_for_no_longer_than_any_other() {
    let lobby = Lobby::new(Forbearance { patience: Duration::from_millis(300), ..Forbearance::default() });
    let (mut patient, mut client) = admitted(&lobby).await;
    let dripping = tokio::spawn(async move {
        while client.write_all(b"x").await.is_ok() {
            // The pause between the drops is what is tested.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    let mut got = Vec::new();
    assert_eq!(patient.read_to_end(&mut got).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    drop(patient);
    dripping.await.unwrap();
}

#[tokio::test]
async fn while_a_request_is_worked_on_the_other_side_may_be_silent() {
    let lobby = Lobby::new(Forbearance { patience: Duration::from_millis(20), ..Forbearance::default() });
    let (mut patient, mut client) = admitted(&lobby).await;
    let working = patient.seat().work();
    let mut byte = [0];
    let late = async {
        // Longer than the patience with a silent client.
        tokio::time::sleep(Duration::from_millis(100)).await;
        client.write_all(b"1").await
    };
    let (read, written) = tokio::join!(patient.read(&mut byte), late);
    written.unwrap();
    assert_eq!(read.unwrap(), 1);
    drop(working);
    assert_eq!(patient.read(&mut byte).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
}
