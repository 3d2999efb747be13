//! From text to a reference.

use super::part::{self, Address};
use super::{
    GitReference, GitRepository, ReferenceError, ReferenceProblem, RegistryReference, SourceReference,
};
use crate::digest::is_sha256;
use crate::names::slug_from_folder;

use ReferenceProblem as Problem;

/// More than anybody types, and less than a system allows as a path.
const MAX_LENGTH: usize = 2048;

type Parsed<T = SourceReference> = Result<T, Trouble>;

/// What is wrong, and what may have been meant.
struct Trouble(Problem, Option<String>);

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Self {
        Self(problem, None)
    }
}

pub(super) fn parse(text: &str) -> Result<SourceReference, ReferenceError> {
    let text = text.trim();
    parse_any(text).map_err(|Trouble(problem, suggestion)| {
        // A suggestion that is itself wrong would lead nowhere.
        let suggestion = suggestion.filter(|suggestion| parse_any(suggestion).is_ok());
        ReferenceError { text: shown(text), problem, suggestion }
    })
}

/// The text for a message: short, on one line, without a password.
fn shown(text: &str) -> String {
    let text = match (text.find("://"), text.find('@')) {
        (Some(start), Some(at)) if at > start && !text[start + 3..at].contains('/') => {
            format!("{}…{}", &text[..start + 3], &text[at..])
        }
        _ => text.to_owned(),
    };
    let mut shown: String = text.chars().take(200).flat_map(char::escape_debug).collect();
    if text.chars().nth(200).is_some() {
        shown.push('…');
    }
    shown
}

fn parse_any(text: &str) -> Parsed {
    if text.is_empty() {
        return Err(Problem::Empty.into());
    }
    if text.chars().nth(MAX_LENGTH).is_some() {
        return Err(Problem::TooLong.into());
    }
    if text.contains(char::is_control) {
        return Err(Problem::Control.into());
    }
    if is_local(text) {
        return Ok(local(text));
    }
    if let Some((user_and_host, path)) = scp_like(text) {
        return git_url(&format!("ssh://{user_and_host}/{path}"));
    }
    match part::scheme(text) {
        Some((scheme, rest)) => with_scheme(text, &scheme, rest),
        None if text.starts_with('@') => owned(&text[1..]),
        None if part::is_archive(text) => Ok(SourceReference::Archive(text.to_owned())),
        None if text.contains('/') => github(text),
        None => registry(None, text),
    }
}

/// Returns true if a text can only be a path on this machine.
fn is_local(text: &str) -> bool {
    let is_drive =
        matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    matches!(text, "." | ".." | "~")
        || ["./", "../", "/", "~/", ".\\", "..\\", "\\\\"].iter().any(|start| text.starts_with(start))
        || is_drive
}

fn local(text: &str) -> SourceReference {
    if part::is_archive(text) {
        SourceReference::Archive(text.to_owned())
    } else {
        SourceReference::Folder(text.to_owned())
    }
}

/// Splits `git@host:path`, which is common although it is not a URL.
fn scp_like(text: &str) -> Option<(&str, &str)> {
    let (start, path) = text.split_once(':')?;
    let (user, host) = start.split_once('@')?;
    let is_plain = !user.is_empty() && !start.contains('/') && !path.starts_with("//") && !host.is_empty();
    (is_plain && part::is_owner(user)).then_some((start, path))
}

fn with_scheme(text: &str, scheme: &str, rest: &str) -> Parsed {
    match scheme {
        "http" | "https" => web(text, scheme, rest),
        "ssh" => git_url(text),
        "git+https" | "git+ssh" | "git+http" | "git+file" => git_url(&text["git+".len()..]),
        "git" if rest.starts_with("//") => {
            Err(Trouble(Problem::Scheme("git".to_owned()), Some(format!("git+https:{rest}"))))
        }
        "git" if part::scheme(rest).is_some_and(|(_, rest)| rest.starts_with("//")) => git_url(rest),
        "git" => github(rest),
        "github" => github(rest.trim_start_matches('/')),
        "skills-sh" => skills_sh(rest),
        "file" => {
            let path = rest.strip_prefix("//").unwrap_or(rest);
            Err(Trouble(Problem::Scheme("file".to_owned()), Some(path.to_owned())))
        }
        _ => Err(Problem::Scheme(scheme.to_owned()).into()),
    }
}

