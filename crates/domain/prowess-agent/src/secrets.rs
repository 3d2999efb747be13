//! The secrets of skills: which there are, where they come from, and keeping them.
//!
//! A value enters here once, to be written to the config file or to the system's keyring; nothing here gives one
//! back in an answer.

use std::path::PathBuf;

use prowess_config::{ApiKey, ConfigEdit, KeyPath, KeyPathError, SecretReference};
use prowess_context::{Context, ContextError, resolve_secret};
use prowess_fs::FileUpdate;
use prowess_inventory::{Inventory, NameLookup, SkillEntry};
use prowess_match::AgentView;
use prowess_run::environment::SkillVariables;
use prowess_scan::environment::{Judgement, judge_name, judge_value};
use prowess_secret::{Keyring, KeyringError};
use prowess_types::{ProfileName, Secret, Skill};
use serde::Serialize;

/// The secret that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretTarget {
    /// A skill by name or key, or a variable that one skill declares.
    pub name: String,
    /// A variable of the skill; the one for its API key if there is none.
    pub variable: Option<String>,
}

/// The store of a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretStore {
    /// In the config file, as text.
    #[default]
    Config,
    /// In the system's keyring, with a reference in the config file.
    Keyring,
}

/// What keeping or forgetting a secret did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretChange {
    /// The key of the skill.
    pub skill: String,
    /// The variable it is for, where that is known.
    pub variable: Option<String>,
    /// The key in the config.
    pub key: String,
    /// Whether anything is different now.
    pub changed: bool,
    /// The config file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Whether others can read that file, and the secret is in it.
    pub exposed: bool,
}

/// A secret that is configured, or that a skill asks for. Never its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretStatus {
    /// The key of the skill.
    pub skill: String,
    /// The variable it is for; none for a key that no skill says what to do with.
    pub variable: Option<String>,
    /// `config`, `env`, `file`, `exec`, `keyring`; `environment` if it is set outside; `none` if it is nowhere.
    pub source: String,
    /// The reference, where there is one.
    pub reference: Option<String>,
    /// Whether there is a value.
    pub resolves: bool,
    /// Why there is none, or why it is not used.
    pub problem: Option<String>,
}

/// The reason a secret could not be kept or forgotten.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SecretsError {
    /// The engine could not answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// There is no such skill.
    #[error("there is no skill `{name}`")]
    UnknownSkill {
        /// The requested name.
        name: String,
        /// The name that was probably meant.
        suggestion: Option<String>,
    },
    /// Several skills are meant.
    #[error("`{name}` could be {}", skills.join(" or "))]
    Ambiguous {
        /// The requested name.
        name: String,
        /// The skills, in backticks.
        skills: Vec<String>,
    },
    /// The skill does not say which variable its key is for.
    #[error("`{0}` does not say which variable its key is for")]
    NoPrimary(String),
    /// The variable may not be set for a skill.
    #[error("`{variable}` cannot be set for a skill: {reason}")]
    Refused {
        /// The variable.
        variable: String,
        /// The reason.
        reason: String,
    },
    /// There is nothing to keep.
    #[error("the secret is empty")]
    Empty,
    /// The engine that shares the config file does not know keyrings.
    #[error("OpenClaw does not know keyrings, and would refuse its config file")]
    NoKeyringHere,
    /// The keyring did not do it.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// The name of the skill or variable cannot be a key of the config.
    #[error(transparent)]
    Key(#[from] KeyPathError),
}

impl prowess_types::Classify for SecretsError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::UnknownSkill { .. } => Is(ErrorKind::NotFound),
            Self::Ambiguous { .. } => Is(ErrorKind::Ambiguous),
            Self::Keyring(_) => Is(ErrorKind::Credentials),
            Self::NoPrimary(_) | Self::Refused { .. } | Self::Empty | Self::NoKeyringHere | Self::Key(_) => {
                Is(ErrorKind::Usage)
            }
        }
    }
}

/// A secret of one skill.
struct Place {
    skill: String,
    variable: Option<String>,
    /// True if it is `apiKey`, not a variable in `env`.
    is_api_key: bool,
}

impl Place {
    fn path(&self) -> Result<KeyPath, KeyPathError> {
        let entry = ["skills", "entries", &self.skill];
        match &self.variable {
            Some(variable) if !self.is_api_key => KeyPath::new(entry.into_iter().chain(["env", variable])),
            _ => KeyPath::new(entry.into_iter().chain(["apiKey"])),
        }
    }

    /// The name of it in the keyring.
    fn keyring_name(&self) -> String {
        let variable = self.variable.as_deref().filter(|_| !self.is_api_key);
        format!("{}/{}", self.skill, variable.unwrap_or("apiKey"))
    }
}

