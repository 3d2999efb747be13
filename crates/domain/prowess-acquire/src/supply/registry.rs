//! The choice of the registry, its network reach, and its token.

use prowess_config::Env;
use prowess_context::Context;
use prowess_net::{Client, NetError, NetworkReach};
use prowess_registry::{BaseChoice, DEFAULT_REGISTRY, is_same_origin};
use prowess_scan::{HostKind, classify_host};
use prowess_types::Secret;

use super::SupplyOptions;
use super::login::Login;

/// The variables that may hold a token.
const TOKENS: [&str; 3] = ["PROWESS_REGISTRY_TOKEN", "CLAWHUB_TOKEN", "CLAWDHUB_TOKEN"];

/// The registry that is asked.
pub(super) struct Chosen {
    pub(super) base: String,
    /// The network reach that it needs.
    pub(super) reach: NetworkReach,
    pub(super) token: Option<Secret>,
}

/// Returns true if the user has named a registry, or has logged in to one.
pub fn names_registry(context: &Context) -> bool {
    let choice = BaseChoice::from_environment(|name| context.env().trimmed(name).map(str::to_owned));
    let login = super::login(context).unwrap_or_default();
    choice.environment.is_some()
        || choice.site.is_some()
        || context.config().registry().is_some()
        || login.registry.is_some()
        || login.token.is_some()
}

/// Chooses the registry. `open` makes a client that reaches so far.
pub(super) fn choose(
    context: &Context,
    options: &SupplyOptions,
    open: impl Fn(NetworkReach) -> Result<Client, NetError>,
) -> Result<Chosen, NetError> {
    let env = context.env();
    // A file that is not a login counts as none; logging in reports it.
    let login = super::login(context).unwrap_or_default();
    let mut choice = BaseChoice {
        argument: options.registry.clone(),
        ..BaseChoice::from_environment(|name| env.trimmed(name).map(str::to_owned))
    };
    choice.site = options.site.clone().or(choice.site);
    choice.config = context.config().registry().or_else(|| login.registry.clone());
    let (base, reach) = match (choice.named(), &choice.site) {
        (Some(base), _) => (base.clone(), reach_of(&base)),
        // The registry that a site names does not reach further than the site itself.
        (None, Some(site)) => match choice.discovered(&open(reach_of(site))?) {
            Some(base) => (base, reach_of(site)),
            None => (choice.usual(), reach_of(&choice.usual())),
        },
        (None, None) => (choice.usual(), reach_of(&choice.usual())),
    };
    let token = token(env, choice.environment.as_deref(), login, &base);
    Ok(Chosen { base, reach, token })
}

/// The token for a registry. One that belongs to another registry stays here.
fn token(env: &Env, named: Option<&str>, login: Login, base: &str) -> Option<Secret> {
    let from_environment = TOKENS.iter().find_map(|name| env.trimmed(name));
    let is_meant = named.is_none_or(|named| is_same_origin(named, base));
    let saved = || {
        let registry = login.registry.as_deref().unwrap_or(DEFAULT_REGISTRY);
        login.token.clone().filter(|_| is_same_origin(registry, base))
    };
    from_environment.filter(|_| is_meant).map(Secret::new).or_else(saved)
}

/// Returns the network reach that an address needs.
pub(super) fn reach_of(address: &str) -> NetworkReach {
    // A file is not asked for over a network.
    let Some(host) = prowess_net::host_of(address) else { return NetworkReach::Public };
    match classify_host(&host) {
        HostKind::Private if host == "localhost" || host == "::1" || host.starts_with("127.") => {
            NetworkReach::Loopback
        }
        HostKind::Private => NetworkReach::Anywhere,
        _ => NetworkReach::Public,
    }
}

pub(super) fn wider(one: NetworkReach, other: NetworkReach) -> NetworkReach {
    match (one, other) {
        (NetworkReach::Anywhere, _) | (_, NetworkReach::Anywhere) => NetworkReach::Anywhere,
        (NetworkReach::Loopback, _) | (_, NetworkReach::Loopback) => NetworkReach::Loopback,
        _ => NetworkReach::Public,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_an_address_is() {
        let table = [
            ("https://clawhub.ai", NetworkReach::Public),
            ("http://127.0.0.1:8080/x", NetworkReach::Loopback),
            ("http://localhost", NetworkReach::Loopback),
            ("http://[::1]:80/", NetworkReach::Loopback),
            ("https://10.0.0.7/skills", NetworkReach::Anywhere),
            ("ssh://git@10.0.0.7:22/skills", NetworkReach::Anywhere),
            ("http://[fd00::1]/", NetworkReach::Anywhere),
            ("https://hub.corp", NetworkReach::Anywhere),
            ("git+file:///srv/skills", NetworkReach::Public),
            ("./folder", NetworkReach::Public),
            ("weather", NetworkReach::Public),
        ];
        for (address, reach) in table {
            assert_eq!(reach_of(address), reach, "{address}");
        }
    }

    #[test]
    fn a_token_stays_with_its_registry() {
        let env = |vars: &[(&str, &str)]| {
            let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Env::new(vars, "/")
        };
        let saved = |registry: Option<&str>| Login {
            registry: registry.map(str::to_owned),
            token: Some(Secret::new("saved")),
        };
        let table = [
            (env(&[]), None, saved(None), DEFAULT_REGISTRY, Some("saved")),
            (env(&[]), None, saved(None), "https://other.example", None),
            (env(&[]), None, saved(Some("https://own.example/a")), "https://own.example/b", Some("saved")),
            (env(&[]), None, saved(Some("https://own.example")), "http://own.example", None),
            (env(&[]), None, saved(Some("https://own.example")), "https://own.example.evil.example", None),
            (env(&[("CLAWHUB_TOKEN", "t")]), None, saved(None), "https://own.example", Some("t")),
            (
                env(&[("CLAWHUB_TOKEN", "t"), ("PROWESS_REGISTRY_TOKEN", "p")]),
                None,
                Login::default(),
                DEFAULT_REGISTRY,
                Some("p"),
            ),
            (
                env(&[("CLAWHUB_TOKEN", "t")]),
                Some("https://own.example"),
                saved(None),
                "https://other.example",
                None,
            ),
            (
                env(&[("CLAWHUB_TOKEN", "t")]),
                Some("https://own.example"),
                saved(None),
                DEFAULT_REGISTRY,
                Some("saved"),
            ),
        ];
        for (env, named, login, base, expected) in table {
            let token = token(&env, named, login, base);
            assert_eq!(token.as_ref().map(Secret::expose), expected, "{base}");
        }
    }
}
