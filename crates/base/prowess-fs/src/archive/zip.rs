//! ZIP archives, by their entry list and by nothing else.
//!
//! The format says everything twice and lets readers choose; whoever chooses differently sees other files. So both
//! must agree, entries may not share bytes, and there is exactly one entry list, at the end.

use std::io::{Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::ArchiveError;
use super::error::shown;
use super::intake::{FileEntry, Intake};
use super::unpacked::FREE;

/// Entry lists are held in memory; 50,000 entries with long names are below this.
const MAX_LIST: u64 = 16 << 20;
const END_BYTES: usize = 22;
const LISTED_BYTES: usize = 46;
const LOCAL_BYTES: u64 = 30;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Flags: encrypted in one of three ways; the sizes follow the content; the archive is a patch.
const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
const SIZES_FOLLOW: u16 = 1 << 3;
const PATCH: u16 = 1 << 5;

/// What only a longer format can hold.
const SEE_ZIP64: u32 = u32::MAX;

/// An entry as the list has it.
struct Listed<'a> {
    name: &'a [u8],
    flags: u16,
    method: u16,
    crc: u32,
    packed: u32,
    size: u32,
    mode: u32,
    start: u32,
}

/// Where the list is, and how many entries it says it has.
struct End {
    start: u64,
    length: u64,
    count: u16,
}

pub(super) fn read<R: Read + Seek>(
    source: &mut R,
    length: u64,
    intake: &mut Intake<'_>,
) -> Result<(), ArchiveError> {
    let end = find_end(source, length)?;
    let limits = intake.limits();
    if usize::from(end.count) > limits.entries {
        return Err(ArchiveError::TooManyEntries { limit: limits.entries });
    }
    if end.length > MAX_LIST {
        return Err(ArchiveError::TooMuchMetadata { limit: MAX_LIST });
    }
    let list = bytes_at(source, end.start, end.length)?;
    let mut entries = listed(&list, end.count)?;
    entries.sort_by_key(|entry| entry.start);
    if let Some(pair) = entries.windows(2).find(|pair| pair[0].least_end() > u64::from(pair[1].start)) {
        return Err(ArchiveError::Overlap { entry: shown(pair[1].name) });
    }

    // Everything that can be known without unpacking comes first.
    let mut places = Vec::with_capacity(entries.len());
    let (mut free_from, mut total) = (0, 0_u64);
    for entry in &entries {
        check(entry, intake)?;
        total += u64::from(entry.size);
        if total > limits.total {
            return Err(ArchiveError::TotalTooLarge { limit: limits.total });
        }
        if u64::from(entry.start) < free_from {
            return Err(ArchiveError::Overlap { entry: shown(entry.name) });
        }
        let content = content_start(source, entry, end.start)?;
        free_from = content + u64::from(entry.packed);
        if free_from > end.start {
            return Err(ArchiveError::Overlap { entry: shown(entry.name) });
        }
        places.push(content);
    }
    for (entry, content) in entries.iter().zip(places) {
        unpack(source, entry, content, intake)?;
    }
    Ok(())
}

/// The record at the end. Two of them, or a list that does not end where it begins, mean two archives in one.
fn find_end<R: Read + Seek>(source: &mut R, length: u64) -> Result<End, ArchiveError> {
    let tail_bytes = length.min(END_BYTES as u64 + u64::from(u16::MAX));
    let tail = bytes_at(source, length - tail_bytes, tail_bytes)?;
    let mut ends = (0..(tail.len() + 1).saturating_sub(END_BYTES)).filter(|&at| {
        tail[at..].starts_with(b"PK\x05\x06")
            && usize::from(short(&tail, at + 20)) == tail.len() - at - END_BYTES
    });
    let Some(at) = ends.next() else {
        return Err(ArchiveError::Damaged { what: "there is no entry list" });
    };
    if ends.next().is_some() {
        return Err(ArchiveError::Damaged { what: "there are two entry lists" });
    }
    let end = End {
        count: short(&tail, at + 10),
        length: u64::from(long(&tail, at + 12)),
        start: u64::from(long(&tail, at + 16)),
    };
    if end.count == u16::MAX || long(&tail, at + 16) == SEE_ZIP64 {
        return Err(ArchiveError::Unsupported { what: "the ZIP64 format".to_owned() });
    }
    let is_one_disk = short(&tail, at + 4) == 0 && short(&tail, at + 6) == 0;
    if !is_one_disk || short(&tail, at + 8) != end.count {
        return Err(ArchiveError::Unsupported { what: "several volumes".to_owned() });
    }
    if end.start + end.length != length - tail_bytes + at as u64 {
        return Err(ArchiveError::Damaged { what: "the entry list is not where it should be" });
    }
    Ok(end)
}

fn listed(list: &[u8], count: u16) -> Result<Vec<Listed<'_>>, ArchiveError> {
    let broken = || ArchiveError::Damaged { what: "the entry list is broken" };
    let mut entries = Vec::with_capacity(usize::from(count));
    let mut rest = list;
    while !rest.is_empty() {
        if rest.len() < LISTED_BYTES || !rest.starts_with(b"PK\x01\x02") {
            return Err(broken());
        }
        let (name, extra, comment) = (short(rest, 28), short(rest, 30), short(rest, 32));
        let name_end = LISTED_BYTES + usize::from(name);
        let name = rest.get(LISTED_BYTES..name_end).ok_or_else(broken)?;
        entries.push(Listed {
            name,
            flags: short(rest, 8),
            method: short(rest, 10),
            crc: long(rest, 16),
            packed: long(rest, 20),
            size: long(rest, 24),
            mode: long(rest, 38) >> 16,
            start: long(rest, 42),
        });
        rest = rest.get(name_end + usize::from(extra) + usize::from(comment)..).ok_or_else(broken)?;
    }
    if entries.len() != usize::from(count) {
        return Err(ArchiveError::Damaged { what: "the entry list has another length than it says" });
    }
    Ok(entries)
}

