//! What the child processes of one run see, and nothing else.

use std::collections::BTreeMap;

use prowess_types::Secret;

/// All variables of a child process. Nothing is inherited beside them.
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

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.vars.keys().map(String::as_str)
    }

    /// Gives the variables, and only them, to a child process.
    pub fn give(&self, command: &mut std::process::Command) {
        command.env_clear().envs(self.vars.iter().map(|(name, value)| (name, value.expose())));
    }
}
