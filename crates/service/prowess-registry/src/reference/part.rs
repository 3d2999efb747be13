//! The parts of a reference, each with its own rule.

/// Endings of archives that can be unpacked.
const ARCHIVES: [&str; 6] = [".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar"];

/// Returns true if a path or address names an archive.
pub(super) fn is_archive(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ARCHIVES
        .iter()
        .any(|ending| lower.ends_with(ending) && lower.len() > ending.len() && !is_bare(&lower, ending))
}

/// `folder/.zip` is a hidden file, not an archive.
fn is_bare(path: &str, ending: &str) -> bool {
    path[..path.len() - ending.len()].ends_with(['/', '\\'])
}

/// Returns true if a text ends so, in exactly this case: git tells cases apart.
pub(super) fn has_ending(text: &str, ending: &str) -> bool {
    text.ends_with(ending)
}

/// Letters, digits and hyphens, none at the ends. Old slugs may have any case and several hyphens in a row.
pub(super) fn is_slug(text: &str) -> bool {
    text.len() <= 128
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !text.is_empty()
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// A publisher, or an owner on GitHub.
pub(super) fn is_owner(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    text.len() <= 64
        && text.bytes().all(inner)
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.ends_with(|last: char| last.is_ascii_alphanumeric())
}

/// A repository on GitHub.
pub(super) fn is_repository(text: &str) -> bool {
    text.len() <= 128
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        && !text.is_empty()
        && !matches!(text, "." | ".." | ".git")
        && !text.starts_with('-')
}

/// A version or a tag.
pub(super) fn is_version(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+');
    text.len() <= 128
        && text.bytes().all(inner)
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// A branch, tag or commit as `git check-ref-format` allows it, and no option.
pub(super) fn is_revision(text: &str) -> bool {
    let is_bad = |letter: char| letter.is_control() || letter.is_whitespace() || "~^:?*[\\".contains(letter);
    let is_good_part = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !has_ending(part, ".lock") && !part.ends_with('.')
    };
    text.len() <= 255
        && !text.contains(is_bad)
        && !text.contains("..")
        && !text.contains("@{")
        && !text.starts_with('-')
        && text != "@"
        && text.split('/').all(is_good_part)
}

/// A folder inside a repository.
pub(super) fn is_folder_path(text: &str) -> bool {
    let is_good_part = |part: &str| {
        !matches!(part, "" | "." | "..") && !part.eq_ignore_ascii_case(".git") && part.len() <= 255
    };
    text.len() <= 1024
        && !text.contains(|letter: char| letter == '\\' || letter.is_control())
        && text.split('/').all(is_good_part)
}

/// The scheme of `scheme:rest`, in lower case.
pub(super) fn scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    is_scheme.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// The pieces of `//[user[:password]@]host[:port][/path][?query]`.
pub(super) struct Address<'a> {
    pub(super) user: Option<&'a str>,
    pub(super) host: String,
    /// Path and query as they were written, with the leading `/` or `?`.
    pub(super) rest: &'a str,
}

pub(super) fn address(text: &str) -> Option<Address<'_>> {
    let text = text.strip_prefix("//")?;
    if text
        .contains(|letter: char| letter.is_control() || letter.is_whitespace() || "\\\"<>`".contains(letter))
    {
        return None;
    }
    let (authority, rest) = text.split_at(text.find(['/', '?']).unwrap_or(text.len()));
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    is_host(host).then(|| Address { user, host: host.to_ascii_lowercase(), rest })
}

fn is_host(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) if address.parse::<std::net::Ipv6Addr>().is_ok() => ("v6", port),
            _ => return false,
        },
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    let is_letter =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_') || byte >= 0x80;
    is_port
        && !host.is_empty()
        && host.len() <= 253
        && !host.starts_with(['-', '.'])
        && host.bytes().all(is_letter)
}
