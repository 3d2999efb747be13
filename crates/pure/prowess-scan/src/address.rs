//! Addresses: what host they really name, and how far it can be trusted.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::network::{AddressKind, kind_of};

/// The parts of an address that matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address<'a> {
    pub(crate) scheme: &'a str,
    pub(crate) user: Option<&'a str>,
    pub(crate) host: &'a str,
    pub(crate) path: &'a str,
}

impl<'a> Address<'a> {
    /// Splits an address that names a scheme.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let scheme =
            scheme.rsplit(|char: char| !(char.is_ascii_alphanumeric() || "+.-".contains(char))).next()?;
        let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, authority),
        };
        let host = match place.strip_prefix('[') {
            Some(inner) => inner.split(']').next()?,
            None => place.rsplit_once(':').map_or(place, |(host, _)| host),
        };
        (!scheme.is_empty()).then_some(Self { scheme, user, host, path })
    }
}

/// All addresses in a text, as written.
pub(crate) fn addresses(text: &str) -> impl Iterator<Item = Address<'_>> {
    text.match_indices("://").filter_map(|(at, _)| {
        let start = text[..at]
            .rfind(|char: char| !char.is_ascii_alphanumeric())
            .map_or(0, |end| end + text[end..].chars().next().map_or(1, char::len_utf8));
        let rest = text.as_bytes()[at + 3..].iter().take(2048);
        let is_part = |byte: &u8| byte.is_ascii_graphic() && !b"\"'`<>)|,;}".contains(byte);
        let end = at + 3 + rest.take_while(|byte| is_part(byte)).count();
        Address::parse(text[start..end].trim_end_matches(['.', ':', '*', ']']))
    })
}

/// What a host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostKind {
    /// A name in the public tree.
    Name,
    /// A public address without a name.
    Bare,
    /// This machine, its network, or something only they can see.
    Private,
    /// An address written in a way that checks overlook.
    Disguised,
}

/// Classifies a host as it is written, before anything has read it.
///
/// ```
/// use prowess_scan::{HostKind, classify_host};
/// assert_eq!(classify_host("example.org"), HostKind::Name);
/// assert_eq!(classify_host("0x7f.1"), HostKind::Disguised);
/// assert_eq!(classify_host("169.254.169.254"), HostKind::Private);
/// ```
pub fn classify(host: &str) -> HostKind {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return if is_private(address.into()) { HostKind::Private } else { HostKind::Bare };
    }
    if host.contains(':') {
        let address = host.split('%').next().and_then(|text| text.parse::<Ipv6Addr>().ok());
        return address.map_or(HostKind::Disguised, |address| {
            if is_private(address.into()) { HostKind::Private } else { HostKind::Bare }
        });
    }
    let numeric = |part: &str| {
        !part.is_empty()
            && (part.bytes().all(|byte| byte.is_ascii_digit())
                || part
                    .strip_prefix("0x")
                    .is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit())))
    };
    if host.rsplit('.').next().is_some_and(numeric) {
        return HostKind::Disguised;
    }
    let local = ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "localdomain", "arpa"];
    let tail = host.rsplit('.').next().unwrap_or("");
    if !host.contains('.')
        || local.contains(&tail)
        || ["nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me"].iter().any(|name| host.ends_with(name))
    {
        return HostKind::Private;
    }
    HostKind::Name
}

/// Returns true if an address leads to this machine, its network, or nobody.
fn is_private(address: IpAddr) -> bool {
    !matches!(kind_of(address), AddressKind::Public | AddressKind::Documentation)
}

/// Returns true if an address is on the public internet, and is not a version-4 address in the shape of version 6.
///
/// ```
/// assert!(prowess_scan::is_public("192.88.98.1".parse()?));
/// assert!(!prowess_scan::is_public("100.64.0.1".parse()?));
/// assert!(!prowess_scan::is_public("::ffff:8.8.8.8".parse()?));
/// # Ok::<(), core::net::AddrParseError>(())
/// ```
pub fn is_public(address: IpAddr) -> bool {
    let is_mapped = matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some());
    !is_mapped && !is_private(address)
}

