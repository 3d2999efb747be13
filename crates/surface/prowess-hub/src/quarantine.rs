//! Versions that were published before a rule was known, and may no longer be served.
//!
//! Version 0.1 accepted git metadata. Such versions stay in the tables, so that their numbers stay taken, but they are
//! judged again when the registry opens: they become malicious, and with that no list, search or download has them.

use prowess_registry::MAX_FILE_BYTES;
use prowess_store::registry::FileRecord;
use prowess_types::{Bundle, BundleFile};

use crate::HubError;
use crate::hub::Hub;

/// Letters that some path of a version with git metadata has; forms with invisible letters are beyond ASCII.
const LETTERS: [&str; 2] = ["git", "HEAD"];

impl Hub {
    /// Judges versions again that git would take for a repository. Returns how many were blocked.
    pub(crate) fn block_repositories(&self) -> Result<usize, HubError> {
        let mut blocked = 0;
        for id in self.store.versions_with_path(&LETTERS)? {
            let files = self.store.files(&id)?;
            let paths = files.iter().map(|file| file.path.as_str());
            if prowess_types::git_names::repository_in(paths).is_none() {
                continue;
            }
            let bundle = Bundle { files: files.into_iter().map(|file| self.file_of(file)).collect() };
            let (_, report) =
                prowess_inventory::examine_bundle(&bundle, "skill", &prowess_skill::ParseOptions::default());
            let report_text = serde_json::to_value(&report).unwrap_or_default();
            self.store.set_verdict(&id, report.verdict, &report_text)?;
            blocked += 1;
        }
        if blocked > 0 {
            let text = "that contain git metadata, which version 0.1 accepted, are blocked from now on";
            self.options.note.say(&format!("{blocked} published versions {text}"));
        }
        Ok(blocked)
    }

    /// A file as the scanner takes it. Its name is what counts: contents that are gone do not matter.
    fn file_of(&self, file: FileRecord) -> BundleFile {
        let bytes = self.blobs.get(&file.sha256, MAX_FILE_BYTES).unwrap_or_default();
        BundleFile { path: file.path, bytes, executable: false }
    }
}