/// `slug[@version]`, perhaps of an owner.
fn registry(owner: Option<&str>, text: &str) -> Parsed {
    let (slug, version) = match text.split_once('@') {
        Some((slug, version)) => (slug, Some(version)),
        None => (text, None),
    };
    if !part::is_slug(slug) {
        let suggestion = match slug_from_folder(slug) {
            slug if slug.is_empty() => None,
            slug => Some(owner.map_or_else(|| slug.clone(), |owner| format!("@{owner}/{slug}"))),
        };
        return Err(Trouble(Problem::Slug, suggestion));
    }
    if version.is_some_and(|version| !part::is_version(version)) {
        return Err(Problem::Version.into());
    }
    Ok(SourceReference::Registry(RegistryReference {
        owner: owner.map(str::to_ascii_lowercase),
        slug: slug.to_ascii_lowercase(),
        version: version.map(str::to_owned),
    }))
}

/// What follows the `@` of `@owner/slug`.
fn owned(text: &str) -> Parsed {
    let Some((owner, slug)) = text.split_once('/') else {
        return Err(Trouble(Problem::OwnerOnly, Some(text.to_owned())));
    };
    if !part::is_owner(owner) {
        return Err(Problem::Owner.into());
    }
    if slug.contains('/') {
        return Err(Trouble(Problem::Slug, Some(text.to_owned())));
    }
    registry(Some(owner), slug)
}

/// `owner/repo[/path][@ref]` or `owner/repo[/path]#ref[:path]`.
fn github(text: &str) -> Parsed {
    let (place, revision, more) = match text.find(['@', '#']) {
        None => (text, None, None),
        Some(at) if text[at..].starts_with('@') => (&text[..at], Some(&text[at + 1..]), None),
        Some(at) => {
            let (revision, path) = fragment(&text[at + 1..]);
            (&text[..at], revision, path)
        }
    };
    let mut parts = place.splitn(3, '/');
    let (owner, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let path = parts.next().map(|path| path.trim_end_matches('/')).filter(|path| !path.is_empty());
    if !part::is_owner(owner) {
        return Err(Problem::Owner.into());
    }
    let name = name.strip_suffix(".git").unwrap_or(name);
    if !part::is_repository(name) {
        return Err(Trouble(Problem::Repository, Some(owner.to_owned())));
    }
    if path.is_some() && more.is_some() {
        return Err(Problem::Path.into());
    }
    // Written out, it would be the name of a file.
    if revision.is_some_and(part::is_archive) {
        return Err(Problem::Revision.into());
    }
    let repository = GitRepository::GitHub { owner: owner.to_owned(), name: name.to_owned() };
    let suggestion = || Some(format!("{owner}/{name}"));
    git(repository, path.or(more), revision).map_err(|Trouble(problem, _)| Trouble(problem, suggestion()))
}

/// `[ref][:path]`
fn fragment(text: &str) -> (Option<&str>, Option<&str>) {
    match text.split_once(':') {
        Some((revision, path)) => (Some(revision).filter(|revision| !revision.is_empty()), Some(path)),
        None => (Some(text), None),
    }
}

fn git(repository: GitRepository, path: Option<&str>, revision: Option<&str>) -> Parsed {
    // In the short form an `@` ends the path, so such a folder has no name there.
    let is_short = matches!(repository, GitRepository::GitHub { .. });
    if path.is_some_and(|path| !part::is_folder_path(path) || (is_short && path.contains(['@', '#']))) {
        return Err(Problem::Path.into());
    }
    if revision.is_some_and(|revision| !part::is_revision(revision)) {
        return Err(Problem::Revision.into());
    }
    let (path, revision) = (path.map(str::to_owned), revision.map(str::to_owned));
    Ok(SourceReference::Git(GitReference { repository, path, revision }))
}

/// An address git fetches from, with `#ref[:path]`.
fn git_url(text: &str) -> Parsed {
    let (place, fragment_text) = match text.split_once('#') {
        Some((place, fragment)) => (place, Some(fragment)),
        None => (text, None),
    };
    let (scheme, rest) = part::scheme(place).ok_or(Problem::Url)?;
    let url = match scheme.as_str() {
        "file" => {
            let path = rest.strip_prefix("//").filter(|path| path.starts_with('/')).ok_or(Problem::Url)?;
            format!("file://{path}")
        }
        "https" | "http" | "ssh" => {
            let Address { user, host, rest } = part::address(rest).ok_or(Problem::Url)?;
            let user = match user {
                None => String::new(),
                Some(user) if scheme == "ssh" && part::is_owner(user) => format!("{user}@"),
                Some(_) => {
                    return Err(Trouble(Problem::Credentials, Some(format!("git+{scheme}://{host}{rest}"))));
                }
            };
            let rest = rest.trim_end_matches('/');
            if !rest.starts_with('/') {
                return Err(Problem::Url.into());
            }
            format!("{scheme}://{user}{host}{rest}")
        }
        _ => return Err(Problem::Scheme(scheme).into()),
    };
    let (revision, path) = fragment_text.map_or((None, None), fragment);
    git(GitRepository::Url(url), path, revision)
}

fn skills_sh(text: &str) -> Parsed {
    let parts: Vec<&str> = text.split('/').collect();
    let [owner, repo, skill] = parts[..] else { return Err(Problem::SkillsSh.into()) };
    let is_skill = |text: &str| part::is_repository(text) && !text.starts_with('.');
    if !part::is_owner(owner) || !part::is_repository(repo) || !is_skill(skill) {
        return Err(Problem::SkillsSh.into());
    }
    let [owner, repo, skill] = [owner, repo, skill].map(str::to_owned);
    Ok(SourceReference::SkillsSh { owner, repo, skill })
}

/// `http(s)://…`: a repository, an archive or a site.
fn web(text: &str, scheme: &str, rest: &str) -> Parsed {
    let (rest, fragment) = match rest.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (rest, None),
    };
    let Address { user, host, rest } = part::address(rest).ok_or(Problem::Url)?;
    if user.is_some() {
        return Err(Trouble(Problem::Credentials, Some(format!("{scheme}://{host}{rest}"))));
    }
    let path = rest.split('?').next().unwrap_or_default().trim_end_matches('/');
    if part::has_ending(path, ".git") {
        return git_url(text);
    }
    if matches!(host.as_str(), "github.com" | "www.github.com") && !part::is_archive(path) {
        return github_page(path.trim_start_matches('/'), fragment);
    }
    if host == "gitlab.com" && !part::is_archive(path) {
        return gitlab_page(path.trim_start_matches('/'), fragment);
    }
    let digest = fragment.and_then(|fragment| fragment.strip_prefix("sha256="));
    if part::is_archive(path) || digest.is_some() {
        let sha256 = match (fragment, digest) {
            (None, _) => None,
            (Some(_), Some(digest)) if is_sha256(digest) => Some(digest.to_ascii_lowercase()),
            _ => return Err(Problem::Digest.into()),
        };
        return Ok(SourceReference::Download { url: format!("{scheme}://{host}{rest}"), sha256 });
    }
    let rest = if rest.contains('?') { rest } else { rest.trim_end_matches('/') };
    if fragment.is_some_and(|skill| !part::is_slug(skill)) {
        return Err(Trouble(Problem::Slug, Some(format!("{scheme}://{host}{rest}"))));
    }
    Ok(SourceReference::Site { url: format!("{scheme}://{host}{rest}"), skill: fragment.map(str::to_owned) })
}