/// What can be told from the list alone.
fn check(entry: &Listed<'_>, intake: &Intake<'_>) -> Result<(), ArchiveError> {
    let name = || shown(entry.name);
    let unsupported = |what: String| Err(ArchiveError::Unsupported { what });
    if entry.flags & ENCRYPTED != 0 {
        return Err(ArchiveError::Encrypted { entry: name() });
    }
    match entry.mode & 0o170_000 {
        0o120_000 => return Err(ArchiveError::Link { entry: name() }),
        0 | 0o040_000 | 0o100_000 => {}
        _ => return Err(ArchiveError::Special { entry: name() }),
    }
    if entry.flags & PATCH != 0 || !matches!(entry.method, STORED | DEFLATED) {
        return unsupported(format!("compression method {}", entry.method));
    }
    if [entry.packed, entry.size, entry.start].contains(&SEE_ZIP64) {
        return unsupported("the ZIP64 format".to_owned());
    }
    if (entry.method == STORED && entry.packed != entry.size) || (entry.is_folder() && entry.size != 0) {
        return Err(ArchiveError::Contradiction { entry: name(), what: "size" });
    }
    if (entry.mode & 0o170_000 == 0o040_000) != entry.is_folder() && entry.mode & 0o170_000 != 0 {
        return Err(ArchiveError::Contradiction { entry: name(), what: "kind" });
    }
    intake.check_size(entry.name, u64::from(entry.size))?;
    let ratio = intake.limits().ratio;
    if u64::from(entry.size) > FREE && u64::from(entry.size) > u64::from(entry.packed).saturating_mul(ratio) {
        return Err(ArchiveError::Bomb { ratio });
    }
    Ok(())
}

impl Listed<'_> {
    fn is_folder(&self) -> bool {
        self.name.ends_with(b"/")
    }

    /// Returns its earliest possible end: the header in front of the content may be longer.
    fn least_end(&self) -> u64 {
        u64::from(self.start) + LOCAL_BYTES + self.name.len() as u64 + u64::from(self.packed)
    }
}

/// Where the content starts, once the header in front of it says the same as the list.
fn content_start<R: Read + Seek>(
    source: &mut R,
    entry: &Listed<'_>,
    list_start: u64,
) -> Result<u64, ArchiveError> {
    let differs = |what| Err(ArchiveError::Contradiction { entry: shown(entry.name), what });
    let start = u64::from(entry.start);
    if start + LOCAL_BYTES > list_start {
        return differs("place");
    }
    let header = bytes_at(source, start, LOCAL_BYTES)?;
    if !header.starts_with(b"PK\x03\x04") {
        return differs("place");
    }
    let name_bytes = u64::from(short(&header, 26));
    if bytes_at(source, start + LOCAL_BYTES, name_bytes)? != entry.name {
        return differs("name");
    }
    let flags = short(&header, 6);
    if (flags ^ entry.flags) & (ENCRYPTED | SIZES_FOLLOW | PATCH) != 0 || short(&header, 8) != entry.method {
        return differs("method");
    }
    let sizes = [long(&header, 14), long(&header, 18), long(&header, 22)];
    let may_follow = flags & SIZES_FOLLOW != 0 && sizes == [0; 3];
    if sizes != [entry.crc, entry.packed, entry.size] && !may_follow {
        return differs("size");
    }
    Ok(start + LOCAL_BYTES + name_bytes + u64::from(short(&header, 28)))
}

fn unpack<R: Read + Seek>(
    source: &mut R,
    entry: &Listed<'_>,
    content: u64,
    intake: &mut Intake<'_>,
) -> Result<(), ArchiveError> {
    if entry.is_folder() {
        return intake.folder(entry.name);
    }
    source.seek(SeekFrom::Start(content)).map_err(ArchiveError::reading)?;
    let packed = source.by_ref().take(u64::from(entry.packed));
    let mut checked = Checked { content: packed, crc: Crc::new() };
    let file =
        FileEntry { name: entry.name, executable: entry.mode & 0o111 != 0, size: u64::from(entry.size) };
    let crc = if entry.method == STORED {
        intake.file(&file, &mut checked)?;
        checked.crc
    } else {
        let mut checked = Checked { content: DeflateDecoder::new(checked.content), crc: Crc::new() };
        intake.file(&file, &mut checked)?;
        checked.crc
    };
    if crc.sum() != entry.crc {
        return Err(ArchiveError::Damaged { what: "a checksum does not match" });
    }
    Ok(())
}

/// Sums up what is read.
struct Checked<R> {
    content: R,
    crc: Crc,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.crc.update(&buffer[..count]);
        Ok(count)
    }
}

fn bytes_at<R: Read + Seek>(source: &mut R, start: u64, length: u64) -> Result<Vec<u8>, ArchiveError> {
    source.seek(SeekFrom::Start(start)).map_err(ArchiveError::reading)?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    source.read_exact(&mut bytes).map_err(ArchiveError::reading)?;
    Ok(bytes)
}

/// Callers have made sure that the bytes are there.
fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
