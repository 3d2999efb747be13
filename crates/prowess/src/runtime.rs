//! Names that differ by profile and are not worth a field of it.

use prowess_types::ProfileName;

/// Folders of plugins below the state directory.
pub(crate) const PLUGIN_FOLDERS: [&str; 2] = ["extensions", "plugins"];

/// Folders of plugins below a workspace.
pub(crate) const WORKSPACE_PLUGIN_FOLDERS: [&str; 2] = [".openclaw/extensions", ".prowess/plugins"];

/// The command that a truncated catalogue names.
pub(crate) fn audit_command(profile: ProfileName) -> &'static str {
    match profile {
        ProfileName::Prowess | ProfileName::Openpocket => "prowess check",
        ProfileName::Openclaw => "openclaw skills check",
    }
}
