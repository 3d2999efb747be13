//! The facts that the guard collected about a request, for its handlers.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Hub;
use crate::hub::{Pick, Wanted};
use crate::refusal::Refusal;

/// A request that passed the guard.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// The address by which the client reaches this registry, without a slash at the end.
    pub(crate) base: String,
    /// The account of the token, if there is one.
    pub(crate) handle: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Visit {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Refusal> {
        parts.extensions.get::<Self>().cloned().ok_or_else(Refusal::unauthorized)
    }
}

/// A request with a token. All others are refused before the body is read.
#[derive(Clone, Debug)]
pub(crate) struct Publisher {
    pub(crate) base: String,
    pub(crate) handle: String,
}

impl<S: Sync> FromRequestParts<S> for Publisher {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Visit { base, handle } = Visit::from_request_parts(parts, state).await?;
        Ok(Self { base, handle: handle.ok_or_else(Refusal::unauthorized)? })
    }
}

/// The skill and the version, in the query.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Named {
    pub(crate) slug: Option<String>,
    pub(crate) owner_handle: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) tag: Option<String>,
}

impl Named {
    pub(crate) fn wanted(&self, slug: &str) -> Wanted {
        Wanted::new(slug, self.owner_handle.as_deref())
    }

    /// The skill, where its slug is in the query too.
    pub(crate) fn wanted_here(&self) -> Result<Wanted, Refusal> {
        let slug = self.slug.as_deref().filter(|slug| !slug.trim().is_empty());
        Ok(self.wanted(slug.ok_or_else(|| Refusal::bad("`slug` is missing"))?))
    }

    pub(crate) fn pick(&self) -> Pick {
        Pick::new(self.version.clone(), self.tag.clone())
    }
}

/// The owner in a body, beside what else is there.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnerHint {
    #[serde(default)]
    pub(crate) owner_handle: Option<String>,
    #[serde(default)]
    pub(crate) target_owner_handle: Option<String>,
}

/// Reads a body in JSON.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("The body cannot be understood: {error}")))
}

/// The owner that a body or the query names. Clients send no body where there is nothing to say.
pub(crate) fn owner_in(body: &[u8], query: &Named) -> Result<OwnerHint, Refusal> {
    let hint: OwnerHint = if body.is_empty() { OwnerHint::default() } else { parse(body)? };
    Ok(OwnerHint { owner_handle: hint.owner_handle.or_else(|| query.owner_handle.clone()), ..hint })
}

/// Does what may take a while beside the threads that serve.
pub(crate) async fn work<T: Send + 'static>(
    hub: Arc<Hub>,
    job: impl FnOnce(&Hub) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let note = hub.options.note.clone();
    let done = tokio::task::spawn_blocking(move || job(&hub)).await;
    let failed = || Refusal::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "The registry failed");
    let done = done.unwrap_or_else(|_| {
        note.say("a request could not be answered");
        Err(failed())
    });
    if let Err(Refusal::Broken(error)) = &done {
        note.say(&prowess_text::describe_error(error));
    }
    done
}
