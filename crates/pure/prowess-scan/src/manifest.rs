//! What a skill declares: variables, homepage, ways to install what it needs.
//!
//! Values are judged as they were written, before any parser has dropped what does not fit.

use prowess_types::Skill;
use serde_json::{Map, Value};

use crate::ScanSeverity;
use crate::address::{Address, HostKind, classify};
use crate::environment::{Judgement, VariableEffect, judge_name};

/// Install specs and variables that are judged; each costs a search for its place.
const SPECS: usize = 64;
const VARIABLES: usize = 256;

/// A doubt about something declared.
pub(crate) struct Doubt {
    pub(crate) rule: &'static str,
    pub(crate) severity: ScanSeverity,
    /// The declared value, to be found in the text again.
    pub(crate) value: String,
    pub(crate) reason: String,
}

/// What the scanner needs to know of a skill's declarations.
#[derive(Default)]
pub(crate) struct Manifest {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) homepage: Option<String>,
    pub(crate) variables: Vec<String>,
    pub(crate) doubts: Vec<Doubt>,
}

impl Manifest {
    /// Reads the declarations of a parsed skill.
    pub(crate) fn of(skill: &Skill) -> Self {
        let mut manifest = Self {
            name: skill.name.clone(),
            description: skill.description.clone(),
            homepage: skill.metadata.homepage.clone(),
            ..Self::default()
        };
        let fields: &Map<String, Value> = &skill.frontmatter;
        if manifest.homepage.is_none() {
            manifest.homepage = ["homepage", "repository", "url"]
                .iter()
                .find_map(|key| Some(fields.get(*key)?.as_str()?.to_owned()));
        }
        if let Some(primary) = &skill.metadata.primary_env {
            manifest.declare(primary, true);
        }
        manifest.read_map(fields, 0);
        for variable in &skill.extensions.required_environment_variables {
            manifest.declare(&variable.name, false);
        }
        manifest
    }

