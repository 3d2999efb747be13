//! A client for servers of this machine, and a toy archive.

use std::path::Path;

use prowess_net::{Client, NetOptions, NetworkReach};
use prowess_registry::{GitOptions, RegistryClient, SourceContext};
use prowess_types::{Bundle, BundleFile};

/// A client for servers of this machine, which asks once.
pub(crate) fn http() -> Client {
    Client::new(NetOptions { reach: NetworkReach::Loopback, retries: 0, ..NetOptions::default() })
        .expect("a client")
}

/// An archive for tests: a JSON object of paths and texts.
pub(crate) fn unpack(bytes: &[u8], _name: &str) -> Result<Bundle, String> {
    let files: std::collections::BTreeMap<String, String> =
        serde_json::from_slice(bytes).map_err(|_| "it is damaged".to_owned())?;
    let file =
        |(path, text): (String, String)| BundleFile { path, bytes: text.into_bytes(), executable: false };
    Ok(Bundle { files: files.into_iter().map(file).collect() })
}

/// The paths of a bundle.
pub(crate) fn paths(bundle: &Bundle) -> Vec<&str> {
    bundle.files.iter().map(|file| file.path.as_str()).collect()
}

/// Calls with everything a fetch needs, against a registry at `base`.
pub(crate) fn with_context<T>(base: &str, folder: &Path, call: impl FnOnce(&SourceContext<'_>) -> T) -> T {
    let http = http();
    let registry = RegistryClient::new(&http, base, None);
    let environment = [("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())];
    let mut git = GitOptions::new(Path::new("git"), &environment);
    git.allow_local = true;
    call(&SourceContext {
        registry: &registry,
        http: &http,
        unpack: &unpack,
        git,
        folder,
        home: Some(folder),
    })
}
