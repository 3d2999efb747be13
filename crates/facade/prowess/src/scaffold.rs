//! `prowess new`: a valid skeleton to start from.

use std::path::{Path, PathBuf};

/// The skeleton of a new skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Template {
    /// A folder with `SKILL.md`, portable as it stands.
    #[default]
    Folder,
    /// OpenPocket's lone file: title, one line, trigger, steps.
    Openpocket,
}

/// The reason nothing was created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScaffoldError {
    /// The name breaks the specification.
    #[error("`{name}` is not a skill name: use lower-case letters, digits and single hyphens, at most 64")]
    Name {
        /// The name.
        name: String,
    },
    /// The target already exists.
    #[error("`{}` already exists", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// The system refused.
    #[error(transparent)]
    Write(#[from] prowess_fs::WriteError),
}

impl prowess_types::Classify for ScaffoldError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Name { .. } => Is(ErrorKind::InvalidValue),
            Self::Exists { .. } => Is(ErrorKind::AlreadyThere),
            Self::Write(_) => Is(ErrorKind::Files),
        }
    }
}

/// Creates a skeleton below `folder` and returns the file to edit. Nothing is ever replaced.
pub fn create(folder: &Path, name: &str, template: Template) -> Result<PathBuf, ScaffoldError> {
    if !is_name(name) {
        return Err(ScaffoldError::Name { name: name.to_owned() });
    }
    let (target, file, text) = match template {
        Template::Folder => (folder.join(name), folder.join(name).join("SKILL.md"), skill_md(name)),
        Template::Openpocket => {
            let file = folder.join(format!("{name}.md"));
            (file.clone(), file, openpocket_md(name))
        }
    };
    if prowess_fs::is_taken(&target) {
        return Err(ScaffoldError::Exists { path: target });
    }
    prowess_fs::write_atomic(&file, text.as_bytes(), None)?;
    Ok(file)
}

fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&name.len())
        && name.bytes().all(allowed)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

fn title(name: &str) -> String {
    let capitalise = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    name.split('-').map(capitalise).collect::<Vec<_>>().join(" ")
}

fn skill_md(name: &str) -> String {
    let title = title(name);
    format!(
        "---\nname: {name}\ndescription: \"Say what this skill does. Use when the user asks for …, in the words a \
         user would say.\"\n---\n\n# {title}\n\n## When to use\n\n- The user asks for …\n\nNot for: …\n\n## Before you \
         start\n\nCheck that what the steps need is there.\n\n## Steps\n\n1. …\n\n## Pitfalls\n\n- …\n\n## Done \
         when\n\n- …\n"
    )
}

fn openpocket_md(name: &str) -> String {
    let title = title(name);
    format!(
        "# {title}\n\nSay in one line what this skill does.\n\n## Trigger\nUse when the user asks for …\n\n## \
         Steps\n- …\n"
    )
}