/// Returns true if a host is only reachable from here.
pub(crate) fn is_local(host: &str) -> bool {
    classify(host) == HostKind::Private || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns the registrable part of a host, roughly: two labels, or three below a two-letter country.
pub(crate) fn registered(host: &str) -> &str {
    let host = host.trim_end_matches('.');
    let mut dots = host.rmatch_indices('.').map(|(at, _)| at);
    let (last, second) = (dots.next(), dots.next());
    let (Some(last), Some(second)) = (last, second) else { return host };
    let is_country = host.len() - last == 3 && last - second <= 4;
    let cut = if is_country { dots.next() } else { Some(second) };
    cut.map_or(host, |at| &host[at + 1..])
}

/// Hosts that publish installers of well-known programs.
const VENDORS: &[&str] = &[
    "rustup.rs",
    "astral.sh",
    "bun.sh",
    "deno.land",
    "deno.com",
    "nodesource.com",
    "brew.sh",
    "get.docker.com",
    "docker.com",
    "ollama.com",
    "ollama.ai",
    "tailscale.com",
    "rclone.org",
    "fly.io",
    "aka.ms",
    "microsoft.com",
    "cursor.com",
    "claude.ai",
    "anthropic.com",
    "openai.com",
    "opencode.ai",
    "opencode.dev",
    "foundry.paradigm.xyz",
    "get.pnpm.io",
    "install.python-poetry.org",
    "python-poetry.org",
    "pixi.sh",
    "mise.run",
    "mise.jdx.dev",
    "nixos.org",
    "determinate.systems",
    "get.sdkman.io",
    "sdkman.io",
    "volta.sh",
    "railway.app",
    "railway.com",
    "supabase.com",
    "vercel.com",
    "netlify.com",
    "cloudflare.com",
    "google.com",
    "googleapis.com",
    "sdk.cloud.google.com",
    "amazonaws.com",
    "aws.amazon.com",
    "hashicorp.com",
    "k3s.io",
    "helm.sh",
    "get.helm.sh",
    "starship.rs",
    "atuin.sh",
    "zoxide.dev",
    "ohmyz.sh",
    "dot.net",
    "dotnet.microsoft.com",
    "install.julialang.org",
    "haskell.org",
    "ghcup.haskell.org",
    "opam.ocaml.org",
    "proton.me",
    "1password.com",
    "bitwarden.com",
    "openclaw.ai",
    "openclaw.bot",
    "clawhub.ai",
    "clawhub.com",
    "clawd.bot",
    "molt.bot",
    "solana.com",
    "release.solana.com",
    "release.anza.xyz",
    "sui.io",
    "aptos.dev",
    "starkup.sh",
    "starknet.io",
    "replit.com",
    "warp.dev",
    "pulumi.com",
    "temporal.io",
    "influxdata.com",
    "grafana.com",
    "elastic.co",
    "datadoghq.com",
    "sentry.io",
    "posthog.com",
    "modal.com",
    "huggingface.co",
    "hf.co",
    "babashka.org",
    "rvm.io",
    "cli.github.com",
    "gitlab.com",
    "dagger.io",
    "encore.dev",
    "wasmer.io",
    "wasmtime.dev",
    "fermyon.com",
    "moonrepo.dev",
    "proto.moonrepo.dev",
    "ngrok.com",
    "speedtest.net",
    "inference.sh",
];

/// Hosts of well-known publishers where anybody can leave a file.
const SHARED: &[&str] =
    &["drive.google.com", "docs.google.com", "sites.google.com", "drive.usercontent.google.com"];

/// Registries of packages and their mirrors.
const REGISTRIES: &[&str] = &[
    "pypi.org",
    "pythonhosted.org",
    "download.pytorch.org",
    "pypi.nvidia.com",
    "pypi.tuna.tsinghua.edu.cn",
    "mirrors.aliyun.com",
    "mirrors.cloud.tencent.com",
    "pypi.douban.com",
    "pypi.mirrors.ustc.edu.cn",
    "registry.npmjs.org",
    "registry.npmmirror.com",
    "registry.yarnpkg.com",
    "npm.pkg.github.com",
    "jsr.io",
    "rubygems.org",
    "crates.io",
    "proxy.golang.org",
    "goproxy.cn",
    "goproxy.io",
    "conda.anaconda.org",
    "repo.anaconda.com",
    "esm.sh",
    "cdn.jsdelivr.net",
    "unpkg.com",
];

/// Organisations on GitHub whose installers are well known.
const VENDOR_OWNERS: &[&str] = &[
    "homebrew",
    "nvm-sh",
    "ohmyzsh",
    "astral-sh",
    "denoland",
    "oven-sh",
    "rust-lang",
    "nodejs",
    "python",
    "golang",
    "docker",
    "anthropics",
    "openai",
    "openclaw",
    "clawdbot",
    "moltbot",
    "microsoft",
    "google",
    "googlecloudplatform",
    "aws",
    "hashicorp",
    "kubernetes",
    "helm",
    "cli",
    "github",
    "babashka",
    "pyenv",
    "rbenv",
    "asdf-vm",
    "junegunn",
    "yt-dlp",
    "charmbracelet",
    "steipete",
    "ollama",
    "vercel",
    "supabase",
    "cloudflare",
    "foundry-rs",
    "leanprover",
    "jesseduffield",
    "sharkdp",
    "burntsushi",
    "aquasecurity",
    "anchore",
    "goreleaser",
    "golangci",
    "k3d-io",
    "rancher",
    "tailscale",
    "superfly",
    "block",
    "sst",
    "letta-ai",
];

/// How far the source of a download can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// A registry or mirror of packages.
    Registry,
    /// A well-known publisher.
    Vendor,
    /// The project that the skill itself belongs to, by name or homepage.
    Own,
    /// A repository of somebody on a public forge.
    Forge,
    /// Anybody.
    Unknown,
}

