//! Reads `SKILL.md`: text in, a [`Skill`] and its diagnostics out.
//!
//! Parsing is total. Whatever the bytes are, [`parse`] returns a skill; what is wrong with it is in
//! [`Skill::diagnostics`], and a skill that cannot be used has the level [`SpecLevel::Rejected`]. One parser
//! serves every surface; dialects differ in the few places where the engines that inspired them do.
//!
//! ```
//! use prowess_skill::{ParseOptions, SkillInput, parse};
//! use prowess_types::{SkillLayout, SpecLevel};
//!
//! let text = "---\nname: greet\ndescription: Says hello. Use when somebody arrives.\n---\n# Greet\n";
//! let skill = parse(&SkillInput::folder(text.as_bytes(), "greet"), &ParseOptions::default());
//! assert_eq!(skill.name, "greet");
//! assert_eq!(skill.level, SpecLevel::Portable);
//! assert_eq!(skill.layout, SkillLayout::Folder);
//! ```
//!
//! What this crate refuses to do: open files, look at the environment, or decide whether a skill can run.

mod body;
mod codex;
mod extensions;
mod fence;
mod fields;
mod frontmatter;
mod input;
mod install;
mod lines;
mod lint;
mod literal;
mod metadata;
mod openpocket;
mod parse;
mod reading;
mod recover;
mod repair;
mod rules;
mod scalar;
mod simple;
mod skills_ref;
mod specification;
mod structure;
mod template;
mod text;
mod values;
mod yaml;

pub use codex::parse_codex;
pub use input::SkillInput;
pub use lint::{FileReference, lint, references};
pub use openpocket::{Issue as OpenpocketIssue, validate as validate_openpocket};
pub use parse::{ParseOptions, parse};
pub use rules::{LintRule, RULES, rule};
pub use skills_ref::validate as validate_skills_ref;
pub use template::{CommandBlock, Expanded, TemplateContext, expand};
pub use text::{Decoded, decode};

#[cfg(doc)]
use prowess_types::{Skill, SpecLevel};
