//! The variables of a run: an allow-listed base, and the keys of the skills that are active in it.
//!
//! What this module refuses to do: let a skill replace a variable that the user has set, set one that makes other
//! programs load code or send traffic elsewhere, or replace a credential that the skill does not declare as its own.
//! Everything that is refused is reported by skill, name and reason, and never with its value.

use std::collections::BTreeMap;
use std::fmt;

use prowess_config::{BlankVariable, Env};
use prowess_scan::environment::{Judgement, VariableEffect, judge_name, judge_value};
use prowess_types::Secret;

use super::Environment;
use super::base::{is_base_name, is_secret_in_base, looks_secret};
use prowess_secret::SecretError;

/// Values longer than this are unusual for a variable, in bytes.
const LONG: usize = 32_768;
/// This many characters of base64 look like an encoded file.
const ENCODED: usize = 80;
/// Beginnings of the engines' own switches; no child is given one because a skill asks for it.
const OWN_PREFIXES: [&str; 3] = ["PROWESS_", "OPENCLAW_", "CLAWDBOT_"];

/// What an overlay is made of.
#[derive(Clone, Copy, Debug)]
pub struct OverlayRequest<'a> {
    /// The user's environment.
    pub outer: &'a Env,
    /// The skills that are active in the run, in their order.
    pub skills: &'a [SkillVariables],
    /// More variables that are inherited from the user's environment if they are set there: what another harness
    /// needs to find its own login.
    pub inherit: &'a [String],
    /// The meaning of a variable of the user's environment without a value.
    pub blank: BlankVariable,
}

/// What the config says about the variables of one skill, and what the skill declares.
#[derive(Clone, Debug, Default)]
pub struct SkillVariables {
    /// Its key in `skills.entries`.
    pub key: String,
    /// True if the entry is switched off.
    pub disabled: bool,
    /// The variable that its API key is for.
    pub primary: Option<String>,
    /// The variables that it requires.
    pub requires: Vec<String>,
    /// `env` of its entry, got from where the values are.
    pub env: Vec<(String, Result<Secret, SecretError>)>,
    /// `apiKey` of its entry, got from where it is.
    pub api_key: Option<Result<Secret, SecretError>>,
}

/// The variables of a run, and what was refused on the way.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// All that child processes see.
    pub environment: Environment,
    /// What was not set, and why.
    pub refusals: Vec<VariableRefusal>,
    /// What was set although it looks odd.
    pub warnings: Vec<SuspiciousVariable>,
    /// The values that must not show up in texts.
    pub secrets: Vec<Secret>,
}

/// A variable that was not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableRefusal {
    /// The key of the skill.
    pub skill: String,
    /// The variable, with anything invisible written as an escape.
    pub name: String,
    /// The reason.
    pub reason: RefusalReason,
}

/// The reason a variable was not set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// No skill may set it.
    Dangerous(&'static str),
    /// Only a skill that declares it may set it.
    Undeclared,
    /// It is not a variable, or not a value that a variable can have.
    Invalid(&'static str),
    /// The user has set it outside; that value stands.
    SetOutside,
    /// An earlier skill has set it to something else.
    SetBySkill(String),
    /// Its value could not be got.
    Unresolved(String),
}

impl RefusalReason {
    /// Returns true if the variable is blocked, not merely set already or out of reach.
    pub fn is_block(&self) -> bool {
        matches!(self, Self::Dangerous(_) | Self::Undeclared | Self::Invalid(_))
    }
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dangerous(effect) => write!(f, "no skill may set it: {effect}"),
            Self::Undeclared => f.write_str(
                "a credential of another program: only a skill that declares it (`primaryEnv` or `requires.env`) may \
                 set it",
            ),
            Self::Invalid(problem) => f.write_str(problem),
            Self::SetOutside => f.write_str("it is set in your environment, and that value stands"),
            Self::SetBySkill(key) => write!(f, "`{key}` has set it already"),
            Self::Unresolved(problem) => f.write_str(problem),
        }
    }
}

impl fmt::Display for VariableRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of `{}` is not set: {}", self.name, self.skill, self.reason)
    }
}

/// A variable that was set although it looks odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuspiciousVariable {
    /// The key of the skill.
    pub skill: String,
    /// The variable.
    pub name: String,
    /// What is odd.
    pub suspicion: Suspicion,
}

