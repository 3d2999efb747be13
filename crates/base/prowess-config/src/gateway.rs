//! Settings of the gateway.

use std::net::{IpAddr, Ipv4Addr};

use prowess_types::Secret;
use serde_json::Value;

use crate::api_key::ApiKey;
use crate::{Config, value};

/// The port at which OpenClaw's clients look for a gateway.
pub const DEFAULT_PORT: u16 = 18789;
/// Where the skills of all workspaces are on another host, seen from the home there.
const REMOTE_SKILLS: &str = ".prowess/skills";

/// Settings of the gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatewaySettings {
    /// The port it listens on.
    pub port: u16,
    /// Who reaches it, as written; see [`bind_address`].
    pub bind: String,
    /// What lets a client in, if the config says it in plain text.
    pub token: Option<Secret>,
    /// What lets a client in, or where to get it.
    pub token_source: Option<ApiKey>,
    /// Pages of other hosts that may connect, as origins.
    pub allowed_origins: Vec<String>,
    /// Its name for people, where that is not the address it listens on.
    pub public_url: Option<String>,
    /// More names that it goes by, with or without a port.
    pub hosts: Vec<String>,
    /// How much it writes to its log.
    pub log_level: Option<String>,
    /// A gateway on another host, whose skills can be removed from here.
    pub remote: Option<RemoteGateway>,
}

/// A gateway on another host, reached by `ssh`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteGateway {
    /// Whom `ssh` is asked for: a host, or `user@host`.
    pub ssh_target: String,
    /// A file with the key to use, if it is not the usual one.
    pub ssh_identity: Option<String>,
    /// The folder of managed skills there; relative to the home there.
    pub managed_skills_dir: String,
}

/// The address that `gateway.bind` means; none if it means nothing here.
///
/// ```
/// use prowess_config::bind_address;
/// assert!(bind_address("loopback").unwrap().is_loopback());
/// assert!(bind_address("lan").unwrap().is_unspecified());
/// assert_eq!(bind_address("192.0.2.7").unwrap().to_string(), "192.0.2.7");
/// assert_eq!(bind_address("somewhere"), None);
/// ```
pub fn bind_address(bind: &str) -> Option<IpAddr> {
    match bind.trim().to_ascii_lowercase().as_str() {
        "loopback" | "auto" | "localhost" => Some(Ipv4Addr::LOCALHOST.into()),
        "lan" => Some(Ipv4Addr::UNSPECIFIED.into()),
        address => address.trim_matches(['[', ']']).parse().ok(),
    }
}

impl Config {
    /// Settings of the gateway. Only the user's own file counts, never that of a workspace.
    pub fn gateway(&self) -> GatewaySettings {
        let at = |path: &[&str]| value::at(&self.user.value, path);
        let text = |path: &[&str]| {
            let text = at(path).and_then(Value::as_str).map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let texts = |path: &[&str]| -> Vec<String> {
            let list = at(path).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(|text| Some(text.as_str()?.trim().to_owned())).collect()
        };
        let port = at(&["gateway", "port"]).and_then(Value::as_u64).and_then(|port| u16::try_from(port).ok());
        let token_source = at(&["gateway", "auth", "token"]).and_then(ApiKey::read);
        let token = match &token_source {
            Some(ApiKey::Literal(token)) => Some(Secret::new(token.expose().trim())),
            _ => None,
        };
        let remote = text(&["gateway", "remote", "sshTarget"]).map(|ssh_target| RemoteGateway {
            ssh_target,
            ssh_identity: text(&["gateway", "remote", "sshIdentity"]),
            managed_skills_dir: text(&["gateway", "remote", "managedSkillsDir"])
                .unwrap_or_else(|| REMOTE_SKILLS.to_owned()),
        });
        GatewaySettings {
            port: port.unwrap_or(DEFAULT_PORT),
            bind: text(&["gateway", "bind"]).unwrap_or_else(|| "loopback".to_owned()),
            token,
            token_source,
            allowed_origins: texts(&["gateway", "controlUi", "allowedOrigins"]),
            public_url: text(&["gateway", "publicUrl"]),
            hosts: texts(&["gateway", "hosts"]),
            log_level: text(&["logging", "level"]),
            remote,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use prowess_types::ProfileName;

    use super::*;

    fn settings(text: &str) -> GatewaySettings {
        let (config, issues) = Config::parse(Some(text), Path::new("/c.json"), ProfileName::Prowess);
        assert_eq!(issues, []);
        config.gateway()
    }

    #[test]
    fn silence_means_this_machine_only() {
        let silent = settings("{}");
        assert_eq!((silent.port, silent.bind.as_str()), (DEFAULT_PORT, "loopback"));
        assert_eq!((silent.token, silent.token_source, silent.remote), (None, None, None));
    }

    #[test]
    fn a_token_is_plain_or_elsewhere() {
        let plain = settings("{gateway: {auth: {token: ' t '}}}");
        assert_eq!(plain.token, Some(Secret::new("t")));
        let elsewhere = settings("{gateway: {auth: {token: {source: 'env', provider: 'default', id: 'T'}}}}");
        assert_eq!(elsewhere.token, None);
        assert!(matches!(elsewhere.token_source, Some(ApiKey::Reference(_))));
    }

    #[test]
    fn the_modes_of_reloading_that_clients_write_are_known() {
        for mode in ["off", "hot", "hybrid"] {
            settings(&format!("{{gateway: {{reload: {{mode: '{mode}'}}}}}}"));
        }
    }

    #[test]
    fn another_host_is_named_by_what_ssh_is_asked_for() {
        let remote = settings("{gateway: {remote: {sshTarget: 'me@far'}}}").remote.unwrap();
        assert_eq!(
            (remote.ssh_target.as_str(), remote.managed_skills_dir.as_str()),
            ("me@far", REMOTE_SKILLS)
        );
    }
}
