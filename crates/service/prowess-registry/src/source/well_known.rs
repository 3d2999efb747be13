//! A site that publishes an index of its skills.
//!
//! Three kinds of entries are read: one file or one archive with a checksum (0.2.0 with `$schema`), a list of files
//! with checksums (the draft of 0.2.0), and a list of files without any (0.1.0).

mod index;

use index::{Entry, Source};
use prowess_text::percent_encode_path;

use prowess_net::HttpMethod;
use prowess_types::BundleFile;

use super::archive::{check_digest, get};
use super::choose::{is_skill_file, sorted};
use super::{Fetched, LeftOut, Resolved, SourceContext, SourceError};
use crate::address::{join, split};
use crate::ask::ask;
use crate::names::{MAX_BUNDLE_BYTES, MAX_FILE_BYTES};
use crate::reference::SourceReference;
use prowess_fs::sha256_hex;

/// Where an index may be, the current place first.
const PLACES: [&str; 2] = ["/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"];
/// How large an index may be.
const MAX_INDEX: u64 = 10 * 1024 * 1024;

pub(super) fn fetch(
    reference: &SourceReference,
    site: &str,
    skill: Option<&str>,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, SourceError> {
    let mut reason = "none was found at its well-known places".to_owned();
    for url in places(site, skill.is_some()) {
        let Some(body) = read(&url, context)? else { continue };
        let (entries, left_out) = match index::parse(&body) {
            Ok(parsed) => parsed,
            Err(error) => {
                reason = format!("`{url}`: {error}");
                continue;
            }
        };
        if let Some(entry) = choose(entries, site, skill)? {
            return take(reference, &url, entry, left_out, context, progress);
        }
        reason = match skill {
            Some(skill) => format!("`{url}` has no skill `{skill}`"),
            None => format!("`{url}` is empty"),
        };
    }
    Err(SourceError::Index { url: site.to_owned(), reason })
}

/// A part of a site has an index of its own. The index of the whole site may only answer for it when a skill is
/// named: otherwise something else than asked for might be installed.
fn places(site: &str, is_named: bool) -> Vec<String> {
    let site = site.split(['?', '#']).next().unwrap_or(site).trim_end_matches('/');
    if site.ends_with("/index.json") {
        return vec![site.to_owned()];
    }
    let mut bases = vec![site];
    if let Some((origin, path)) = split(site)
        && !path.is_empty()
        && is_named
    {
        bases.push(origin);
    }
    bases.iter().flat_map(|base| PLACES.iter().map(move |place| format!("{base}{place}"))).collect()
}

/// The index, if there is one there.
fn read(url: &str, context: &SourceContext<'_>) -> Result<Option<Vec<u8>>, SourceError> {
    let response = ask(context.http, HttpMethod::Get, url).limit(MAX_INDEX).send()?;
    Ok(response.is_success().then_some(response.body))
}

/// The named skill, or the only one.
fn choose(entries: Vec<Entry>, site: &str, skill: Option<&str>) -> Result<Option<Entry>, SourceError> {
    if let Some(skill) = skill {
        return Ok(entries.into_iter().find(|entry| entry.name == skill));
    }
    if entries.len() > 1 {
        let candidates = entries.iter().map(|entry| format!("{site}#{}", entry.name)).collect();
        return Err(SourceError::Several { place: site.to_owned(), candidates });
    }
    Ok(entries.into_iter().next())
}

fn take(
    reference: &SourceReference,
    index: &str,
    entry: Entry,
    left_out: Vec<LeftOut>,
    context: &SourceContext<'_>,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, SourceError> {
    let Entry { name, source } = entry;
    let place = |found: &str| {
        let reason = || format!("`{found}` is not a web address");
        join(index, found).ok_or_else(|| SourceError::Index { url: index.to_owned(), reason: reason() })
    };
    let (bundle, digest) = match source {
        Source::Archive { url, digest } => {
            let url = place(&url)?;
            let bytes = get(&url, MAX_BUNDLE_BYTES, context, progress)?;
            check_digest(&url, &bytes, &digest)?;
            let path = url.split(['?', '#']).next().unwrap_or(&url);
            let file = path.rsplit('/').next().unwrap_or(path);
            let bundle = (context.unpack)(&bytes, file)
                .map_err(|reason| SourceError::Unpack { name: url.clone(), reason })?;
            (bundle, Some(digest))
        }
        Source::SkillFile { url, digest } => {
            let url = place(&url)?;
            let bytes = get(&url, MAX_FILE_BYTES, context, progress)?;
            check_digest(&url, &bytes, &digest)?;
            let file = BundleFile { path: "SKILL.md".to_owned(), bytes, executable: false };
            (sorted(vec![file]), Some(digest))
        }
        Source::Files { files, digest } => {
            let folder = index.rsplit_once('/').map_or(index, |(folder, _)| folder);
            let (mut taken, mut total) = (Vec::with_capacity(files.len()), 0);
            for (path, promised) in files {
                let url = format!("{folder}/{name}/{}", percent_encode_path(&path));
                let bytes = get(&url, MAX_FILE_BYTES, context, progress)?;
                if let Some(promised) = promised {
                    check_digest(&url, &bytes, &promised)?;
                }
                total += bytes.len() as u64;
                if total > MAX_BUNDLE_BYTES {
                    return Err(SourceError::TooLarge { place: index.to_owned(), reason: "more than 50 MB" });
                }
                taken.push(BundleFile { path, bytes, executable: false });
            }
            let bundle = sorted(taken);
            if let Some(promised) = &digest {
                let lines =
                    bundle.files.iter().map(|file| format!("{}\0{}\n", file.path, sha256_hex(&file.bytes)));
                check_digest(&name, lines.collect::<String>().as_bytes(), promised)?;
            }
            (bundle, digest)
        }
    };
    if !bundle.files.iter().any(|file| is_skill_file(&file.path)) {
        return Err(SourceError::NotASkill { place: format!("{index}#{name}"), candidates: Vec::new() });
    }
    let mut resolved = Resolved::new(reference, &name, index);
    resolved.digest = digest.map(|digest| format!("sha256:{digest}"));
    Ok(Fetched { bundle, resolved, moderation: None, left_out })
}
