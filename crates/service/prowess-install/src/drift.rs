//! Differences between an installed folder and the lock.

use std::fmt;

use serde::Serialize;

/// How a folder differs from the lock. The lists hold paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Drift {
    /// In the lock, not on the disk.
    pub missing: Vec<String>,
    /// With another content.
    pub changed: Vec<String>,
    /// On the disk, not in the lock.
    pub extra: Vec<String>,
    /// With the right content, but it can be run and should not, or cannot and should.
    pub mode: Vec<String>,
    /// Links, pipes, and what cannot be read, with what it is.
    pub odd: Vec<(String, String)>,
}

impl Drift {
    /// Returns true if nothing differs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [
            ("missing", &self.missing),
            ("changed", &self.changed),
            ("extra", &self.extra),
            ("mode", &self.mode),
        ];
        let plain = lists.into_iter().flat_map(|(what, paths)| paths.iter().map(move |path| (what, path)));
        let odd = self.odd.iter().map(|(path, what)| (what.as_str(), path));
        for (number, (what, path)) in plain.chain(odd).enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}`{path}` ({what})")?;
        }
        Ok(())
    }
}
