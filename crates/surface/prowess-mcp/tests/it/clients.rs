//! The official SDKs against the server, both generations, over HTTP. Over standard input and output the program itself
//! is tested with the same script.
//!
//! npm installs them once; where it or its registry cannot be reached, these tests say so and end.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{McpHome as _, full};

/// What is installed, by exact versions, and the script.
const FILES: [(&str, &str); 3] = [
    ("package.json", include_str!("../clients/package.json")),
    ("package-lock.json", include_str!("../clients/package-lock.json")),
    ("client.mjs", include_str!("../clients/client.mjs")),
];

/// The folder with the clients; none where they cannot be had.
fn clients() -> Option<PathBuf> {
    // Every test process has a folder of its own until it is complete, so that none sees a half one.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-clients");
    let is_current = FILES
        .iter()
        .all(|(name, text)| std::fs::read_to_string(folder.join(name)).is_ok_and(|is| is == *text));
    if is_current && folder.join("node_modules/.package-lock.json").is_file() {
        return Some(folder);
    }
    let fresh = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    for (name, text) in FILES {
        std::fs::write(fresh.path().join(name), text).expect("a file");
    }
    if !prowess_testkit::npm_ci(fresh.path()) {
        return None;
    }
    let fresh = fresh.keep();
    let old = fresh.with_extension("old");
    let _ = std::fs::rename(&folder, &old);
    // Another test may have been quicker; then its folder is as good.
    let mine = if std::fs::rename(&fresh, &folder).is_ok() { folder } else { fresh };
    let _ = std::fs::remove_dir_all(old);
    Some(mine)
}

async fn check(sdk: &str) {
    let Some(clients) = clients() else { return };
    let home = full();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = axum::Router::new().nest("/mcp", home.server().router());
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    let mut client = Command::new("node");
    client
        .arg(clients.join("client.mjs"))
        .args([sdk, "http"])
        .arg(home.workspace())
        .arg(format!("http://{address}/mcp"))
        .env_remove("NODE_OPTIONS")
        .current_dir(&clients);
    let output = tokio::task::spawn_blocking(move || client.output()).await.unwrap().expect("node starts");
    serving.abort();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{complained}");
    assert_eq!(said.trim(), "everything is as it should be", "{complained}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sdk_with_sessions_over_http() {
    check("v1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sdk_without_sessions_over_http() {
    check("v2").await;
}
