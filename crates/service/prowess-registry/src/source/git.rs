//! A folder of a repository, read from git's objects.
//!
//! Nothing is ever checked out: files are read as blobs, so no hook, filter, attribute or link of the repository
//! takes effect. Git runs without the user's and the system's config, asks nobody, follows no redirect, and speaks
//! only the protocols that were allowed. Submodules are left out.

mod run;

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_types::BundleFile;
use prowess_types::git_names::git_part;
use url::{Host, Position, Url};

use super::choose::{Choice, skill_folder, sorted};
use super::{Fetched, LeftOut, Resolved, SourceError};
use crate::names::check_path;
use crate::reference::{GitReference, SourceReference};
use run::Session;

/// How much the names of a repository's files may take.
const MAX_TREE: u64 = 64 * 1024 * 1024;
/// The maximum number of files of a skill.
const MAX_FILES: usize = 10_000;
/// How large a skill may be.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Says why a host may not be asked.
pub type HostCheck<'a> = &'a dyn Fn(&str) -> Result<(), String>;

/// How git is run.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct GitOptions<'a> {
    /// The program.
    pub program: &'a Path,
    /// What git may see of the environment, such as `PATH`, `HOME` and `SSH_AUTH_SOCK`; never `GIT_*`.
    pub environment: &'a [(String, String)],
    /// The time limit of the whole fetch.
    pub time_limit: Duration,
    /// True if repositories on this machine and over plain http may be read.
    pub allow_local: bool,
    /// Says why a host may not be asked: git does not go through the guarded client.
    pub check_host: Option<HostCheck<'a>>,
}

impl std::fmt::Debug for GitOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GitOptions").field("program", &self.program).finish_non_exhaustive()
    }
}

impl<'a> GitOptions<'a> {
    /// Git over https and ssh, for at most two minutes.
    pub fn new(program: &'a Path, environment: &'a [(String, String)]) -> Self {
        Self {
            program,
            environment,
            time_limit: Duration::from_mins(2),
            allow_local: false,
            check_host: None,
        }
    }
}

/// The reason git did not give a skill.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The protocol or the host is not allowed.
    #[error("`{url}` is blocked by network policy: {reason}")]
    Refused {
        /// The repository.
        url: String,
        /// The reason.
        reason: String,
    },
    /// Git is not there.
    #[error("cannot run `{}`; is git installed?", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// Git said no.
    #[error("git cannot {action}: {message}")]
    Failed {
        /// What it was asked to do.
        action: &'static str,
        /// Its last words.
        message: String,
    },
    /// It took too long.
    #[error("git took longer than {} s", limit.as_secs())]
    TimedOut {
        /// The time limit.
        limit: Duration,
    },
    /// More than a skill has.
    #[error("git gives more than {limit} bytes")]
    TooLarge {
        /// How many may come.
        limit: u64,
    },
}

impl prowess_types::Classify for GitError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Refused { .. } => Is(ErrorKind::Refused),
            Self::Start { .. } | Self::Failed { .. } | Self::TimedOut { .. } | Self::TooLarge { .. } => {
                Is(ErrorKind::Network)
            }
        }
    }
}

/// An entry of a repository's tree.
struct Entry {
    mode: String,
    object: String,
    path: String,
}

pub(super) fn fetch(
    reference: &SourceReference,
    wanted: &GitReference,
    name: Option<&str>,
    options: &GitOptions<'_>,
) -> Result<Fetched, SourceError> {
    let url = wanted.repository.url();
    check_url(&url, options)?;
    let session = Session::start(options)?;
    let commit = get_commit(&session, &url, wanted.revision.as_deref())?;
    let entries = list(&session, &commit)?;
    let paths = entries.iter().map(|entry| entry.path.as_str());
    let as_reference = |folder: String| {
        let path = Some(folder).filter(|folder| !folder.is_empty());
        SourceReference::Git(GitReference { path, ..wanted.clone() }).to_string()
    };
    let folder = match skill_folder(paths, wanted.path.as_deref(), name) {
        Choice::One(folder) => folder,
        Choice::None(others) => {
            let candidates = others.into_iter().map(as_reference).collect();
            return Err(SourceError::NotASkill { place: reference.to_string(), candidates });
        }
        Choice::Several(folders) => {
            let candidates = folders.into_iter().map(as_reference).collect();
            return Err(SourceError::Several { place: reference.to_string(), candidates });
        }
    };
    let (files, left_out) = read_folder(&session, entries, &folder, &url)?;
    let last = folder.rsplit('/').next().filter(|last| !last.is_empty());
    let mut resolved = Resolved::new(reference, last.unwrap_or(wanted.repository.name()), &url);
    resolved.path = Some(folder).filter(|folder| !folder.is_empty());
    resolved.commit = Some(commit);
    Ok(Fetched { bundle: sorted(files), resolved, moderation: None, left_out })
}

