//! Values of a task, told by their looks: times, amounts, files, addresses.

use super::lexicon::is_unit;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Personal {
    Time,
    Number,
    Amount,
    Level,
    File(&'static str),
    Web,
    Address,
    Text,
    /// A name, or a word that is in no list.
    Name,
    Owner,
}

/// Returns the kind of a token by its looks, if it is not a word.
pub(super) fn looks(text: &str) -> Option<Personal> {
    let lower = text.to_lowercase();
    let has_digit = text.chars().any(char::is_numeric);
    if lower.contains("://") || lower.starts_with("www.") {
        return Some(Personal::Web);
    }
    if let Some((name, domain)) = lower.split_once('@') {
        return Some(if !name.is_empty() && domain.contains('.') {
            Personal::Address
        } else {
            Personal::Name
        });
    }
    if let Some((name, ending)) = lower.rsplit_once('.')
        && !name.is_empty()
        && let Some(kind) = file_kind(ending)
    {
        return Some(Personal::File(kind));
    }
    if lower.starts_with(['/', '~']) || (lower.contains('/') && !has_digit && lower.matches('/').count() > 1)
    {
        return Some(Personal::File("folder"));
    }
    if ["com", "org", "net", "io", "de", "cn", "fr"]
        .iter()
        .any(|ending| lower.ends_with(&format!(".{ending}")))
    {
        return Some(Personal::Web);
    }
    if !has_digit {
        return None;
    }
    if text.contains(['$', '€', '£', '¥']) {
        return Some(Personal::Amount);
    }
    if text.ends_with('%') {
        return Some(Personal::Level);
    }
    let digits = lower.trim_end_matches(char::is_alphabetic);
    let ending = &lower[digits.len()..];
    let is_numeric = |extra: &str| digits.chars().all(|letter| letter.is_numeric() || extra.contains(letter));
    if (is_unit(ending) || ["th", "st", "nd", "rd"].contains(&ending)) && is_numeric(".:") {
        return Some(if ["nd", "rd", "st", "th"].contains(&ending) {
            Personal::Number
        } else {
            Personal::Time
        });
    }
    if ending.is_empty() && is_numeric(".:,-/") {
        let is_date = digits.contains(':') || digits.matches(['-', '/', '.']).count() > 1;
        return Some(if is_date { Personal::Time } else { Personal::Number });
    }
    Some(Personal::Name)
}

/// The kind of a file by its ending.
fn file_kind(ending: &str) -> Option<&'static str> {
    Some(match ending {
        "jpg" | "jpeg" | "png" | "gif" | "webp" | "heic" | "bmp" | "tiff" | "svg" => "image",
        "mp3" | "wav" | "flac" | "ogg" | "m4a" => "audio file",
        "mp4" | "mov" | "mkv" | "avi" | "webm" => "video",
        "csv" | "xls" | "xlsx" | "ods" | "tsv" => "spreadsheet",
        "ppt" | "pptx" | "odp" => "presentation",
        "pdf" => "pdf",
        "doc" | "docx" | "odt" | "rtf" => "document",
        "md" => "markdown file",
        "txt" => "text file",
        "log" => "log file",
        "zip" | "tar" | "gz" | "tgz" | "7z" | "rar" => "archive",
        "py" | "rs" | "js" | "ts" | "java" | "cpp" | "rb" | "go" | "c" | "sh" => "source file",
        "json" | "yaml" | "yml" | "xml" | "toml" | "ini" | "conf" => "data file",
        "html" | "htm" => "web page",
        _ => return None,
    })
}
