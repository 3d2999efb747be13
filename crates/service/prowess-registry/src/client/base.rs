//! The choice of the registry.

use prowess_net::{Client, HttpMethod, Response};

use crate::ask::ask;
use crate::protocol::Discovery;

/// The registry nobody has to name.
pub const DEFAULT_REGISTRY: &str = "https://clawhub.ai";

/// Where a site says which registry it has, the current place first.
const DISCOVERY: [&str; 2] = ["/.well-known/clawhub.json", "/.well-known/clawdhub.json"];

/// Everything that may name a registry, the strongest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseChoice {
    /// Named on the command line.
    pub argument: Option<String>,
    /// Named in the environment.
    pub environment: Option<String>,
    /// A site that says where its registry is.
    pub site: Option<String>,
    /// Named in a config file.
    pub config: Option<String>,
}

impl BaseChoice {
    /// The part of the choice that the environment makes.
    pub fn from_environment(get: impl Fn(&str) -> Option<String>) -> Self {
        let first =
            |names: &[&str]| names.iter().filter_map(|name| get(name)).find(|value| !value.trim().is_empty());
        Self {
            environment: first(&["PROWESS_REGISTRY", "CLAWHUB_REGISTRY", "CLAWDHUB_REGISTRY"]),
            site: first(&["CLAWHUB_SITE", "CLAWDHUB_SITE"]),
            ..Self::default()
        }
    }

    /// The base address. A site is only asked when no registry is named, and a site that does not say anything
    /// leaves the choice to what comes after it.
    pub fn resolve(&self, http: &Client) -> String {
        self.named().or_else(|| self.discovered(http)).unwrap_or_else(|| self.usual())
    }

    /// The registry that is named for this one time.
    pub fn named(&self) -> Option<String> {
        tidy(self.argument.as_deref()).or_else(|| tidy(self.environment.as_deref()))
    }

    /// The registry that the site says it has.
    pub fn discovered(&self, http: &Client) -> Option<String> {
        discover(http, &tidy(self.site.as_deref())?)
    }

    /// The registry where nothing else is said.
    pub fn usual(&self) -> String {
        tidy(self.config.as_deref()).unwrap_or_else(|| DEFAULT_REGISTRY.to_owned())
    }
}

fn tidy(text: Option<&str>) -> Option<String> {
    let text = text?.trim().trim_end_matches('/');
    (!text.is_empty()).then(|| text.to_owned())
}

fn discover(http: &Client, site: &str) -> Option<String> {
    DISCOVERY.iter().find_map(|place| {
        let request = ask(http, HttpMethod::Get, &format!("{site}{place}")).limit(64 * 1024);
        let response = request.send().ok().filter(Response::is_success)?;
        let document: Discovery = serde_json::from_slice(&response.body).ok()?;
        let base = crate::address::join(&format!("{site}{place}"), &document.api_base)?;
        Some(base.trim_end_matches('/').to_owned())
    })
}
