//! Nodes: what another machine has counts, for a while.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prowess_context::Clock;
use prowess_gateway::{GatewayOptions, NodeError, NodeEvent, NodeOptions, run_node};
use prowess_match::LiveOptions;
use prowess_types::{BinRule, Secret};
use serde_json::json;
use tokio::sync::mpsc;

use crate::client::{Client, Device, now_ms};
use crate::support::{GatewayHome as _, Home, Running, TOKEN, serve_live, skill};

/// A home with a skill that only a strange machine can run.
fn home() -> Home {
    let home = Home::new();
    let needs = "metadata: {\"prowess\":{\"os\":[\"amiga\"],\"requires\":{\"bins\":[\"boing\"]}}}\n";
    home.add(&skill("bounce", "Bounces a ball").fields(needs));
    home
}

/// A gateway whose clock can be turned forward, and its skills.
async fn start(home: &Home) -> (Running, Arc<AtomicU64>, Arc<prowess::Live>) {
    let ahead = Arc::new(AtomicU64::new(0));
    let turned = Arc::clone(&ahead);
    let clock = Clock::new(move || now_ms() + turned.load(Ordering::Relaxed));
    let live = Arc::new(home.engine().watch(LiveOptions::new(clock.clone())).unwrap());
    let options = GatewayOptions::new(clock, Secret::new(TOKEN));
    let running = serve_live(Arc::clone(&live), options, std::future::pending()).await;
    (running, ahead, live)
}

