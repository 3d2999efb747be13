//! A gateway that is killed while it writes the config: what it acknowledged is in the file, and the file is whole.
//!
//! This test program starts itself as the gateway.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::Clock;
use prowess_gateway::{Gateway, GatewayOptions};
use prowess_match::LiveOptions;
use prowess_types::Secret;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{Home, TOKEN, http};

/// The gateway: standard input has its folder.
#[test]
#[ignore = "started by the other test"]
fn server() {
    let mut folder = String::new();
    std::io::stdin().read_to_string(&mut folder).unwrap();
    // Without a folder, somebody ran all ignored tests.
    if folder.trim().is_empty() {
        return;
    }
    let folder = PathBuf::from(folder.trim());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let env = Env::new([("HOME".to_owned(), folder.display().to_string())], &folder);
        let overrides = Overrides { workspace: Some(folder.join("ws")), ..Overrides::default() };
        let engine = Engine::open(EngineOptions { env, overrides, ..EngineOptions::default() }).unwrap();
        let clock = Clock::new(|| 0);
        let live = Arc::new(engine.watch(LiveOptions::new(clock.clone())).unwrap());
        let options = GatewayOptions::new(clock, Secret::new(TOKEN));
        let gateway = Gateway::open(live, options).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        // Past the buffers of the test harness.
        std::io::stdout().write_all(format!("\nlistens {address}\n").as_bytes()).unwrap();
        std::io::stdout().flush().unwrap();
        gateway.serve(listener, std::future::pending()).await.unwrap();
    });
}

fn start(folder: &Path) -> (Child, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "config_kill::server", "--ignored", "--nocapture", "--test-threads=1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    write!(child.stdin.take().unwrap(), "{}", folder.display()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.find_map(|line| Some(line.ok()?.strip_prefix("listens ")?.to_owned())).unwrap();
    (child, address)
}

async fn call(address: &str, method: &str, params: Value) -> Option<Value> {
    let url = format!("http://{address}/api/v1/{method}");
    let response = http().post(url).bearer_auth(TOKEN).json(&params).send().await.ok()?;
    response.error_for_status().ok()?.json().await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_gateway_acknowledged_is_in_the_file() {
    let home = Home::new();
    let file = home.path().join(".prowess/prowess.json");
    let mut acknowledged = 0_u64;
    for round in 0..6_u64 {
        let (child, address) = start(home.path());
        let mut child = Some(child);
        let got = call(&address, "config.get", json!({})).await.unwrap();
        let (mut config, mut hash) = (got["config"].clone(), got["hash"].clone());
        let mut killed = None;
        for at in 0_u64.. {
            // After some answers it is killed, somewhere on the way to one of the next.
            if at == round + 1
                && let Some(mut child) = child.take()
            {
                killed = Some(tokio::task::spawn_blocking(move || {
                    // No event tells where it is in its work, and another moment each round is the point.
                    std::thread::sleep(Duration::from_millis(3 * round));
                    child.kill().unwrap();
                    child.wait().unwrap()
                }));
            }
            config["count"] = json!(acknowledged + 1);
            config["filler"] = json!("x".repeat(20_000));
            let params = json!({ "raw": config.to_string(), "baseHash": hash });
            let Some(answer) = call(&address, "config.set", params).await else { break };
            acknowledged += 1;
            hash = answer["hash"].clone();
        }
        killed.expect("it answered until it was killed").await.unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let stored = prowess_json5::to_value(&text).expect("the file is whole");
        let count = stored["count"].as_u64().unwrap();
        assert!(count == acknowledged || count == acknowledged + 1, "{count} after {acknowledged}");
        acknowledged = count;
    }
    assert!(acknowledged >= 21, "every round wrote something");
}
