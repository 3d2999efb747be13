//! Links between the documents: each leads to a file that is there.

use std::path::Path;

/// What is wrong with the relative links of a Markdown text in `folder`.
pub(crate) fn broken(text: &str, folder: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        for target in targets(line) {
            let file = target.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://");
            if !is_elsewhere && !folder.join(file).exists() {
                problems.push(format!("the link to `{target}` leads nowhere"));
            }
        }
    }
    problems
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
        let text = "[here](Cargo.toml#x) and [there](missing.md)\n```\n[code](no.md)\n```\n[web](https://a.b) [up](#top)\n";
        let problems = broken(text, Path::new(env!("CARGO_MANIFEST_DIR")));
        assert_eq!(problems, ["the link to `missing.md` leads nowhere"]);
    }
}
