//! Requests that change something.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest as _, Multipart, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use prowess_registry::protocol::{
    DeviceCode, DeviceTokenRequest, DoneAnswer, MergeAnswer, MergeRequest, PublishAnswer, PublishRequest,
    RenameAnswer, RenameRequest, ReportAnswer, StarAnswer, TagAnswer, TagRequest, TransferAnswer,
    UnstarAnswer, UploadAnswer, UploadTicket,
};
use serde::Deserialize;
use serde_json::json;

use super::visit::{Publisher, SkillChange, Visit, parse, work};
use crate::Hub;
use crate::hub::Wanted;
use crate::login::DeviceAnswer;
use crate::publish::Delivered;
use crate::refusal::Refusal;
use crate::transfer::Reply;

type Answer<T> = Result<Json<T>, Refusal>;

pub(crate) async fn ticket(
    State(hub): State<Arc<Hub>>,
    publisher: Publisher,
    body: Bytes,
) -> Answer<UploadTicket> {
    let request = parse(&body)?;
    work(hub, move |hub| hub.ticket(&publisher.handle, Some(request), &publisher.base)).await.map(Json)
}

pub(crate) async fn upload(
    State(hub): State<Arc<Hub>>,
    Path(ticket): Path<String>,
    publisher: Publisher,
    body: Bytes,
) -> Answer<UploadAnswer> {
    work(hub, move |hub| hub.upload(&publisher.handle, &ticket, &body)).await.map(Json)
}

/// Takes what was uploaded before, or everything at once in parts.
pub(crate) async fn publish(
    State(hub): State<Arc<Hub>>,
    publisher: Publisher,
    request: Request,
) -> Answer<PublishAnswer> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("multipart/form-data")) {
        let parts = Multipart::from_request(request, &())
            .await
            .map_err(|error| Refusal::new(error.status(), error.body_text()))?;
        let (request, files) = read_parts(parts).await?;
        return work(hub, move |hub| hub.publish(&publisher.handle, request, files, Vec::new()))
            .await
            .map(Json);
    }
    let body = Bytes::from_request(request, &())
        .await
        .map_err(|error| Refusal::new(error.status(), error.body_text()))?;
    let request: PublishRequest = parse(&body)?;
    work(hub, move |hub| hub.publish_uploads(&publisher.handle, request)).await.map(Json)
}

async fn read_parts(mut parts: Multipart) -> Result<(PublishRequest, Vec<Delivered>), Refusal> {
    let bad =
        |error: axum::extract::multipart::MultipartError| Refusal::new(error.status(), error.body_text());
    let (mut request, mut files) = (None, Vec::new());
    while let Some(part) = parts.next_field().await.map_err(bad)? {
        match part.name() {
            Some("payload") => request = Some(parse(&part.bytes().await.map_err(bad)?)?),
            Some("files") => {
                let path = part.file_name().map(|name| name.replace("%22", "\""));
                let content_type = part.content_type().map(ToOwned::to_owned);
                files.push(Delivered {
                    path: path.ok_or_else(|| Refusal::bad("A part `files` has no file name"))?,
                    bytes: part.bytes().await.map_err(bad)?.to_vec(),
                    content_type,
                });
            }
            _ => {}
        }
    }
    Ok((request.ok_or_else(|| Refusal::bad("The part `payload` is missing"))?, files))
}

pub(crate) async fn star(change: SkillChange) -> Answer<StarAnswer> {
    change.make_by_query(|hub, publisher, skill| hub.star(&publisher.handle, skill, &publisher.base)).await
}

pub(crate) async fn unstar(change: SkillChange) -> Answer<UnstarAnswer> {
    change.make_by_query(|hub, publisher, skill| hub.unstar(&publisher.handle, skill, &publisher.base)).await
}

pub(crate) async fn delete(change: SkillChange) -> Answer<DoneAnswer> {
    change.make(|hub, publisher, skill| hub.delete(&publisher.handle, skill)).await
}

