//! A skill as files in memory, on its way from one place to another.

/// All files of a skill. No links, no special files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The files, in the order of their paths' bytes.
    pub files: Vec<BundleFile>,
}

impl Bundle {
    /// The first place that git would take for a repository (see
    /// [`repository_in`](crate::git_names::repository_in)). A bundle from others that has one is refused.
    pub fn git_repository(&self) -> Option<String> {
        crate::git_names::repository_in(self.files.iter().map(|file| file.path.as_str()))
    }
}

/// One file of a [`Bundle`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    /// Relative to the skill's folder, with `/`; never empty, absolute or upwards.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// True if it can be run.
    pub executable: bool,
}
