//! Acquiring skills: desks, dependencies, the registry, removal.

use std::path::PathBuf;

use prowess_acquire::{
    Acquire, AcquireError, AcquireOptions, Admission, Dependencies, DepsError, InstallScope, Login,
    LoginError, RegistrySkill, RemovalError, RemovalOffer, RemovedSkill, Restored, Scanned, Supply,
    SupplyOptions,
};
use prowess_context::{Clock, ContextError};
use prowess_match::AgentView;
use prowess_net::NetError;
use prowess_types::Secret;
use serde_json::Value;

use super::Engine;

impl Engine {
    /// Opens the desk for a workspace, or for all of them. Nothing is written.
    pub fn acquire(&self, options: AcquireOptions) -> Result<Acquire<'_>, AcquireError> {
        Acquire::open(self, options)
    }

    /// Opens the way to registries and other sources. See [`Supply::open`].
    pub fn supply(&self, options: &SupplyOptions) -> Result<Supply, NetError> {
        Supply::open(self, options)
    }

    /// Finds a skill by its exact name, and what it needs.
    pub fn dependencies(&self, view: &AgentView, name: &str) -> Result<Dependencies<'_>, DepsError> {
        Dependencies::of(self, view, name)
    }

    /// The skills of an agent's workspace and of the user that came from a registry, as lock files have it. A lock
    /// file that cannot be read has none.
    pub fn installed_from_registries(&self, agent: Option<&str>) -> Result<Vec<RegistrySkill>, ContextError> {
        prowess_acquire::installed_from_registries(self, agent)
    }

    /// The file with the user's login.
    pub fn login_file(&self) -> PathBuf {
        prowess_acquire::login_file(self)
    }

    /// Returns the stored login of the user; an empty one if there is no file.
    pub fn login(&self) -> Result<Login, LoginError> {
        prowess_acquire::login(self)
    }

    /// Keeps a token for a registry, in place of the one before. Returns the file.
    pub fn save_login(&self, registry: &str, token: &Secret) -> Result<PathBuf, LoginError> {
        prowess_acquire::save_login(self, registry, token)
    }

    /// Forgets the token. The registry stays the one that is asked. Tells whether there was one.
    pub fn forget_login(&self) -> Result<bool, LoginError> {
        prowess_acquire::forget_login(self)
    }

    /// Says what removing a skill would take away. Nothing is changed.
    pub fn plan_removal(&self, view: &AgentView, name: &str) -> Result<RemovalOffer, RemovalError> {
        prowess_acquire::plan_removal(self, view, name)
    }

    /// Moves a skill to the trash. `confirm` must be the path that the plan named.
    pub fn remove_skill(
        &self,
        view: &AgentView,
        name: &str,
        confirm: &str,
        clock: Clock,
    ) -> Result<RemovedSkill, RemovalError> {
        prowess_acquire::remove_skill(self, view, name, confirm, clock)
    }

    /// Brings a skill back from the trash.
    pub fn restore_skill(
        &self,
        agent: Option<&str>,
        scope: InstallScope,
        trash_id: &str,
        clock: Clock,
    ) -> Result<Restored, RemovalError> {
        prowess_acquire::restore_skill(self, agent, scope, trash_id, clock)
    }

    /// Decides if something that was scanned may be installed. Critical findings block, warnings are shown; the
    /// operator's command, if there is one, gets the findings and has the last word.
    pub fn admit(&self, scanned: &Scanned, origin: Value, request: Value) -> Admission {
        prowess_acquire::admit(self, scanned, origin, request)
    }
}
