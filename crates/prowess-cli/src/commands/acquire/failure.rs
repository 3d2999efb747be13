//! What went wrong, with what to do next.

use prowess::acquire::{AcquireError, InstallError, TrashError};
use prowess::registry::{GitError, HttpError, RegistryError, SourceError};

use crate::failure::{Code, Failure};

impl From<AcquireError> for Failure {
    fn from(error: AcquireError) -> Self {
        let hint = hint(&error);
        let failure = match error {
            AcquireError::Engine(error) => return error.into(),
            error => Self::of(code(&error), &error),
        };
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

fn code(error: &AcquireError) -> Code {
    match error {
        AcquireError::Network(_) => Code::Network,
        AcquireError::Mirror { .. } | AcquireError::Write(_) => Code::Files,
        AcquireError::Reference(_) | AcquireError::Ambiguous { .. } | AcquireError::Version { .. } => {
            Code::Usage
        }
        AcquireError::AlreadyThere { .. } | AcquireError::Trash(TrashError::Taken { .. }) => {
            Code::AlreadyThere
        }
        AcquireError::NotAgreed { .. } => Code::NotAgreed,
        AcquireError::Blocked { .. }
        | AcquireError::Private { .. }
        | AcquireError::ByOtherTool { .. }
        | AcquireError::NotFrozen { .. } => Code::Refused,
        AcquireError::Source(error) => source_code(error),
        AcquireError::Install(error) => install_code(error),
        _ => Code::NotFound,
    }
}

fn source_code(error: &SourceError) -> Code {
    match error {
        SourceError::Http(error) | SourceError::Registry(RegistryError::Http(error)) => match error {
            HttpError::Unreachable { .. } => Code::Network,
            _ => Code::Refused,
        },
        SourceError::Registry(error) => match error {
            RegistryError::RateLimited { .. }
            | RegistryError::Status { status: 500.., .. }
            | RegistryError::Answer { .. } => Code::Registry,
            RegistryError::Ambiguous { .. } => Code::Ambiguous,
            RegistryError::Blocked { .. } | RegistryError::Pending { .. } => Code::Refused,
            _ => Code::NotFound,
        },
        SourceError::Status { status, .. } if *status >= 500 || *status == 429 => Code::Network,
        SourceError::Git(GitError::Refused { .. })
        | SourceError::MalwareBlocked { .. }
        | SourceError::GitMetadata { .. } => Code::Refused,
        SourceError::Git(_) => Code::Network,
        _ => Code::NotFound,
    }
}

fn install_code(error: &InstallError) -> Code {
    match error {
        InstallError::Lock(_) => Code::Busy,
        InstallError::Damaged { .. } | InstallError::Newer { .. } => Code::Damaged,
        InstallError::Read(_) | InstallError::Write(_) | InstallError::Io { .. } => Code::Files,
        InstallError::Conflicts { .. } | InstallError::Edited { .. } | InstallError::Unmergeable { .. } => {
            Code::Conflict
        }
        InstallError::Pinned { .. } | InstallError::GitMetadata { .. } => Code::Refused,
        _ => Code::NotFound,
    }
}

fn hint(error: &AcquireError) -> Option<String> {
    Some(match error {
        AcquireError::Reference(_) => {
            "a slug, `@owner/slug`, `owner/repo[/path][@ref]`, `./folder`, an archive or an address".to_owned()
        }
        AcquireError::Ambiguous { text } => {
            format!("write `./{text}` for the folder, `github:{text}` for the repository")
        }
        AcquireError::AlreadyThere { is_installed: true, .. } => {
            "`prowess update` brings it up to date; `--force` replaces it, and keeps what was edited in the trash"
                .to_owned()
        }
        AcquireError::AlreadyThere { .. } => {
            "it was not installed by `prowess install`; `--force` replaces it and keeps it in the trash".to_owned()
        }
        AcquireError::NotInstalled { .. } => "`prowess installed` lists what is".to_owned(),
        AcquireError::ByOtherTool { tool, .. } => {
            format!("use `{tool}`, or take it over with `prowess install REF --force`")
        }
        AcquireError::NoSource { .. } => "install it again from where it is now".to_owned(),
        AcquireError::Private { .. } => "if it is yours, name it: `--registry URL`".to_owned(),
        AcquireError::Blocked { .. } => "nothing was installed, and no option changes that".to_owned(),
        AcquireError::NotAgreed { .. } => {
            "look at what is reported; `--force` agrees to it nevertheless".to_owned()
        }
        AcquireError::NotFrozen { .. } => {
            "`prowess verify` names every file, `prowess diff NAME --local` shows what was changed".to_owned()
        }
        AcquireError::Mirror { .. } => "mend that file or move it away".to_owned(),
        AcquireError::Trash(TrashError::Taken { .. }) => {
            "`--force` moves what is there to the trash".to_owned()
        }
        AcquireError::Install(error) => return install_hint(error),
        AcquireError::Source(error) => return source_hint(error),
        _ => return None,
    })
}

fn install_hint(error: &InstallError) -> Option<String> {
    Some(match error {
        InstallError::Pinned { folder, .. } => format!("`prowess unpin {folder}` lets it go"),
        InstallError::Conflicts { folder, .. } => format!(
            "`prowess diff {folder}` shows both sides; `--mark-conflicts` leaves them marked in the files; `--force` \
             takes what comes and keeps a copy of yours in the trash"
        ),
        InstallError::Edited { .. } | InstallError::Unmergeable { .. } => {
            "`--force` takes what comes and keeps a copy of the folder in the trash".to_owned()
        }
        InstallError::Damaged { .. } => {
            "mend it from a backup or your repository, or move it away; installed folders stay as they are"
                .to_owned()
        }
        InstallError::Lock(_) => "another install is under way; try again when it has ended".to_owned(),
        _ => return None,
    })
}

fn source_hint(error: &SourceError) -> Option<String> {
    Some(match error {
        SourceError::Registry(RegistryError::NotFound { .. }) => {
            "`prowess search WORDS` looks for skills".to_owned()
        }
        SourceError::Registry(RegistryError::Ambiguous { .. }) => "name the owner: `@owner/slug`".to_owned(),
        SourceError::Registry(RegistryError::Http(HttpError::Refused { .. }))
        | SourceError::Http(HttpError::Refused { .. }) => {
            "only addresses that you name yourself may lead into your own network".to_owned()
        }
        SourceError::GitMetadata { .. } => {
            "nothing was installed; the `.git` folder has to be removed where the skill comes from".to_owned()
        }
        SourceError::MalwareBlocked { .. } => {
            "if it is installed, `prowess uninstall` takes it away".to_owned()
        }
        _ => return None,
    })
}
