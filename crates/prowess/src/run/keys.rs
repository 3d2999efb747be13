//! The keys of a run: those of the skills that are active in it, and no others.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prowess_run::environment::{OverlayRequest, SkillVariables, overlay};
use prowess_run::{Environment, Redactor, SharedEnvironment};
use prowess_types::{Secret, Skill};

use crate::engine::Engine;
use crate::inventory::Inventory;

/// Makes the environment of a run, and adds to it when a skill comes into use.
pub(super) struct Keys {
    engine: Engine,
    skills: Vec<Arc<Skill>>,
    inherit: Vec<String>,
    active: Mutex<Active>,
    pub(super) environment: SharedEnvironment,
    pub(super) redactor: Redactor,
}

#[derive(Default)]
struct Active {
    variables: Vec<SkillVariables>,
    names: BTreeSet<String>,
    told: BTreeSet<String>,
}

impl Keys {
    /// The base environment, without any skill's keys. `own` are secrets that must not show up in texts anyway.
    pub(super) fn new(engine: Engine, inventory: &Inventory, inherit: Vec<String>, own: &[Secret]) -> Self {
        let usable = inventory.entries.iter().filter(|entry| entry.is_usable());
        let keys = Self {
            skills: usable.map(|entry| Arc::clone(&entry.skill)).collect(),
            engine,
            inherit,
            active: Mutex::default(),
            environment: SharedEnvironment::new(Environment::default()),
            redactor: Redactor::new(own),
        };
        keys.renew(&mut keys.lock());
        keys
    }

    /// Adds the keys of a skill. Gives what was refused or looks odd, each once in a run.
    pub(super) fn activate(&self, skill: &str) -> Vec<String> {
        let mut active = self.lock();
        let found = self.skills.iter().find(|usable| usable.name == skill);
        let Some(skill) = found.filter(|skill| active.names.insert(skill.name.clone())) else {
            return Vec::new();
        };
        active.variables.push(self.engine.skill_variables(skill));
        self.renew(&mut active)
    }

    /// Adds the keys of every skill that the agent may use.
    pub(super) fn activate_all(&self) -> Vec<String> {
        self.skills.iter().flat_map(|skill| self.activate(&skill.name)).collect()
    }

    fn renew(&self, active: &mut Active) -> Vec<String> {
        let request =
            OverlayRequest { outer: self.engine.env(), skills: &active.variables, inherit: &self.inherit };
        let made = overlay(request);
        self.redactor.learn(&made.secrets);
        let lines = made.log_lines();
        let path = self.engine.program_path();
        let environment = match path.to_str().filter(|path| !path.is_empty()) {
            Some(path) => made.environment.with("PATH", Secret::new(path)),
            None => made.environment,
        };
        self.environment.replace(environment);
        lines.into_iter().filter(|line| active.told.insert(line.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Active> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
