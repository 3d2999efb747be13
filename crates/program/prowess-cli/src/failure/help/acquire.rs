//! Help for installs, dependencies, other agent programs and new skills.

use prowess::ScaffoldError;
use prowess_acquire::{AcquireError, DepsError, InstallError, TrashError};
use prowess_connect::harness::ConnectError;
use prowess_registry::{NetError, RegistryError, SourceError};

pub(super) fn dependencies(error: &DepsError) -> Option<String> {
    match error {
        DepsError::NoInstaller(_) => Some("`prowess deps NAME` lists the options with their ids".to_owned()),
        DepsError::Refused(refused) => Some(refused.help.clone()),
        DepsError::NoConsent(_) => Some("review it with `--dry-run`, then confirm with `--yes`".to_owned()),
        _ => None,
    }
}

pub(super) fn harness(error: &ConnectError) -> Option<String> {
    let list = "`prowess sync --list` names every program that is known";
    match error {
        ConnectError::Context(_) => None,
        ConnectError::Harness(_) | ConnectError::NothingToImport(_) => Some(list.to_owned()),
        _ => Some(format!("name one with `--to`; {list}")),
    }
}

pub(super) fn scaffold(error: &ScaffoldError) -> Option<String> {
    match error {
        ScaffoldError::Name { .. } => Some("such as `release-notes`".to_owned()),
        ScaffoldError::Exists { .. } => Some("choose another name; nothing was changed".to_owned()),
        _ => None,
    }
}

pub(super) fn acquire(error: &AcquireError) -> Option<String> {
    Some(match error {
        AcquireError::Reference(_) => {
            "a slug, `@owner/slug`, `owner/repo[/path][@ref]`, `./folder`, an archive or an address"
                .to_owned()
        }
        AcquireError::Ambiguous { text } => {
            format!("write `./{text}` for the folder, `github:{text}` for the repository")
        }
        AcquireError::AlreadyThere { is_installed: true, .. } => {
            "`prowess update` updates it; `--force` replaces it and keeps your edits in the trash".to_owned()
        }
        AcquireError::AlreadyThere { .. } => {
            "it was not installed by `prowess install`; `--force` replaces it and keeps it in the trash"
                .to_owned()
        }
        AcquireError::NotInstalled { .. } => "`prowess installed` lists installed skills".to_owned(),
        AcquireError::ByOtherTool { tool, .. } => {
            format!("use `{tool}`, or take it over with `prowess install REF --force`")
        }
        AcquireError::NoSource { .. } => "install it again from where it is now".to_owned(),
        AcquireError::Private { .. } => "if it is yours, name it: `--registry URL`".to_owned(),
        AcquireError::Blocked { .. } => "nothing was installed, and no option changes that".to_owned(),
        AcquireError::NotAgreed { .. } => "review the warnings; `--force` installs it anyway".to_owned(),
        AcquireError::NotFrozen { .. } => {
            "`prowess verify` names every file, `prowess diff NAME --local` shows what was changed".to_owned()
        }
        AcquireError::Mirror { .. } => "repair that file or move it away".to_owned(),
        AcquireError::Trash(TrashError::Taken { .. }) => {
            "`--force` moves the existing one to the trash".to_owned()
        }
        AcquireError::Install(error) => return install(error),
        AcquireError::Source(error) => return source(error),
        _ => return None,
    })
}

fn install(error: &InstallError) -> Option<String> {
    Some(match error {
        InstallError::Pinned { folder, .. } => format!("`prowess unpin {folder}` unpins it"),
        InstallError::Conflicts { folder, .. } => format!(
            "`prowess diff {folder}` shows both sides; `--mark-conflicts` leaves them marked in the files; `--force` takes the new version and keeps a copy of yours in the trash"
        ),
        InstallError::Edited { .. } | InstallError::Unmergeable { .. } => {
            "`--force` takes the new version and keeps a copy of the folder in the trash".to_owned()
        }
        InstallError::Damaged { .. } => {
            "restore it from a backup or your repository, or move it away; installed folders stay as they are"
                .to_owned()
        }
        InstallError::Lock(_) => "another install is running; retry when it has finished".to_owned(),
        _ => return None,
    })
}

fn source(error: &SourceError) -> Option<String> {
    Some(match error {
        SourceError::Registry(RegistryError::NotFound { .. }) => {
            "`prowess search WORDS` searches the registry".to_owned()
        }
        SourceError::Registry(RegistryError::Ambiguous { .. }) => "name the owner: `@owner/slug`".to_owned(),
        SourceError::Registry(RegistryError::Http(NetError::Refused { .. }))
        | SourceError::Http(NetError::Refused { .. }) => {
            "only addresses that you name yourself may lead into your own network".to_owned()
        }
        SourceError::GitMetadata { .. } => {
            "nothing was installed; the `.git` folder has to be removed where the skill comes from".to_owned()
        }
        SourceError::MalwareBlocked { .. } => {
            "if it is installed, remove it with `prowess uninstall`".to_owned()
        }
        _ => return None,
    })
}
