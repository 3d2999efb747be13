//! What the entry list of an archive tells, without unpacking it.

use std::collections::HashSet;
use std::io::Read as _;

use flate2::bufread::GzDecoder;
use prowess_types::git_names::repository_in;
use unicode_normalization::UnicodeNormalization as _;

use crate::ScanSeverity;
use crate::text::Binary;

/// Entries that are looked at.
const ENTRIES: usize = 50_000;
/// Bytes of a compressed tape archive that are unpacked to read its headers.
const UNPACKED: u64 = 8 << 20;
/// An archive that grows more than this many times is a bomb.
const RATIO: u64 = 100;

/// Parts of a path, and bytes of a part, beyond which no file system goes.
const PARTS: usize = 256;
const PART_BYTES: usize = 255;
/// The mark at the end of a ZIP archive's entry list, and how far from the end of the file it may stand.
const ZIP_END: &[u8] = b"PK\x05\x06";
const ZIP_TAIL: usize = 65_557;
/// Suffixes of programs.
const PROGRAMS: &[&str] =
    &["exe", "dll", "scr", "msi", "dmg", "pkg", "so", "dylib", "bat", "ps1", "vbs", "jar"];
/// Suffixes of archives.
const ARCHIVES: &[&str] =
    &["zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "rar", "zst", "whl", "crx", "skill"];

/// A doubt about an archive.
pub(crate) struct Doubt {
    pub(crate) rule: &'static str,
    pub(crate) severity: ScanSeverity,
    pub(crate) reason: String,
}

/// Returns true if bytes that do not begin as an archive end as one, which is enough for many readers.
pub(crate) fn is_appended(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(ZIP_TAIL)..];
    // The list's end holds zeros, and text does not: most files are done after the first look.
    tail.contains(&0) && find_all(tail, ZIP_END).next().is_some()
}

/// Judges an archive by its headers.
pub(crate) fn judge(bytes: &[u8], kind: Binary) -> Vec<Doubt> {
    let mut doubts = Doubts::default();
    doubts.add("structure/archive", ScanSeverity::Info, "an archive, read by its entry list".to_owned());
    match kind {
        Binary::Zip => zip(bytes, &mut doubts),
        Binary::Tar => tar(bytes, true, &mut doubts),
        Binary::Gzip => gzip(bytes, &mut doubts),
        _ => doubts.add(
            "structure/archive",
            ScanSeverity::Info,
            "an archive whose entries cannot be listed".to_owned(),
        ),
    }
    doubts.repository();
    doubts.list
}

#[derive(Default)]
struct Doubts {
    list: Vec<Doubt>,
    names: HashSet<String>,
    /// The offsets at which entries begin.
    starts: HashSet<u32>,
}

impl Doubts {
    /// One doubt per rule is enough.
    fn add(&mut self, rule: &'static str, severity: ScanSeverity, reason: String) {
        if !self.list.iter().any(|doubt| doubt.rule == rule) {
            self.list.push(Doubt { rule, severity, reason });
        }
    }

    fn escape(&mut self, reason: String) {
        self.add("structure/archive-escape", ScanSeverity::Critical, reason);
    }

    /// Bits that give a program the rights of its owner or group.
    fn mode(&mut self, mode: u32) {
        if mode & 0o6000 != 0 {
            self.add("structure/archive-mode", ScanSeverity::Info, "an entry is setuid or setgid".to_owned());
        }
    }

    fn broken(&mut self, reason: &str) {
        self.add("structure/archive-broken", ScanSeverity::Warn, reason.to_owned());
    }

    fn name(&mut self, name: &[u8]) {
        let text = String::from_utf8_lossy(name).into_owned();
        let shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
        let parts = || text.trim_end_matches('/').split(['/', '\\']);
        let leaves =
            parts().any(|part| part == "..") || text.starts_with(['/', '\\']) || text.get(1..2) == Some(":");
        if leaves {
            self.escape(format!("`{shown}` leaves the folder"));
        }
        if text.contains('\0') {
            self.escape(format!("`{shown}` ends early for readers that stop at a zero byte"));
        }
        if parts().count() > PARTS || parts().any(|part| part.len() > PART_BYTES) {
            self.broken(&format!("`{shown}` is longer than a path can be"));
        }
        if parts().any(is_reserved) {
            self.broken(&format!("`{shown}` is a name that some systems reserve"));
        }
        let suffix = text.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        if PROGRAMS.contains(&suffix.as_str()) {
            self.add("structure/archive-program", ScanSeverity::Warn, format!("`{shown}` is a program"));
        }
        if ARCHIVES.contains(&suffix.as_str()) {
            let reason = format!("`{shown}` is an archive, too: its entries were not listed");
            self.add("structure/archive-nested", ScanSeverity::Info, reason);
        }
        if !self.names.insert(text.nfc().collect::<String>().to_lowercase()) {
            self.broken(&format!("`{shown}` is in it twice"));
        }
    }