/// What is odd about a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suspicion {
    /// Its value is very long.
    Long,
    /// Its value looks like an encoded file.
    Encoded,
    /// It looks like a credential, and the skill does not declare it.
    Undeclared,
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Long => "Value exceeds maximum length",
            Self::Encoded => "Value looks like base64-encoded credential data",
            Self::Undeclared => "Looks like a credential that the skill does not declare",
        })
    }
}

impl Overlay {
    /// What happened, in the words that OpenClaw writes to its log: one line for each skill and kind.
    pub fn log_lines(&self) -> Vec<String> {
        let blocked = self.refusals.iter().filter(|refusal| refusal.reason.is_block());
        let blocked = group(blocked.map(|refusal| (refusal.skill.as_str(), refusal.name.clone())));
        let odd = self.warnings.iter();
        let odd = group(
            odd.map(|warning| (warning.skill.as_str(), format!("{}: {}", warning.name, warning.suspicion))),
        );
        let blocked = blocked.map(|(key, names)| format!("Blocked skill env overrides for {key}: {names}"));
        blocked
            .chain(odd.map(|(key, names)| format!("Suspicious skill env overrides for {key}: {names}")))
            .collect()
    }
}

/// The names of each skill, in the order of the skills.
fn group<'a>(named: impl Iterator<Item = (&'a str, String)>) -> impl Iterator<Item = (&'a str, String)> {
    let mut groups: Vec<(&str, String)> = Vec::new();
    for (key, name) in named {
        match groups.last_mut() {
            Some((last, names)) if *last == key => *names += &format!(", {name}"),
            _ => groups.push((key, name)),
        }
    }
    groups.into_iter()
}

/// The variables of a run.
///
/// ```
/// use prowess_config::{BlankVariable, Env};
/// use prowess_run::environment::{OverlayRequest, SkillVariables, overlay};
/// use prowess_types::Secret;
///
/// let outer = Env::new([("PATH".into(), "/bin".into()), ("MAIL_PASSWORD".into(), "private".into())], "/");
/// let weather = SkillVariables {
///     key: "weather".into(),
///     primary: Some("WEATHER_KEY".into()),
///     env: vec![("LD_PRELOAD".into(), Ok(Secret::new("evil.so")))],
///     api_key: Some(Ok(Secret::new("hunter2"))),
///     ..SkillVariables::default()
/// };
/// let blank = BlankVariable::Absent;
/// let overlay = overlay(OverlayRequest { outer: &outer, skills: &[weather], inherit: &[], blank });
/// assert_eq!(overlay.environment.names().collect::<Vec<_>>(), ["PATH", "WEATHER_KEY"]);
/// assert_eq!(overlay.log_lines(), ["Blocked skill env overrides for weather: LD_PRELOAD"]);
/// ```
pub fn overlay(request: OverlayRequest<'_>) -> Overlay {
    let mut build =
        Build { outer: request.outer, blank: request.blank, vars: BTreeMap::new(), made: Overlay::default() };
    build.base(request.inherit);
    for skill in request.skills.iter().filter(|skill| !skill.disabled) {
        build.skill(skill);
    }
    let vars = build.vars.into_iter().map(|(name, (value, _))| (name, value));
    Overlay { environment: Environment::new(vars), ..build.made }
}

struct Build<'a> {
    outer: &'a Env,
    blank: BlankVariable,
    /// Each variable with the skill that set it; none for what is inherited.
    vars: BTreeMap<String, (Secret, Option<String>)>,
    made: Overlay,
}

