//! Names of variables, as people and programs give them: never a value.

/// A text that is not the name of a variable. It is not repeated: it may be a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give the name of a variable, such as `TODOIST_API_KEY`, and never its value")]
pub struct NotAVariable;

/// The name of a variable.
///
/// ```
/// assert_eq!(prowess_learn::cortex::variable_name(" TODOIST_API_KEY "), Ok("TODOIST_API_KEY"));
/// assert!(prowess_learn::cortex::variable_name("TODOIST_API_KEY=abc").is_err());
/// ```
pub fn variable_name(text: &str) -> Result<&str, NotAVariable> {
    let name = text.trim();
    let starts = name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_');
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let is_name = starts && name.len() <= 128 && name.chars().all(is_part);
    if is_name && prowess_trace::secret_spans(name).is_empty() { Ok(name) } else { Err(NotAVariable) }
}