    /// Unpacking the archive would create a repository.
    fn repository(&mut self) {
        if let Some(place) = repository_in(self.names.iter().map(|name| name.trim_end_matches('/'))) {
            let shown: String = place.chars().take(80).flat_map(char::escape_debug).collect();
            let reason = format!("`{shown}` is a git repository once the archive is unpacked");
            self.add("structure/git-metadata", ScanSeverity::Critical, reason);
        }
    }

    /// A file cannot also be a folder.
    fn nesting(&mut self) {
        let is_folder = |name: &&String| {
            name.match_indices('/').any(|(at, _)| at + 1 < name.len() && self.names.contains(&name[..at]))
        };
        if let Some(name) = self.names.iter().find(is_folder) {
            let reason = format!("a folder of `{name}` is a file, too");
            self.broken(&reason);
        }
    }

    fn size(&mut self, packed: u64, unpacked: u64) {
        if unpacked > (1 << 20) && unpacked / packed.max(1) > RATIO {
            let reason = format!("{packed} bytes unpack to {unpacked}");
            self.add("structure/archive-bomb", ScanSeverity::Critical, reason);
        }
    }
}

/// Names that mean devices on Windows, or end in what it drops.
fn is_reserved(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or("").to_ascii_uppercase();
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "COM1" | "LPT1")
        || part.ends_with(['.', ' ']) && part != "." && part != ".."
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The central directory of a ZIP archive.
fn zip(bytes: &[u8], doubts: &mut Doubts) {
    let tail = bytes.len().saturating_sub(ZIP_TAIL);
    let ends: Vec<usize> = find_all(&bytes[tail..], ZIP_END).map(|at| tail + at).collect();
    let Some(end) = ends.last().copied() else { return doubts.broken("it has no entry list") };
    if ends.len() > 1 {
        doubts.broken("it has two entry lists");
    }
    let (Some(count), Some(size), Some(start)) =
        (short(bytes, end + 10), long(bytes, end + 12), long(bytes, end + 16))
    else {
        return doubts.broken("its entry list is cut");
    };
    if u64::from(size) + u64::from(start) != end as u64 {
        doubts.broken("its entry list is not where it says");
    }
    let mut at = end.saturating_sub(size as usize);
    let (mut packed, mut unpacked, mut seen) = (0u64, 0u64, 0usize);
    while bytes.get(at..at + 4) == Some(b"PK\x01\x02") && seen < ENTRIES {
        let Some(length) = zip_entry(bytes, at, doubts, &mut packed, &mut unpacked) else {
            return doubts.broken("an entry is cut");
        };
        at += length;
        seen += 1;
    }
    if seen != usize::from(count) && count != u16::MAX {
        doubts.broken("it holds another number of entries than it says");
    }
    if seen == 0 {
        doubts.broken("it holds nothing");
    }
    doubts.nesting();
    if seen >= ENTRIES {
        doubts.add("structure/archive-bomb", ScanSeverity::Critical, format!("more than {ENTRIES} entries"));
    }
    doubts.size((bytes.len() as u64).min(packed.max(1)), unpacked);
}

