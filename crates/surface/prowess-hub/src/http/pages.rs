//! Documents that need no knowledge of the interface: well-known documents, and pages for people, in plain text.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use prowess_registry::protocol::Discovery;
use serde_json::Value;

use super::answer;
use super::visit::{Visit, work};
use crate::Hub;
use crate::hub::{Pick, Wanted, normal_handle};
use crate::refusal::Refusal;
use crate::well_known::Scope;

const NEW: &str = "/.well-known/agent-skills/index.json";
const OLD: &str = "/.well-known/skills/index.json";
const FILE: &str = "/.well-known/skills/{name}/{*path}";

pub(crate) fn routes() -> Router<Arc<Hub>> {
    Router::new()
        .route("/", get(welcome))
        .route("/device", get(device))
        .route("/{owner}/skills/{slug}", get(skill))
        .route("/.well-known/clawhub.json", get(discovery))
        .route("/.well-known/clawdhub.json", get(discovery))
        .route(NEW, get(root_index))
        .route(OLD, get(root_old_index))
        .route(FILE, get(root_file))
        .merge(of_owner("/{owner}"))
        .merge(of_owner("/{owner}/skills"))
        .route(&format!("/{{owner}}/skills/{{slug}}{NEW}"), get(skill_index))
        .route(&format!("/{{owner}}/skills/{{slug}}{OLD}"), get(skill_old_index))
        .route(&format!("/{{owner}}/skills/{{slug}}{FILE}"), get(skill_file))
}

fn of_owner(prefix: &str) -> Router<Arc<Hub>> {
    Router::new()
        .route(&format!("{prefix}{NEW}"), get(owner_index))
        .route(&format!("{prefix}{OLD}"), get(owner_old_index))
        .route(&format!("{prefix}{FILE}"), get(owner_file))
}

async fn welcome(visit: Visit) -> Response {
    let base = visit.base;
    answer::text(format!(
        "A registry of skills.\n\n  prowess search --registry {base} QUERY\n  clawhub --registry {base} search QUERY\n"
    ))
}

async fn device() -> Response {
    answer::text(
        "To log in, ask the operator of this registry to run:\n\n  prowess registry token approve CODE HANDLE\n"
            .to_owned(),
    )
}

async fn discovery(visit: Visit) -> Json<Discovery> {
    Json(Discovery { api_base: visit.base.clone(), auth_base: Some(visit.base), min_cli_version: None })
}

async fn skill(
    State(hub): State<Arc<Hub>>,
    Path((owner, slug)): Path<(String, String)>,
    visit: Visit,
) -> Result<Response, Refusal> {
    let wanted = Wanted::new(&slug, Some(&owner));
    work(hub, move |hub| hub.card_of(&wanted, &Pick::Latest, &visit.base)).await.map(answer::text)
}

async fn index(hub: Arc<Hub>, scope: Scope, visit: Visit) -> Result<Json<Value>, Refusal> {
    work(hub, move |hub| hub.index(&scope, &visit.base)).await.map(Json)
}

async fn old_index(hub: Arc<Hub>, scope: Scope) -> Result<Json<Value>, Refusal> {
    work(hub, move |hub| hub.old_index(&scope)).await.map(Json)
}

async fn file(hub: Arc<Hub>, scope: Scope, name: String, path: String) -> Result<Response, Refusal> {
    work(hub, move |hub| hub.indexed_file(&scope, &name, &path)).await.map(answer::file)
}

async fn root_index(State(hub): State<Arc<Hub>>, visit: Visit) -> Result<Json<Value>, Refusal> {
    index(hub, Scope::Root, visit).await
}

async fn root_old_index(State(hub): State<Arc<Hub>>) -> Result<Json<Value>, Refusal> {
    old_index(hub, Scope::Root).await
}

async fn root_file(
    State(hub): State<Arc<Hub>>,
    Path((name, path)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    file(hub, Scope::Root, name, path).await
}

async fn owner_index(
    State(hub): State<Arc<Hub>>,
    Path(owner): Path<String>,
    visit: Visit,
) -> Result<Json<Value>, Refusal> {
    index(hub, Scope::Owner(normal_handle(&owner)), visit).await
}

async fn owner_old_index(
    State(hub): State<Arc<Hub>>,
    Path(owner): Path<String>,
) -> Result<Json<Value>, Refusal> {
    old_index(hub, Scope::Owner(normal_handle(&owner))).await
}

async fn owner_file(
    State(hub): State<Arc<Hub>>,
    Path((owner, name, path)): Path<(String, String, String)>,
) -> Result<Response, Refusal> {
    file(hub, Scope::Owner(normal_handle(&owner)), name, path).await
}

async fn skill_index(
    State(hub): State<Arc<Hub>>,
    Path((owner, slug)): Path<(String, String)>,
    visit: Visit,
) -> Result<Json<Value>, Refusal> {
    index(hub, Scope::Skill(normal_handle(&owner), slug), visit).await
}

async fn skill_old_index(
    State(hub): State<Arc<Hub>>,
    Path((owner, slug)): Path<(String, String)>,
) -> Result<Json<Value>, Refusal> {
    old_index(hub, Scope::Skill(normal_handle(&owner), slug)).await
}

async fn skill_file(
    State(hub): State<Arc<Hub>>,
    Path((owner, slug, name, path)): Path<(String, String, String, String)>,
) -> Result<Response, Refusal> {
    file(hub, Scope::Skill(normal_handle(&owner), slug), name, path).await
}
