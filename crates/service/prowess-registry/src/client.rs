//! Asking a registry.
//!
//! Every method is one row of the interface. A refusal is a [`RegistryError`] that says what a user can do, in
//! the server's own words where it has any. The token goes to the registry and to nobody else.

mod base;
mod device;
mod error;
mod publish;

pub use base::{BaseChoice, DEFAULT_REGISTRY};
pub use device::DeviceAnswer;
pub use error::{ModerationStatus, RateLimit, RegistryError};
pub use publish::Publication;

use std::fmt;
use std::time::Duration;

use prowess_net::{Client, HttpMethod, RequestBuilder, Response};
use prowess_text::{percent_encode, percent_encode_path};
use prowess_types::Secret;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::address::{is_same_origin, with_query};
use crate::ask::ask;
use crate::names::{MAX_BUNDLE_BYTES, MAX_FILE_BYTES};
use crate::protocol::{
    DoneAnswer, InstallAnswer, ModerationAnswer, ResolveAnswer, SearchAnswer, SecurityVerdicts,
    SecurityVerdictsRequest, SkillDetail, SkillList, StarAnswer, UnstarAnswer, VerifyAnswer, VersionAnswer,
    VersionList, WhoamiAnswer,
};

/// The time limit of a large transfer.
const TRANSFER_TIME: Duration = Duration::from_mins(2);

/// A registry, and who asks it.
pub struct RegistryClient<'a> {
    http: &'a Client,
    base: String,
    token: Option<Secret>,
}

impl fmt::Debug for RegistryClient<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegistryClient").field("base", &self.base).finish_non_exhaustive()
    }
}

/// A skill of a registry, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillId<'a> {
    /// The slug.
    pub slug: &'a str,
    /// The owner, where several have such a slug.
    pub owner: Option<&'a str>,
}

impl fmt::Display for SkillId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Some(owner) => write!(f, "@{owner}/{}", self.slug),
            None => f.write_str(self.slug),
        }
    }
}

/// What to search for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery<'a> {
    /// The words.
    pub text: &'a str,
    /// How many at most; the server's choice when absent.
    pub limit: Option<u32>,
    /// Only skills of exactly that name.
    pub exact: bool,
    /// Only skills the registry shows off.
    pub only_highlighted: bool,
    /// Nothing the registry is suspicious of.
    pub without_suspicious: bool,
}

/// Which page of all skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListQuery<'a> {
    /// How many at most, 1 to 200.
    pub limit: Option<u32>,
    /// The end of the previous page.
    pub cursor: Option<&'a str>,
    /// `updated`, `createdAt`, `downloads`, `stars`, `name`, `trending` and what else the server knows.
    pub sort: Option<&'a str>,
    /// Only slugs that begin so, in their order.
    pub prefix: Option<&'a str>,
}

impl<'a> RegistryClient<'a> {
    /// A registry at a base address, to which `/api/v1/…` is added.
    pub fn new(http: &'a Client, base: &str, token: Option<Secret>) -> Self {
        Self {
            http,
            base: base.trim_end_matches('/').to_owned(),
            token: token.filter(|token| !token.is_blank()),
        }
    }

    /// The base address.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Skills that fit some words.
    pub fn search(&self, query: &SearchQuery<'_>) -> Result<SearchAnswer, RegistryError> {
        let limit = query.limit.map(|limit| limit.to_string());
        let flag = |is_on: bool| is_on.then_some("1");
        let query = [
            ("q", Some(query.text)),
            ("limit", limit.as_deref()),
            ("mode", query.exact.then_some("exact")),
            ("highlightedOnly", flag(query.only_highlighted)),
            ("nonSuspiciousOnly", flag(query.without_suspicious)),
        ];
        self.get("search", &query)
    }

    /// A page of all skills.
    pub fn list(&self, query: &ListQuery<'_>) -> Result<SkillList, RegistryError> {
        let limit = query.limit.map(|limit| limit.clamp(1, 200).to_string());
        let query = [
            ("limit", limit.as_deref()),
            ("cursor", query.cursor),
            ("sort", query.sort),
            ("prefix", query.prefix),
        ];
        self.get("skills", &query)
    }

    /// Everything about a skill.
    pub fn inspect(&self, skill: SkillId<'_>) -> Result<SkillDetail, RegistryError> {
        self.get(&format!("skills/{}", percent_encode(skill.slug)), &[("ownerHandle", skill.owner)])
    }