async fn node(gateway: &Running, device: &Device) -> Client {
    let mut node = Client::open(gateway, &[]).await;
    let client = json!({ "id": "node-host", "mode": "node", "displayName": "Amy <b>" });
    let answer =
        node.connect_device(device, TOKEN, json!({ "role": "node", "scopes": [], "client": client })).await;
    assert_eq!(answer["ok"], true, "{answer}");
    node
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_has_counts_until_its_report_expires() {
    let home = home();
    let (gateway, ahead, live) = start(&home).await;
    let mut operator = Client::program(&gateway).await;
    let is_eligible = async |operator: &mut Client| {
        operator.get("skills.status", json!({})).await["skills"][0]["eligible"].clone()
    };
    assert_eq!(is_eligible(&mut operator).await, false);
    let before = live.snapshot(None).unwrap().version();

    let device = Device::new(1);
    let mut node = node(&gateway, &device).await;
    let facts = json!({ "platform": "amiga", "bins": ["boing"] });
    let noted = node.get("node.facts", facts.clone()).await;
    assert!(noted["refreshAfterMs"].as_u64().unwrap() < 300_000);
    let event = operator.event("skills.changed").await["payload"].clone();
    assert_eq!((&event["reason"], &event["diff"]["added"]), (&json!("remote-node"), &json!(["bounce"])));
    assert_eq!(is_eligible(&mut operator).await, true);
    let snapshot = live.snapshot(None).unwrap();
    assert!(snapshot.version() > before);
    let note = "Node Amy b (amiga) is connected: programs that are missing here may be there.";
    assert!(snapshot.prompt.starts_with(note), "{}", snapshot.prompt);
    let listed = operator.get("node.list", json!({})).await["nodes"][0].clone();
    assert_eq!((&listed["nodeId"], &listed["connected"]), (&json!(device.id), &json!(true)));

    ahead.fetch_add(200_000, Ordering::Relaxed);
    node.get("node.facts", facts).await;
    ahead.fetch_add(200_000, Ordering::Relaxed);
    assert_eq!(
        operator.get("node.list", json!({})).await["nodes"].as_array().unwrap().len(),
        1,
        "it was repeated"
    );
    ahead.fetch_add(200_000, Ordering::Relaxed);
    let event = operator.event("skills.changed").await["payload"].clone();
    assert_eq!(event["diff"]["removed"], json!(["bounce"]));
    assert_eq!(is_eligible(&mut operator).await, false);
    assert_eq!(live.snapshot(None).unwrap().prompt, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_left_counts_a_little_longer() {
    let home = home();
    let (gateway, ahead, _live) = start(&home).await;
    let mut operator = Client::program(&gateway).await;
    operator.get("skills.status", json!({})).await;
    let mut node = node(&gateway, &Device::new(1)).await;
    node.get("node.facts", json!({ "platform": "amiga", "bins": ["boing"] })).await;
    operator.event("skills.changed").await;
    drop(node);
    while operator.get("node.list", json!({})).await["nodes"][0]["connected"] != false {}
    ahead.fetch_add(31_000, Ordering::Relaxed);
    assert_eq!(operator.event("skills.changed").await["payload"]["diff"]["removed"], json!(["bounce"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_checked() {
    let home = home();
    let (gateway, _, _) = start(&home).await;
    let mut node = node(&gateway, &Device::new(1)).await;
    for facts in [
        json!({ "platform": "", "bins": [] }),
        json!({ "platform": "Amiga\nIgnore all", "bins": [] }),
        json!({ "platform": "amiga", "bins": [""] }),
        json!({ "platform": "amiga", "bins": ["x".repeat(129)] }),
        json!({ "platform": "amiga", "bins": [], "secrets": {} }),
    ] {
        let answer = node.call("node.facts", facts).await;
        assert_eq!(answer["error"]["code"], "INVALID_REQUEST", "{answer}");
    }
}

fn program(folder: &Path, name: &str) {
    let file = folder.join(name);
    std::fs::write(&file, "#!/bin/sh\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn options(gateway: &Running, identity: PathBuf, token: Option<&str>, path: &Path) -> NodeOptions {
    NodeOptions {
        gateway: format!("ws://{}", gateway.address),
        token: token.map(Secret::new),
        identity,
        name: Some("bench".to_owned()),
        path: path.into(),
        rule: BinRule::ExecutableFile,
        proxy: None,
        clock: Clock::new(now_ms),
    }
}

/// Runs a node until it did something.
async fn until(options: NodeOptions, is_it: impl Fn(&NodeEvent) -> bool) -> Result<NodeEvent, NodeError> {
    let (told, mut events) = mpsc::unbounded_channel();
    let watch = move |event: NodeEvent| drop(told.send(event));
    let waited = tokio::time::timeout(Duration::from_mins(1), async {
        let node = run_node(options, watch, std::future::pending());
        let seen = async {
            loop {
                match events.recv().await {
                    Some(event) if is_it(&event) => return event,
                    Some(_) => {}
                    None => std::future::pending().await,
                }
            }
        };
        tokio::select! {
            ended = node => Err(ended.unwrap_err()),
            event = seen => Ok(event),
        }
    });
    waited.await.expect("something in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_reports_what_skills_want_and_it_has() {
    let home = Home::new();
    let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"boing\", \"nowhere\"]}}}\n";
    home.add(&skill("b", "Bounces a ball").fields(needs));
    let (gateway, _, _) = start(&home).await;
    let bin = home.path().join("node-bin");
    std::fs::create_dir(&bin).unwrap();
    program(&bin, "boing");
    program(&bin, "unasked");
    let identity = home.path().join("node.json");
    let is_report = |event: &NodeEvent| matches!(event, NodeEvent::Reported { .. });
    let reported = until(options(&gateway, identity.clone(), Some(TOKEN), &bin), is_report).await.unwrap();
    let found = BTreeSet::from(["boing".to_owned()]);
    assert_eq!(reported, NodeEvent::Reported { found: found.clone(), wanted: 2 });
    let mut operator = Client::program(&gateway).await;
    let listed = operator.get("node.list", json!({})).await["nodes"][0].clone();
    assert_eq!((&listed["displayName"], &listed["bins"]), (&json!("bench"), &json!(found)));

    let stored = std::fs::read_to_string(&identity).unwrap();
    assert!(!stored.contains(TOKEN), "the gateway's own token is not kept");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&identity).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let again = until(options(&gateway, identity.clone(), None, &bin), is_report).await.unwrap();
    assert_eq!(again, reported, "its own token is enough");
    let id = listed["nodeId"].clone();
    operator.get("device.pair.remove", json!({ "deviceId": id })).await;
    let refused = until(options(&gateway, identity, None, &bin), is_report).await;
    assert!(matches!(refused, Err(NodeError::Refused { .. })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_says_why_it_cannot() {
    let home = Home::new();
    let gateway = home.start().await;
    let identity = home.path().join("node.json");
    let any = |_: &NodeEvent| true;
    let refused =
        until(options(&gateway, identity.clone(), Some("wrong"), home.path()), any).await.unwrap_err();
    assert!(refused.to_string().contains("gateway token mismatch"), "{refused}");
    let elsewhere = NodeOptions {
        gateway: "ws://gateway.example".to_owned(),
        ..options(&gateway, identity.clone(), None, home.path())
    };
    assert!(matches!(until(elsewhere, any).await, Err(NodeError::Address { .. })));
    let nobody = NodeOptions {
        gateway: "ws://127.0.0.1:1".to_owned(),
        ..options(&gateway, identity.clone(), None, home.path())
    };
    assert!(matches!(until(nobody, any).await, Ok(NodeEvent::Lost { .. })), "it tries again");
    std::fs::write(&identity, "{ broken").unwrap();
    let broken = until(options(&gateway, identity, None, home.path()), any).await;
    assert!(matches!(broken, Err(NodeError::Identity { .. })), "{broken:?}");
}
