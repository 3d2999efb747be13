//! The environment of a run, which grows when a skill comes into use.

use std::sync::{Arc, RwLock};

use prowess_types::IgnorePoison as _;

use super::Environment;

/// The environment of a run. A clone is the same environment.
///
/// ```
/// use prowess_run::{Environment, SharedEnvironment};
/// use prowess_types::Secret;
///
/// let shared = SharedEnvironment::new(Environment::default());
/// let before = shared.now();
/// shared.replace(Environment::new([("WEATHER_KEY".to_owned(), Secret::new("hunter2"))]));
/// assert_eq!(before.names().count(), 0);
/// assert_eq!(shared.now().names().collect::<Vec<_>>(), ["WEATHER_KEY"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SharedEnvironment {
    current: Arc<RwLock<Arc<Environment>>>,
}

impl SharedEnvironment {
    /// One that begins with this environment.
    pub fn new(environment: Environment) -> Self {
        Self { current: Arc::new(RwLock::new(Arc::new(environment))) }
    }

    /// What a child process that starts now is given.
    pub fn now(&self) -> Arc<Environment> {
        Arc::clone(&self.current.read().ignore_poison())
    }

    /// What child processes are given from now on; those that run keep what they have.
    pub fn replace(&self, environment: Environment) {
        *self.current.write().ignore_poison() = Arc::new(environment);
    }
}

impl From<Environment> for SharedEnvironment {
    fn from(environment: Environment) -> Self {
        Self::new(environment)
    }
}