/// `owner/repo[/tree/ref[/path]]`, as the address bar shows it.
fn github_page(path: &str, fragment: Option<&str>) -> Parsed {
    let mut parts = path.splitn(5, '/');
    let (owner, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => {
            let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
            github(&format!("{owner}/{name}{fragment}"))
        }
        (Some("tree"), Some(revision), None) => github(&format!("{owner}/{name}@{revision}")),
        (Some("tree"), Some(revision), Some(folder)) if !folder.contains(['@', '#']) => {
            github(&format!("{owner}/{name}/{folder}@{revision}"))
        }
        _ => Err(Trouble(Problem::Repository, Some(format!("{owner}/{name}")))),
    }
}

/// `group/…/repo[/-/tree/ref[/path]]`.
fn gitlab_page(path: &str, fragment: Option<&str>) -> Parsed {
    let (project, place) =
        path.split_once("/-/").map_or((path, None), |(project, rest)| (project, Some(rest)));
    if !project.contains('/') {
        return Err(Problem::Repository.into());
    }
    let place = match place.map(|place| place.strip_prefix("tree/")) {
        None => fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default(),
        Some(Some(tree)) => match tree.split_once('/') {
            Some((revision, folder)) => format!("#{revision}:{folder}"),
            None => format!("#{tree}"),
        },
        Some(None) => return Err(Problem::Repository.into()),
    };
    git_url(&format!("https://gitlab.com/{project}.git{place}"))
}