/// The secrets of an agent's skills: what is configured, and what the skills ask for.
pub fn secrets(context: &Context, view: &AgentView) -> Vec<SecretStatus> {
    let inventory = view.inventory();
    let mut keys = context.config().entry_keys();
    keys.extend(inventory.entries.iter().map(|entry| entry.skill.key().to_owned()));
    keys.sort();
    keys.dedup();
    let skill_of = |key: &str| inventory.entries.iter().find(|entry| entry.skill.key() == key);
    keys.iter().flat_map(|key| secrets_of(context, key, skill_of(key))).collect()
}

fn secrets_of(context: &Context, key: &str, entry: Option<&SkillEntry>) -> Vec<SecretStatus> {
    let primary = entry.and_then(|entry| primary_of(&entry.skill));
    let mut found: Vec<SecretStatus> = Vec::new();
    for (name, value) in context.config().entry_env(key) {
        found.push(status(context, key, Some(name), &value));
    }
    let is_set = |found: &[SecretStatus], name: &str| {
        found.iter().any(|status| status.variable.as_deref() == Some(name))
    };
    if let Some(value) = context.config().api_key(key)
        && !primary.as_deref().is_some_and(|name| is_set(&found, name))
    {
        found.push(status(context, key, primary.clone(), &value));
    }
    let declared = entry.map(|entry| declared_by(&entry.skill)).unwrap_or_default();
    for name in declared {
        if !is_set(&found, &name) {
            let is_outside = context.env().trimmed(&name).is_some();
            let source = if is_outside { "environment" } else { "none" };
            found.push(SecretStatus {
                skill: key.to_owned(),
                variable: Some(name),
                source: source.to_owned(),
                reference: None,
                resolves: is_outside,
                problem: None,
            });
        }
    }
    found
}

fn status(context: &Context, key: &str, variable: Option<String>, value: &ApiKey) -> SecretStatus {
    let resolved = resolve_secret(context, value);
    let blank = context.profile().blank_variable;
    let is_outside = variable.as_deref().is_some_and(|name| blank.is_set(context.env(), name));
    let reference = match value {
        ApiKey::Literal(_) => None,
        ApiKey::Reference(reference) => Some(reference),
    };
    let unused = is_outside.then(|| "it is also set in your environment, and that value stands".to_owned());
    SecretStatus {
        skill: key.to_owned(),
        variable,
        source: reference.map_or("config", |reference| &reference.source).to_owned(),
        reference: reference.map(ToString::to_string),
        resolves: resolved.is_ok(),
        problem: resolved.err().map(|error| prowess_text::describe_error(error.problem.as_ref())).or(unused),
    }
}

/// The variables of a skill for a run, its secrets got from where they are.
pub fn skill_variables(context: &Context, skill: &Skill) -> SkillVariables {
    let key = skill.key();
    let env = context.config().entry_env(key).into_iter();
    SkillVariables {
        key: key.to_owned(),
        disabled: context.config().entry(key).enabled == Some(false),
        primary: primary_of(skill),
        requires: skill.requirements.env.clone(),
        env: env.map(|(name, value)| (name, resolve_secret(context, &value))).collect(),
        api_key: context.config().api_key(key).map(|value| resolve_secret(context, &value)),
    }
}

/// Keeps a secret for a skill.
pub fn set_secret(
    context: &Context,
    view: &AgentView,
    target: &SecretTarget,
    secret: &Secret,
    store: SecretStore,
) -> Result<SecretChange, SecretsError> {
    let (entry, place) = find(view.inventory(), target)?;
    let variable = place.variable.as_deref().unwrap_or_default();
    let is_declared = declared_by(&entry.skill).iter().any(|name| name == variable);
    check(variable, secret, is_declared)?;
    let value = match store {
        SecretStore::Config => secret.expose().into(),
        SecretStore::Keyring if context.profile().name == ProfileName::Openclaw => {
            return Err(SecretsError::NoKeyringHere);
        }
        SecretStore::Keyring => {
            let name = place.keyring_name();
            Keyring::open(context.env(), None)?.set(&name, secret)?;
            SecretReference::new("keyring", &name).to_value()
        }
    };
    let key = place.path()?;
    let updated = context.change_config(&[ConfigEdit::Set(key.clone(), value)])?;
    Ok(changed(context, place, &key, updated == FileUpdate::Written || store == SecretStore::Keyring, store))
}

