//! The answers of `status`, `list` and `check`: shapes that OpenClaw's clients know, with more fields after
//! theirs.
//!
//! Invariant: no value of a secret or of a config path is ever in an answer, only whether it is there.

use prowess_config::Select;
use prowess_text::printable;
use prowess_types::{
    CodexSettings, ConfigCheck, ContentHash, Diagnostic, InstallOption, Loss, ModeScope, OfferMode, Origin,
    RefusedInstall, Requirements, SpecLevel,
};
use serde::Serialize;

use crate::inventory::{Inventory, SkillEntry};
use crate::prompt::{EmptyPrompt, ListCut, PromptRequest};
use crate::sidecar::{self, RegistryLink, SkillCard};

/// The full report.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusReport {
    /// The workspace.
    pub workspace_dir: String,
    /// Where skills for all workspaces are installed.
    pub managed_skills_dir: String,
    /// The agent.
    pub agent_id: String,
    /// The agent's allowlist, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_skill_filter: Option<Vec<String>>,
    /// Every skill that won its name.
    pub skills: Vec<SkillStatus>,
    /// Everything that was found and lost, with the reason.
    pub not_loaded: Vec<Loss>,
    /// The reason a prompt has no skills, if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty_prompt: Option<EmptyPrompt>,
}

/// One skill in the report.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    missing_docs,
    reason = "the field names are the documentation; docs/reference/status.md explains them"
)]
pub struct SkillStatus {
    pub name: String,
    pub description: String,
    pub source: String,
    pub bundled: bool,
    pub file_path: String,
    pub base_dir: String,
    pub skill_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_env: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    pub always: bool,
    pub disabled: bool,
    pub blocked_by_allowlist: bool,
    pub blocked_by_agent_filter: bool,
    pub eligible: bool,
    pub platform_incompatible: bool,
    pub model_visible: bool,
    pub user_invocable: bool,
    pub command_visible: bool,
    pub requirements: Requirements,
    pub missing: Requirements,
    pub config_checks: Vec<ConfigCheck>,
    pub install: Vec<InstallOption>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused_installs: Vec<RefusedInstall>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clawhub: Option<RegistryLink>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_card: Option<SkillCard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex: Option<CodexSettings>,
    pub id: String,
    pub display_name: String,
    pub level: SpecLevel,
    pub mode: OfferMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode_scope: Option<ModeScope>,
    pub content_hash: ContentHash,
    pub origin: Origin,
    pub shadowed: Vec<Origin>,
    pub reasons: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The short list.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListReport {
    /// The workspace.
    pub workspace_dir: String,
    /// Where skills for all workspaces are installed.
    pub managed_skills_dir: String,
    /// The skills.
    pub skills: Vec<ListedSkill>,
    /// The reason a prompt has no skills, if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty_prompt: Option<EmptyPrompt>,
}

/// One skill in the short list.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    missing_docs,
    reason = "the field names are the documentation; docs/reference/status.md explains them"
)]
pub struct ListedSkill {
    pub name: String,
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    pub eligible: bool,
    pub disabled: bool,
    pub blocked_by_allowlist: bool,
    pub blocked_by_agent_filter: bool,
    pub model_visible: bool,
    pub user_invocable: bool,
    pub command_visible: bool,
    pub source: String,
    pub bundled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_env: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    pub missing: Requirements,
}

/// Counts and names by state.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    missing_docs,
    reason = "the field names are the documentation; docs/reference/status.md explains them"
)]
pub struct CheckReport {
    pub agent_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_skill_filter: Option<Vec<String>>,
    pub workspace_dir: String,
    pub managed_skills_dir: String,
    pub summary: CheckSummary,
    pub eligible: Vec<String>,
    pub model_visible: Vec<String>,
    pub command_visible: Vec<String>,
    pub disabled: Vec<String>,
    pub blocked: Vec<String>,
    pub agent_filtered: Vec<String>,
    pub not_injected: Vec<NotInjected>,
    pub missing_requirements: Vec<MissingRequirements>,
    pub not_loaded: Vec<Loss>,
    pub untrusted: Vec<Untrusted>,
    pub select: &'static str,
    pub list_cuts: Vec<ListCut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty_list: Option<EmptyPrompt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty_prompt: Option<EmptyPrompt>,
}