    /// Walks the declarations, wherever an engine keeps them.
    fn read(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Object(map) => self.read_map(map, depth),
            Value::String(text) if text.trim_start().starts_with('{') && depth < 4 => {
                if let Ok(Value::Object(map)) = prowess_json5::to_value(text) {
                    self.read_map(&map, depth);
                }
            }
            _ => {}
        }
    }

    fn read_map(&mut self, map: &Map<String, Value>, depth: usize) {
        for (key, inner) in map {
            match (key.as_str(), inner) {
                ("install", Value::Array(specs)) => {
                    specs.iter().take(SPECS).for_each(|spec| self.judge_spec(spec));
                    if specs.len() > SPECS {
                        self.too_many(SPECS, "install specs");
                    }
                }
                ("primaryEnv" | "primary_env", Value::String(name)) => self.declare(name, true),
                ("env", Value::Array(names)) => {
                    names.iter().filter_map(Value::as_str).for_each(|name| self.declare(name, false));
                }
                ("env", Value::Object(names)) => names.keys().for_each(|name| self.declare(name, false)),
                ("env", Value::String(name)) => self.declare(name, false),
                ("homepage", Value::String(text)) if self.homepage.is_none() => {
                    self.homepage = Some(text.clone());
                }
                _ if depth < 4 => self.read(inner, depth + 1),
                _ => {}
            }
        }
    }

    fn declare(&mut self, name: &str, is_primary: bool) {
        if self.variables.iter().any(|known| known == name) {
            return;
        }
        if self.variables.len() >= VARIABLES {
            self.too_many(VARIABLES, "variables");
            return;
        }
        self.variables.push(name.to_owned());
        if let Judgement::Refused { effect, reason } = judge_name(name, true) {
            let severity = match (effect, is_primary) {
                (VariableEffect::LoadsCode, true) => ScanSeverity::Critical,
                // To require a variable is not to set it.
                (VariableEffect::LoadsCode, false)
                    if !matches!(name, "PATH" | "EDITOR" | "BROWSER" | "PAGER" | "SHELL") =>
                {
                    ScanSeverity::Critical
                }
                (VariableEffect::Redirects, true) => ScanSeverity::Warn,
                _ => ScanSeverity::Info,
            };
            let reason = format!("`{name}` {reason}");
            self.doubts.push(Doubt {
                rule: "environment/declared-name",
                severity,
                value: name.to_owned(),
                reason,
            });
        }
    }

    fn too_many(&mut self, limit: usize, what: &str) {
        let reason = format!("more than {limit} {what}: the rest is not judged");
        if !self.doubts.iter().any(|doubt| doubt.reason == reason) {
            self.doubt("structure/too-much", ScanSeverity::Warn, "", &reason);
        }
    }

    fn doubt(&mut self, rule: &'static str, severity: ScanSeverity, value: &str, reason: &str) {
        self.doubts.push(Doubt { rule, severity, value: value.to_owned(), reason: reason.to_owned() });
    }

    fn judge_spec(&mut self, spec: &Value) {
        let Value::Object(spec) = spec else { return };
        let field = |name: &str| spec.get(name).and_then(Value::as_str).map(str::trim);
        let kind = field("kind").or_else(|| field("type")).unwrap_or("").to_ascii_lowercase();
        for name in ["formula", "cask", "package", "module", "crate", "tap", "name"] {
            if let Some(value) = field(name).filter(|value| !value.is_empty()) {
                self.judge_package(&kind, value);
            }
        }
        if let Some(command) =
            ["command", "script", "run", "cmd", "shell"].iter().find_map(|name| field(name))
        {
            self.doubt(
                "install-spec/shell",
                ScanSeverity::Warn,
                command,
                "the install spec is a shell command",
            );
        }
        let hash = field("sha256");
        if let Some(hash) = hash
            && (hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        {
            self.doubt("install-spec/bad-hash", ScanSeverity::Warn, hash, "the hash is not 64 hex digits");
        }
        if let Some(url) = field("url") {
            self.judge_download(url, hash.is_some());
        }
        let places = ["targetDir", "target_dir", "target", "dest", "path", "extractTo"]
            .iter()
            .filter_map(|name| field(name));
        let bins = spec.get("bins").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for (place, is_bin) in places.map(|place| (place, false)).chain(bins.map(|bin| (bin, true))) {
            let leaves = place.split(['/', '\\']).any(|part| part == "..")
                || place.starts_with(['/', '~', '\\', '$', '%'])
                || place.get(1..2) == Some(":");
            let is_user_bin =
                ["~/bin", "~/.local/bin"].iter().any(|bin| place.starts_with(bin)) && !place.contains("..");
            if leaves || (is_bin && place.contains('/')) {
                let severity = if is_user_bin { ScanSeverity::Warn } else { ScanSeverity::Critical };
                self.doubt("install-spec/traversal", severity, place, "the path leaves the skill's folder");
            }
        }
    }

    fn judge_package(&mut self, kind: &str, value: &str) {
        let is_requirement = matches!(kind, "uv" | "pip" | "pipx");
        let address = [
            "git+",
            "git@",
            "file:",
            "link:",
            "portal:",
            "npm:",
            "github:",
            "gitlab:",
            "bitbucket:",
            "gist:",
            "ssh:",
            "http:",
            "https:",
            "workspace:",
            "patch:",
        ];
        let lower = value.to_ascii_lowercase();
        let aliased = lower
            .split_once('@')
            .is_some_and(|(_, rest)| address.iter().any(|prefix| rest.trim_start().starts_with(prefix)));
        let owner_slash = kind == "node" && !value.starts_with('@') && value.contains('/');
        if value.starts_with('-') || value.split_whitespace().any(|word| word.starts_with("--")) {
            self.doubt(
                "install-spec/option",
                ScanSeverity::Critical,
                value,
                "the value is an option of the installer",
            );
        } else if lower.contains("://")
            || aliased
            || owner_slash
            || address.iter().any(|prefix| lower.starts_with(prefix))
            || value.starts_with(['/', '~'])
            || value.split('/').any(|part| part == "..")
            || value.contains('\\')
        {
            let is_forge = [
                "https://github.com/",
                "git+https://github.com/",
                "github:",
                "https://gitlab.com/",
                "git+https://gitlab.com/",
            ]
            .iter()
            .any(|forge| lower.starts_with(forge));
            let severity =
                if is_forge && !lower.contains("..") { ScanSeverity::Warn } else { ScanSeverity::Critical };
            self.doubt(
                "install-spec/address",
                severity,
                value,
                "the package is an address, a path or an alias",
            );
        } else if value.contains([';', '&', '|', '`', '$', '\n', '\'', '"', '{', '}'])
            || (!is_requirement && value.contains(['<', '>', '(', ')', '*', ' ', '!', '=']))
        {
            self.doubt(
                "install-spec/option",
                ScanSeverity::Critical,
                value,
                "the value holds characters that a name does not have",
            );
        }
    }

    fn judge_download(&mut self, url: &str, has_hash: bool) {
        let Some(address) = Address::parse(url) else {
            return self.doubt(
                "install-spec/address",
                ScanSeverity::Critical,
                url,
                "the download has no http address",
            );
        };
        let scheme = address.scheme.to_ascii_lowercase();
        if scheme != "https" && scheme != "http" {
            return self.doubt(
                "install-spec/address",
                ScanSeverity::Critical,
                url,
                "the download is not from the web",
            );
        }
        if url.contains(|char: char| char.is_whitespace() || char.is_control()) {
            return self.doubt(
                "install-spec/option",
                ScanSeverity::Critical,
                url,
                "the address holds blanks",
            );
        }
        match classify(address.host) {
            HostKind::Private | HostKind::Disguised => {
                return self.doubt(
                    "install-spec/private-address",
                    ScanSeverity::Critical,
                    url,
                    "the host is not in the public web",
                );
            }
            HostKind::Bare => {
                return self.doubt(
                    "install-spec/disguised-host",
                    ScanSeverity::Critical,
                    url,
                    "the host has no name",
                );
            }
            HostKind::Name => {}
        }
        if address.user.is_some()
            || address.host.contains("xn--")
            || !address.host.is_ascii()
            || imitates(address.host).is_some()
        {
            return self.doubt(
                "install-spec/disguised-host",
                ScanSeverity::Critical,
                url,
                "the address hides its real host",
            );
        }
        if url.split('/').any(|part| part == ".." || part.eq_ignore_ascii_case("%2e%2e")) {
            return self.doubt(
                "install-spec/traversal",
                ScanSeverity::Critical,
                url,
                "the address climbs out of its folder",
            );
        }
        if scheme == "http" {
            let severity = if has_hash { ScanSeverity::Warn } else { ScanSeverity::Critical };
            self.doubt("install-spec/unprotected", severity, url, "the download is not protected");
        }
    }
}

/// The well-known host that a host only pretends to be: its whole name inside another.
pub(crate) fn imitates(host: &str) -> Option<&'static str> {
    const BRANDS: &[&str] = &[
        "github.com",
        "githubusercontent.com",
        "google.com",
        "apple.com",
        "microsoft.com",
        "anthropic.com",
        "openai.com",
        "npmjs.com",
        "npmjs.org",
        "pypi.org",
        "amazonaws.com",
        "openclaw.ai",
        "clawhub.ai",
        "paypal.com",
        "telegram.org",
        "discord.com",
        "slack.com",
    ];
    let host = host.to_ascii_lowercase();
    BRANDS.iter().copied().find(|brand| {
        let dashed = brand.replace('.', "-");
        let inside = host.contains(&format!("{brand}."))
            || host.contains(&format!("{brand}-"))
            || host.starts_with(&format!("{dashed}."));
        inside && !host.ends_with(&format!(".{brand}")) && host != *brand
    })
}
