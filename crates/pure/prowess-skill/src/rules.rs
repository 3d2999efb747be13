//! Every rule that can speak about a skill, in one table. The reference in `docs/reference/rules.md` is made from it.

use std::borrow::Cow;

use prowess_types::{Diagnostic, Severity, Span};

/// One rule: its stable id, how bad a breach is, what it demands and how to repair it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LintRule {
    /// Stable id.
    pub id: &'static str,
    /// How bad a breach is when skills are loaded.
    pub severity: Severity,
    /// True if a breach means that the skill does not follow the Agent Skills specification.
    pub breaks_portability: bool,
    /// What is demanded, in one sentence.
    pub summary: &'static str,
    /// How to repair it; empty when the message says it all.
    pub help: &'static str,
}

impl LintRule {
    /// A breach at a place.
    pub(crate) fn at(&self, span: Span, message: String) -> Diagnostic {
        self.diagnostic(Some(span), message)
    }

    /// A breach, with a place if there is one.
    pub fn diagnostic(&self, span: Option<Span>, message: String) -> Diagnostic {
        Diagnostic {
            rule: Cow::Borrowed(self.id),
            severity: self.severity,
            span,
            message,
            help: (!self.help.is_empty()).then(|| self.help.to_owned()),
        }
    }
}

/// Looks a rule up by its id.
///
/// ```
/// assert_eq!(prowess_skill::rule("name/missing").map(|rule| rule.id), Some("name/missing"));
/// ```
pub fn rule(id: &str) -> Option<&'static LintRule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

macro_rules! rules {
    ($($name:ident = $id:literal, $severity:ident, $breaks:literal, $summary:literal, $help:literal;)*) => {
        $(pub(crate) const $name: &LintRule = &LintRule {
            id: $id,
            severity: Severity::$severity,
            breaks_portability: $breaks,
            summary: $summary,
            help: $help,
        };)*
        /// Every rule, in the order of the reference.
        pub const RULES: &[&LintRule] = &[$($name),*];
    };
}

