//! Frontmatter as a row of top-level fields, whatever YAML thinks of them.
//!
//! Used where the block as a whole is refused. A field is a line `key: value` at the outermost indentation, with all
//! lines up to the next one. Splitting never fails and loses no line behind the first key.

use std::ops::Range;

use crate::repair::is_block_header;

/// Top-level fields that the Agent Skills specification defines.
pub(crate) const SPECIFIED: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// Top-level fields that some engine documents.
pub(crate) const KNOWN_EXTENSIONS: [&str; 33] = [
    // OpenClaw
    "homepage",
    "website",
    "url",
    "emoji",
    "user-invocable",
    "disable-model-invocation",
    "command-dispatch",
    "command-tool",
    "command-arg-mode",
    "command_dispatch",
    "command_tool",
    "command_arg_mode",
    "summary",
    "read_when",
    "triggers",
    // Claude Code
    "when_to_use",
    "argument-hint",
    "arguments",
    "model",
    "effort",
    "context",
    "agent",
    "hooks",
    "paths",
    "shell",
    // Hermes
    "platforms",
    "required_environment_variables",
    // IronClaw, Cursor, and what catalogues show
    "activation",
    "globs",
    "alwaysApply",
    "version",
    "author",
    "tags",
];

/// A top-level field as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenField<'a> {
    pub(crate) key: &'a str,
    /// Byte offset of the key in the block.
    pub(crate) key_start: usize,
    /// Zero-based number of its line.
    pub(crate) line: usize,
    /// All its lines.
    pub(crate) range: Range<usize>,
    /// The place of what follows the key on its line, without the blanks around it.
    pub(crate) value: Range<usize>,
    /// The lines below the key's own.
    pub(crate) below: Range<usize>,
}

impl<'a> WrittenField<'a> {
    /// The rest of the key's own line, trimmed, quotes kept.
    pub(crate) fn raw(&self, block: &'a str) -> &'a str {
        &block[self.value.clone()]
    }

    /// The lines below the key's own, trimmed, without those that are blank.
    pub(crate) fn lines_below(&self, block: &'a str) -> impl Iterator<Item = &'a str> {
        block[self.below.clone()].lines().map(str::trim).filter(|line| !line.is_empty())
    }
}

/// Returns true if the specification or an engine defines a top-level field of this name.
pub(crate) fn is_known(key: &str) -> bool {
    SPECIFIED.contains(&key) || KNOWN_EXTENSIONS.contains(&key) || key.starts_with("description_")
}

/// Returns true if the value of a field is text, never a list or a mapping.
pub(crate) fn is_text(key: &str) -> bool {
    is_prose(key)
        || matches!(
            key,
            "name"
                | "license"
                | "homepage"
                | "website"
                | "url"
                | "emoji"
                | "model"
                | "effort"
                | "context"
                | "agent"
                | "shell"
                | "author"
        )
}

/// Returns true if the value of a field is prose, in which `#` is a word like any other.
pub(crate) fn is_prose(key: &str) -> bool {
    matches!(key, "description" | "summary" | "when_to_use" | "argument-hint" | "compatibility")
        || key.starts_with("description_")
}

/// The fields of a block, in the order in which they were written.
pub(crate) fn split(block: &str) -> Vec<WrittenField<'_>> {
    let mut fields: Vec<WrittenField<'_>> = Vec::new();
    let mut outermost = 0;
    let mut start = 0;
    for (number, line) in block.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        if let Some(found) = key_of(line) {
            let begins = match fields.last() {
                None => {
                    outermost = found.indentation;
                    true
                }
                Some(open) => {
                    found.indentation <= outermost
                        || (holds_no_mapping(open, block) && SPECIFIED.contains(&found.key))
                }
            };
            if begins {
                let rest = &line[found.value_at..];
                let value_start = end - rest.trim_start().len();
                fields.push(WrittenField {
                    key: found.key,
                    key_start: start + found.key_at,
                    line: number,
                    range: start..end,
                    value: value_start..value_start + rest.trim().len(),
                    below: end..end,
                });
                start = end;
                continue;
            }
        }
        if let Some(open) = fields.last_mut() {
            open.range.end = end;
            open.below.end = end;
        }
        start = end;
    }
    fields
}

/// Returns true if an indented `key: value` line cannot belong to the value of a field.
fn holds_no_mapping(field: &WrittenField<'_>, block: &str) -> bool {
    let raw = field.raw(block);
    !raw.is_empty() && !is_block_header(raw) && !raw.starts_with(['{', '[', '"', '\''])
}

struct FoundKey<'a> {
    key: &'a str,
    indentation: usize,
    key_at: usize,
    value_at: usize,
}

