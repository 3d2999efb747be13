//! The keys of a run: those of the skills that are active in it, and no others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use prowess_context::Context;
use prowess_run::environment::{OverlayRequest, SkillVariables, overlay};
use prowess_run::{Environment, SharedEnvironment};
use prowess_secret::Redactor;
use prowess_types::{IgnorePoison as _, Secret};

use super::plan::PlannedSkill;

/// Makes the environment of a run, and adds to it when a skill comes into use.
pub(super) struct Keys {
    context: Arc<Context>,
    skills: Vec<PlannedSkill>,
    inherit: Vec<String>,
    active: Mutex<Active>,
    pub(super) environment: SharedEnvironment,
    pub(super) redactor: Redactor,
}

#[derive(Default)]
struct Active {
    variables: Vec<SkillVariables>,
    files: BTreeSet<PathBuf>,
    told: BTreeSet<String>,
}

impl Keys {
    /// The base environment, without any skill's keys. `own` are secrets that must not show up in texts anyway.
    pub(super) fn new(
        context: Arc<Context>,
        skills: &[PlannedSkill],
        inherit: Vec<String>,
        own: &[Secret],
    ) -> Self {
        let keys = Self {
            skills: skills.to_vec(),
            context,
            inherit,
            active: Mutex::default(),
            environment: SharedEnvironment::new(Environment::default()),
            redactor: Redactor::new(own),
        };
        keys.renew(&mut keys.lock());
        keys
    }

    /// Adds the keys of the skill with this file. Gives what was refused or looks odd, each once in a run.
    pub(super) fn activate(&self, file: &Path) -> Vec<String> {
        let mut active = self.lock();
        let found = self.skills.iter().find(|usable| usable.file == file);
        let Some(found) = found.filter(|found| active.files.insert(found.file.clone())) else {
            return Vec::new();
        };
        active.variables.push(crate::secrets::skill_variables(&self.context, &found.skill));
        self.renew(&mut active)
    }

    /// Adds the keys of every skill that the agent may use.
    pub(super) fn activate_all(&self) -> Vec<String> {
        self.skills.iter().flat_map(|skill| self.activate(&skill.file)).collect()
    }

    fn renew(&self, active: &mut Active) -> Vec<String> {
        let request = OverlayRequest {
            outer: self.context.env(),
            skills: &active.variables,
            inherit: &self.inherit,
            blank: self.context.profile().blank_variable,
        };
        let made = overlay(request);
        self.redactor.learn(&made.secrets);
        let lines = made.log_lines();
        let path = self.context.program_path();
        let environment = match path.to_str().filter(|path| !path.is_empty()) {
            Some(path) => made.environment.with("PATH", Secret::new(path)),
            None => made.environment,
        };
        self.environment.replace(environment);
        lines.into_iter().filter(|line| active.told.insert(line.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Active> {
        self.active.lock().ignore_poison()
    }
}
