//! Help for registries: publishing, logging in, and serving one.

use prowess_acquire::{LoginError, PublishError};
use prowess_hub::HubError;
use prowess_registry::{RegistryError, SourceError};
use prowess_text::printable;

pub(super) fn hub(error: &HubError) -> Option<String> {
    match error {
        HubError::Taken { .. } => Some("stop it first, or name another folder with --data".to_owned()),
        _ => None,
    }
}

pub(super) fn login(error: &LoginError) -> Option<String> {
    match error {
        LoginError::NotALogin { .. } => {
            Some("move the file away, or name another with `CLAWHUB_CONFIG_PATH`".to_owned())
        }
        _ => None,
    }
}

pub(super) fn publish(error: &PublishError) -> Option<String> {
    Some(match error {
        PublishError::Registry(_) => return None,
        PublishError::Source(SourceError::GitMetadata { .. }) => {
            "move that repository out of the folder; only the `.git` of the folder itself is left out"
                .to_owned()
        }
        PublishError::Source(_) => "name the folder of a skill, the one with `SKILL.md`".to_owned(),
        PublishError::DeclaredVersion { .. } => {
            "write it in quotes, such as \"1.2.0\", or pass `--version`".to_owned()
        }
        PublishError::VersionExists { next, field, .. } => {
            let raise = field.map(|field| format!("raise `{field}` in SKILL.md, or ")).unwrap_or_default();
            format!("{raise}pass a free version, such as `--version {next}`")
        }
        PublishError::Plugin { .. } => "publish the skills of a plugin one by one".to_owned(),
        _ => "`prowess validate` shows everything that is wrong".to_owned(),
    })
}

pub(super) fn registry(error: &RegistryError) -> Option<String> {
    Some(match error {
        RegistryError::NotFound { .. } => "`prowess search` finds skills by what they do".to_owned(),
        RegistryError::Ambiguous { matches, .. } => match matches.first() {
            Some(first) => format!("name the owner too: `{}`", printable(&first.reference)),
            None => "name the owner too: `@owner/slug`".to_owned(),
        },
        RegistryError::Blocked { .. } | RegistryError::Deleted { .. } | RegistryError::Pending { .. } => {
            "`prowess registry moderation SKILL` shows the moderation status".to_owned()
        }
        RegistryError::Unauthorized { .. } => {
            "`prowess registry login` gets a new token; `prowess registry whoami` tests it".to_owned()
        }
        RegistryError::Http(_) => {
            "is the address right? `--registry`, `PROWESS_REGISTRY` and `skills.registry` name another"
                .to_owned()
        }
        RegistryError::Answer { .. } => {
            "is this the address of a registry? `--registry` names another".to_owned()
        }
        _ => return None,
    })
}
