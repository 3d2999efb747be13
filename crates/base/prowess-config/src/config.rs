//! The config file as it was read: its values, its problems and where each value comes from.
//!
//! Invariant: after [`Config::parse`] every known key has a value of its type or none at all, in its
//! canonical spelling, so the readers above this module check nothing.

use std::fmt;
use std::path::Path;

use prowess_types::ProfileName;
use serde_json::{Map, Value};

use crate::issue::{ConfigIssue, IssueKind};
use crate::keys::KEYS;
use crate::layer::{Layer, Layered, OriginOfValue};
use crate::{KeyPath, Profile, lookup, openclaw_keys, profile, redact, spelling, value};

/// What the user and the project say.
#[derive(Clone)]
pub struct Config {
    profile: &'static Profile,
    pub(crate) user: Layered,
    project: Option<Layered>,
    /// All layers in one, without defaults.
    merged: Value,
}

impl Config {
    /// Reads the user's config file. `None` means that there is no file.
    ///
    /// Never fails: what is wrong is in the issues. A file that cannot be read at all gives one that
    /// [is fatal](ConfigIssue::is_fatal) and an empty config; whether to go on is up to the caller.
    pub fn parse(text: Option<&str>, file: &Path, name: ProfileName) -> (Self, Vec<ConfigIssue>) {
        let profile = profile(name);
        let (user, mut issues) = Layered::read(text, file);
        if name != ProfileName::Openclaw {
            issues.retain(|issue| issue.kind != IssueKind::Foreign);
        }
        let merged = user.value.clone();
        (Self { profile, user, project: None, merged }, issues)
    }

    /// Adds the config file of the workspace, of which only `skills.modes` and `skills.bundles` count:
    /// a project that was only cloned must not switch anything else.
    pub fn with_project(mut self, text: Option<&str>, file: &Path) -> (Self, Vec<ConfigIssue>) {
        let (mut project, mut issues) = Layered::read(text, file);
        issues.retain(|issue| issue.kind != IssueKind::Foreign);
        issues.extend(project.keep_project_keys());
        value::overlay(&mut self.merged, &project.value);
        self.project = Some(project);
        (self, issues)
    }

    /// The profile that the config was read under.
    pub fn profile(&self) -> &'static Profile {
        self.profile
    }

    /// The user's config file.
    pub fn file(&self) -> &Path {
        &self.user.file
    }

    /// The value of a key, defaults included. Secrets are replaced by the profile's placeholder.
    pub fn get(&self, key: &KeyPath) -> Option<Value> {
        let path = spelling::canonical(&key.as_strs());
        let default = value::at(&self.defaults(), &path).cloned();
        let mut found = match (default, value::at(&self.merged, &path)) {
            (Some(mut found), Some(set)) => {
                value::overlay(&mut found, set);
                found
            }
            (found, set) => found.or_else(|| set.cloned())?,
        };
        redact::redact(&mut found, &path, self.profile.placeholder);
        Some(found)
    }

    /// A known key that an unknown one was probably meant to be; none for a key that is known.
    pub fn suggestion(key: &KeyPath) -> Option<String> {
        let path = key.as_strs();
        if lookup::key(&path).is_some() || openclaw_keys::knows(&path) {
            return None;
        }
        lookup::suggestion(&path).or_else(|| openclaw_keys::suggestion(&path))
    }

    /// Returns the origin of the value of a key; `None` if it has no value.
    pub fn origin_of(&self, key: &KeyPath) -> Option<OriginOfValue> {
        let path = spelling::canonical(&key.as_strs());
        let project = self.project.as_ref().and_then(|layer| layer.origin(Layer::Project, &path));
        project.or_else(|| self.user.origin(Layer::User, &path)).or_else(|| {
            value::at(&self.defaults(), &path)?;
            Some(OriginOfValue { layer: Layer::Default, file: None, line: None })
        })
    }

    /// The config as the gate sees it, secrets included: only its truthiness may be looked at.
    ///
    /// OpenClaw fills in little: `agents.defaults` is an object, and the two `browser` switches that are
    /// on unless set count for exactly these paths, which the gate knows. Other profiles have all
    /// defaults but these two.
    pub fn runtime_value(&self) -> Value {
        let mut config = match self.profile.name {
            ProfileName::Openclaw => Value::Object(Map::new()),
            _ => self.defaults(),
        };
        value::take(&mut config, &["browser"]);
        value::put(&mut config, &["agents", "defaults"], Value::Object(Map::new()));
        value::overlay(&mut config, &self.merged);
        config
    }

    /// All layers in one, without defaults, in the canonical spelling.
    pub(crate) fn merged(&self) -> &Value {
        &self.merged
    }

    /// What the user's own file says.
    pub(crate) fn user_value(&self) -> &Value {
        &self.user.value
    }

    /// What the project's file says.
    pub(crate) fn project_value(&self) -> Option<&Value> {
        self.project.as_ref().map(|project| &project.value)
    }

    /// Every default of the profile.
    pub(crate) fn defaults(&self) -> Value {
        let mut defaults = Value::Object(Map::new());
        for key in KEYS.iter().filter(|key| !key.pattern.contains('*')) {
            if let Some(value) = key.default_value(self.profile) {
                value::put(&mut defaults, &key.pattern.split('.').collect::<Vec<_>>(), value);
            }
        }
        defaults
    }
}

/// Values may be secrets, so only the files are shown.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("profile", &self.profile.name)
            .field("user", &self.user)
            .field("project", &self.project)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