/// Checks the protocol and the host before git sees the address. A port is not part of the host.
fn check_url(text: &str, options: &GitOptions<'_>) -> Result<(), GitError> {
    let refused = |reason: String| GitError::Refused { url: text.to_owned(), reason };
    if text.contains(|letter: char| letter.is_control() || letter.is_whitespace() || letter == '\\') {
        return Err(refused("it has a space, a control character or a backslash".to_owned()));
    }
    let url = Url::parse(text).map_err(|error| refused(error.to_string()))?;
    match url.scheme() {
        "https" | "ssh" => {}
        "http" | "file" if options.allow_local => {}
        scheme => return Err(refused(format!("`{scheme}` is neither https nor ssh"))),
    }
    let Some(check) = options.check_host.filter(|_| url.scheme() != "file") else { return Ok(()) };
    let host = match url.host() {
        // Reading an address turns every spelling of four numbers into the plain one; git gets the text as it is.
        Some(Host::Ipv4(address)) if !is_written(text, &url[..Position::AfterHost]) => {
            return Err(refused(format!("its host is {address} in another spelling")));
        }
        Some(Host::Ipv6(address)) => address.to_string(),
        Some(host) => host.to_string(),
        None => return Err(refused("it has no host".to_owned())),
    };
    check(&host).map_err(refused)
}

/// Returns whether an address begins as `start`, the normal form of its beginning up to the host.
fn is_written(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|written| written.eq_ignore_ascii_case(start))
}

