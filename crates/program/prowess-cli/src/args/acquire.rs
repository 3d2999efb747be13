//! `prowess install`, `update`, `outdated`, `installed`, `verify`, `pin`, `unpin`, `uninstall`, `restore` and `diff`

use clap::Args;

/// The place where skills are installed.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    /// For all workspaces, not only for this one
    #[arg(long)]
    pub(crate) global: bool,
}

/// The registry to query.
#[derive(Debug, Args)]
pub(crate) struct RegistryArgs {
    /// Address of the registry to query this time
    #[arg(long, value_name = "URL")]
    pub(crate) registry: Option<String>,
}

/// Consent to a change.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ConsentArgs {
    /// Confirm every change that has no warnings
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Only show what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Skills: a slug, @owner/slug, owner/repo[/path][@ref], a folder, an archive, an address
    #[arg(required_unless_present = "frozen", value_name = "REF")]
    pub(crate) refs: Vec<String>,
    /// Version, tag, branch or commit
    #[arg(long, value_name = "VERSION", conflicts_with = "frozen")]
    pub(crate) version: Option<String>,
    /// Replace an existing folder (edits are kept in the trash), and accept warnings
    #[arg(long)]
    pub(crate) force: bool,
    /// Install exactly what the lock says, or nothing; REF are names of installed skills then
    #[arg(long)]
    pub(crate) frozen: bool,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) registry: RegistryArgs,
}

#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    /// Names of installed skills
    #[arg(required_unless_present = "all", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Every installed skill that is not pinned
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,
    /// Version, tag, branch or commit; it may be older
    #[arg(long, value_name = "VERSION", conflicts_with = "all")]
    pub(crate) version: Option<String>,
    /// Discard local edits (a copy is kept in the trash), and accept warnings
    #[arg(long)]
    pub(crate) force: bool,
    /// Merge, and leave conflicts marked in the files
    #[arg(long, conflicts_with = "force")]
    pub(crate) mark_conflicts: bool,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) registry: RegistryArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OutdatedArgs {
    /// Names of installed skills [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) registry: RegistryArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InstalledArgs {
    /// Names of installed skills [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PinArgs {
    /// Names of installed skills
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Reason for the pin
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

#[derive(Debug, Args)]
pub(crate) struct UnpinArgs {
    /// Names of installed skills
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// Names of installed skills
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// Id in the trash; without it the trash is listed
    pub(crate) id: Option<String>,
    /// Move the folder that is in its place to the trash
    #[arg(long, requires = "id")]
    pub(crate) force: bool,
    /// Only the trash of all workspaces
    #[arg(long)]
    pub(crate) global: bool,
    /// Only the trash of this workspace
    #[arg(long, conflicts_with = "global")]
    pub(crate) local: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// Name of an installed skill, or a reference to compare it with
    #[arg(value_name = "REF")]
    pub(crate) reference: String,
    /// Show local changes since the install
    #[arg(long, conflicts_with = "version")]
    pub(crate) local: bool,
    /// Version, tag, branch or commit to compare with
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) registry: RegistryArgs,
}
