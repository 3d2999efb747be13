//! The sources of skills: one guarded way to registries, repositories, archives and sites.

mod declared;
mod installed;
mod login;
mod publication;
mod registry;

pub use declared::declared_license;
pub use installed::{RegistrySkill, installed_from_registries};
pub use login::{Login, LoginError, forget_login, login, login_file, save_login};
pub use publication::{
    NotPublished, PublicationFile, PublishError, PublishOptions, PublishPlan, PublishState,
};
pub use registry::names_registry;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use prowess_config::ChildEnvironment;
use prowess_context::Context;
use prowess_fs::archive::{ArchiveKind, ArchiveOptions, read_bundle};
use prowess_net::{Client, NetError, NetOptions, NetworkReach};
use prowess_registry::{
    Fetched, GitOptions, GitReference, RegistryClient, SourceContext, SourceError, SourceReference, fetch,
};
use prowess_types::{Bundle, Secret};

use registry::{reach_of, wider};

/// Options of a supply.
#[derive(Clone, Debug, Default)]
pub struct SupplyOptions {
    /// The registry, as named by the user for this one time.
    pub registry: Option<String>,
    /// A site that says where its registry is.
    pub site: Option<String>,
    /// Addresses that the user wrote: a machine inside the own network may be asked only when it is among them.
    pub written: Vec<String>,
    /// The cancellation flag.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The timeout of a response, without a retry; the default if it is not set.
    pub patience: Option<Duration>,
}

/// An open way to registries and other sources.
#[derive(Debug)]
pub struct Supply {
    http: Client,
    base: String,
    token: Option<Secret>,
    git_environment: Vec<(String, String)>,
    /// Repositories on this machine that the user named.
    local_repositories: Vec<String>,
    folder: PathBuf,
    home: Option<PathBuf>,
}

impl Supply {
    /// Opens the way to registries and other sources.
    ///
    /// The registry is the one that is named for this one time, by an argument or the environment; else what the
    /// site says; else `skills.registry` of the user's config; else the one that was logged in to; else the usual
    /// one.
    pub fn open(context: &Context, options: &SupplyOptions) -> Result<Self, NetError> {
        let env = context.env();
        let chosen = registry::choose(context, options, |reach| open(reach, options, context))?;
        let reach = options.written.iter().map(|address| reach_of(address)).fold(chosen.reach, wider);
        Ok(Self {
            http: open(reach, options, context)?,
            base: chosen.base,
            token: chosen.token,
            git_environment: ChildEnvironment::Git.select(env),
            local_repositories: options.written.iter().filter_map(|text| local_repository(text)).collect(),
            folder: env.cwd().to_owned(),
            home: env.trimmed("HOME").map(PathBuf::from),
        })
    }
}

fn open(reach: NetworkReach, options: &SupplyOptions, context: &Context) -> Result<Client, NetError> {
    let mut net = NetOptions {
        reach,
        allow_http: reach == NetworkReach::Anywhere,
        proxy: context.proxy(),
        ..NetOptions::default()
    };
    if let Some(patience) = options.patience {
        net.retries = 0;
        for limit in [
            &mut net.connect_timeout,
            &mut net.attempt_timeout,
            &mut net.total_timeout,
            &mut net.idle_timeout,
        ] {
            *limit = patience.min(*limit);
        }
    }
    let client = Client::new(net)?;
    Ok(match &options.cancel {
        Some(flag) => client.cancelled_by(Arc::clone(flag)),
        None => client,
    })
}

/// The repository on this machine that a reference names.
fn local_repository(text: &str) -> Option<String> {
    let Ok(SourceReference::Git(GitReference { repository, .. })) = SourceReference::parse(text) else {
        return None;
    };
    Some(repository.url()).filter(|url| url.starts_with("file://"))
}

impl Supply {
    /// Returns the client of the registry, with its token.
    pub fn registry(&self) -> RegistryClient<'_> {
        RegistryClient::new(&self.http, &self.base, self.token.clone())
    }

    /// Returns the client for servers other than the registry.
    pub fn http(&self) -> &Client {
        &self.http
    }

    /// Returns the client of the registry with this token.
    pub fn registry_as(&self, token: Secret) -> RegistryClient<'_> {
        RegistryClient::new(&self.http, &self.base, Some(token))
    }

    /// Returns true if there is a token for the registry.
    pub fn is_logged_in(&self) -> bool {
        self.token.is_some()
    }

    /// Gets a skill as files in memory. `progress` hears how many bytes have come, and of how many if that is known.
    pub fn fetch(
        &self,
        reference: &SourceReference,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Fetched, SourceError> {
        let registry = self.registry();
        let check_host = |host: &str| self.http.check_host(host).map_err(|error| error.to_string());
        let mut git = GitOptions::new(Path::new("git"), &self.git_environment);
        git.check_host = Some(&check_host);
        git.allow_local = matches!(reference, SourceReference::Git(wanted)
            if self.local_repositories.contains(&wanted.repository.url()));
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

pub(crate) fn unpack(bytes: &[u8], name: &str) -> Result<Bundle, String> {
    let kind = ArchiveKind::detect(name, bytes).ok_or("it is not a supported archive")?;
    let options = ArchiveOptions { unwrap_single_root: true, ..ArchiveOptions::default() };
    read_bundle(bytes, kind, &options).map_err(|error| prowess_text::describe_error(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_url_is_a_repository_on_this_machine() {
        assert_eq!(
            local_repository("git+file:///srv/skills.git#main").as_deref(),
            Some("file:///srv/skills.git")
        );
        for other in
            ["owner/repo", "git+https://hub.example/x.git", "git+http://127.0.0.1/x.git", "./x", "weather"]
        {
            assert_eq!(local_repository(other), None, "{other}");
        }
    }
}
