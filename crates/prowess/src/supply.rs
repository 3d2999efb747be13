//! Where skills come from: one guarded way to registries, repositories, archives and sites.

mod http;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use prowess_fs::archive::{ArchiveKind, ArchiveOptions, read_bundle};
use prowess_net::{Client, NetError, NetOptions, Reach};
use prowess_registry::{
    BaseChoice, Fetched, GitOptions, Reference, RegistryClient, SourceContext, SourceError, fetch,
};
use prowess_scan::{Host, classify_host};
use prowess_types::{Bundle, Secret};

use crate::engine::Engine;
use http::NetHttp;

/// What git may see of the environment.
const GIT_VARIABLES: [&str; 8] =
    ["PATH", "HOME", "USER", "LANG", "LC_ALL", "SSH_AUTH_SOCK", "TMPDIR", "SYSTEMROOT"];

/// What a supply is opened with.
#[derive(Clone, Debug, Default)]
pub struct SupplyOptions {
    /// The registry, as named by the user for this one time.
    pub registry: Option<String>,
    /// A site that says where its registry is.
    pub site: Option<String>,
    /// Addresses that the user wrote: a machine inside the own network may be asked only when it is among them.
    pub written: Vec<String>,
    /// Set by somebody who does not want it any more.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// An open way to registries and other sources.
#[derive(Debug)]
pub struct Supply {
    http: NetHttp,
    base: String,
    token: Option<Secret>,
    git_environment: Vec<(String, String)>,
    folder: PathBuf,
    home: Option<PathBuf>,
}

impl Engine {
    /// Opens the way to registries and other sources.
    pub fn supply(&self, options: &SupplyOptions) -> Result<Supply, NetError> {
        let env = self.env();
        let choice = BaseChoice {
            argument: options.registry.clone(),
            site: options.site.clone(),
            ..BaseChoice::from_environment(|name| env.trimmed(name).map(str::to_owned))
        };
        let named = [&choice.argument, &choice.environment, &choice.site, &choice.config];
        let written = named.into_iter().flatten().chain(&options.written);
        let reach = written.map(|address| reach_of(address)).fold(Reach::Public, wider);
        let mut client =
            Client::new(NetOptions { reach, allow_http: reach == Reach::Anywhere, ..NetOptions::default() })?;
        if let Some(flag) = &options.cancel {
            client = client.cancelled_by(Arc::clone(flag));
        }
        let http = NetHttp::new(client);
        let base = choice.resolve(&http);
        let visible = |name: &&str| Some(((*name).to_owned(), env.get(name)?.to_owned()));
        Ok(Supply {
            http,
            base,
            token: None,
            git_environment: GIT_VARIABLES.iter().filter_map(visible).collect(),
            folder: env.cwd().to_owned(),
            home: env.trimmed("HOME").map(PathBuf::from),
        })
    }
}

impl Supply {
    /// The registry, and who asks it.
    pub fn registry(&self) -> RegistryClient<'_> {
        RegistryClient::new(&self.http, &self.base, self.token.clone())
    }

    /// Who asks servers other than the registry.
    #[cfg(feature = "learn")]
    pub(crate) fn http(&self) -> &dyn prowess_registry::Http {
        &self.http
    }

    /// Gets a skill as files in memory. `progress` hears how many bytes have come, and of how many if that is known.
    pub fn fetch(
        &self,
        reference: &Reference,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Fetched, SourceError> {
        let registry = self.registry();
        let check_host = |host: &str| self.http.check_host(host);
        let mut git = GitOptions::new(Path::new("git"), &self.git_environment);
        git.check_host = Some(&check_host);
        let context = SourceContext {
            registry: &registry,
            http: &self.http,
            unpack: &unpack,
            git,
            folder: &self.folder,
            home: self.home.as_deref(),
        };
        fetch(reference, &context, progress)
    }
}

fn unpack(bytes: &[u8], name: &str) -> Result<Bundle, String> {
    let kind = ArchiveKind::detect(name, bytes).ok_or("it is no archive that is known here")?;
    let options = ArchiveOptions { unwrap_single_root: true, ..ArchiveOptions::default() };
    read_bundle(bytes, kind, &options).map_err(|error| crate::describe_error(&error))
}

/// How far one must reach to ask an address.
fn reach_of(address: &str) -> Reach {
    let Some((_, rest)) = address.split_once("://") else { return Reach::Public };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host).trim_matches(['[', ']']);
    match classify_host(host) {
        Host::Private if host == "localhost" || host == "::1" || host.starts_with("127.") => Reach::Loopback,
        Host::Private => Reach::Anywhere,
        _ => Reach::Public,
    }
}

fn wider(one: Reach, other: Reach) -> Reach {
    match (one, other) {
        (Reach::Anywhere, _) | (_, Reach::Anywhere) => Reach::Anywhere,
        (Reach::Loopback, _) | (_, Reach::Loopback) => Reach::Loopback,
        _ => Reach::Public,
    }
}
