//! Publishing: checked, scanned, packed, and then there as a whole.

use std::collections::{BTreeMap, BTreeSet};

use prowess_registry::protocol::{
    ForkOf, PublicationStatus, PublishAnswer, PublishFile, PublishRequest, SetupKey, SkillMetadata,
};
use prowess_registry::{
    MAX_BUNDLE_BYTES, check_bundle, check_new_slug, check_path, check_version, fingerprint, published_files,
};
use prowess_scan::Report;
use prowess_store::registry::{FileRecord, NewVersion, PublishOutcome, UploadRecord, VersionRecord};
use prowess_text::char_prefix;
use prowess_types::{Bundle, BundleFile, Skill};
use serde_json::json;
use ulid::Ulid;

use crate::hub::{Hub, normal_handle};
use crate::refusal::Refusal;
use crate::token;
use crate::upload::check_size;

/// The size that clients unpack at most.
const MAX_FILES: usize = 1000;
const MAX_NAME: usize = 120;
const MAX_SUMMARY: usize = 1024;
const MAX_CHANGELOG: usize = 20_000;
const MAX_TAGS: usize = 20;
const MAX_TAG: usize = 64;
/// The maximum size of a source as the client states it.
const MAX_SOURCE: usize = 4096;
/// The card a server makes; it is never part of what was published.
const GENERATED_CARD: &str = "skill-card.md";

/// A file of a publication, here.
#[derive(Debug)]
pub(crate) struct Delivered {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: Option<String>,
}

impl Hub {
    /// Publishes files that were uploaded before.
    pub(crate) fn publish_uploads(
        &self,
        handle: &str,
        request: PublishRequest,
    ) -> Result<PublishAnswer, Refusal> {
        check_sizes(request.files.iter().map(|file| (file.path.as_str(), file.size)))?;
        let mut files = Vec::with_capacity(request.files.len());
        let mut uploads = Vec::with_capacity(request.files.len());
        for file in &request.files {
            let upload = self.upload_of(handle, file)?;
            let (sha256, size) = upload.stored.unwrap_or_default();
            files.push(Delivered {
                path: file.path.clone(),
                bytes: self.blobs.get(&sha256, size)?,
                content_type: file.content_type.clone(),
            });
            uploads.push(upload.ticket);
        }
        self.publish(handle, request, files, uploads)
    }

    /// The uploaded bytes of a file of a publication, if they match it.
    fn upload_of(&self, handle: &str, file: &PublishFile) -> Result<UploadRecord, Refusal> {
        let record = match &file.upload_ticket {
            Some(ticket) => self.store.upload(&token::hash_text(ticket))?,
            None => self.store.upload_by_storage(&file.storage_id)?,
        };
        let path = &file.path;
        let missing = || Refusal::bad(format!("`{path}` was not uploaded, or too long ago; upload it again"));
        let record = record.filter(|record| record.handle == handle && record.storage == file.storage_id);
        let record = record.filter(|record| record.expires_at > self.now()).ok_or_else(missing)?;
        let Some((sha256, size)) = &record.stored else { return Err(missing()) };
        let is_same = *size == file.size && sha256.eq_ignore_ascii_case(&file.sha256);
        let is_announced = record.expected.as_ref().is_none_or(|expected| expected.path == *path);
        if is_same && is_announced {
            Ok(record)
        } else {
            Err(Refusal::bad(format!("`{path}` is not what was uploaded for it")))
        }
    }

