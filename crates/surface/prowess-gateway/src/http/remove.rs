//! `POST /api/gateway/skills/remove`: takes a managed or workspace skill away.
//!
//! The folders that may be changed are the server's own. What the request says about folders is compared with them and
//! decides nothing else. What is removed goes to the trash, so it can be brought back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use prowess::Engine;
use prowess_acquire::{AcquireError, AcquireOptions, InstallScope, TrashError};
use prowess_config::Place;
use prowess_context::RemoteError;
use prowess_text::describe_error;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::api::body;
use crate::access::{self, Caller};
use crate::refusal::Refusal;
use crate::state::Gateway;

/// What is to be removed, as `skills.status` told it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wish {
    skill_key: String,
    source: String,
    base_dir: String,
    #[serde(default)]
    workspace_dir: Option<String>,
    #[serde(default)]
    managed_skills_dir: Option<String>,
}

/// The removed entry.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Removal {
    /// True if it existed.
    removed: bool,
    removed_path: String,
    source: String,
    /// Its id in the trash.
    #[serde(skip_serializing_if = "Option::is_none")]
    trash_id: Option<String>,
}

/// The reason it was not removed.
#[derive(Debug)]
enum Refused {
    /// It may not be removed.
    Wish(String),
    /// It may, and could not be.
    Failed(String),
}

/// `POST /api/gateway/skills/remove`
pub(crate) async fn remove(
    State(gateway): State<Arc<Gateway>>,
    Extension(caller): Extension<Arc<Caller>>,
    request: Request,
) -> Response {
    if !caller.has(access::Scope::Admin) {
        let refusal = Refusal::missing_scope(access::Scope::Admin);
        return (StatusCode::FORBIDDEN, Json(json!({ "error": refusal.message }))).into_response();
    }
    let body = match body(&gateway, request).await {
        Ok(body) => body,
        Err(response) => return *response,
    };
    let wish: Wish = match serde_json::from_slice(&body) {
        Ok(wish) => wish,
        Err(error) => return answer(Err(Refused::Wish(format!("the request is not understood: {error}")))),
    };
    let removing = tokio::task::spawn_blocking(move || fulfil(&gateway, &wish));
    answer(
        removing
            .await
            .unwrap_or_else(|_| Err(Refused::Failed("the call failed inside the gateway".to_owned()))),
    )
}

fn answer(result: Result<Removal, Refused>) -> Response {
    match result {
        Ok(removal) => Json(json!({ "result": removal })).into_response(),
        Err(Refused::Wish(error)) => {
            (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response()
        }
        Err(Refused::Failed(error)) => {
            (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({ "error": error }))).into_response()
        }
    }
}

fn fulfil(gateway: &Gateway, wish: &Wish) -> Result<Removal, Refused> {
    let engine = gateway.live.engine();
    let label = |place| engine.profile().roots.iter().find(|root| root.place == place).map(|root| root.label);
    let removal = if label(Place::Managed) == Some(wish.source.as_str()) {
        remove_managed(gateway, &engine, wish)
    } else if label(Place::Workspace) == Some(wish.source.as_str()) {
        let agent = agent_of(&engine, wish)?;
        remove_here(gateway, &engine, wish, InstallScope::Workspace, Some(agent))
    } else {
        Err(Refused::Wish(format!(
            "skills of `{}` cannot be removed; only managed and workspace skills can",
            wish.source
        )))
    }?;
    gateway.live.refresh(prowess_fs::ChangeReason::Manual);
    tracing::info!(skill = %crate::log::shown(&wish.skill_key), removed = removal.removed, "skill removed");
    Ok(removal)
}

fn remove_managed(gateway: &Gateway, engine: &Engine, wish: &Wish) -> Result<Removal, Refused> {
    let own = engine.places().managed();
    let named = wish.managed_skills_dir.as_deref();
    if named.is_none_or(|named| is_same(Path::new(named), &own)) {
        return remove_here(gateway, engine, wish, InstallScope::Global, None);
    }
    let remote = engine.config().gateway().remote;
    let remote = remote.filter(|remote| named == Some(remote.managed_skills_dir.as_str()));
    let Some(remote) = remote else {
        return Err(Refused::Wish("the folder of managed skills is another one here".to_owned()));
    };
    let base = wish.base_dir.trim_end_matches('/');
    let inside = base.strip_prefix(remote.managed_skills_dir.trim_end_matches('/'));
    let name = inside.and_then(|inside| inside.strip_prefix('/'));
    let name = name.ok_or_else(|| Refused::Wish(format!("`{base}` is in no folder that may be changed")))?;
    let now = gateway.options.clock.now_ms();
    let removed = engine.remove_remote_skill(&remote, name, now).map_err(|error| match error {
        RemoteError::Name(_) | RemoteError::Refused { .. } => Refused::Wish(describe_error(&error)),
        error => Refused::Failed(error.to_string()),
    })?;
    Ok(Removal {
        removed: removed.was_there,
        removed_path: removed.path,
        source: wish.source.clone(),
        trash_id: removed.trash_id,
    })
}

fn remove_here(
    gateway: &Gateway,
    engine: &Engine,
    wish: &Wish,
    scope: InstallScope,
    agent: Option<String>,
) -> Result<Removal, Refused> {
    check_key(gateway, wish, agent.as_deref())?;
    let options = AcquireOptions { agent, scope, ..AcquireOptions::new(gateway.options.clock.clone()) };
    let desk = engine.acquire(options).map_err(failed)?;
    let removed = desk.remove_folder(Path::new(&wish.base_dir)).map_err(failed)?;
    Ok(Removal {
        removed: removed.trash_id.is_some(),
        removed_path: desk.folder().join(&removed.folder).to_string_lossy().into_owned(),
        source: wish.source.clone(),
        trash_id: removed.trash_id,
    })
}

/// A client whose list is old must not remove what took the place of a skill.
fn check_key(gateway: &Gateway, wish: &Wish, agent: Option<&str>) -> Result<(), Refused> {
    let view = gateway.live.view(agent).map_err(|error| Refused::Failed(describe_error(&error)))?;
    let report = view.inventory().status();
    let there = report.skills.iter().find(|skill| skill.base_dir == wish.base_dir);
    match there {
        Some(skill) if skill.skill_key != wish.skill_key => {
            Err(Refused::Wish(format!("`{}` holds the skill `{}`", wish.base_dir, skill.skill_key)))
        }
        _ => Ok(()),
    }
}

/// The agent that works in the workspace that was named; the default one if none was.
fn agent_of(engine: &Engine, wish: &Wish) -> Result<String, Refused> {
    let default = engine.config().agent(None).map_err(|error| Refused::Failed(error.to_string()))?.id;
    let Some(named) = wish.workspace_dir.as_deref().map(Path::new) else { return Ok(default) };
    let ids = std::iter::once(default).chain(engine.config().agent_ids());
    let works_there =
        |id: &String| engine.workspace(Some(id)).is_ok_and(|workspace: PathBuf| is_same(named, &workspace));
    ids.into_iter()
        .find(works_there)
        .ok_or_else(|| Refused::Wish("no agent works in this workspace".to_owned()))
}

fn is_same(named: &Path, own: &Path) -> bool {
    named == own || prowess_fs::real(own).is_some_and(|own| own == named)
}

fn failed(error: AcquireError) -> Refused {
    let text = describe_error(&error);
    match error {
        AcquireError::Trash(TrashError::Io { .. }) => Refused::Failed(text),
        AcquireError::Trash(_) => Refused::Wish(text),
        _ => Refused::Failed(text),
    }
}