rules! {
    ENCODING_UTF16 = "encoding/utf-16", Error, true, "A skill is UTF-8 text.", "save the file as UTF-8";
    ENCODING_INVALID_UTF8 = "encoding/invalid-utf-8", Warning, true, "Every byte is valid UTF-8.", "save the file as UTF-8";
    ENCODING_BOM = "encoding/byte-order-mark", Warning, true, "The file starts with the frontmatter, not with a byte order mark.", "save the file as UTF-8 without a byte order mark; several engines refuse it";
    ENCODING_NUL = "encoding/nul", Warning, true, "The text has no NUL characters.", "remove the NUL characters";
    FRONTMATTER_MISSING = "frontmatter/missing", Error, true, "`SKILL.md` starts with YAML between two `---` lines.", "start the file with `---`, `name:`, `description:`, `---`";
    FRONTMATTER_UNTERMINATED = "frontmatter/unterminated", Error, true, "The frontmatter is closed by a line of exactly `---`.", "add a line `---` after the last field";
    FRONTMATTER_INVALID = "frontmatter/invalid-yaml", Error, true, "The frontmatter is valid YAML without duplicate keys.", "quote values that contain `: ` or start with a special character";
    FRONTMATTER_TOO_COMPLEX = "frontmatter/too-complex", Error, true, "The frontmatter is small: few aliases, little nesting.", "write the values out instead of using aliases";
    FRONTMATTER_NOT_A_MAP = "frontmatter/not-a-map", Error, true, "The frontmatter is a mapping of fields to values.", "write one `field: value` per line";
    FRONTMATTER_REPAIRED = "frontmatter/repaired", Warning, true, "Values that YAML would misread are quoted.", "put the value in double quotes; strict readers refuse the file as it is";
    FRONTMATTER_MISREAD = "frontmatter/read-as-text", Warning, false, "Text that means something else in YAML is quoted.", "put the value in double quotes; other readers see a list, a comment or a tag";
    FRONTMATTER_REPEATED = "frontmatter/repeated-key", Warning, true, "Every field is given once.", "remove one of the two; strict readers refuse the file as it is";
    FRONTMATTER_SPELLING = "frontmatter/key-spelling", Warning, true, "Names of fields are spelled exactly.", "write the name in lower case; other readers do not see the field";
    FRONTMATTER_FENCE = "frontmatter/loose-fence", Warning, true, "Lines of exactly three dashes stand before and after the fields.", "write `---` on a line of its own before the first and after the last field";
    LAYOUT_LONE_FILE = "layout/lone-file", Note, true, "A skill is a folder with `SKILL.md`.", "move the file to `NAME/SKILL.md`; most engines see folders only";
    LAYOUT_DERIVED = "layout/derived-description", Warning, true, "A skill describes itself in its frontmatter.", "add `description:`; the first line of the text stands in for it";
    SPEC_STRICT = "spec/strict", Error, true, "Strict mode loads only skills that follow the specification.", "repair the warnings, or set `agent.skillsSpecMode` to `mixed`";
    NAME_MISSING = "name/missing", Warning, true, "A skill has a name.", "add `name:` with the name of the folder";
    NAME_NOT_TEXT = "name/not-text", Warning, true, "The name is text.", "quote the name";
    NAME_TOO_LONG = "name/too-long", Warning, true, "A name has at most 64 characters.", "shorten the name";
    NAME_CHARACTERS = "name/characters", Warning, true, "A name has lower-case letters, digits and hyphens only.", "use lower-case letters, digits and single hyphens";
    NAME_NOT_ASCII = "name/not-ascii", Note, false, "A name travels best in ASCII.", "some engines accept ASCII letters only";
    NAME_HYPHENS = "name/hyphens", Warning, true, "A name neither starts nor ends with a hyphen, nor has two in a row.", "use single hyphens between words";
    NAME_FOLDER = "name/folder-mismatch", Warning, true, "The name equals the folder's name.", "rename the folder or the skill; agents find skills by either";
    DESCRIPTION_MISSING = "description/missing", Error, true, "A skill says what it is for.", "add `description:`: what it does and when to use it, in a user's words";
    DESCRIPTION_NOT_TEXT = "description/not-text", Warning, true, "The description is text.", "quote the description";
    DESCRIPTION_TOO_LONG = "description/too-long", Warning, true, "A description has at most 1,024 characters.", "move details to the body";
    LICENSE_NOT_TEXT = "license/not-text", Warning, true, "The licence is short text.", "";
    COMPATIBILITY_LENGTH = "compatibility/length", Warning, true, "`compatibility` has 1 to 500 characters.", "";
    COMPATIBILITY_NOT_TEXT = "compatibility/not-text", Warning, true, "`compatibility` is text.", "";
    ALLOWED_TOOLS_LIST = "allowed-tools/list", Note, false, "`allowed-tools` is one space-separated string.", "the specification wants one string; a list works in Claude Code";
    FIELD_EXTENSION = "field/extension", Note, false, "Fields outside the specification belong under `metadata`.", "known to some engines; others ignore it";
    FIELD_UNKNOWN = "field/unknown", Note, true, "Fields outside the specification belong under `metadata`.", "move it under `metadata`";
    METADATA_NOT_A_MAP = "metadata/not-a-map", Warning, true, "`metadata` is a mapping.", "";
    METADATA_NESTED = "metadata/nested", Note, false, "`metadata` maps text to text.", "engines read nested metadata; the bare specification does not know it";
    METADATA_UNREADABLE = "metadata/unreadable", Warning, true, "`metadata` is YAML, JSON or JSON5.", "its requirements are not seen: the skill counts as needing nothing";
    METADATA_FLOW_IGNORED = "metadata/flow-ignored", Warning, false, "One-line metadata is JSON or nested YAML.", "OpenClaw loses the requirements of an unquoted one-line map; write it as JSON or as nested YAML";
    METADATA_FIELD_TYPE = "metadata/field-type", Warning, false, "Each metadata field has its documented type.", "";
    METADATA_SEVERAL = "metadata/several-namespaces", Note, false, "One engine block is enough.", "the first one wins whole; fields are not mixed";
    INSTALL_KIND = "install/unknown-kind", Warning, false, "An install option has a known kind.", "known kinds: brew, node, go, uv, download, apt, cargo, pipx";
    INSTALL_VALUE = "install/refused-value", Warning, false, "An install option names a plain package, module or https address.", "options, paths and ranges are refused, because they end up on a command line";
    LINT_DESCRIPTION_WHEN = "lint/description-when", Warning, false, "A description says when to use the skill.", "add `Use when …` with words a user would say";
    LINT_DESCRIPTION_SHORT = "lint/description-short", Warning, false, "A description is long enough to be found by.", "say what the skill does and name the things users ask for";
    LINT_BODY_EMPTY = "lint/body-empty", Warning, false, "A skill has instructions.", "write what the agent should do";
    LINT_BODY_LONG = "lint/body-long", Warning, false, "A body stays under 500 lines and 5,000 tokens.", "move details to `references/`";
    LINT_REFERENCE_MISSING = "lint/reference-missing", Warning, false, "Files that the body links to exist.", "";
    LINT_REFERENCE_ESCAPES = "lint/reference-escapes", Warning, false, "Links stay inside the skill's folder.", "copy the file into the skill";
    LINT_REFERENCE_DEEP = "lint/reference-deep", Note, false, "Links point at most one folder deep.", "";
    LINT_SCRIPT_SHEBANG = "lint/script-shebang", Note, false, "Scripts start with `#!`.", "";
    LINT_SCRIPT_NOT_EXECUTABLE = "lint/script-not-executable", Note, false, "Scripts are executable.", "chmod +x";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
    }
}
