//! Runs and what they may use: the prompt of a message, workspaces, secrets.

use prowess_agent::{
    ExposedWorkspace, MessagePrompt, RunError, SecretChange, SecretStatus, SecretStore, SecretTarget,
    SecretsError, WorkspaceAnswerError,
};
use prowess_config::ApiKey;
use prowess_inventory::{Inventory, MessageMatch, Relevance};
use prowess_match::AgentView;
use prowess_run::environment::SkillVariables;
use prowess_secret::SecretError;
use prowess_types::{Secret, Skill};

use super::Engine;

impl Engine {
    /// The prompt that a run would send with a message in a new session. Commands in the text of a called skill are not
    /// run for it.
    pub fn message_prompt(
        &self,
        inventory: &Inventory,
        answer: MessageMatch,
        relevance: Relevance,
    ) -> Result<MessagePrompt, RunError> {
        prowess_agent::message_prompt(self, inventory, answer, relevance)
    }

    /// Returns the exposure of an agent's workspace; none if that is just a project, or the user allowed it.
    pub fn exposed_workspace(&self, agent: Option<&str>) -> Result<Option<ExposedWorkspace>, RunError> {
        prowess_agent::exposed_workspace(self, agent)
    }

    /// Remembers that the user allows this workspace, for every agent in it. `at` is the time, in the caller's words.
    pub fn allow_workspace(&self, exposed: &ExposedWorkspace, at: &str) -> Result<(), WorkspaceAnswerError> {
        prowess_agent::allow_workspace(self, exposed, at)
    }

    /// The secrets of an agent's skills: what is configured, and what the skills ask for.
    pub fn secrets(&self, view: &AgentView) -> Vec<SecretStatus> {
        prowess_agent::secrets(self, view)
    }

    /// A secret of the config, got from where it is. Blocks while a provider is asked.
    pub fn resolve_secret(&self, secret: &ApiKey) -> Result<Secret, SecretError> {
        prowess_context::resolve_secret(self, secret)
    }

    /// The variables of a skill for a run, its secrets got from where they are.
    pub fn skill_variables(&self, skill: &Skill) -> SkillVariables {
        prowess_agent::skill_variables(self, skill)
    }

    /// Keeps a secret for a skill.
    pub fn set_secret(
        &self,
        view: &AgentView,
        target: &SecretTarget,
        secret: &Secret,
        store: SecretStore,
    ) -> Result<SecretChange, SecretsError> {
        prowess_agent::set_secret(self, view, target, secret, store)
    }

    /// Forgets a secret of a skill, also in the keyring.
    pub fn unset_secret(
        &self,
        view: &AgentView,
        target: &SecretTarget,
    ) -> Result<SecretChange, SecretsError> {
        prowess_agent::unset_secret(self, view, target)
    }
}
