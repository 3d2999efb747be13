//! The addresses of earlier clients.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use prowess_registry::protocol::{DoneAnswer, SkillDetail, UploadTicket};
use serde::Deserialize;

use super::guard::WHOLE_BODY;
use super::visit::{Named, Publisher, Visit, parse, work};
use super::{changes, questions};
use crate::Hub;
use crate::hub::Wanted;
use crate::refusal::Refusal;

pub(crate) fn routes() -> Router<Arc<Hub>> {
    Router::new()
        .route("/api/search", get(questions::search))
        .route("/api/skill", get(skill))
        .route("/api/skill/resolve", get(questions::resolve))
        .route("/api/download", get(questions::download))
        .route("/api/cli/whoami", get(questions::whoami))
        .route("/api/cli/upload-url", post(ticket))
        .route("/api/cli/publish", post(changes::publish).layer(DefaultBodyLimit::max(WHOLE_BODY)))
        .route("/api/cli/skill/delete", post(delete))
        .route("/api/cli/skill/undelete", post(undelete))
}

async fn skill(
    State(hub): State<Arc<Hub>>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Result<Json<SkillDetail>, Refusal> {
    let wanted = named.wanted_here()?;
    work(hub, move |hub| hub.detail(&wanted, &visit.base)).await.map(Json)
}

/// Earlier clients do not say what they will bring.
async fn ticket(
    State(hub): State<Arc<Hub>>,
    publisher: Publisher,
    body: Bytes,
) -> Result<Json<UploadTicket>, Refusal> {
    let request = parse(&body).ok();
    work(hub, move |hub| hub.ticket(&publisher.handle, request, &publisher.base)).await.map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Slug {
    slug: String,
    owner_handle: Option<String>,
}

impl Slug {
    fn wanted(&self) -> Wanted {
        Wanted::new(&self.slug, self.owner_handle.as_deref())
    }
}

async fn delete(
    State(hub): State<Arc<Hub>>,
    publisher: Publisher,
    body: Bytes,
) -> Result<Json<DoneAnswer>, Refusal> {
    let slug: Slug = parse(&body)?;
    work(hub, move |hub| hub.delete(&publisher.handle, &slug.wanted())).await.map(Json)
}

async fn undelete(
    State(hub): State<Arc<Hub>>,
    publisher: Publisher,
    body: Bytes,
) -> Result<Json<DoneAnswer>, Refusal> {
    let slug: Slug = parse(&body)?;
    work(hub, move |hub| hub.undelete(&publisher.handle, &slug.wanted())).await.map(Json)
}
