//! What the child processes of one run see, and nothing else.
//!
//! Invariant: the environment of a run is a value. Nothing here reads or changes the environment of this process,
//! so two runs cannot see each other's keys and a run that is killed leaves nothing behind.

mod base;
mod overlay;
mod shared;

use std::collections::BTreeMap;

use prowess_types::Secret;

pub use base::{is_base_name, looks_secret};
pub use overlay::{
    Overlay, OverlayRequest, RefusalReason, SkillVariables, Suspicion, SuspiciousVariable, VariableRefusal,
    overlay,
};

pub use shared::SharedEnvironment;

/// All variables of a child process. Nothing is inherited beside them.
///
/// ```
/// use prowess_run::Environment;
/// use prowess_types::Secret;
///
/// let environment = Environment::new([("WEATHER_KEY".to_owned(), Secret::new("hunter2"))]);
/// let mut command = std::process::Command::new("weather");
/// environment.give(&mut command);
/// assert!(!format!("{environment:?}").contains("hunter2"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    vars: BTreeMap<String, Secret>,
}

impl Environment {
    /// An environment of these variables.
    pub fn new(vars: impl IntoIterator<Item = (String, Secret)>) -> Self {
        Self { vars: vars.into_iter().collect() }
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Secret> {
        self.vars.get(name)
    }

    /// The same environment with one variable set.
    #[must_use]
    pub fn with(mut self, name: &str, value: Secret) -> Self {
        self.vars.insert(name.to_owned(), value);
        self
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.vars.keys().map(String::as_str)
    }

    /// Gives the variables, and only them, to a child process.
    pub fn give(&self, command: &mut std::process::Command) {
        command.env_clear().envs(self.vars.iter().map(|(name, value)| (name, value.expose())));
    }
}