fn zip_entry(
    bytes: &[u8],
    at: usize,
    doubts: &mut Doubts,
    packed: &mut u64,
    unpacked: &mut u64,
) -> Option<usize> {
    let (flags, name, extra, comment) =
        (short(bytes, at + 8)?, short(bytes, at + 28)?, short(bytes, at + 30)?, short(bytes, at + 32)?);
    let (small, large, start) = (long(bytes, at + 20)?, long(bytes, at + 24)?, long(bytes, at + 42)?);
    *packed += u64::from(small);
    *unpacked += u64::from(large);
    if u64::from(small) > u64::from(large) + 64 {
        doubts.broken("an entry is larger packed than unpacked");
    }
    if !doubts.starts.insert(start) {
        doubts.broken("entries share their content");
    }
    if flags & 1 != 0 {
        doubts.add("structure/archive-encrypted", ScanSeverity::Critical, "entries are encrypted".to_owned());
    }
    let mode = long(bytes, at + 38)? >> 16;
    doubts.mode(mode);
    if mode & 0o170_000 == 0o120_000 {
        doubts.escape("an entry is a link".to_owned());
    }
    let name = bytes.get(at + 46..at + 46 + usize::from(name))?;
    doubts.name(name);
    Some(46 + name.len() + usize::from(extra) + usize::from(comment))
}

fn find_all<'a>(bytes: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    bytes.windows(mark.len()).enumerate().filter(move |(_, window)| *window == mark).map(|(at, _)| at)
}

/// The headers of a tape archive.
fn tar(bytes: &[u8], is_whole: bool, doubts: &mut Doubts) {
    let mut at = 0;
    for _ in 0..ENTRIES {
        let Some(header) = bytes.get(at..at + 512) else {
            if is_whole && at < bytes.len() {
                doubts.broken("it is cut");
            }
            return;
        };
        if header.iter().all(|byte| *byte == 0) {
            return;
        }
        let text = |range: std::ops::Range<usize>| {
            let field = &header[range];
            &field[..field.iter().position(|byte| *byte == 0).unwrap_or(field.len())]
        };
        let size = std::str::from_utf8(text(124..136))
            .ok()
            .and_then(|size| u64::from_str_radix(size.trim(), 8).ok());
        let Some(size) = size else { return doubts.broken("a header has no size") };
        let mode = std::str::from_utf8(text(100..108)).ok();
        doubts.mode(mode.and_then(|mode| u32::from_str_radix(mode.trim(), 8).ok()).unwrap_or(0));
        let body = at + 512;
        let end = body.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        match header[156] {
            b'1' | b'2' => doubts.escape("an entry is a link".to_owned()),
            b'3' | b'4' | b'6' => doubts.escape("an entry is a device or pipe".to_owned()),
            b'x' | b'g' => extended(bytes.get(body..end.min(bytes.len())).unwrap_or_default(), doubts),
            _ => {
                let (prefix, name) = (text(345..500), text(0..100));
                let path = if prefix.is_empty() { name.to_vec() } else { [prefix, b"/", name].concat() };
                doubts.name(&path);
            }
        }
        at = body.saturating_add(usize::try_from(size.div_ceil(512) * 512).unwrap_or(usize::MAX));
    }
    doubts.add("structure/archive-bomb", ScanSeverity::Critical, format!("more than {ENTRIES} entries"));
}

/// Extended headers can give an entry another path.
fn extended(records: &[u8], doubts: &mut Doubts) {
    for record in records.split(|byte| *byte == b'\n') {
        if let Some(at) = record.windows(5).position(|window| window == b"path=") {
            doubts.name(&record[at + 5..]);
        }
    }
}

fn gzip(bytes: &[u8], doubts: &mut Doubts) {
    let mut decoder = GzDecoder::new(bytes);
    let mut unpacked = Vec::new();
    let is_damaged = (&mut decoder).take(UNPACKED).read_to_end(&mut unpacked).is_err();
    if is_damaged {
        doubts.broken("its stream is damaged");
    }
    let is_whole = (unpacked.len() as u64) < UNPACKED;
    let declared = if is_damaged { 0 } else { declared_size(bytes) };
    doubts.size(bytes.len() as u64, declared.max(unpacked.len() as u64));
    if is_whole && !decoder.into_inner().is_empty() {
        doubts.broken("something follows its stream");
    }
    if unpacked.get(257..262) == Some(b"ustar") {
        tar(&unpacked, is_whole, doubts);
    }
}

/// What the last four bytes of a gzip stream say it unpacks to.
fn declared_size(bytes: &[u8]) -> u64 {
    bytes.len().checked_sub(4).and_then(|at| long(bytes, at)).map_or(0, u64::from)
}
