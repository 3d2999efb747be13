//! The dependencies of a skill on the machine: the missing ones, the ways to install them, and installing them.
//!
//! Three steps, each a call. [`Context::dependencies`] finds the skill, [`Dependencies::plan`] says exactly what an
//! option would do and whether that may be done at all, [`Dependencies::install`] does it, with the consent of a user
//! or of the operator's policy. A skill cannot give that consent: nothing in it is asked.

mod report;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_context::{Context, ContextError};
use prowess_install::deps::{
    InstallEvent, InstallHost, InstallPlan, InstallResult, InstallRun, Obstacle, Privilege, clamp_timeout,
    install, prepare, tools_folder,
};
use prowess_inventory::{Inventory, SkillEntry, platform};
use prowess_match::AgentView;
use prowess_net::{Client, NetError, NetOptions};
use prowess_types::{BinRule, InstallKind, InstallOption, InstallRecipe, InstallSpec, RefusedInstall, Tier};
use serde_json::{Value, json};

use crate::policy::PolicyDecision;
use crate::scan::{Admission, Scanned, scan_path};

pub use report::{
    DependencyConsent, DependencyOption, DependencyPlan, DependencyReadiness, FoundElsewhere, InstallChoices,
    Installation,
};

/// Folders of a skill's tools that are looked through for a program.
const MAX_TOOL_ENTRIES: usize = 10_000;
const MAX_TOOL_DEPTH: usize = 16;

/// The reason there is nothing to install.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DepsError {
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// There is no such skill. The words are OpenClaw's.
    #[error("Skill not found: {0}")]
    NoSkill(String),
    /// The skill declares no such option. The words are OpenClaw's.
    #[error("Installer not found: {0}")]
    NoInstaller(String),
    /// The option of the skill cannot be used.
    #[error("{0}")]
    Refused(Box<RefusedInstall>),
    /// The skill cannot be read for the scan.
    #[error("cannot read the skill")]
    Read(#[from] prowess_fs::FileReadError),
    /// There is no valid consent.
    #[error("installing `{0}` requires confirmation")]
    NoConsent(String),
    /// Nothing can be downloaded.
    #[error(transparent)]
    Net(#[from] NetError),
}

impl prowess_types::Classify for DepsError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::NoSkill(_) | Self::NoInstaller(_) => Is(ErrorKind::NotFound),
            Self::Refused(_) => Is(ErrorKind::Refused),
            Self::NoConsent(_) => Is(ErrorKind::Usage),
            Self::Read(_) | Self::Net(_) => Is(ErrorKind::Environment),
        }
    }
}

/// A skill and what it needs.
#[derive(Debug)]
pub struct Dependencies<'a> {
    context: &'a Context,
    agent: String,
    entry: SkillEntry,
    refused: Vec<RefusedInstall>,
    host: InstallHost,
}

impl<'c> Dependencies<'c> {
    /// Finds a skill by its exact name, and what it needs.
    pub fn of(context: &'c Context, view: &AgentView, name: &str) -> Result<Self, DepsError> {
        let entry = named(view.inventory(), name).ok_or_else(|| DepsError::NoSkill(name.to_owned()))?;
        let places = context.places();
        let host = InstallHost {
            environment: prowess_config::ChildEnvironment::Installer.select(context.env()),
            tools: context.tools_folder(),
            home: places.os_home.clone(),
            platform: platform().to_owned(),
            node_manager: context.config().install().node_manager,
            privilege: Privilege::current(),
        };
        let agent = view.agent().id.clone();
        let refused = view.inventory().refused_installs(entry);
        Ok(Self { context, agent, entry: entry.clone(), refused, host })
    }
}

fn named<'a>(inventory: &'a Inventory, name: &str) -> Option<&'a SkillEntry> {
    inventory.entries.iter().find(|entry| entry.skill.name == name)
}