    /// A page of a skill's versions.
    pub fn versions(
        &self,
        skill: SkillId<'_>,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<VersionList, RegistryError> {
        let limit = limit.map(|limit| limit.to_string());
        let query = [("limit", limit.as_deref()), ("cursor", cursor), ("ownerHandle", skill.owner)];
        self.get(&format!("skills/{}/versions", percent_encode(skill.slug)), &query)
    }

    /// A version with its files.
    pub fn version(&self, skill: SkillId<'_>, version: &str) -> Result<VersionAnswer, RegistryError> {
        let path = format!("skills/{}/versions/{}", percent_encode(skill.slug), percent_encode(version));
        self.get(&path, &[("ownerHandle", skill.owner)])
    }

    /// One file of a version; of the latest when no version or tag is given.
    pub fn file(
        &self,
        skill: SkillId<'_>,
        path: &str,
        version: Option<&str>,
    ) -> Result<Vec<u8>, RegistryError> {
        let (version, tag) = version_or_tag(version);
        let query = [("path", Some(path)), ("version", version), ("tag", tag), ("ownerHandle", skill.owner)];
        let place = format!("skills/{}/file", percent_encode(skill.slug));
        let url = self.address(&place, &query);
        let request = self.request(HttpMethod::Get, &url).limit(MAX_FILE_BYTES);
        self.answer(&url, request).map(|response| response.body)
    }

    /// The archive of a version; of the latest when no version or tag is given.
    pub fn download(
        &self,
        skill: SkillId<'_>,
        version: Option<&str>,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, RegistryError> {
        let (version, tag) = version_or_tag(version);
        let query =
            [("slug", Some(skill.slug)), ("version", version), ("tag", tag), ("ownerHandle", skill.owner)];
        self.download_from(&self.address("download", &query), progress)
    }

    /// An archive from an address the registry gave.
    pub fn download_from(
        &self,
        url: &str,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, RegistryError> {
        // An archive of incompressible files is a little larger than they are.
        let limit = MAX_BUNDLE_BYTES + 1024 * 1024;
        let response =
            self.request(HttpMethod::Get, url).timeout(TRANSFER_TIME).limit(limit).download(progress)?;
        let response = if response.is_success() { response } else { self.without_token(response) };
        error::check(url, response).map(|response| response.body)
    }

    /// The version that has files of this fingerprint.
    pub fn resolve(&self, skill: SkillId<'_>, fingerprint: &str) -> Result<ResolveAnswer, RegistryError> {
        let query = [("slug", Some(skill.slug)), ("hash", Some(fingerprint)), ("ownerHandle", skill.owner)];
        self.get("resolve", &query)
    }

    /// How to get a skill that has no hosted version. Blocked, pending and gone skills are an answer here.
    pub fn install_plan(&self, skill: SkillId<'_>, force: bool) -> Result<InstallAnswer, RegistryError> {
        let query = [("forceInstall", force.then_some("1")), ("ownerHandle", skill.owner)];
        let url = self.address(&format!("skills/{}/install", percent_encode(skill.slug)), &query);
        let response = self.without_token(self.request(HttpMethod::Get, &url).send()?);
        if matches!(response.status, 403 | 409 | 410 | 423)
            && let Ok(refusal) = serde_json::from_slice(&response.body)
        {
            return Ok(refusal);
        }
        parse(&url, &error::check(&url, response)?)
    }

    /// What the registry thinks of a skill, and why.
    pub fn moderation(&self, skill: SkillId<'_>) -> Result<ModerationAnswer, RegistryError> {
        self.get(
            &format!("skills/{}/moderation", percent_encode(skill.slug)),
            &[("ownerHandle", skill.owner)],
        )
    }

    /// What the registry proves about a version.
    pub fn verify(&self, skill: SkillId<'_>, version: Option<&str>) -> Result<VerifyAnswer, RegistryError> {
        let (version, tag) = version_or_tag(version);
        let query = [("version", version), ("tag", tag), ("ownerHandle", skill.owner)];
        self.get(&format!("skills/{}/verify", percent_encode(skill.slug)), &query)
    }

    /// The verdicts on up to a hundred versions.
    pub fn verdicts(&self, questions: &SecurityVerdictsRequest) -> Result<SecurityVerdicts, RegistryError> {
        let url = self.address("skills/-/security-verdicts", &[]);
        let request = self.with_json(HttpMethod::Post, &url, questions)?.idempotent();
        parse(&url, &self.answer(&url, request)?)
    }

    /// Whose token it is.
    pub fn whoami(&self) -> Result<WhoamiAnswer, RegistryError> {
        self.get("whoami", &[])
    }

    /// Gives a skill a star.
    pub fn star(&self, skill: SkillId<'_>) -> Result<StarAnswer, RegistryError> {
        self.change(
            HttpMethod::Post,
            &format!("stars/{}", percent_encode(skill.slug)),
            skill.owner,
            None::<&()>,
        )
    }

    /// Takes the star back.
    pub fn unstar(&self, skill: SkillId<'_>) -> Result<UnstarAnswer, RegistryError> {
        self.change(
            HttpMethod::Delete,
            &format!("stars/{}", percent_encode(skill.slug)),
            skill.owner,
            None::<&()>,
        )
    }

    /// Changes a skill: `POST skills/{slug}/{action}`, such as `undelete`, `rename` or `tags/latest`.
    pub fn act(
        &self,
        skill: SkillId<'_>,
        action: &str,
        body: &impl Serialize,
    ) -> Result<DoneAnswer, RegistryError> {
        let path = format!("skills/{}/{}", percent_encode(skill.slug), percent_encode_path(action));
        self.change(HttpMethod::Post, &path, skill.owner, Some(body))
    }

    /// Deletes a skill, or one version of it.
    pub fn delete(&self, skill: SkillId<'_>, version: Option<&str>) -> Result<DoneAnswer, RegistryError> {
        let version =
            version.map(|version| format!("/versions/{}", percent_encode(version))).unwrap_or_default();
        let path = format!("skills/{}{version}", percent_encode(skill.slug));
        self.change(HttpMethod::Delete, &path, skill.owner, None::<&()>)
    }

    fn address(&self, path: &str, query: &[(&str, Option<&str>)]) -> String {
        with_query(&format!("{}/api/v1/{path}", self.base), query)
    }

    /// A request that carries the token only if it goes to the registry itself.
    fn request(&self, method: HttpMethod, url: &str) -> RequestBuilder<'a> {
        let request = ask(self.http, method, url);
        match self.token.as_ref().filter(|_| is_same_origin(&self.base, url)) {
            Some(token) => request.bearer(token),
            None => request,
        }
    }

    fn with_json(
        &self,
        method: HttpMethod,
        url: &str,
        body: &impl Serialize,
    ) -> Result<RequestBuilder<'a>, RegistryError> {
        let body = serde_json::to_vec(body)
            .map_err(|source| RegistryError::Answer { url: url.to_owned(), source })?;
        Ok(self.request(method, url).body(body, "application/json"))
    }