    /// Publishes files that are here.
    pub(crate) fn publish(
        &self,
        handle: &str,
        request: PublishRequest,
        files: Vec<Delivered>,
        uploads: Vec<String>,
    ) -> Result<PublishAnswer, Refusal> {
        let checked = self.check(handle, request)?;
        let (bundle, types) = bundle_of(files)?;
        let options = prowess_skill::ParseOptions::default();
        let (skill, report) = prowess_inventory::examine_bundle(&bundle, &checked.slug, &options);
        let Some(skill) = skill else {
            return Err(Refusal::bad("A skill needs a `SKILL.md` at its root"));
        };
        let archive = prowess_fs::archive::pack_zip(&bundle);

        let together = self.writing();
        let mut records = Vec::with_capacity(bundle.files.len());
        for file in &bundle.files {
            records.push(FileRecord {
                path: file.path.clone(),
                size: file.bytes.len() as u64,
                sha256: self.blobs.put(&file.bytes)?,
                content_type: types.get(&file.path).cloned().flatten(),
            });
        }
        let version = VersionRecord {
            id: new_id(),
            skill: String::new(),
            number: checked.version.clone(),
            changelog: checked.changelog.clone(),
            created_at: self.now(),
            deleted_at: None,
            fingerprint: fingerprint(&published_files(&bundle)),
            archive: self.blobs.put(&archive)?,
            archive_size: archive.len() as u64,
            size: records.iter().map(|file| file.size).sum(),
            verdict: report.verdict.into(),
            report: told(&report)?,
            facts: facts(&skill, &checked),
            source: checked.source.clone(),
        };
        let new = NewVersion {
            skill_id: new_id(),
            owner: handle.to_owned(),
            slug: checked.slug.clone(),
            display_name: checked.display_name.clone(),
            summary: char_prefix(skill.description.trim(), MAX_SUMMARY).to_owned(),
            topics: checked.topics.clone(),
            categories: checked.categories.clone(),
            fork_of: checked.fork_of.as_ref().map(fork_name),
            tags: checked.tags.clone().unwrap_or_else(|| vec!["latest".to_owned()]),
            version,
            files: records,
            uploads,
            quota: self.options.quota,
        };
        let outcome = self.store.publish(&new)?;
        drop(together);
        self.answer(&checked, outcome)
    }

    fn answer(&self, request: &PublishRequest, outcome: PublishOutcome) -> Result<PublishAnswer, Refusal> {
        let PublishRequest { slug, version, .. } = request;
        let done = match outcome {
            PublishOutcome::Published(done) => done,
            PublishOutcome::VersionTaken => {
                return Err(Refusal::conflict(format!("Version {version} of {slug} already exists")));
            }
            PublishOutcome::Deleted => {
                return Err(Refusal::conflict(format!("{slug} was deleted; undelete it first")));
            }
            PublishOutcome::Renamed(name) => {
                return Err(Refusal::conflict(format!("{slug} is called {name} now; publish it as that")));
            }
            PublishOutcome::UploadGone => {
                return Err(Refusal::conflict("An upload was used before or is too old; upload again"));
            }
            PublishOutcome::OverQuota => {
                let quota = self.options.quota / 1024 / 1024;
                return Err(Refusal::too_large(format!("A publisher may keep {quota} MB here")));
            }
        };
        self.search.forget();
        let (skill, version) = *done;
        Ok(PublishAnswer {
            ok: true,
            skill_id: skill.id,
            version_id: version.id,
            publication_status: Some(PublicationStatus::Published),
            slug: Some(skill.slug),
            version: Some(version.number),
            attempt_id: None,
        })
    }

