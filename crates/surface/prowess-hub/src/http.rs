//! The interface: which address asks what.

mod answer;
mod changes;
mod guard;
mod legacy;
mod pages;
mod questions;
mod visit;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post};

use crate::Hub;
use crate::refusal::Refusal;
use guard::{Guard, SMALL_BODY, UPLOAD_BODY, WHOLE_BODY, guard};

/// All addresses, guarded.
pub(crate) fn router(hub: Arc<Hub>) -> Router {
    let guarding = Arc::new(Guard::new(Arc::clone(&hub)));
    Router::new()
        .merge(skills())
        .merge(others())
        .merge(legacy::routes())
        .merge(pages::routes())
        .fallback(async || Refusal::not_found("Not found"))
        .method_not_allowed_fallback(async || {
            Refusal::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "This address cannot be used that way")
        })
        .layer(DefaultBodyLimit::max(SMALL_BODY))
        .layer(from_fn_with_state(guarding, guard))
        .with_state(hub)
}

fn skills() -> Router<Arc<Hub>> {
    let publish = post(changes::publish).layer(DefaultBodyLimit::max(WHOLE_BODY));
    let upload = post(changes::upload).layer(DefaultBodyLimit::max(UPLOAD_BODY));
    Router::new()
        .route("/api/v1/skills", get(questions::list).merge(publish))
        .route("/api/v1/skills/-/upload-url", post(changes::ticket))
        .route("/api/v1/skills/-/upload/{ticket}", upload)
        .route("/api/v1/skills/-/security-verdicts", post(questions::verdicts))
        .route("/api/v1/skills/-/scan", post(questions::start_scan))
        .route("/api/v1/skills/-/scan/{id}", get(questions::scan_status))
        .route("/api/v1/skills/-/scan/{id}/download", get(questions::scan_archive))
        .route("/api/v1/skills/-/scan/download/{slug}", get(questions::scan_archive_of))
        .route("/api/v1/skills/{slug}", get(questions::detail).delete(changes::delete))
        .route("/api/v1/skills/{slug}/undelete", post(changes::undelete))
        .route("/api/v1/skills/{slug}/versions", get(questions::versions))
        .route(
            "/api/v1/skills/{slug}/versions/{version}",
            get(questions::version).delete(changes::delete_version),
        )
        .route("/api/v1/skills/{slug}/versions/{version}/restore", post(changes::restore_version))
        .route("/api/v1/skills/{slug}/file", get(questions::file))
        .route("/api/v1/skills/{slug}/moderation", get(questions::moderation))
        .route("/api/v1/skills/{slug}/scan", get(questions::scan))
        .route("/api/v1/skills/{slug}/verify", get(questions::verify))
        .route("/api/v1/skills/{slug}/card", get(questions::card))
        .route("/api/v1/skills/{slug}/install", get(questions::install))
        .route("/api/v1/skills/{slug}/rename", post(changes::rename))
        .route("/api/v1/skills/{slug}/merge", post(changes::merge))
        .route("/api/v1/skills/{slug}/tags/{tag}", post(changes::tag))
        .route("/api/v1/skills/{slug}/report", post(changes::report))
        .route("/api/v1/skills/{slug}/transfer", post(changes::offer))
        .route("/api/v1/skills/{slug}/transfer/{reply}", post(changes::reply))
}

fn others() -> Router<Arc<Hub>> {
    Router::new()
        .route("/api/v1/search", get(questions::search))
        .route("/api/v1/trending", get(questions::trending))
        .route("/api/v1/resolve", get(questions::resolve))
        .route("/api/v1/download", get(questions::download))
        .route("/api/v1/agent-skills/{owner}/{slug}/archive", get(questions::archive))
        .route("/api/v1/whoami", get(questions::whoami))
        .route("/api/v1/stars/{slug}", post(changes::star).merge(delete(changes::unstar)))
        .route("/api/v1/transfers/{direction}", get(questions::offers))
        .route("/api/cli/telemetry/install", post(changes::installed))
        .route("/api/cli/device/code", post(changes::device_code))
        .route("/api/cli/device/token", post(changes::device_token))
}
