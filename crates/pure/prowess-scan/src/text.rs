//! From bytes to text, or to the knowledge that there is none.

use std::borrow::Cow;

/// What the bytes of a file are.
pub(crate) enum Reading<'a> {
    /// Text.
    Text { text: Cow<'a, str>, encoding: Encoding },
    /// Not text; known by its header.
    Binary(Binary),
}

/// How a text was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
    /// Neither: bytes that are no text were replaced.
    Broken,
}

/// Kinds of files that are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    /// A program for a machine or a virtual machine.
    Program,
    /// A ZIP archive, or what is built like one.
    Zip,
    /// A tape archive.
    Tar,
    /// A gzip stream.
    Gzip,
    /// Another archive that only its header tells.
    OtherArchive,
    /// A picture, sound, film, font, document or database.
    Media,
    /// Nobody knows.
    Unknown,
}

const PROGRAMS: &[&[u8]] = &[
    b"\x7fELF",
    b"MZ",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
    b"dex\n",
    b"!<arch>\n",
];
const ARCHIVES: &[&[u8]] = &[
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"xar!",
    b"MSCF",
    b"\x1f\x9d",
];
const MEDIA: &[&[u8]] = &[
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"RIFF",
    b"%PDF-",
    b"OggS",
    b"ID3",
    b"fLaC",
    b"wOFF",
    b"wOF2",
    b"\0\x01\0\0",
    b"OTTO",
    b"true\0",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"\0\0\x01\0",
    b"SQLite format 3\0",
    b"\x1aE\xdf\xa3",
    b"\xff\xfb",
    b"\xff\xf3",
    b"8BPS",
    b"\xd0\xcf\x11\xe0",
    b"PAR1",
    b"glTF",
    b"\x93NUMPY",
];

/// Reads bytes as text where they are text.
pub(crate) fn read(bytes: &[u8]) -> Reading<'_> {
    if let Some(kind) = binary_kind(bytes) {
        return Reading::Binary(kind);
    }
    if let Some(text) = utf16(bytes) {
        return Reading::Text { text: Cow::Owned(text), encoding: Encoding::Utf16 };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Reading::Text { text: Cow::Borrowed(text), encoding: Encoding::Utf8 },
        // A byte that is not text does not stop a shell, so it does not stop the scanner either.
        Err(_) if is_mostly_text(bytes) => {
            Reading::Text { text: String::from_utf8_lossy(bytes), encoding: Encoding::Broken }
        }
        Err(_) => Reading::Binary(Binary::Unknown),
    }
}

/// The kind that a header tells. Short marks count only where bytes follow that no text has.
pub(crate) fn binary_kind(bytes: &[u8]) -> Option<Binary> {
    let starts = |marks: &[&[u8]]| {
        marks.iter().any(|mark| {
            bytes.starts_with(mark) && (mark.len() > 3 || has_binary(&bytes[..bytes.len().min(512)]))
        })
    };
    if starts(PROGRAMS) {
        Some(Binary::Program)
    } else if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        Some(Binary::Zip)
    } else if bytes.starts_with(b"\x1f\x8b") {
        Some(Binary::Gzip)
    } else if bytes.get(257..262) == Some(b"ustar") {
        Some(Binary::Tar)
    } else if starts(ARCHIVES) {
        Some(Binary::OtherArchive)
    } else if (starts(MEDIA) && has_binary(&bytes[..bytes.len().min(2048)]))
        || bytes.get(4..8) == Some(b"ftyp")
    {
        Some(Binary::Media)
    } else {
        None
    }
}

fn has_binary(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .any(|byte| *byte == 0 || *byte >= 0x80 || (*byte < 0x20 && !b"\t\n\r\x0c\x1b".contains(byte)))
}

fn is_mostly_text(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(8192)];
    let printable = sample.iter().filter(|byte| matches!(byte, 0x20..=0x7e | b'\t' | b'\n' | b'\r')).count();
    printable * 10 >= sample.len() * 7
}

fn utf16(bytes: &[u8]) -> Option<String> {
    let (mark, rest) = bytes.split_at_checked(2)?;
    let unit: fn([u8; 2]) -> u16 = match mark {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    let units = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    Some(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}
