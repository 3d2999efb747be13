//! Requests that change nothing.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use prowess_registry::protocol::{
    InstallAnswer, ModerationAnswer, ResolveAnswer, ScanAnswer, SearchAnswer, SecurityVerdicts, SkillDetail,
    SkillList, TransferList, TrendingAnswer, VerifyAnswer, VersionAnswer, VersionList, WhoamiAnswer,
};
use prowess_types::{Bundle, BundleFile};
use serde::Deserialize;
use serde_json::Value;

use super::answer;
use super::visit::{Named, Publisher, Visit, parse, work};
use crate::hub::{Pick, Wanted};
use crate::read::{Archive, ListQuestion, page_size};
use crate::refusal::Refusal;
use crate::search::Question;
use crate::transfer::Direction;
use crate::{Hub, login};

type Answer<T> = Result<Json<T>, Refusal>;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchQuery {
    #[serde(default)]
    q: String,
    limit: Option<usize>,
    mode: Option<String>,
    highlighted_only: Option<String>,
    non_suspicious_only: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct TrendingQuery {
    kind: Option<String>,
    limit: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListQuery {
    limit: Option<usize>,
    cursor: Option<String>,
    sort: Option<String>,
    prefix: Option<String>,
    non_suspicious_only: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionsQuery {
    owner_handle: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileQuery {
    path: Option<String>,
    preview: Option<String>,
    version: Option<String>,
    tag: Option<String>,
    owner_handle: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolveQuery {
    slug: String,
    hash: String,
    owner_handle: Option<String>,
}

fn is_on(switch: Option<&String>) -> bool {
    switch.is_some_and(|switch| matches!(switch.as_str(), "1" | "true"))
}

pub(crate) async fn search(
    State(hub): State<Arc<Hub>>,
    Query(query): Query<SearchQuery>,
) -> Answer<SearchAnswer> {
    let question = Question {
        limit: page_size(query.limit),
        is_exact: query.mode.as_deref() == Some("exact"),
        only_clean: is_on(query.non_suspicious_only.as_ref()),
        only_of: is_on(query.highlighted_only.as_ref()).then(|| hub.options.featured.clone()),
        text: query.q,
    };
    work(hub, move |hub| hub.search_skills(&question)).await.map(Json)
}

pub(crate) async fn trending(
    State(hub): State<Arc<Hub>>,
    Query(query): Query<TrendingQuery>,
) -> Answer<TrendingAnswer> {
    work(hub, move |hub| hub.trending(query.kind.as_deref(), query.limit)).await.map(Json)
}

pub(crate) async fn list(State(hub): State<Arc<Hub>>, Query(query): Query<ListQuery>) -> Answer<SkillList> {
    let question = ListQuestion {
        limit: query.limit,
        only_clean: is_on(query.non_suspicious_only.as_ref()),
        cursor: query.cursor,
        sort: query.sort,
        prefix: query.prefix,
    };
    work(hub, move |hub| hub.list(question)).await.map(Json)
}

pub(crate) async fn detail(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Answer<SkillDetail> {
    work(hub, move |hub| hub.detail(&named.wanted(&slug), &visit.base)).await.map(Json)
}

pub(crate) async fn versions(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(query): Query<VersionsQuery>,
    visit: Visit,
) -> Answer<VersionList> {
    let wanted = Wanted::new(&slug, query.owner_handle.as_deref());
    work(hub, move |hub| hub.versions(&wanted, query.cursor.as_deref(), query.limit, &visit.base))
        .await
        .map(Json)
}

pub(crate) async fn version(
    State(hub): State<Arc<Hub>>,
    Path((slug, version)): Path<(String, String)>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Answer<VersionAnswer> {
    work(hub, move |hub| hub.version_detail(&named.wanted(&slug), &version, &visit.base)).await.map(Json)
}

pub(crate) async fn file(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(query): Query<FileQuery>,
    visit: Visit,
) -> Result<Response, Refusal> {
    let wanted = Wanted::new(&slug, query.owner_handle.as_deref());
    let pick = Pick::new(query.version, query.tag);
    let path = query.path.ok_or_else(|| Refusal::bad("`path` is missing"))?;
    let is_preview = is_on(query.preview.as_ref());
    work(hub, move |hub| hub.file(&wanted, &pick, &path, is_preview, &visit.base)).await.map(answer::file)
}

pub(crate) async fn resolve(
    State(hub): State<Arc<Hub>>,
    Query(query): Query<ResolveQuery>,
    visit: Visit,
) -> Answer<ResolveAnswer> {
    let wanted = Wanted::new(&query.slug, query.owner_handle.as_deref());
    work(hub, move |hub| hub.resolve(&wanted, &query.hash, &visit.base)).await.map(Json)
}

pub(crate) async fn download(
    State(hub): State<Arc<Hub>>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Result<Response, Refusal> {
    let wanted = named.wanted_here()?;
    work(hub, move |hub| hub.download(&wanted, &named.pick(), &visit.base)).await.map(answer::archive)
}

pub(crate) async fn archive(
    State(hub): State<Arc<Hub>>,
    Path((owner, slug)): Path<(String, String)>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Result<Response, Refusal> {
    let wanted = Wanted::new(&slug, Some(&owner));
    work(hub, move |hub| hub.download(&wanted, &named.pick(), &visit.base)).await.map(answer::archive)
}

pub(crate) async fn install(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Answer<InstallAnswer> {
    work(hub, move |hub| hub.install(&named.wanted(&slug), &visit.base)).await.map(Json)
}

pub(crate) async fn moderation(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Answer<ModerationAnswer> {
    work(hub, move |hub| hub.moderation_of(&named.wanted(&slug), &visit.base)).await.map(Json)
}

pub(crate) async fn scan(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Answer<Value> {
    work(hub, move |hub| hub.scan_of(&named.wanted(&slug), &named.pick(), &visit.base)).await.map(Json)
}

pub(crate) async fn verify(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Answer<VerifyAnswer> {
    work(hub, move |hub| hub.verify(&named.wanted(&slug), &named.pick(), &visit.base)).await.map(Json)
}

pub(crate) async fn card(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    visit: Visit,
) -> Result<Response, Refusal> {
    work(hub, move |hub| hub.card_of(&named.wanted(&slug), &named.pick(), &visit.base))
        .await
        .map(answer::text)
}

pub(crate) async fn verdicts(
    State(hub): State<Arc<Hub>>,
    visit: Visit,
    body: Bytes,
) -> Answer<SecurityVerdicts> {
    let questions = parse(&body)?;
    work(hub, move |hub| hub.verdicts(&questions, &visit.base)).await.map(Json)
}

#[derive(Debug, Deserialize)]
struct ScanRequest {
    source: Named,
}

pub(crate) async fn start_scan(
    State(hub): State<Arc<Hub>>,
    publisher: Publisher,
    body: Bytes,
) -> Answer<ScanAnswer> {
    let ScanRequest { source } = parse(&body)?;
    let wanted = source.wanted_here()?;
    work(hub, move |hub| hub.start_scan(&wanted, &source.pick(), &publisher.base)).await.map(Json)
}

pub(crate) async fn scan_status(
    State(hub): State<Arc<Hub>>,
    Path(id): Path<String>,
    _publisher: Publisher,
) -> Answer<ScanAnswer> {
    work(hub, move |hub| hub.scan_status(&id)).await.map(Json)
}

pub(crate) async fn scan_archive(
    State(hub): State<Arc<Hub>>,
    Path(id): Path<String>,
    _publisher: Publisher,
) -> Result<Response, Refusal> {
    let scan = work(hub, move |hub| hub.scan_status(&id)).await?;
    Ok(answer::archive(scan_zip(&scan)))
}

pub(crate) async fn scan_archive_of(
    State(hub): State<Arc<Hub>>,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    publisher: Publisher,
) -> Result<Response, Refusal> {
    let wanted = named.wanted(&slug);
    let scan = work(hub, move |hub| hub.start_scan(&wanted, &named.pick(), &publisher.base)).await?;
    Ok(answer::archive(scan_zip(&scan)))
}

/// A scan as files: what was scanned, and what was found.
fn scan_zip(scan: &ScanAnswer) -> Archive {
    let manifest = ScanAnswer { report: None, ..scan.clone() };
    let file = |path: &str, bytes: Result<Vec<u8>, serde_json::Error>| BundleFile {
        path: path.to_owned(),
        bytes: bytes.unwrap_or_default(),
        executable: false,
    };
    let files = vec![
        file("manifest.json", serde_json::to_vec_pretty(&manifest)),
        file("report.json", serde_json::to_vec_pretty(&scan.report)),
    ];
    let bytes = prowess_fs::archive::pack_zip(&Bundle { files });
    Archive { name: format!("scan-{}.zip", scan.scan_id), sha256: prowess_fs::sha256_hex(&bytes), bytes }
}

pub(crate) async fn whoami(publisher: Publisher) -> Json<WhoamiAnswer> {
    Json(login::whoami(&publisher.handle))
}

pub(crate) async fn offers(
    State(hub): State<Arc<Hub>>,
    Path(direction): Path<String>,
    publisher: Publisher,
) -> Answer<TransferList> {
    let direction = match direction.as_str() {
        "incoming" => Direction::Incoming,
        "outgoing" => Direction::Outgoing,
        _ => return Err(Refusal::not_found("Not found")),
    };
    work(hub, move |hub| hub.offers(&publisher.handle, direction)).await.map(Json)
}