impl Build<'_> {
    fn base(&mut self, more: &[String]) {
        for name in self.outer.non_blank_names() {
            let is_asked_for = more.contains(&name);
            let Some(value) = self.outer.get(&name).filter(|_| is_asked_for || is_base_name(&name)) else {
                continue;
            };
            let secret = Secret::new(value);
            if is_secret_in_base(&name, value) || (is_asked_for && looks_secret(&name)) {
                self.made.secrets.push(secret.clone());
            }
            self.vars.insert(name, (secret, None));
        }
    }

    fn skill(&mut self, skill: &SkillVariables) {
        let primary = skill.primary.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let declared: Vec<&str> =
            primary.into_iter().chain(skill.requires.iter().map(|name| name.trim())).collect();
        for name in &declared {
            self.inherit_declared(skill, name);
        }
        let is_declared = |name: &str| declared.contains(&name);
        let mut seen = Vec::new();
        for (name, value) in &skill.env {
            let name = name.trim_matches([' ', '\t']);
            if is_empty(value) {
                continue;
            }
            seen.push(name);
            self.set(skill, name, value, is_declared(name));
        }
        if let (Some(name), Some(value)) = (primary, &skill.api_key)
            && !seen.contains(&name)
            && !is_empty(value)
        {
            self.set(skill, name, value, true);
        }
    }

    /// A skill that declares a variable which the user has set outside gets the user's value.
    fn inherit_declared(&mut self, skill: &SkillVariables, name: &str) {
        if self.vars.contains_key(name) {
            return;
        }
        let Some(value) = self.set_outside(name) else { return };
        let upper = name.to_ascii_uppercase();
        let is_own = OWN_PREFIXES.iter().any(|prefix| upper.starts_with(prefix));
        match judge_name(name, true) {
            // The value is the user's own, so it redirects nothing that was not redirected before.
            Judgement::Refused { effect, .. } if effect != VariableEffect::LoadsCode && !is_own => {}
            Judgement::Allowed => {}
            Judgement::Refused { reason, .. } => {
                return self.refuse(skill, name, RefusalReason::Dangerous(reason));
            }
            Judgement::Invalid { reason } => return self.refuse(skill, name, RefusalReason::Invalid(reason)),
        }
        let secret = Secret::new(value);
        self.made.secrets.push(secret.clone());
        self.vars.insert(name.to_owned(), (secret, None));
    }

    /// The value that the user has set.
    fn set_outside(&self, name: &str) -> Option<&str> {
        self.outer.get(name).filter(|_| self.blank.is_set(self.outer, name))
    }

    fn set(
        &mut self,
        skill: &SkillVariables,
        name: &str,
        value: &Result<Secret, SecretError>,
        is_declared: bool,
    ) {
        match judge_name(name, is_declared) {
            Judgement::Allowed => {}
            Judgement::Refused { effect: VariableEffect::ReplacesCredential, .. } => {
                return self.refuse(skill, name, RefusalReason::Undeclared);
            }
            Judgement::Refused { reason, .. } => {
                return self.refuse(skill, name, RefusalReason::Dangerous(reason));
            }
            Judgement::Invalid { reason } => return self.refuse(skill, name, RefusalReason::Invalid(reason)),
        }
        if self.set_outside(name).is_some() {
            return self.refuse(skill, name, RefusalReason::SetOutside);
        }
        let value = match value {
            Ok(value) => value,
            Err(error) => return self.refuse(skill, name, RefusalReason::Unresolved(error.to_string())),
        };
        if let Judgement::Invalid { reason } | Judgement::Refused { reason, .. } = judge_value(value.expose())
        {
            return self.refuse(skill, name, RefusalReason::Invalid(reason));
        }
        if let Some((earlier, by)) = self.vars.get(name) {
            // The same key under the same name is what both want.
            if earlier != value {
                let by = by.clone().unwrap_or_default();
                self.refuse(skill, name, RefusalReason::SetBySkill(by));
            }
            return;
        }
        self.warn(skill, name, value, is_declared);
        self.made.secrets.push(value.clone());
        self.vars.insert(name.to_owned(), (value.clone(), Some(skill.key.clone())));
    }

    fn warn(&mut self, skill: &SkillVariables, name: &str, value: &Secret, is_declared: bool) {
        let text = value.expose();
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        let found = [
            (text.len() > LONG, Suspicion::Long),
            (text.len() >= ENCODED && text.bytes().all(is_base64), Suspicion::Encoded),
            (!is_declared && looks_secret(name), Suspicion::Undeclared),
        ];
        let found = found.into_iter().filter(|(is_odd, _)| *is_odd).map(|(_, suspicion)| {
            SuspiciousVariable { skill: skill.key.clone(), name: name.to_owned(), suspicion }
        });
        self.made.warnings.extend(found);
    }

    fn refuse(&mut self, skill: &SkillVariables, name: &str, reason: RefusalReason) {
        let name = name.escape_debug().to_string();
        let refusal = VariableRefusal { skill: skill.key.clone(), name, reason };
        if !self.made.refusals.contains(&refusal) {
            self.made.refusals.push(refusal);
        }
    }
}

fn is_empty(value: &Result<Secret, SecretError>) -> bool {
    matches!(value, Ok(secret) if secret.expose().is_empty())
}
