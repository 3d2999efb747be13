//! A skill of the registry.

use std::collections::BTreeMap;

use prowess_types::Bundle;

use super::choose::at_root;
use super::{Fetched, Resolved, SourceContext, SourceError, git};
use crate::client::{ModerationStatus, RegistryError, SkillId};
use crate::fingerprint::{content_hash, published_files};
use crate::protocol::{InstallResolution, SkillDetail, VersionFile};
use crate::reference::{GitReference, GitRepository, RegistryReference, SourceReference};
use prowess_fs::sha256_hex;

/// The file a server adds to its archives.
const GENERATED: &str = "_meta.json";

pub(super) fn fetch(
    reference: &SourceReference,
    wanted: &RegistryReference,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, SourceError> {
    let skill = SkillId { slug: &wanted.slug, owner: wanted.owner.as_deref() };
    let detail = context.registry.inspect(skill)?;
    if detail.skill.is_none() {
        return Err(RegistryError::NotFound { message: format!("there is no skill `{skill}`") }.into());
    }
    if ModerationStatus::of(&detail) == ModerationStatus::MalwareBlocked {
        let summary = detail.moderation.and_then(|moderation| moderation.summary);
        return Err(SourceError::MalwareBlocked { skill: skill.to_string(), summary });
    }
    let Some(version) = version(wanted, &detail)? else {
        return planned(reference, skill, detail, context, progress);
    };
    let files = match context.registry.version(skill, &version) {
        Ok(answer) => answer.version.and_then(|version| version.files),
        Err(RegistryError::NotFound { .. }) => {
            return Err(SourceError::NoVersion { skill: skill.to_string(), version });
        }
        Err(error) => return Err(error.into()),
    };
    let archive = context.registry.download(skill, Some(&version), progress)?;
    unpack(reference, skill, detail, &version, &archive, files.as_deref(), context)
}

/// The version that is meant; none when the registry does not host the skill.
fn version(wanted: &RegistryReference, detail: &SkillDetail) -> Result<Option<String>, SourceError> {
    let latest = || detail.latest_version.as_ref().map(|latest| latest.version.clone());
    let Some(asked) = &wanted.version else { return Ok(latest()) };
    if semver::Version::parse(asked).is_ok() {
        return Ok(Some(asked.clone()));
    }
    let tagged = detail.skill.as_ref().and_then(|skill| skill.tag(asked)).map(str::to_owned);
    let found = tagged.or_else(|| (asked == "latest").then(latest).flatten());
    let missing = || SourceError::NoVersion { skill: wanted.slug.clone(), version: asked.clone() };
    found.map(Some).ok_or_else(missing)
}

/// A skill without a hosted version: the registry says where it is.
fn planned(
    reference: &SourceReference,
    skill: SkillId<'_>,
    detail: SkillDetail,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, SourceError> {
    match context.registry.install_plan(skill, false)?.plan {
        InstallResolution::Archive { version, download_url } => {
            let archive = context.registry.download_from(&download_url, progress)?;
            unpack(reference, skill, detail, &version, &archive, None, context)
        }
        InstallResolution::GitHub { repo, path, commit, content_hash, .. } => {
            let unavailable = || SourceError::Unavailable {
                skill: skill.to_string(),
                reason: "github_source_missing".to_owned(),
                message: format!("the registry names no repository but `{repo}` at `{path}`"),
            };
            let text =
                if path.is_empty() { format!("{repo}@{commit}") } else { format!("{repo}/{path}@{commit}") };
            let Ok(SourceReference::Git(
                wanted @ GitReference { repository: GitRepository::GitHub { .. }, .. },
            )) = SourceReference::parse(&text)
            else {
                return Err(unavailable());
            };
            let mut fetched = git::fetch(reference, &wanted, None, &context.git)?;
            check_content(&text, &fetched.bundle, &content_hash)?;
            skill.slug.clone_into(&mut fetched.resolved.name);
            fetched.resolved.owner = owner(skill, &detail);
            fetched.moderation = detail.moderation;
            Ok(fetched)
        }
        InstallResolution::Refused { reason, message, .. } => {
            Err(SourceError::Unavailable { skill: skill.to_string(), reason, message })
        }
    }
}

/// The hash of a commit's folder, with or without what a publication leaves out.
fn check_content(what: &str, bundle: &Bundle, expected: &str) -> Result<(), SourceError> {
    let actual = content_hash(bundle);
    if actual == expected || content_hash(&published_files(bundle)) == expected {
        return Ok(());
    }
    Err(SourceError::Digest { what: what.to_owned(), expected: expected.to_owned(), actual })
}

fn owner(skill: SkillId<'_>, detail: &SkillDetail) -> Option<String> {
    detail.owner.as_ref().and_then(|owner| owner.handle.clone()).or_else(|| skill.owner.map(str::to_owned))
}

fn unpack(
    reference: &SourceReference,
    skill: SkillId<'_>,
    detail: SkillDetail,
    version: &str,
    archive: &[u8],
    files: Option<&[VersionFile]>,
    context: &SourceContext<'_>,
) -> Result<Fetched, SourceError> {
    let name = format!("{}-{version}.zip", skill.slug);
    let bundle = (context.unpack)(archive, &name)
        .map_err(|reason| SourceError::Unpack { name: name.clone(), reason })?;
    let mut bundle = at_root(&name, bundle)?;
    if let Some(files) = files {
        let is_published = files.iter().any(|file| file.path == GENERATED);
        bundle.files.retain(|file| is_published || file.path != GENERATED);
        check_files(&name, &bundle, files)?;
    }
    let mut resolved = Resolved::new(reference, skill.slug, context.registry.base());
    resolved.owner = owner(skill, &detail);
    resolved.version = Some(version.to_owned());
    resolved.digest = Some(format!("sha256:{}", sha256_hex(archive)));
    Ok(Fetched { bundle, resolved, moderation: detail.moderation, left_out: Vec::new() })
}

/// The archive must hold exactly the files of the version.
fn check_files(name: &str, bundle: &Bundle, files: &[VersionFile]) -> Result<(), SourceError> {
    let mut promised: BTreeMap<&str, &str> =
        files.iter().map(|file| (file.path.as_str(), file.sha256.as_str())).collect();
    let differs = |path: &str, expected: &str, actual: &str| SourceError::Digest {
        what: format!("{name}/{path}"),
        expected: expected.to_owned(),
        actual: actual.to_owned(),
    };
    for file in &bundle.files {
        let actual = sha256_hex(&file.bytes);
        match promised.remove(file.path.as_str()) {
            Some(expected) if expected.eq_ignore_ascii_case(&actual) => {}
            Some(expected) => return Err(differs(&file.path, expected, &actual)),
            // A server adds its card after the publication.
            None if file.path == "skill-card.md" => {}
            None => return Err(differs(&file.path, "no such file", &actual)),
        }
    }
    match promised.into_iter().find(|(path, _)| *path != "skill-card.md") {
        Some((path, expected)) => Err(differs(path, expected, "no such file")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::BundleFile;

    use super::*;

    #[test]
    fn the_folder_of_a_commit_is_what_the_registry_looked_at() {
        let file = |path: &str, text: &str| BundleFile {
            path: path.to_owned(),
            bytes: text.as_bytes().to_vec(),
            executable: false,
        };
        let plain = Bundle { files: vec![file("SKILL.md", "# A")] };
        let hidden = Bundle { files: vec![file(".gitignore", "x"), file("SKILL.md", "# A")] };
        let other = Bundle { files: vec![file("SKILL.md", "# B")] };
        let expected = content_hash(&plain);
        assert!(check_content("x", &plain, &expected).is_ok());
        assert!(check_content("x", &hidden, &expected).is_ok());
        assert!(check_content("x", &hidden, &content_hash(&hidden)).is_ok());
        assert!(matches!(check_content("x", &other, &expected), Err(SourceError::Digest { .. })));
    }
}
