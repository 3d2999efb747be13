//! The environment, captured once at the edge and passed in.
//!
//! Values of variables are often secrets, so nothing here prints one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// The variables and the working directory of the process, as they were when it started.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Env {
    vars: BTreeMap<String, String>,
    cwd: PathBuf,
}

impl Env {
    /// An environment with these variables and this working directory.
    pub fn new(vars: impl IntoIterator<Item = (String, String)>, cwd: impl Into<PathBuf>) -> Self {
        Self { vars: vars.into_iter().collect(), cwd: cwd.into() }
    }

    /// The value of a variable, as it is.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str)
    }

    /// The value of a variable without the blanks around it; a blank one counts as not set.
    pub fn trimmed(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// The working directory.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The names of all variables with a value that is not blank.
    pub fn non_blank_names(&self) -> BTreeSet<String> {
        let is_set = |name: &&String| self.trimmed(name).is_some();
        self.vars.keys().filter(is_set).cloned().collect()
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env")
            .field("names", &self.vars.keys().collect::<Vec<_>>())
            .field("cwd", &self.cwd)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_and_values_are_not() {
        let vars = [("TOKEN", "hunter2"), ("BLANK", " \t"), ("EMPTY", ""), ("PAD", " x ")];
        let env = Env::new(vars.map(|(name, value)| (name.into(), value.into())), "/work");
        assert_eq!(env.get("PAD"), Some(" x "));
        assert_eq!(env.trimmed("PAD"), Some("x"));
        assert_eq!(env.trimmed("BLANK"), None);
        assert_eq!(env.get("BLANK"), Some(" \t"));
        assert_eq!(env.get("MISSING"), None);
        assert_eq!(env.non_blank_names(), BTreeSet::from(["PAD".into(), "TOKEN".into()]));
        let shown = format!("{env:?}");
        assert!(shown.contains("TOKEN") && !shown.contains("hunter2"), "{shown}");
    }
}
