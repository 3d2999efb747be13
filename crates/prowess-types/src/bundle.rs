//! A skill as files in memory, on its way from one place to another.

/// All files of a skill. No links, no special files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// The files, in the order of their paths' bytes.
    pub files: Vec<BundleFile>,
}

/// One file of a [`Bundle`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    /// Relative to the skill's folder, with `/`; never empty, absolute or upwards.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Whether it can be run.
    pub executable: bool,
}
