//! The registry over RPC, with a small one on this machine.

use axum::extract::Path;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{GatewayHome as _, Home};

async fn registry() -> String {
    let detail = |Path(slug): Path<String>| async move {
        Json(json!({
            "skill": { "slug": slug, "displayName": "Weather", "summary": "Tells the weather", "tags": {}, "stats": {}, "createdAt": 1, "updatedAt": 2 },
            "latestVersion": { "version": "1.0.0", "createdAt": 1, "changelog": "" },
            "owner": null,
        }))
    };
    let hits = || async {
        Json(json!({ "results": [{ "score": 1.5, "slug": "weather", "displayName": "Weather" }] }))
    };
    let router = Router::new().route("/api/v1/search", get(hits)).route("/api/v1/skills/{slug}", get(detail));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registry_is_searched_and_looked_at() {
    let home = Home::new();
    let gateway = home.start().await;
    let raw = json!({ "skills": { "registry": registry().await } }).to_string();
    assert_eq!(gateway.call("config.set", json!({ "raw": raw })).await.0, 200);
    let (status, found) = gateway.call("skills.search", json!({ "query": "weather", "limit": 3 })).await;
    assert_eq!((status, &found["results"][0]["slug"]), (200, &json!("weather")), "{found}");
    let (status, detail) = gateway.call("skills.detail", json!({ "slug": "weather" })).await;
    assert_eq!((status, &detail["latestVersion"]["version"]), (200, &json!("1.0.0")), "{detail}");
    let refused = |answer: (u16, Value)| answer.1["error"]["code"].clone();
    assert_eq!(refused(gateway.call("skills.search", json!({ "limit": 101 })).await), "INVALID_REQUEST");
    assert_eq!(refused(gateway.call("skills.detail", json!({ "slug": "a/b/c" })).await), "INVALID_REQUEST");
    assert_eq!(refused(gateway.call("skills.diff", json!({ "name": "nobody" })).await), "INVALID_REQUEST");
    let update = json!({ "source": "clawhub", "slug": "nobody" });
    assert_eq!(refused(gateway.call("skills.update", update).await), "UNAVAILABLE");
    let (status, outdated) = gateway.call("skills.outdated", json!({})).await;
    assert_eq!((status, &outdated["skills"]), (200, &json!([])));
}
