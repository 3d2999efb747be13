//! Tape archives: headers and contents in turn, up to an end mark behind which only zeros may follow.

use std::io::{self, Read};

use super::ArchiveError;
use super::error::shown;
use super::intake::{FileEntry, Intake};

const BLOCK: usize = 512;

/// What records in front of an entry say about it.
#[derive(Default)]
struct Ahead {
    path: Option<Vec<u8>>,
    size: Option<u64>,
}

pub(super) fn read(source: &mut dyn Read, intake: &mut Intake<'_>) -> Result<(), ArchiveError> {
    let mut ahead = Ahead::default();
    loop {
        let mut block = [0; BLOCK];
        source.read_exact(&mut block).map_err(ArchiveError::reading)?;
        if block == [0; BLOCK] {
            return only_zeros(source);
        }
        let header = Header::read(&block)?;
        let size = header.size;
        match header.kind {
            b'x' => ahead.extend(&metadata(source, size, intake)?)?,
            b'L' => {
                let mut name = metadata(source, size, intake)?;
                name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
                ahead.path = Some(name);
            }
            // Targets of links, which are refused with their links.
            b'K' => _ = metadata(source, size, intake)?,
            b'g' => only_comments(&metadata(source, size, intake)?)?,
            _ => entry(source, &header, std::mem::take(&mut ahead), intake)?,
        }
    }
}

fn entry(
    source: &mut dyn Read,
    header: &Header,
    ahead: Ahead,
    intake: &mut Intake<'_>,
) -> Result<(), ArchiveError> {
    let name = ahead.path.unwrap_or_else(|| header.name.clone());
    let size = ahead.size.unwrap_or(header.size);
    let is_file = matches!(header.kind, b'0' | 0 | b'7');
    match header.kind {
        b'1' | b'2' => Err(ArchiveError::Link { entry: shown(&name) }),
        b'3' | b'4' | b'6' => Err(ArchiveError::Special { entry: shown(&name) }),
        // Old packers mark folders by their names alone.
        b'5' | b'0' | 0 if size == 0 && (header.kind == b'5' || name.ends_with(b"/")) => intake.folder(&name),
        _ if is_file => {
            let file = FileEntry { name: &name, executable: header.mode & 0o111 != 0, size };
            intake.file(&file, &mut source.take(size))?;
            skip_padding(source, size)
        }
        b'S' => Err(ArchiveError::Unsupported { what: "sparse files".to_owned() }),
        b'5' => Err(ArchiveError::Contradiction { entry: shown(&name), what: "size" }),
        kind => Err(ArchiveError::Unsupported { what: format!("entries of kind {kind}") }),
    }
}

struct Header {
    name: Vec<u8>,
    mode: u64,
    size: u64,
    kind: u8,
}

impl Header {
    fn read(block: &[u8; BLOCK]) -> Result<Self, ArchiveError> {
        let broken = || ArchiveError::Damaged { what: "a header is broken" };
        let blank = |(at, byte): (usize, &u8)| if (148..156).contains(&at) { b' ' } else { *byte };
        let sum: u64 = block.iter().enumerate().map(blank).map(u64::from).sum();
        if number(&block[148..156]) != Some(sum) {
            return Err(ArchiveError::Damaged { what: "the checksum of a header does not match" });
        }
        let mut name = text(&block[..100]).to_vec();
        if &block[257..263] == b"ustar\0" && block[345] != 0 {
            name = [text(&block[345..500]), b"/", &name].concat();
        }
        Ok(Self {
            name,
            mode: number(&block[100..108]).ok_or_else(broken)?,
            size: number(&block[124..136]).ok_or_else(broken)?,
            kind: block[156],
        })
    }
}

