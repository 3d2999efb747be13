use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

const LONG: &str = "0123456789abcdef0123456789abcdef";

fn door(token: &str) -> (Door, Arc<AtomicU64>) {
    let now = Arc::new(AtomicU64::new(1_000_000));
    let clock = Arc::clone(&now);
    (Door::new(Secret::new(token), Clock::new(move || clock.load(Ordering::Relaxed))), now)
}

#[expect(clippy::unnecessary_wraps, reason = "as it is asked for")]
fn peer(text: &str) -> Option<IpAddr> {
    Some(text.parse().unwrap())
}

#[test]
fn the_token_opens_and_nothing_else_does() {
    let (door, _) = door("open");
    assert_eq!(door.admit(None, Some("open")), Ok(()));
    assert_eq!(door.admit(None, None), Err(Denied::Missing));
    assert_eq!(door.admit(None, Some("")), Err(Denied::Missing));
    assert_eq!(door.admit(None, Some("opem")), Err(Denied::Mismatch));
}

#[test]
fn ten_wrong_tokens_lock_an_address_for_a_while_and_no_other() {
    let (door, now) = door("short");
    let home = peer("127.0.0.1");
    for _ in 0..10 {
        assert_eq!(door.admit(home, Some("wrong")), Err(Denied::Mismatch));
    }
    assert_eq!(door.admit(home, Some("wrong")), Err(Denied::Locked { retry_after_ms: LOCK_MS }));
    let mapped = peer("::ffff:127.0.0.1");
    assert!(
        matches!(door.admit(mapped, Some("short")), Err(Denied::Locked { .. })),
        "a short token is not tried"
    );
    assert_eq!(door.admit(home, None), Err(Denied::Missing));
    assert_eq!(door.admit(peer("192.0.2.1"), Some("short")), Ok(()));
    now.fetch_add(LOCK_MS, Ordering::Relaxed);
    assert_eq!(door.admit(home, Some("short")), Ok(()));
}

#[test]
fn a_token_that_cannot_be_guessed_opens_a_locked_door() {
    let (door, _) = door(LONG);
    let home = peer("127.0.0.1");
    for _ in 0..100 {
        assert!(door.admit(home, Some("wrong")).is_err());
    }
    assert!(matches!(door.admit(home, Some("wrong")), Err(Denied::Locked { .. })));
    assert_eq!(door.admit(home, Some(LONG)), Ok(()));
}

#[test]
fn slow_mistakes_are_forgiven() {
    let (door, now) = door("short");
    for _ in 0..100 {
        assert_eq!(door.admit(peer("127.0.0.1"), Some("wrong")), Err(Denied::Mismatch));
        now.fetch_add(WINDOW_MS / 5, Ordering::Relaxed);
    }
}

#[test]
fn the_memory_for_addresses_is_bounded() {
    let (door, now) = door("short");
    for number in 0..=u32::try_from(MAX_ADDRESSES).unwrap() {
        now.fetch_add(1, Ordering::Relaxed);
        let _ = door.admit(Some(IpAddr::V4(Ipv4Addr::from(number))), Some("wrong"));
    }
    assert_eq!(door.attempts.lock().unwrap().len(), MAX_ADDRESSES);
    let network = |text| address(peer(text));
    assert_eq!(network("2001:db8::1"), network("2001:db8::ffff"));
    assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
}