/// The key that a line starts with. A known one needs no blank after its colon.
fn key_of(line: &str) -> Option<FoundKey<'_>> {
    let text = line.trim_start_matches([' ', '\t']);
    let indentation = line.len() - text.len();
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let inner = &text[quote.map_or(0, char::len_utf8)..];
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = inner.bytes().take_while(|byte| is_word(*byte)).count();
    let key = &inner[..length];
    if key.is_empty() || key.starts_with('-') {
        return None;
    }
    let mut rest = &inner[length..];
    if let Some(quote) = quote {
        rest = rest.strip_prefix(quote)?;
    }
    let value = rest.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    let is_separated = value.chars().next().is_none_or(char::is_whitespace);
    (is_separated || is_known(key)).then(|| FoundKey {
        key,
        indentation,
        key_at: indentation + quote.map_or(0, char::len_utf8),
        value_at: line.len() - value.len(),
    })
}

/// The place where Markdown begins in a block that was never closed; none if all of it may be fields.
pub(crate) fn body_at(block: &str) -> Option<usize> {
    let mut lines = block.split_inclusive('\n').peekable();
    let mut start = 0;
    let (mut has_key, mut after_blank) = (false, false);
    while let Some(line) = lines.next() {
        let text = line.trim_end();
        let is_blank = text.trim().is_empty();
        if has_key && !is_blank && !line.starts_with([' ', '\t']) {
            let next = lines.clone().find(|next| !next.trim().is_empty() && !next.starts_with('#'));
            if is_markdown(text, next, after_blank) {
                return Some(start);
            }
        }
        has_key |= key_of(line).is_some();
        after_blank = is_blank;
        start += line.len();
    }
    None
}

fn is_markdown(line: &str, next: Option<&str>, after_blank: bool) -> bool {
    if line.starts_with("```") || line.starts_with("~~~") {
        return true;
    }
    if line.starts_with('#') {
        // A comment has fields below it.
        let is_field = |found: FoundKey<'_>| !is_sentence(found.key);
        let is_comment = next.map_or(!after_blank, |next| key_of(next).is_some_and(is_field));
        return line.trim_start_matches('#').starts_with(' ') && !is_comment;
    }
    match key_of(line) {
        Some(found) => after_blank && is_sentence(found.key),
        None => after_blank && !line.starts_with(['-', '}', ']', '{', '[', '"', '\'']),
    }
}

/// Returns true if a key is rather the first word of a sentence, as in `Note: …`.
fn is_sentence(key: &str) -> bool {
    !is_known(&key.to_ascii_lowercase()) && key.starts_with(|first: char| first.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(block: &str) -> Vec<(&str, &str)> {
        split(block).iter().map(|field| (field.key, field.raw(block))).collect()
    }

    #[test]
    fn fields_start_at_the_outermost_indentation() {
        assert_eq!(
            keys("name: a\nmetadata:\n  name: b\nx:y\nurl:z\n"),
            [("name", "a"), ("metadata", ""), ("url", "z")]
        );
        assert_eq!(
            keys("  name: a\n  license: MIT\nmodel: b"),
            [("name", "a"), ("license", "MIT"), ("model", "b")]
        );
        assert_eq!(keys("\"name\" : a\n- b: c\nhttps://x\n"), [("name", "a")]);
        assert_eq!(keys("name: a\n  description: b\n"), [("name", "a"), ("description", "b")]);
        assert_eq!(keys("description: |\n  name: b\n"), [("description", "|")]);
        assert_eq!(keys(""), []);
    }

    #[test]
    fn lines_without_a_key_belong_to_the_field_above() {
        let block = "stray\nname: a\ntail\n  more\n\nx: 1\n";
        let fields = split(block);
        let below: Vec<_> = fields[0].lines_below(block).collect();
        assert_eq!(below, ["tail", "more"]);
        assert_eq!(&block[fields[0].range.clone()], "name: a\ntail\n  more\n\n");
        assert_eq!(fields[0].line, 1);
    }

    #[test]
    fn markdown_ends_a_block_that_is_not_closed() {
        for (block, expected) in [
            ("name: a\ndescription: b\n\n# Title\n\nText.\n", Some("# Title\n\nText.\n")),
            ("name: a\n# Title\nText.\n", Some("# Title\nText.\n")),
            ("name: a\n\n# Title\n\n## Part\n\nNote: b\n", Some("# Title\n\n## Part\n\nNote: b\n")),
            ("name: a\n\n# Title\n", Some("# Title\n")),
            ("name: a\n\nText here.\n", Some("Text here.\n")),
            ("name: a\n\nNote: this.\n", Some("Note: this.\n")),
            ("name: a\n```sh\nls\n```\n", Some("```sh\nls\n```\n")),
            ("name: a\n# a comment\n# more\nlicense: MIT\n", None),
            ("name: a\n# a comment\n", None),
            ("name: a\ntags:\n- a\n\nlicense: MIT\n", None),
            ("# Title\n\nText.\n", None),
        ] {
            assert_eq!(body_at(block).map(|at| &block[at..]), expected, "{block:?}");
        }
    }
}