/// Forgets a secret of a skill, also in the keyring.
pub fn unset_secret(
    context: &Context,
    view: &AgentView,
    target: &SecretTarget,
) -> Result<SecretChange, SecretsError> {
    let place = match find(view.inventory(), target) {
        Ok((_, place)) => place,
        // The remains of a removed skill can be forgotten, too.
        Err(SecretsError::UnknownSkill { .. }) if context.config().entry_keys().contains(&target.name) => {
            Place {
                skill: target.name.clone(),
                is_api_key: target.variable.is_none(),
                variable: target.variable.clone(),
            }
        }
        Err(error) => return Err(error),
    };
    let kept = match &place.variable {
        Some(variable) if !place.is_api_key => {
            let env = context.config().entry_env(&place.skill);
            env.into_iter().find(|(name, _)| name == variable).map(|(_, value)| value)
        }
        _ => context.config().api_key(&place.skill),
    };
    if let Some(ApiKey::Reference(SecretReference { source, provider: None, id: Some(id) })) = &kept
        && source == "keyring"
        && *id == place.keyring_name()
    {
        Keyring::open(context.env(), None)?.remove(id)?;
    }
    let key = place.path()?;
    let updated = context.change_config(&[ConfigEdit::Unset(key.clone())])?;
    Ok(changed(context, place, &key, updated == FileUpdate::Written, SecretStore::Keyring))
}

fn changed(
    context: &Context,
    place: Place,
    key: &KeyPath,
    changed: bool,
    store: SecretStore,
) -> SecretChange {
    let path = context.places().config_file.clone();
    SecretChange {
        skill: place.skill,
        variable: place.variable,
        key: key.to_string(),
        changed,
        exposed: store == SecretStore::Config && prowess_fs::is_readable_by_others(&path),
        path,
    }
}

/// The variable that a skill's API key is for.
fn primary_of(skill: &Skill) -> Option<String> {
    let name = skill.metadata.primary_env.as_deref()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The variables that a skill declares, each once.
fn declared_by(skill: &Skill) -> Vec<String> {
    let mut names: Vec<String> = primary_of(skill).into_iter().collect();
    for name in skill.requirements.env.iter().map(|name| name.trim()) {
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The skill that is meant, and the place of its secret.
fn find<'a>(
    inventory: &'a Inventory,
    target: &SecretTarget,
) -> Result<(&'a SkillEntry, Place), SecretsError> {
    let in_backticks = |names: Vec<String>| names.into_iter().map(|name| format!("`{name}`")).collect();
    let (entry, by_variable) = match inventory.find(&target.name) {
        NameLookup::Found(entry) => (entry, None),
        NameLookup::Ambiguous(names) => {
            return Err(SecretsError::Ambiguous { name: target.name.clone(), skills: in_backticks(names) });
        }
        NameLookup::Missing => {
            let declares = |entry: &&SkillEntry| declared_by(&entry.skill).contains(&target.name);
            let declaring: Vec<&SkillEntry> = inventory.entries.iter().filter(declares).collect();
            match declaring[..] {
                [entry] => (entry, Some(target.name.clone())),
                [] => {
                    let suggestion = closest(&target.name, inventory);
                    return Err(SecretsError::UnknownSkill { name: target.name.clone(), suggestion });
                }
                _ => {
                    let names = declaring.iter().map(|entry| entry.skill.name.clone()).collect();
                    return Err(SecretsError::Ambiguous {
                        name: target.name.clone(),
                        skills: in_backticks(names),
                    });
                }
            }
        }
    };
    let primary = primary_of(&entry.skill);
    let asked = target.variable.clone().or(by_variable);
    let is_api_key = asked.is_none() || (target.variable.is_none() && asked == primary);
    let variable = asked.or(primary).ok_or_else(|| SecretsError::NoPrimary(entry.skill.name.clone()))?;
    Ok((entry, Place { skill: entry.skill.key().to_owned(), variable: Some(variable), is_api_key }))
}

/// Refuses what the environment of a run would refuse, before it is kept.
fn check(variable: &str, secret: &Secret, is_declared: bool) -> Result<(), SecretsError> {
    if secret.is_blank() {
        return Err(SecretsError::Empty);
    }
    for judgement in [judge_name(variable, is_declared), judge_value(secret.expose())] {
        if let Judgement::Refused { reason, .. } | Judgement::Invalid { reason } = judgement {
            let variable = variable.escape_debug().to_string();
            return Err(SecretsError::Refused { variable, reason: reason.to_owned() });
        }
    }
    Ok(())
}

/// The name of a skill, or of a variable, that differs least, if it is near enough to be a slip.
fn closest(written: &str, inventory: &Inventory) -> Option<String> {
    let names = inventory
        .entries
        .iter()
        .flat_map(|entry| std::iter::once(entry.skill.name.clone()).chain(declared_by(&entry.skill)));
    let distance = |name: &String| strsim::levenshtein(&name.to_lowercase(), &written.to_lowercase());
    names.min_by_key(distance).filter(|name| distance(name) <= (written.chars().count() / 3).clamp(1, 3))
}