pub(crate) async fn undelete(change: SkillChange) -> Answer<DoneAnswer> {
    change.make(|hub, publisher, skill| hub.undelete(&publisher.handle, skill)).await
}

pub(crate) async fn delete_version(
    Path((_, version)): Path<(String, String)>,
    change: SkillChange,
) -> Answer<DoneAnswer> {
    change.make(move |hub, publisher, skill| hub.delete_version(&publisher.handle, skill, &version)).await
}

pub(crate) async fn restore_version(
    Path((_, version)): Path<(String, String)>,
    change: SkillChange,
) -> Answer<DoneAnswer> {
    change.make(move |hub, publisher, skill| hub.restore_version(&publisher.handle, skill, &version)).await
}

pub(crate) async fn rename(change: SkillChange) -> Answer<RenameAnswer> {
    let RenameRequest { new_slug } = change.body()?;
    change.make(move |hub, publisher, skill| hub.rename(&publisher.handle, skill, &new_slug)).await
}

pub(crate) async fn merge(change: SkillChange) -> Answer<MergeAnswer> {
    let MergeRequest { target_slug } = change.body()?;
    let into = Wanted::new(&target_slug, change.owners()?.target_owner_handle.as_deref());
    change.make(move |hub, publisher, from| hub.merge(&publisher.handle, from, &into)).await
}

pub(crate) async fn tag(Path((_, tag)): Path<(String, String)>, change: SkillChange) -> Answer<TagAnswer> {
    let TagRequest { version } = change.body()?;
    change.make(move |hub, publisher, skill| hub.tag(&publisher.handle, skill, &tag, &version)).await
}

pub(crate) async fn report(change: SkillChange) -> Answer<ReportAnswer> {
    let report = change.body()?;
    change
        .make(move |hub, publisher, skill| hub.report(&publisher.handle, skill, &report, &publisher.base))
        .await
}

pub(crate) async fn offer(change: SkillChange) -> Answer<TransferAnswer> {
    let request = change.body()?;
    change.make(move |hub, publisher, skill| hub.offer(&publisher.handle, skill, &request)).await
}

pub(crate) async fn reply(
    Path((_, reply)): Path<(String, String)>,
    change: SkillChange,
) -> Answer<TransferAnswer> {
    let reply = match reply.as_str() {
        "accept" => Reply::Accept,
        "reject" => Reply::Reject,
        "cancel" => Reply::Cancel,
        _ => return Err(Refusal::not_found("Not found")),
    };
    change.make_by_query(move |hub, publisher, skill| hub.reply(&publisher.handle, skill, reply)).await
}

pub(crate) async fn installed(
    State(hub): State<Arc<Hub>>,
    publisher: Publisher,
    body: Bytes,
) -> Answer<DoneAnswer> {
    // Other events and the snapshots of older clients are heard and not kept.
    let Ok(event) = parse(&body) else { return Ok(Json(crate::change::DONE)) };
    work(hub, move |hub| hub.installed(&event, &publisher.base)).await.map(Json)
}

#[derive(Debug, Default, Deserialize)]
struct DeviceRequest {
    label: Option<String>,
}

pub(crate) async fn device_code(
    State(hub): State<Arc<Hub>>,
    visit: Visit,
    body: Bytes,
) -> Answer<DeviceCode> {
    let request: DeviceRequest = if body.is_empty() { DeviceRequest::default() } else { parse(&body)? };
    work(hub, move |hub| hub.device_code(request.label.as_deref(), &visit.base)).await.map(Json)
}

pub(crate) async fn device_token(State(hub): State<Arc<Hub>>, body: Bytes) -> Result<Response, Refusal> {
    let request: DeviceTokenRequest = parse(&body)?;
    let answer = work(hub, move |hub| hub.device_token(&request.device_code)).await?;
    Ok(match answer {
        DeviceAnswer::Token(token) => ([(header::CACHE_CONTROL, "no-store")], Json(token)).into_response(),
        DeviceAnswer::Error(error) => {
            (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response()
        }
    })
}