    /// A publication with its names in order.
    fn check(&self, handle: &str, mut request: PublishRequest) -> Result<PublishRequest, Refusal> {
        let owner = request.owner_handle.as_deref().map(normal_handle);
        if owner.is_some_and(|owner| owner != handle) {
            return Err(Refusal::forbidden(format!("You publish as @{handle}, not as another publisher")));
        }
        request.slug = request.slug.trim().to_lowercase();
        if self.store.find_skills(&request.slug, Some(handle))?.is_empty() {
            check_new_slug(&request.slug).map_err(|error| Refusal::bad(error.to_string()))?;
        }
        check_version(&request.version).map_err(|error| Refusal::bad(error.to_string()))?;
        request.display_name = request.display_name.trim().to_owned();
        check_text("displayName", &request.display_name, 1, MAX_NAME)?;
        check_text("changelog", &request.changelog, 0, MAX_CHANGELOG)?;
        for (name, list) in
            [("tags", &request.tags), ("topics", &request.topics), ("categories", &request.categories)]
        {
            let list = list.as_deref().unwrap_or_default();
            if list.len() > MAX_TAGS {
                return Err(Refusal::bad(format!("`{name}` has more than {MAX_TAGS} entries")));
            }
            list.iter().try_for_each(|entry| check_text(name, entry, 1, MAX_TAG))?;
        }
        request.tags.iter().flatten().try_for_each(|tag| check_tag(tag))?;
        if request.source.as_ref().is_some_and(|source| source.to_string().len() > MAX_SOURCE) {
            return Err(Refusal::bad("`source` is too long"));
        }
        if let Some(fork) = &request.fork_of {
            check_text("forkOf", &fork_name(fork), 1, 2 * MAX_NAME)?;
        }
        Ok(request)
    }
}

/// A tag is one word that clients can put into an address.
pub(crate) fn check_tag(tag: &str) -> Result<(), Refusal> {
    let is_good = !tag.is_empty()
        && tag.len() <= MAX_TAG
        && tag.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
        && !tag.starts_with(['$', '_'])
        && !tag.contains('/');
    if is_good {
        Ok(())
    } else {
        Err(Refusal::bad(format!("`{}` is not a valid tag", prowess_text::printable(tag))))
    }
}

/// A text within its length, without characters that control a terminal.
pub(crate) fn check_text(name: &str, text: &str, min: usize, max: usize) -> Result<(), Refusal> {
    let length = text.chars().count();
    if length < min || length > max {
        return Err(Refusal::bad(format!("`{name}` has {length} characters; {min} to {max} are possible")));
    }
    if text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')) {
        return Err(Refusal::bad(format!("`{name}` has control characters")));
    }
    Ok(())
}

fn check_sizes<'a>(files: impl Iterator<Item = (&'a str, u64)>) -> Result<(), Refusal> {
    let (mut count, mut total) = (0, 0_u64);
    for (path, size) in files {
        check_path(path).map_err(|error| Refusal::bad(error.to_string()))?;
        check_size(path, size)?;
        (count, total) = (count + 1, total.saturating_add(size));
    }
    if count > MAX_FILES {
        return Err(Refusal::too_large(format!("A skill may have {MAX_FILES} files, this one has {count}")));
    }
    if total > MAX_BUNDLE_BYTES {
        let max = MAX_BUNDLE_BYTES / 1024 / 1024;
        return Err(Refusal::too_large(format!("A skill may have {max} MB, this one has {total} bytes")));
    }
    Ok(())
}

/// The files in the order of their paths, and their media types.
fn bundle_of(files: Vec<Delivered>) -> Result<(Bundle, BTreeMap<String, Option<String>>), Refusal> {
    check_sizes(files.iter().map(|file| (file.path.as_str(), file.bytes.len() as u64)))?;
    let mut types = BTreeMap::new();
    let mut bundle = Bundle::default();
    for Delivered { path, bytes, content_type } in files {
        if path.eq_ignore_ascii_case(GENERATED_CARD) {
            continue;
        }
        if types.insert(path.clone(), content_type).is_some() {
            return Err(Refusal::bad(format!("`{path}` is listed twice")));
        }
        // Clients send no permissions; a script says itself that it is one.
        let executable = bytes.starts_with(b"#!");
        bundle.files.push(BundleFile { path, bytes, executable });
    }
    bundle.files.sort_by(|one, other| one.path.cmp(&other.path));
    let paths: BTreeSet<&str> = types.keys().map(String::as_str).collect();
    for path in &paths {
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        if let Some(folder) = folders.into_iter().find(|folder| paths.contains(folder)) {
            return Err(Refusal::bad(format!("`{folder}` is both a file and a folder")));
        }
    }
    check_bundle(&bundle).map_err(|error| Refusal::bad(error.to_string()))?;
    Ok((bundle, types))
}