/// A field up to its first NUL.
fn text(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A number in octal digits, or in binary behind a high bit.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let first = u64::from(field[0] & 0x7f);
        return field[1..].iter().try_fold(first, |value, byte| {
            value.checked_mul(256).and_then(|value| value.checked_add(u64::from(*byte)))
        });
    }
    let digits = text(field).trim_ascii();
    digits.iter().try_fold(0_u64, |value, byte| {
        let digit = (b'0'..=b'7').contains(byte).then(|| u64::from(byte - b'0'))?;
        value.checked_mul(8)?.checked_add(digit)
    })
}

impl Ahead {
    /// Takes the path and the size from an extended header.
    fn extend(&mut self, records: &[u8]) -> Result<(), ArchiveError> {
        for (key, value) in fields(records)? {
            match key {
                b"path" => self.path = Some(value.to_vec()),
                b"size" => {
                    let digits = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
                    self.size = Some(digits.ok_or(ArchiveError::Damaged { what: "a size is not a number" })?);
                }
                _ => check_field(key)?,
            }
        }
        Ok(())
    }
}

/// Headers for all entries may hold remarks, as the commit, but nothing that changes what is read.
fn only_comments(records: &[u8]) -> Result<(), ArchiveError> {
    for (key, _) in fields(records)? {
        if matches!(key, b"path" | b"size" | b"linkpath") {
            return Err(ArchiveError::Unsupported { what: "one path or size for all entries".to_owned() });
        }
        check_field(key)?;
    }
    Ok(())
}

fn check_field(key: &[u8]) -> Result<(), ArchiveError> {
    if key.starts_with(b"GNU.sparse.") {
        return Err(ArchiveError::Unsupported { what: "sparse files".to_owned() });
    }
    Ok(())
}

/// A key and a value.
type Field<'a> = (&'a [u8], &'a [u8]);

/// The records `LENGTH KEY=VALUE\n` of an extended header.
fn fields(mut records: &[u8]) -> Result<Vec<Field<'_>>, ArchiveError> {
    let broken = || ArchiveError::Damaged { what: "an extended header is broken" };
    let mut fields = Vec::new();
    while !records.is_empty() {
        let space = records.iter().take(8).position(|byte| *byte == b' ').ok_or_else(broken)?;
        let length: usize = std::str::from_utf8(&records[..space])
            .ok()
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(broken)?;
        let record = records.get(space + 1..length).ok_or_else(broken)?;
        let record = record.strip_suffix(b"\n").ok_or_else(broken)?;
        let equals = record.iter().position(|byte| *byte == b'=').ok_or_else(broken)?;
        fields.push((&record[..equals], &record[equals + 1..]));
        records = &records[length..];
    }
    Ok(fields)
}

/// What an archive says about an entry.
fn metadata(source: &mut dyn Read, size: u64, intake: &Intake<'_>) -> Result<Vec<u8>, ArchiveError> {
    let limit = intake.limits().metadata;
    if size > limit {
        return Err(ArchiveError::TooMuchMetadata { limit });
    }
    let mut bytes = Vec::new();
    source.take(size).read_to_end(&mut bytes).map_err(ArchiveError::reading)?;
    if (bytes.len() as u64) < size {
        return Err(ArchiveError::reading(io::ErrorKind::UnexpectedEof.into()));
    }
    skip_padding(source, size)?;
    Ok(bytes)
}

/// Contents fill whole blocks.
fn skip_padding(source: &mut dyn Read, size: u64) -> Result<(), ArchiveError> {
    let filled = usize::try_from(size % BLOCK as u64).unwrap_or_default();
    let mut padding = [0; BLOCK];
    source.read_exact(&mut padding[..(BLOCK - filled) % BLOCK]).map_err(ArchiveError::reading)
}

/// Something behind the end mark is another archive, which other readers would unpack.
fn only_zeros(source: &mut dyn Read) -> Result<(), ArchiveError> {
    let mut buffer = [0; 16 * BLOCK];
    loop {
        let count = source.read(&mut buffer).map_err(ArchiveError::reading)?;
        if count == 0 {
            return Ok(());
        }
        if buffer[..count].iter().any(|byte| *byte != 0) {
            return Err(ArchiveError::Damaged { what: "something follows the end mark" });
        }
    }
}
