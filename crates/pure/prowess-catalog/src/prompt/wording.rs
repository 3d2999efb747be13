//! The words around the element, and the notes.

use super::PromptFormat;

/// Heading, rules and notes of a section.
pub(super) struct Wording {
    /// Heading and rules for full entries, for shortened descriptions and for bare names.
    rules: [&'static str; 3],
    /// What a note starts with.
    mark: &'static str,
    /// True if the note stands above the heading, or right before the element.
    pub(super) note_on_top: bool,
}

macro_rules! mandatory {
    ($scanned:literal) => {
        concat!(
            "## Skills (mandatory)\n",
            "Before replying: scan <available_skills> ",
            $scanned,
            " entries.\n",
            "- If exactly one skill clearly applies: read its SKILL.md at <location> with `read`, then follow it.\n",
            "- If multiple could apply: choose the most specific one, then read/follow it.\n",
            "- If none clearly apply: do not read any SKILL.md.\n",
            "Constraints: never read more than one skill up front; only read after selecting.\n\n",
        )
    };
}

/// The section that agents of the `prowess` profile get.
pub(super) const MANDATORY: Wording = Wording {
    rules: [mandatory!("<description>"), mandatory!("<name> and <description>"), mandatory!("<name>")],
    mark: "Warning:",
    note_on_top: false,
};

macro_rules! openclaw {
    ($matched:literal) => {
        concat!(
            "## Skills\n",
            "The skills listed below are files of instructions, each for one kind of task.\n",
            "When your task matches a skill by its ",
            $matched,
            ", read the file at its location before anything else.\n",
            "A relative path in a skill starts at the folder that holds its file: ",
            "make it absolute from there before you pass it to any tool or command.\n\n",
        )
    };
}

/// The section of the `openclaw` profile. Its rules take as much of the budget as OpenClaw's own, so that
/// both cut a list at the same skill.
pub(super) const OPENCLAW: Wording = Wording {
    rules: [openclaw!("description"), openclaw!("name or description"), openclaw!("name")],
    mark: "⚠️",
    note_on_top: true,
};

impl Wording {
    /// Heading and rules, with the empty line before the element.
    pub(super) fn rules(&self, format: PromptFormat) -> &'static str {
        let [full, shortened, omitted] = self.rules;
        match format {
            PromptFormat::Full => full,
            PromptFormat::CompactShortened => shortened,
            PromptFormat::CompactOmitted => omitted,
        }
    }

    /// What to say when something is missing, if something is.
    pub(super) fn note(
        &self,
        included: usize,
        total: usize,
        format: PromptFormat,
        audit: &str,
    ) -> Option<String> {
        let mark = self.mark;
        let lost = match format {
            PromptFormat::Full => None,
            PromptFormat::CompactShortened => Some("descriptions shortened"),
            PromptFormat::CompactOmitted => Some("descriptions omitted"),
        };
        let said = if included < total {
            let compact = lost.map(|lost| format!(" (compact format, {lost})")).unwrap_or_default();
            format!("Skills truncated: included {included} of {total}{compact}.")
        } else {
            format!("Skills catalog using compact format ({}).", lost?)
        };
        Some(format!("{mark} {said} Run `{audit}` to audit."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prowess_text::utf16_len;

    #[test]
    fn rules_take_as_much_room_as_openclaws() {
        let lengths = OPENCLAW.rules.map(utf16_len);
        assert_eq!(lengths, [332, 340, 325]);
    }

    #[test]
    fn every_note() {
        use PromptFormat::{CompactOmitted, CompactShortened, Full};
        let table = [
            (20, Full, None),
            (3, Full, Some("⚠️ Skills truncated: included 3 of 20. Run `openclaw skills check` to audit.")),
            (
                3,
                CompactShortened,
                Some(
                    "⚠️ Skills truncated: included 3 of 20 (compact format, descriptions shortened). Run `openclaw skills check` to audit.",
                ),
            ),
            (
                3,
                CompactOmitted,
                Some(
                    "⚠️ Skills truncated: included 3 of 20 (compact format, descriptions omitted). Run `openclaw skills check` to audit.",
                ),
            ),
            (
                20,
                CompactShortened,
                Some(
                    "⚠️ Skills catalog using compact format (descriptions shortened). Run `openclaw skills check` to audit.",
                ),
            ),
            (
                20,
                CompactOmitted,
                Some(
                    "⚠️ Skills catalog using compact format (descriptions omitted). Run `openclaw skills check` to audit.",
                ),
            ),
        ];
        for (included, format, note) in table {
            let said = OPENCLAW.note(included, 20, format, "openclaw skills check");
            assert_eq!(said.as_deref(), note);
        }
        assert_eq!(
            MANDATORY.note(3, 20, Full, "prowess check").as_deref(),
            Some("Warning: Skills truncated: included 3 of 20. Run `prowess check` to audit.")
        );
    }
}