fn told(report: &Report) -> Result<serde_json::Value, Refusal> {
    serde_json::to_value(report)
        .map_err(|error| Refusal::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

/// The facts for later answers, so that the files are not opened again.
fn facts(skill: &Skill, request: &PublishRequest) -> serde_json::Value {
    let mut setup: BTreeSet<&str> = skill.requirements.env.iter().map(String::as_str).collect();
    setup.extend(skill.metadata.primary_env.as_deref());
    let setup = setup.into_iter().map(|key| SetupKey { key: key.to_owned(), required: true }).collect();
    let os = Some(skill.requirements.os.clone()).filter(|os| !os.is_empty());
    let is_listable = is_text(skill, "name") && is_text(skill, "description");
    json!({
        "summary": char_prefix(skill.description.trim(), MAX_SUMMARY).to_owned(),
        "isListable": is_listable,
        "metadata": SkillMetadata { setup, os, systems: None },
        "license": prowess_acquire::declared_license(skill),
        "acceptedTerms": request.accept_license_terms == Some(true),
    })
}

/// Returns true if a field of the frontmatter is a text.
fn is_text(skill: &Skill, field: &str) -> bool {
    skill.frontmatter.get(field).is_some_and(serde_json::Value::is_string)
}

fn fork_name(fork: &ForkOf) -> String {
    match &fork.version {
        Some(version) => format!("{}@{version}", fork.slug),
        None => fork.slug.clone(),
    }
}

pub(crate) fn new_id() -> String {
    Ulid::generate().to_string().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivered(path: &str, text: &str) -> Delivered {
        Delivered { path: path.to_owned(), bytes: text.as_bytes().to_vec(), content_type: None }
    }

    fn text_of(refusal: &Refusal) -> String {
        match refusal {
            Refusal::Plain(_, text) => text.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn files_that_cannot_be_together_are_refused() {
        for (files, expected) in [
            (vec![delivered("a", ""), delivered("a", "")], "`a` is listed twice"),
            (vec![delivered("a", ""), delivered("a/b", "")], "`a` is both a file and a folder"),
            (vec![delivered("../a", "")], "`../a` is not a path"),
            (vec![delivered("/etc/passwd", "")], "`/etc/passwd` is not a path"),
        ] {
            let refused = bundle_of(files).unwrap_err();
            assert!(text_of(&refused).contains(expected), "{refused:?}");
        }
        let many = (0..=MAX_FILES).map(|number| delivered(&number.to_string(), "")).collect();
        assert!(text_of(&bundle_of(many).unwrap_err()).contains("1001"));
    }

    #[test]
    fn scripts_run_cards_are_dropped_and_paths_are_in_order() {
        let files =
            vec![delivered("run.sh", "#!/bin/sh\n"), delivered("Skill-Card.md", "x"), delivered("a.md", "x")];
        let (bundle, _) = bundle_of(files).unwrap();
        let seen: Vec<_> = bundle.files.iter().map(|file| (file.path.as_str(), file.executable)).collect();
        assert_eq!(seen, [("a.md", false), ("run.sh", true)]);
    }

    #[test]
    fn tags_and_texts() {
        assert!(check_tag("latest").is_ok() && check_tag("my beta").is_ok());
        for bad in ["", "_x", "$x", "a/b", "ä", "a\n", &"x".repeat(65)] {
            assert!(check_tag(bad).is_err(), "{bad}");
        }
        assert!(check_text("name", "a\nb", 1, 5).is_ok());
        assert!(check_text("name", "a\u{1b}[2J", 1, 9).is_err());
        assert!(check_text("name", "", 1, 9).is_err());
    }
}