/// How many skills are in each state.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    missing_docs,
    reason = "the field names are the documentation; docs/reference/status.md explains them"
)]
pub struct CheckSummary {
    pub total: usize,
    pub eligible: usize,
    pub model_visible: usize,
    pub command_visible: usize,
    pub disabled: usize,
    pub blocked: usize,
    pub agent_filtered: usize,
    pub not_injected: usize,
    pub missing_requirements: usize,
    pub not_loaded: usize,
    pub untrusted: usize,
    pub listed: usize,
}

/// A skill that came with a cloned repository and is not trusted.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Untrusted {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// A ready skill that the model is not told about.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct NotInjected {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// A skill that needs something.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct MissingRequirements {
    /// Its name.
    pub name: String,
    /// What it needs.
    pub missing: Requirements,
    /// How to get it.
    pub install: Vec<InstallOption>,
    /// Declared ways to get it that cannot be used, with the reasons.
    #[serde(rename = "refusedInstalls", skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedInstall>,
}

impl Inventory {
    /// The full report.
    pub fn status(&self) -> StatusReport {
        StatusReport {
            workspace_dir: self.workspace.display().to_string(),
            managed_skills_dir: self.managed.display().to_string(),
            agent_id: self.agent_id.clone(),
            agent_skill_filter: self.filter.clone(),
            skills: self.entries.iter().map(|entry| self.skill_status(entry)).collect(),
            not_loaded: self.losses.clone(),
            empty_prompt: self.empty_prompt(),
        }
    }

    /// One skill of the full report.
    pub fn skill_status(&self, entry: &SkillEntry) -> SkillStatus {
        let skill = &entry.skill;
        SkillStatus {
            name: skill.name.clone(),
            description: skill.description.clone(),
            source: entry.origin.source.clone(),
            bundled: entry.is_bundled(),
            file_path: entry.origin.file.display().to_string(),
            base_dir: entry.origin.base.display().to_string(),
            skill_key: skill.key().to_owned(),
            primary_env: skill.metadata.primary_env.clone(),
            emoji: skill.metadata.emoji.clone(),
            homepage: skill.metadata.homepage.clone(),
            always: skill.metadata.always,
            disabled: entry.verdict.disabled,
            blocked_by_allowlist: entry.verdict.blocked_by_allowlist,
            blocked_by_agent_filter: !entry.allowed,
            eligible: entry.verdict.eligible,
            platform_incompatible: entry.verdict.platform_incompatible,
            model_visible: entry.is_model_visible(),
            user_invocable: skill.invocation.user_invocable,
            command_visible: entry.is_command_visible(),
            requirements: skill.requirements.clone(),
            missing: entry.verdict.missing.clone(),
            config_checks: entry.verdict.config_checks.clone(),
            install: entry.install.clone(),
            refused_installs: self.refused_installs(entry),
            clawhub: sidecar::registry_link(&entry.origin.base, &self.workspace),
            skill_card: sidecar::skill_card(&entry.origin.base),
            codex: sidecar::codex(&entry.origin.base),
            id: skill.id.clone(),
            display_name: skill.display_name.clone(),
            level: skill.level,
            mode: entry.mode,
            mode_scope: entry.mode_scope,
            content_hash: skill.content_hash,
            origin: (*entry.origin).clone(),
            shadowed: entry.shadowed.iter().map(|origin| (**origin).clone()).collect(),
            reasons: entry.verdict.reasons.clone(),
            diagnostics: skill.diagnostics.to_vec(),
        }
    }

    /// The short list of the skills that `keep` lets through.
    pub fn list(&self, keep: impl Fn(&SkillEntry) -> bool) -> ListReport {
        let skills = self.entries.iter().filter(|entry| keep(entry)).map(|entry| ListedSkill {
            name: printable(&entry.skill.name),
            description: printable(&entry.skill.description),
            emoji: entry.skill.metadata.emoji.as_deref().map(printable),
            eligible: entry.verdict.eligible,
            disabled: entry.verdict.disabled,
            blocked_by_allowlist: entry.verdict.blocked_by_allowlist,
            blocked_by_agent_filter: !entry.allowed,
            model_visible: entry.is_model_visible(),
            user_invocable: entry.skill.invocation.user_invocable,
            command_visible: entry.is_command_visible(),
            source: self.profile.source_name(&entry.origin.source).to_owned(),
            bundled: entry.is_bundled(),
            primary_env: entry.skill.metadata.primary_env.as_deref().map(printable),
            homepage: entry.skill.metadata.homepage.as_deref().map(printable),
            missing: entry.verdict.missing.clone(),
        });
        ListReport {
            workspace_dir: self.workspace.display().to_string(),
            managed_skills_dir: self.managed.display().to_string(),
            skills: skills.collect(),
            empty_prompt: self.empty_prompt(),
        }
    }