impl Dependencies<'_> {
    /// The skill.
    pub fn entry(&self) -> &SkillEntry {
        &self.entry
    }

    /// Returns the readiness of the skill, as it was when it was found.
    pub fn readiness(&self) -> DependencyReadiness {
        self.readiness_of(&self.entry)
    }

    /// Every declared option that is for this platform, with what it would do.
    pub fn options(&self) -> Vec<DependencyOption> {
        let here = self.declared().filter(|(_, spec)| self.is_for_this_platform(spec));
        here.map(|(option, spec)| DependencyOption {
            offered: self.entry.install.iter().any(|offered| offered.id == option.id),
            useful: self.is_useful(&option),
            steps: prepare(spec, self.entry.skill.key(), &self.host),
            option,
        })
        .collect()
    }

    /// The declared options that cannot be used, with the reasons.
    pub fn refused(&self) -> &[RefusedInstall] {
        &self.refused
    }

    /// The options that one would choose without looking closer: those that are offered and bring something missing.
    pub fn proposed(&self) -> Vec<String> {
        self.entry
            .install
            .iter()
            .filter(|option| self.is_useful(option))
            .map(|option| option.id.clone())
            .collect()
    }

    /// Returns true if it brings something that is missing, or does not say what it brings.
    fn is_useful(&self, option: &InstallOption) -> bool {
        let missing = &self.entry.verdict.missing;
        let mut wanted = missing.bins.iter().chain(&missing.any_bins).peekable();
        wanted.peek().is_some() && (option.bins.is_empty() || wanted.any(|bin| option.bins.contains(bin)))
    }

    /// Returns the plan of an option: its steps, and whether they may be done.
    pub fn plan(&self, id: &str) -> Result<DependencyPlan, DepsError> {
        let (option, spec) =
            self.declared().find(|(option, _)| option.id == id).ok_or_else(|| {
                match self.refused.iter().find(|refused| refused.is_called(id)) {
                    Some(refused) => DepsError::Refused(Box::new(refused.clone())),
                    None => DepsError::NoInstaller(id.to_owned()),
                }
            })?;
        let steps = if self.is_for_this_platform(spec) {
            prepare(spec, self.entry.skill.key(), &self.host)
        } else {
            let message =
                format!("Installer {id} is for {}, and this is {}", spec.os.join(", "), self.host.platform);
            Err(Obstacle::Unfit(message))
        };
        let admission = self.admit(&option, spec, &steps)?;
        let mut warnings = admission.warnings.clone();
        warnings.extend(self.source_warning());
        Ok(DependencyPlan {
            agreed_by_policy: self.is_agreed_by_policy(&admission),
            trust_objection: self.entry.trust().objection(&self.entry.skill.name),
            option,
            steps,
            admission,
            warnings,
        })
    }

    /// Does what the plan says, and looks at the skill again.
    pub fn install(
        &self,
        plan: &DependencyPlan,
        consent: DependencyConsent,
        choices: &InstallChoices,
        on_event: &mut dyn FnMut(InstallEvent<'_>),
    ) -> Result<Installation, DepsError> {
        if consent == DependencyConsent::Policy && !plan.agreed_by_policy {
            return Err(DepsError::NoConsent(plan.option.id.clone()));
        }
        let mut result = match (&plan.steps, plan.objection()) {
            (Ok(steps), None) => {
                let client = Client::new(NetOptions {
                    reach: choices.reach,
                    allow_http: choices.allow_http,
                    proxy: self.context.proxy(),
                    ..NetOptions::default()
                })?;
                let mut run = InstallRun {
                    timeout: clamp_timeout(choices.timeout),
                    cancel: Arc::clone(&choices.cancel),
                    client: &client,
                    on_event,
                };
                install(steps, &self.host, &mut run)
            }
            (Err(obstacle), None) => InstallResult::from(obstacle),
            (_, Some(objection)) => InstallResult::refused(objection),
        };
        result.warnings.extend(plan.warnings.iter().cloned());
        if result.ok {
            self.make_found(plan);
        }
        Ok(Installation { id: plan.option.id.clone(), result, after: self.look_again()? })
    }

    /// Makes what was installed count from now on, wherever the installer put it, and notifies watchers.
    fn make_found(&self, plan: &DependencyPlan) {
        let path = self.context.program_path();
        let missing = &self.entry.verdict.missing;
        for bin in plan.option.bins.iter().chain(&missing.bins).chain(&missing.any_bins) {
            if prowess_fs::find_in_path(bin, &path, BinRule::ExecutableFile) {
                continue;
            }
            if let Some(found) = self.find_elsewhere(bin) {
                self.context.adopt_program(bin, &found);
            }
        }
        // A new file each time. Without it a gateway looks again only at the next change.
        let stamp = ulid::Ulid::generate().to_string();
        let _ = prowess_fs::write_atomic(&self.context.installed_stamp(), stamp.as_bytes(), Some(0o600));
    }

    /// The options in the order in which they are declared, by the ids that the status report gives them.
    fn declared(&self) -> impl Iterator<Item = (InstallOption, &InstallSpec)> {
        self.entry.skill.metadata.install.iter().enumerate().map(|(index, spec)| {
            let id = spec.id.clone().unwrap_or_else(|| format!("{}-{index}", spec.kind.as_str()));
            let offered =
                self.entry.install.iter().find(|option| option.id == id && option.kind == spec.kind);
            let option = offered.cloned().unwrap_or_else(|| InstallOption {
                label: spec.label.clone().unwrap_or_else(|| id.clone()),
                kind: spec.kind,
                bins: spec.bins.clone(),
                id,
            });
            (option, spec)
        })
    }

    fn is_for_this_platform(&self, spec: &InstallSpec) -> bool {
        prowess_gate::matches_platform(&spec.os, &self.host.platform)
    }

    fn admit(
        &self,
        option: &InstallOption,
        spec: &InstallSpec,
        steps: &Result<InstallPlan, Obstacle>,
    ) -> Result<Admission, DepsError> {
        let name = &self.entry.skill.name;
        let origin = json!({ "type": self.entry.origin.source, "skillName": name, "installId": option.id });
        let commands: Vec<String> = steps
            .as_ref()
            .map(|plan| plan.steps().iter().map(ToString::to_string).collect())
            .unwrap_or_default();
        let request = json!({
            "kind": "skill-install",
            "mode": "install",
            "requestedSpecifier": format!("{name}:{}", option.id),
            "installId": option.id,
            "installSpec": installer_of(option, spec),
            "commands": commands,
        });
        Ok(crate::scan::admit(self.context, &self.scan()?, origin, request))
    }

    fn scan(&self) -> Result<Scanned, DepsError> {
        let file = &self.entry.origin.file;
        let scanned = scan_path(file, &self.context.parse_options())?;
        scanned.into_iter().next().ok_or_else(|| DepsError::NoSkill(self.entry.skill.name.clone()))
    }

    /// Returns a warning for skills of a workspace, a project or a person: their authors are not known.
    fn source_warning(&self) -> Option<String> {
        let origin = &self.entry.origin;
        let is_vetted = matches!(origin.tier, Tier::Bundled | Tier::Managed | Tier::Extra);
        (!is_vetted).then(|| {
            format!(
                "WARNING: Skill \"{}\" install triggered from non-bundled source \"{}\". Verify the install recipe is \
                 trusted.",
                self.entry.skill.name,
                self.context.profile().source_name(&origin.source)
            )
        })
    }

    /// A policy agrees if it is asked about skills and allows this one. Silence is not consent.
    fn is_agreed_by_policy(&self, admission: &Admission) -> bool {
        let is_asked = self.context.config().install_policy().is_some_and(|policy| {
            policy.targets.is_none_or(|targets| targets.iter().any(|target| target == "skill"))
        });
        let allows = admission.policy.as_ref().is_some_and(|answer| answer.decision == PolicyDecision::Allow);
        is_asked && allows && admission.decision == PolicyDecision::Allow
    }

    fn look_again(&self) -> Result<DependencyReadiness, DepsError> {
        // Programs that were installed meanwhile count, so this looks afresh.
        let view = AgentView::read(self.context, Some(&self.agent))?;
        let name = &self.entry.skill.name;
        let entry = named(view.inventory(), name).ok_or_else(|| DepsError::NoSkill(name.clone()))?;
        Ok(self.readiness_of(entry))
    }

    fn readiness_of(&self, entry: &SkillEntry) -> DependencyReadiness {
        let verdict = &entry.verdict;
        let bins = verdict.missing.bins.iter().chain(&verdict.missing.any_bins);
        let elsewhere =
            bins.filter_map(|bin| Some(FoundElsewhere { path: self.find_elsewhere(bin)?, bin: bin.clone() }));
        DependencyReadiness {
            eligible: verdict.eligible,
            missing: verdict.missing.clone(),
            reasons: verdict.reasons.clone(),
            elsewhere: elsewhere.collect(),
        }
    }

    /// Returns the path of a program that is not on `PATH`: installers have folders of their own.
    fn find_elsewhere(&self, bin: &str) -> Option<PathBuf> {
        if bin.is_empty() || bin.contains(['/', '\\']) {
            return None;
        }
        let is_program = |path: &Path| {
            path.parent().is_some_and(|folder| {
                prowess_fs::find_in_path(bin, folder.as_os_str(), BinRule::ExecutableFile)
            })
        };
        let usual = self.host.program_folders().into_iter().map(|folder| folder.join(bin));
        let tools = tools_folder(&self.host.tools, self.entry.skill.key());
        let downloaded = prowess_fs::list_all(&tools, MAX_TOOL_ENTRIES, MAX_TOOL_DEPTH).entries;
        let downloaded = downloaded.into_iter().map(|entry| entry.path);
        let named_so = |path: &PathBuf| path.file_name().is_some_and(|name| name == bin);
        usual.chain(downloaded.filter(named_so)).find(|path| is_program(path))
    }
}

/// An option in the words of its skill.
fn installer_of(option: &InstallOption, spec: &InstallSpec) -> Value {
    let mut shown = json!({ "id": option.id, "kind": spec.kind, "bins": spec.bins, "os": spec.os });
    match (&spec.recipe, spec.kind) {
        (InstallRecipe::Package(package), InstallKind::Brew) => shown["formula"] = json!(package),
        (InstallRecipe::Package(package), InstallKind::Go) => shown["module"] = json!(package),
        (InstallRecipe::Package(package), _) => shown["package"] = json!(package),
        (InstallRecipe::Download(download), _) => {
            shown["url"] = json!(download.url);
            shown["targetDir"] = json!(download.target_dir);
            shown["sha256"] = json!(download.sha256);
        }
    }
    shown
}

#[cfg(test)]
#[cfg(unix)]
#[path = "deps_tests.rs"]
mod tests;
