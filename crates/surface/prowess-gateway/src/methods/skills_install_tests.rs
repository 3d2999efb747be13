use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::*;
use crate::access::Caller;
use crate::test_support::{Home, operators};

const SKILL: &str = "---\nname: needy\ndescription: Needs a program\nmetadata: {\"openclaw\": {\"requires\": {\"bins\": [\"needed\"]}, \"install\": [{\"id\": \"npm\", \"kind\": \"node\", \"package\": \"needed\", \"bins\": [\"needed\"]}]}}\n---\n";

/// A gateway whose `npm` is a script.
fn gateway(home: &Home, npm: &str) -> Arc<Gateway> {
    use std::os::unix::fs::PermissionsExt as _;
    let (bin, work) = (home.path().join("bin"), home.path().join("ws/skills/needy"));
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(&work).unwrap();
    std::fs::write(work.join("SKILL.md"), SKILL).unwrap();
    let script = bin.join("npm");
    std::fs::write(&script, format!("#!/bin/sh\n{npm}\n")).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    home.gateway()
}

const PARAMS: &str = r#"{"name": "needy", "installId": "npm", "timeoutMs": 20000}"#;

#[tokio::test(flavor = "multi_thread")]
async fn commands_and_output_are_told_while_it_runs() {
    let home = Home::new();
    let needed = home.path().join("bin/needed");
    let npm = format!(
        "echo working; echo hmm >&2; printf '#!/bin/sh\\n' > '{0}'; chmod +x '{0}'",
        needed.display()
    );
    let gateway = gateway(&home, &npm);
    let mut events = gateway.events.subscribe();
    let answer = install(operators(&gateway), serde_json::from_str(PARAMS).unwrap()).await.unwrap();
    assert!(answer.result.ok && answer.readiness.unwrap().eligible);
    let mut told = Vec::new();
    while let Ok(event) = events.try_recv() {
        assert_eq!(event.name, "skills.install.progress");
        let mut reader = Caller { scopes: [Scope::Read].into(), ..(*operators(&gateway).caller).clone() };
        assert!(!event.is_for(&reader), "what a program writes is not for everybody");
        reader.scopes.insert(Scope::Admin);
        assert!(event.is_for(&reader));
        let payload: Value = serde_json::from_str(&event.payload).unwrap();
        told.push(format!("{} {}", payload["kind"], payload["text"]));
    }
    let all = told.join("\n");
    assert!(
        told[0].contains("command") && told[0].contains("npm install -g --ignore-scripts needed"),
        "{all}"
    );
    assert!(all.contains("working") && all.contains("hmm") && all.contains("done"), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_install_can_be_stopped_and_runs_once() {
    let home = Home::new();
    let gateway = gateway(&home, "echo started; sleep 600");
    let mut events = gateway.events.subscribe();
    let running = tokio::spawn(install(operators(&gateway), serde_json::from_str(PARAMS).unwrap()));
    loop {
        let event = tokio::time::timeout(Duration::from_mins(1), events.recv()).await.unwrap().unwrap();
        if event.payload.contains(r#""kind":"output""#) {
            break;
        }
    }
    let second = install(operators(&gateway), serde_json::from_str(PARAMS).unwrap()).await.unwrap_err();
    assert!(second.message.contains("is being installed already"), "{}", second.message);
    let params = serde_json::from_str(r#"{"name": "needy", "installId": "npm"}"#).unwrap();
    assert!(cancel(operators(&gateway), params).await.unwrap().cancelled);
    let refused = running.await.unwrap().unwrap_err();
    assert_eq!(refused.payload.unwrap()["ok"], false);
}