/// Fetches one commit without its files, and says which it is.
fn get_commit(session: &Session<'_>, url: &str, revision: Option<&str>) -> Result<String, GitError> {
    session.git("make a repository", &["init", "--quiet", "--bare", "--template="], &[], 4096)?;
    session.git("set the repository", &["remote", "add", "--", "origin", url], &[], 4096)?;
    let mut fetch = vec!["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    fetch.extend(["--filter=blob:none", "--", "origin", revision.unwrap_or("HEAD")]);
    session.git("fetch the repository", &fetch, &[], 64 * 1024)?;
    let parse = ["rev-parse", "--verify", "--quiet", "--end-of-options", "FETCH_HEAD^{commit}"];
    let commit = session.git("find the commit", &parse, &[], 4096)?;
    Ok(String::from_utf8_lossy(&commit).trim().to_owned())
}

fn list(session: &Session<'_>, commit: &str) -> Result<Vec<Entry>, GitError> {
    let listing =
        session.git("list the files", &["ls-tree", "-r", "-z", "--full-tree", commit], &[], MAX_TREE)?;
    let text = String::from_utf8_lossy(&listing);
    // `mode SP type SP object TAB path`
    let entry = |line: &str| {
        let (meta, path) = line.split_once('\t')?;
        let mut meta = meta.split(' ');
        let (mode, _, object) = (meta.next()?, meta.next()?, meta.next()?);
        Some(Entry { mode: mode.to_owned(), object: object.to_owned(), path: path.to_owned() })
    };
    Ok(text.split_terminator('\0').filter_map(entry).collect())
}

fn read_folder(
    session: &Session<'_>,
    entries: Vec<Entry>,
    folder: &str,
    url: &str,
) -> Result<(Vec<BundleFile>, Vec<LeftOut>), SourceError> {
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let (mut wanted, mut left_out) = (Vec::new(), Vec::new());
    for Entry { mode, object, path } in entries {
        let Some(path) = path.strip_prefix(&prefix).map(str::to_owned) else { continue };
        if git_part(&path).is_some() {
            return Err(SourceError::GitMetadata { place: url.to_owned(), path });
        }
        let reason = match mode.as_str() {
            _ if path.contains('\u{fffd}') || check_path(&path).is_err() => Some("its name is not portable"),
            "100644" | "100664" | "100755" => None,
            "120000" => Some("links are not followed"),
            "160000" => Some("submodules are not fetched"),
            _ => Some("it is not a regular file"),
        };
        match reason {
            Some(reason) => left_out.push(LeftOut { path, reason }),
            None => wanted.push((path, object, mode == "100755")),
        }
    }
    if wanted.len() > MAX_FILES {
        return Err(SourceError::TooLarge { place: url.to_owned(), reason: "more than 10,000 files" });
    }
    let objects: String = wanted.iter().flat_map(|(_, object, _)| [object.as_str(), "\n"]).collect();
    prefetch(session, objects.as_bytes());
    let output = session.git("read the files", &["cat-file", "--batch"], objects.as_bytes(), MAX_BYTES)?;
    let mut rest = output.as_slice();
    let mut files = Vec::with_capacity(wanted.len());
    for (path, object, executable) in wanted {
        let bytes = next_blob(&mut rest, &object)?;
        files.push(BundleFile { path, bytes, executable });
    }
    Ok((files, left_out))
}

/// Gets all files of the skill at once. A server that knows no filter has sent them already, and one that does
/// not give single objects is asked again for each when it is read.
fn prefetch(session: &Session<'_>, objects: &[u8]) {
    let fetch = [
        "-c",
        "fetch.negotiationAlgorithm=noop",
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--filter=blob:none",
        "--stdin",
        "origin",
    ];
    let _ = session.git("fetch the files", &fetch, objects, 64 * 1024);
}

/// `object SP type SP size LF bytes LF`
fn next_blob(rest: &mut &[u8], object: &str) -> Result<Vec<u8>, GitError> {
    let failed =
        || GitError::Failed { action: "read the files", message: format!("`{object}` is not there") };
    let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(failed)?;
    let header = std::str::from_utf8(&rest[..end]).map_err(|_| failed())?;
    let size =
        header.strip_prefix(object).and_then(|header| header.strip_prefix(" blob ")).ok_or_else(failed)?;
    let size: usize = size.parse().map_err(|_| failed())?;
    let start = end + 1;
    let bytes = rest.get(start..start.saturating_add(size)).ok_or_else(failed)?.to_vec();
    *rest = rest.get(start + size + 1..).unwrap_or_default();
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn the_host_is_checked_without_its_port() {
        for (url, host) in [
            ("https://h.x/a.git", "h.x"),
            ("https://h.x:8443/a.git", "h.x"),
            ("https://me@h.x:8443/a.git", "h.x"),
            ("ssh://git@h.x:2222/a.git", "h.x"),
            ("https://[2001:db8::1]:8443/a.git", "2001:db8::1"),
        ] {
            let asked = RefCell::new(Vec::new());
            let check = |host: &str| {
                asked.borrow_mut().push(host.to_owned());
                Ok(())
            };
            let mut options = GitOptions::new(Path::new("git"), &[]);
            options.check_host = Some(&check);
            check_url(url, &options).unwrap();
            assert_eq!(asked.into_inner(), [host], "{url}");
        }
    }

    #[test]
    fn protocols_and_hosts_are_checked_first() {
        let private = |host: &str| if host == "10.0.0.1" { Err("it is private".to_owned()) } else { Ok(()) };
        let mut options = GitOptions::new(Path::new("git"), &[]);
        options.check_host = Some(&private);
        let allowed = |url: &str, options: &GitOptions<'_>| check_url(url, options).is_ok();
        assert!(allowed("https://a.b/c", &options) && allowed("ssh://git@a.b/c", &options));
        assert!(allowed("https://h.x:8443/a.git", &options) && allowed("ssh://git@h.x:2222/a", &options));
        for url in [
            "file:///x",
            "http://a.b/c",
            "ext::sh",
            "git://a.b/c",
            "https://10.0.0.1/x",
            "https://10.0.0.1:8443/x",
            "https://0x08.8.8.8/x",
            "https://0x08.8.8.8/8.8.8.8",
            "https://8.8.8.010/x",
            "https://a.b\\@10.0.0.1/x",
            "ssh://g@10.0.0.1/x",
            "ssh://g@10.0.0.1:22/x",
        ] {
            assert!(!allowed(url, &options), "{url}");
        }
        options.allow_local = true;
        assert!(allowed("file:///x", &options) && allowed("http://a.b/c", &options));
        assert!(!allowed("http://10.0.0.1/c", &options) && !allowed("ext::sh", &options));
    }

    #[test]
    fn blobs_are_read_one_after_the_other() {
        let mut rest: &[u8] = b"aa blob 3\nx\ny\nbb blob 0\n\ncc missing\n";
        assert_eq!(next_blob(&mut rest, "aa").unwrap(), b"x\ny");
        assert_eq!(next_blob(&mut rest, "bb").unwrap(), b"");
        assert!(next_blob(&mut rest, "cc").is_err());
        assert!(next_blob(&mut &b"aa blob 99\nx"[..], "aa").is_err());
        assert!(next_blob(&mut &b"aa blob 18446744073709551615\nx"[..], "aa").is_err());
    }
}
