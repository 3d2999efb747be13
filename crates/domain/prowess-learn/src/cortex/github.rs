//! Repositories that may hold a skill, when the registry knows too little.

use prowess_net::{Client, HttpMethod};
use prowess_registry::ask;
use serde::Deserialize;

use super::offer::{Offer, OfferSource};

/// Repositories that are asked for.
const RESULTS: u32 = 10;
/// The maximum size of a response.
const MAX_BYTES: u64 = 4 << 20;

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    items: Vec<Repository>,
}

#[derive(Deserialize)]
struct Repository {
    full_name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    stargazers_count: u64,
    #[serde(default)]
    archived: bool,
}

/// Searches repositories for some words. The results are not reviewed.
pub(super) fn search(http: &Client, base: &str, keywords: &[String]) -> Result<Vec<Offer>, String> {
    let words: Vec<String> = keywords.iter().map(prowess_text::percent_encode).collect();
    let url = format!(
        "{}/search/repositories?q={}+skill+in:name,description,readme&sort=stars&per_page={RESULTS}",
        base.trim_end_matches('/'),
        words.join("+"),
    );
    let request = ask(http, HttpMethod::Get, &url).limit(MAX_BYTES);
    let response = request
        .header("accept", "application/vnd.github+json")
        .send()
        .map_err(|error| prowess_text::describe_error(&error))?;
    if !response.is_success() {
        return Err(format!("the search for repositories answered {}", response.status));
    }
    let answer: Answer = serde_json::from_slice(&response.body)
        .map_err(|error| format!("the search for repositories answered something else: {error}"))?;
    let is_name = |name: &str| {
        let plain = |part: &str| {
            !part.is_empty() && part.chars().all(|char| char.is_ascii_alphanumeric() || "._-".contains(char))
        };
        name.split_once('/').is_some_and(|(owner, repo)| plain(owner) && plain(repo))
    };
    let usable = answer.items.into_iter().filter(|found| !found.archived && is_name(&found.full_name));
    Ok(usable.map(offer).collect())
}

fn offer(found: Repository) -> Offer {
    Offer {
        reference: found.full_name.clone(),
        slug: found.full_name.clone(),
        name: found.full_name,
        description: found.description,
        source: OfferSource::Github,
        reviewed: false,
        version: None,
        stars: Some(found.stargazers_count),
        downloads: None,
        verdict: None,
        relevance: None,
        history: None,
    }
}