/// Judges the source of a download.
pub(crate) fn trust(address: &Address<'_>, name: &str, homepage: Option<&str>) -> Trust {
    let host = address.host.to_ascii_lowercase();
    if classify(&host) != HostKind::Name
        || address.user.is_some()
        || address.scheme.eq_ignore_ascii_case("http")
    {
        return Trust::Unknown;
    }
    let under =
        |known: &str| host == known || host.strip_suffix(known).is_some_and(|rest| rest.ends_with('.'));
    if REGISTRIES.iter().any(|known| under(known)) {
        return Trust::Registry;
    }
    if SHARED.iter().any(|known| under(known)) {
        return Trust::Unknown;
    }
    if VENDORS.iter().any(|known| under(known)) {
        return Trust::Vendor;
    }
    let is_forge =
        ["github.com", "raw.githubusercontent.com", "codeload.github.com", "gitlab.com", "codeberg.org"]
            .contains(&host.as_str());
    let mut segments = address.path.split('/').filter(|part| !part.is_empty());
    let (owner, repository) = (segments.next().unwrap_or(""), segments.next().unwrap_or(""));
    if is_forge && VENDOR_OWNERS.contains(&owner.to_ascii_lowercase().as_str()) {
        return Trust::Vendor;
    }
    let home = homepage.and_then(Address::parse);
    let name = squeeze(name);
    if is_forge {
        let same_owner = home.as_ref().is_some_and(|home| {
            home.path
                .split('/')
                .find(|part| !part.is_empty())
                .is_some_and(|part| part.eq_ignore_ascii_case(owner))
        });
        let repository = squeeze(repository);
        let same_name = repository.len() > 3
            && name.len() > 3
            && (repository.contains(&name) || name.contains(&repository));
        return if same_owner || same_name { Trust::Own } else { Trust::Forge };
    }
    let site = registered(&host);
    let same_home = home.is_some_and(|home| registered(&home.host.to_ascii_lowercase()) == site);
    let label = squeeze(site.split('.').next().unwrap_or(""));
    let whole = squeeze(site);
    let same_name = label.len() > 3 && (name.contains(&label) || name == whole);
    if same_home || same_name { Trust::Own } else { Trust::Unknown }
}

/// Letters and digits only, in lower case.
pub(crate) fn squeeze(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|char| char.to_ascii_lowercase()).collect()
}