    /// Counts and names by state.
    pub fn check(&self) -> CheckReport {
        self.check_list(&PromptRequest::default())
    }

    /// The same, with the cuts of the list that is requested.
    pub fn check_list(&self, request: &PromptRequest) -> CheckReport {
        let list = self.explain_prompt(request);
        let names = |keep: &dyn Fn(&SkillEntry) -> bool| -> Vec<String> {
            self.entries.iter().filter(|entry| keep(entry)).map(|entry| entry.skill.name.clone()).collect()
        };
        let eligible = names(&|entry| entry.verdict.eligible);
        let model_visible = names(&SkillEntry::is_model_visible);
        let command_visible = names(&SkillEntry::is_command_visible);
        let disabled = names(&|entry| entry.verdict.disabled);
        let blocked = names(&|entry| entry.verdict.blocked_by_allowlist);
        let agent_filtered = names(&|entry| entry.verdict.eligible && !entry.allowed);
        let not_injected: Vec<NotInjected> = self
            .entries
            .iter()
            .filter(|entry| entry.is_usable() && !entry.is_model_visible())
            .map(|entry| NotInjected {
                name: entry.skill.name.clone(),
                reason: match entry.mode {
                    OfferMode::Manual => "mode-manual",
                    _ => "disable-model-invocation",
                }
                .to_owned(),
            })
            .collect();
        let missing_requirements: Vec<MissingRequirements> = self
            .entries
            .iter()
            .filter(|entry| is_missing_something(entry))
            .map(|entry| MissingRequirements {
                name: entry.skill.name.clone(),
                missing: entry.verdict.missing.clone(),
                install: entry.install.clone(),
                refused: self.refused_installs(entry),
            })
            .collect();
        let objection = |entry: &SkillEntry| {
            let name = entry.skill.name.clone();
            entry.trust().objection(&name).map(|reason| Untrusted { name, reason })
        };
        let untrusted: Vec<Untrusted> = self.entries.iter().filter_map(objection).collect();
        CheckReport {
            agent_id: self.agent_id.clone(),
            agent_skill_filter: self.filter.clone(),
            workspace_dir: self.workspace.display().to_string(),
            managed_skills_dir: self.managed.display().to_string(),
            summary: CheckSummary {
                total: self.entries.len(),
                eligible: eligible.len(),
                model_visible: model_visible.len(),
                command_visible: command_visible.len(),
                disabled: disabled.len(),
                blocked: blocked.len(),
                agent_filtered: agent_filtered.len(),
                not_injected: not_injected.len(),
                missing_requirements: missing_requirements.len(),
                untrusted: untrusted.len(),
                not_loaded: self.losses.len(),
                listed: list.skills.iter().filter(|skill| skill.included).count(),
            },
            eligible,
            model_visible,
            command_visible,
            disabled,
            blocked,
            agent_filtered,
            not_injected,
            missing_requirements,
            untrusted,
            not_loaded: self.losses.clone(),
            select: match self.settings.select {
                Select::All => "all",
                Select::Ranked => "ranked",
                Select::Top => "top",
                Select::Message => "message",
            },
            list_cuts: list.cuts,
            list_note: list.note,
            empty_list: list.empty,
            empty_prompt: self.empty_prompt(),
        }
    }
}

/// Switched on and allowed, but something is not there.
pub(crate) fn is_missing_something(entry: &SkillEntry) -> bool {
    let verdict = &entry.verdict;
    let lacks_only_trust = !entry.trust().allows() && verdict.missing.is_empty();
    !verdict.eligible && !verdict.disabled && !verdict.blocked_by_allowlist && !lacks_only_trust
}
