//! Skills that come from this machine: one text, or a folder that another tool installed.

use std::path::Path;

use prowess_install::{Folder, LockFile};
use prowess_registry::{Fetched, Resolved, SourceReference};
use prowess_types::{Bundle, BundleFile};

use super::plan::Plan;
use super::source::Got;
use super::{Acquire, AcquireError, AcquireOptions, InstallOptions, InstallScope};

impl Acquire<'_> {
    /// Says what installing one text as a skill would do. Nothing is written. `path` is the file the text is from.
    pub fn plan_text(
        &self,
        name: String,
        text: String,
        path: &Path,
        options: InstallOptions,
    ) -> Result<Plan, AcquireError> {
        self.recover()?;
        let folder = Folder::parse(&name).map_err(prowess_install::InstallError::from)?;
        let action = self.check_room(&folder, options)?;
        let before = LockFile::read(&self.target.home)?.skills.remove(&folder);
        let path = path.display().to_string();
        let file = BundleFile { path: "SKILL.md".to_owned(), bytes: text.into_bytes(), executable: false };
        let fetched = Fetched {
            bundle: Bundle { files: vec![file] },
            resolved: Resolved {
                reference: SourceReference::Folder(path.clone()),
                name,
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

    /// Keeps the source that another tool recorded when it installed this folder, if it did.
    pub fn keep_recorded_source(&self, folder: &Path, plan: &mut Plan) {
        for scope in [InstallScope::Workspace, InstallScope::Global] {
            let options = AcquireOptions { scope, ..self.options.clone() };
            let Ok(desk) = Acquire::open(self.context, options) else { continue };
            let known = desk.other_tools(&[]).0.into_iter();
            let mut known = known.filter(|known| prowess_fs::real(&known.path).as_deref() == Some(folder));
            let is_elsewhere = |source: &str| {
                matches!(
                    SourceReference::parse(source),
                    Ok(SourceReference::Registry(_) | SourceReference::Git(_))
                )
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
