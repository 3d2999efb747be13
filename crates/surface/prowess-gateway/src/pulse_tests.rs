use super::*;
use crate::test_support::TestGateway;

#[tokio::test(start_paused = true)]
async fn the_heart_beats() {
    let test = TestGateway::new();
    test.gateway.start_pulse();
    let mut events = test.gateway.events.subscribe();
    let begin = Instant::now();
    let mut seen = Vec::new();
    while begin.elapsed() < Duration::from_secs(125) {
        let event = events.recv().await.unwrap();
        seen.push((event.name, begin.elapsed().as_secs(), event.state.map(|state| state.health)));
    }
    seen.sort_unstable();
    let ticks: Vec<u64> = seen.iter().filter(|(name, ..)| *name == "tick").map(|(_, at, _)| *at).collect();
    assert_eq!(ticks.get(..4), Some(&[30, 60, 90, 120][..]));
    let health: Vec<_> =
        seen.iter().filter(|(name, ..)| *name == "health").map(|(_, at, s)| (*at, *s)).collect();
    assert_eq!(health, [(60, Some(1)), (120, Some(2))]);
    assert!(!seen.iter().any(|(name, ..)| *name == "presence"), "nobody came");
}