    fn answer(&self, url: &str, request: RequestBuilder<'_>) -> Result<Response, RegistryError> {
        error::check(url, self.without_token(request.send()?))
    }

    /// A server that repeats the token does not get it shown.
    fn without_token(&self, mut response: Response) -> Response {
        if let Some(token) = self.token.as_ref().map(|token| token.expose().trim().as_bytes())
            && response.body.windows(token.len()).any(|window| window == token)
        {
            let text = String::from_utf8_lossy(&response.body);
            response.body = text.replace(&*String::from_utf8_lossy(token), "[token]").into_bytes();
        }
        response
    }

    fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, Option<&str>)],
    ) -> Result<T, RegistryError> {
        let url = self.address(path, query);
        parse(&url, &self.answer(&url, self.request(HttpMethod::Get, &url))?)
    }

    /// A change that does no more when it is done twice.
    fn change<T: DeserializeOwned>(
        &self,
        method: HttpMethod,
        path: &str,
        owner: Option<&str>,
        body: Option<&impl Serialize>,
    ) -> Result<T, RegistryError> {
        let url = self.address(path, &[("ownerHandle", owner)]);
        let request = match body {
            Some(body) => self.with_json(method, &url, body)?,
            None => self.request(method, &url),
        };
        parse(&url, &self.answer(&url, request.idempotent())?)
    }
}

fn parse<T: DeserializeOwned>(url: &str, response: &Response) -> Result<T, RegistryError> {
    serde_json::from_slice(&response.body)
        .map_err(|source| RegistryError::Answer { url: url.to_owned(), source })
}

/// A full version goes by its number, anything else is a tag.
fn version_or_tag(text: Option<&str>) -> (Option<&str>, Option<&str>) {
    match text {
        Some(version) if semver::Version::parse(version).is_ok() => (Some(version), None),
        tag => (None, tag),
    }
}
