//! Installing what another program on this machine has. It is looked at like everything else that comes.

use prowess_harness::rule;
use prowess_install::{Folder, LockFile};
use prowess_registry::{Fetched, Reference, Resolved};
use prowess_types::{Bundle, BundleFile};

use super::plan::Plan;
use super::source::Got;
use super::{Acquire, AcquireError, AcquireOptions, InstallOptions, Scope};
use crate::harness::{Importable, ImportableKind};

/// A rule that is larger is not read.
const MAX_RULE_BYTES: u64 = 1024 * 1024;

impl Acquire<'_> {
    /// Says what importing a skill of another program would do. Nothing is written. If the tool that installed it
    /// there wrote down where it is from, that is kept, and it can be updated from there.
    pub fn plan_import(&self, skill: &Importable, options: &InstallOptions) -> Result<Plan, AcquireError> {
        match &skill.kind {
            ImportableKind::Skill => {
                let reference = Reference::Folder(skill.path.display().to_string());
                let mut plan = self.plan_install(&reference, options, &mut |_, _| {})?;
                self.keep_source(skill, &mut plan);
                Ok(plan)
            }
            ImportableKind::Rule(place) => self.plan_rule(skill, place, *options),
        }
    }

    fn plan_rule(
        &self,
        skill: &Importable,
        place: &str,
        options: InstallOptions,
    ) -> Result<Plan, AcquireError> {
        self.recover()?;
        let bytes =
            prowess_fs::read_file(&skill.path, MAX_RULE_BYTES).map_err(prowess_install::Error::from)?;
        let converted = rule::to_skill(place, &String::from_utf8_lossy(&bytes));
        let folder = Folder::parse(&converted.name).map_err(prowess_install::Error::from)?;
        let action = self.check_room(&folder, options)?;
        let before = LockFile::read(&self.target.home)?.skills.remove(&folder);
        let path = skill.path.display().to_string();
        let file =
            BundleFile { path: "SKILL.md".to_owned(), bytes: converted.text.into_bytes(), executable: false };
        let fetched = Fetched {
            bundle: Bundle { files: vec![file] },
            resolved: Resolved {
                reference: Reference::Folder(path.clone()),
                name: converted.name,
                place: path,
                path: None,
                owner: None,
                version: None,
                commit: None,
                digest: None,
            },
            moderation: None,
            left_out: Vec::new(),
        };
        self.plan(Got { fetched, registry: None }, folder, action, before)
    }

    /// Keeps what the tool wrote down that installed it there.
    fn keep_source(&self, skill: &Importable, plan: &mut Plan) {
        for scope in [Scope::Workspace, Scope::Global] {
            let options = AcquireOptions { scope, ..self.options.clone() };
            let Ok(desk) = self.engine.acquire(options) else { continue };
            let known = desk.other_tools(&[]).0.into_iter();
            let mut known = known.filter(|known| prowess_fs::real(&known.path).as_ref() == Some(&skill.path));
            let is_elsewhere = |source: &str| {
                matches!(Reference::parse(source), Ok(Reference::Registry(_) | Reference::Git(_)))
            };
            if let Some(known) = known.find(|known| is_elsewhere(&known.source)) {
                plan.provenance.source = known.source;
                plan.provenance.version = known.version;
                plan.provenance.commit = known.commit;
                return;
            }
        }
    }
}
