//! The text of a `SKILL.md`, part by part.

use std::fmt;

/// A valid `SKILL.md`; what a test does not set is filled in.
///
/// ```
/// use prowess_testkit::SkillFile;
///
/// let tea = SkillFile::new("tea").description("Brews tea.").fields("license: MIT\n").body("Boil water.\n");
/// assert_eq!(tea.text(), "---\nname: tea\ndescription: Brews tea.\nlicense: MIT\n---\nBoil water.\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    name: String,
    description: String,
    fields: String,
    body: String,
}

impl SkillFile {
    /// A skill of a name, with a description and a body made from it.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: format!("Does {name}. Use when asked."),
            fields: String::new(),
            body: format!("# {name}\n\nBody.\n"),
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn description(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// Adds lines to the frontmatter, each with its line break.
    #[must_use]
    pub fn fields(mut self, lines: &str) -> Self {
        self.fields.push_str(lines);
        self
    }

    /// Sets everything after the frontmatter.
    #[must_use]
    pub fn body(mut self, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for SkillFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, description, fields, body } = self;
        write!(formatter, "---\nname: {name}\ndescription: {description}\n{fields}---\n{body}")
    }
}
