//! Links between the documents: each leads to a file that is there, and to a heading in it if it names one.

use std::path::Path;

/// The problem with the relative links of a Markdown text in `folder`.
pub(crate) fn broken(text: &str, folder: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for target in prose(text).flat_map(targets) {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        if file.contains("://") {
            continue;
        }
        let place = folder.join(file);
        if !file.is_empty() && !place.exists() {
            problems.push(format!("the link to `{target}` leads nowhere"));
        } else if !heading.is_empty() && !has_heading(text, file, &place, heading) {
            problems.push(format!("the link to `{target}` names no heading of that page"));
        }
    }
    problems
}

/// Returns true if a page, or the text itself, has a heading of this name. Other files than pages have none to compare.
fn has_heading(text: &str, file: &str, place: &Path, name: &str) -> bool {
    if file.is_empty() {
        return headings(text).any(|heading| heading == name);
    }
    if place.extension().is_none_or(|extension| extension != "md") {
        return true;
    }
    std::fs::read_to_string(place).is_ok_and(|page| headings(&page).any(|heading| heading == name))
}

/// The names by which headings are linked to: small letters, hyphens for blanks, other punctuation left out.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|line| {
        let title = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))?;
        let letters = title.trim().to_lowercase().replace(' ', "-");
        Some(letters.chars().filter(|&letter| letter.is_alphanumeric() || "-_".contains(letter)).collect())
    })
}

/// The lines of a text that are not code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of the links in a line: what stands between `](` and `)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_missing_files_are_reported() {
        let text =
            "[here](Cargo.toml#x) and [there](missing.md)\n```\n[code](no.md)\n```\n[web](https://a.b#c)\n";
        let problems = broken(text, Path::new(env!("CARGO_MANIFEST_DIR")));
        assert_eq!(problems, ["the link to `missing.md` leads nowhere"]);
    }

    #[test]
    fn headings_are_known_by_their_linked_names() {
        let text =
            "# OpenClaw's `SKILL.md`, read\n[up](#openclaws-skillmd-read) [no](#read)\n```\n# read\n```\n";
        let problems = broken(text, Path::new(env!("CARGO_MANIFEST_DIR")));
        assert_eq!(problems, ["the link to `#read` names no heading of that page"]);
    }
}
