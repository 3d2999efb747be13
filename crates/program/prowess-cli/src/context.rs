//! What every command works with: the engine, opened from the command line and the environment.

use std::path::PathBuf;
use std::sync::Arc;

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::Clock;
use prowess_match::AgentView;
use prowess_types::ErrorKind;

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, WARN, paint};

pub(crate) struct Context {
    pub(crate) engine: Engine,
    pub(crate) json: bool,
    pub(crate) agent: Option<String>,
}

impl Context {
    pub(crate) fn open(global: &Global) -> Result<Self, Failure> {
        Self::open_in(global, None)
    }

    /// The same, as if the program had been started in another folder.
    pub(crate) fn open_in(global: &Global, folder: Option<PathBuf>) -> Result<Self, Failure> {
        let engine = Engine::open(EngineOptions {
            profile: global.profile.map(Into::into).unwrap_or_default(),
            env: capture(folder)?,
            overrides: Overrides {
                home: global.home.clone(),
                config: global.config.clone(),
                workspace: global.workspace.clone(),
                bundled: None,
            },
            executable: std::env::current_exe().ok(),
            embedded: crate::BUNDLED,
            models: crate::models(),
            ..EngineOptions::default()
        })?;
        Ok(Self { engine, json: global.json, agent: global.agent.clone() })
    }

    /// The same, after the config was changed.
    pub(crate) fn reopened(self) -> Result<Self, Failure> {
        let engine = self.engine.reopen()?;
        Ok(Self { engine, ..self })
    }

    /// The clock.
    #[expect(
        clippy::disallowed_methods,
        clippy::unused_self,
        reason = "this is the one place that reads the clock"
    )]
    pub(crate) fn clock(&self) -> Clock {
        Clock::new(|| {
            let since =
                std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        })
    }

    /// What the agent has now. A command looks once.
    pub(crate) fn view(&self) -> Result<Arc<AgentView>, Failure> {
        Ok(self.engine.view(self.agent.as_deref())?)
    }

    /// Says what is wrong in the config, where it cannot get into the answer.
    pub(crate) fn report_issues(&self) -> Outcome {
        let mut outcome = Outcome::Fine;
        for issue in self.engine.issues() {
            let (style, word) = if issue.is_fatal() { (BAD, "error[config]") } else { (WARN, "warning") };
            output::err(&format!("{}: {issue}\n", paint(style.bold(), word)));
            if issue.is_fatal() {
                outcome = Outcome::Environment;
            }
        }
        outcome
    }
}

/// The environment, read once.
pub(crate) fn capture(folder: Option<PathBuf>) -> Result<Env, Failure> {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
    let vars = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let cwd = folder.map_or_else(std::env::current_dir, Ok).map_err(|error| {
        Failure::of(ErrorKind::Files, &error).hint("the current folder is gone; change to another one")
    })?;
    Ok(Env::new(vars, cwd))
}
