//! Installing an uploaded archive, rather than one that was fetched.

use prowess_install::{Folder, LockFile};
use prowess_registry::{Fetched, Resolved, SourceReference};

use super::install::InstallOptions;
use super::plan::Plan;
use super::source::{Got, without_tool_files};
use super::{Acquire, AcquireError};

impl Acquire<'_> {
    /// Says what installing an archive would do. Nothing is written. It goes to the folder that `slug` names.
    pub fn plan_upload(
        &self,
        slug: &str,
        archive: &[u8],
        options: &InstallOptions,
    ) -> Result<Plan, AcquireError> {
        self.recover()?;
        let folder = Folder::parse(slug).map_err(prowess_install::InstallError::from)?;
        let action = self.check_room(&folder, *options)?;
        let bundle = crate::supply::unpack(archive, "").map_err(AcquireError::Upload)?;
        if !bundle.files.iter().any(|file| file.path.eq_ignore_ascii_case("SKILL.md")) {
            return Err(AcquireError::Upload("there is no SKILL.md in it".to_owned()));
        }
        let name = format!("{}.zip", folder.last());
        let resolved = Resolved {
            reference: SourceReference::Archive(name.clone()),
            name: folder.last().to_owned(),
            place: name,
            path: None,
            owner: None,
            version: None,
            commit: None,
            digest: Some(prowess_fs::sha256_hex(archive)),
        };
        let mut fetched = Fetched { bundle, resolved, moderation: None, left_out: Vec::new() };
        without_tool_files(&mut fetched);
        let before = LockFile::read(&self.target.home)?.skills.remove(&folder);
        self.plan(Got { fetched, registry: None }, folder, action, before)
    }
}
