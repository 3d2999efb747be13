//! A list of skills in `AGENTS.md`, between two markers. The rest of the file is never touched.
//!
//! The first marker holds a hash of what stands between them, so a block that somebody edited is told from one that is
//! merely old, and stays.

use std::path::Path;

use crate::view::{ViewChange, ViewStep};
use crate::{Records, ViewError};

/// The name of the file.
pub const FILE: &str = "AGENTS.md";
const BEGIN: &str = "<!-- prowess:skills ";
const BEGIN_END: &str = " -->\n";
const END: &str = "<!-- /prowess:skills -->\n";
/// A larger file is left alone.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A skill in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// The path of its file.
    pub file: String,
}

/// A file with a block in it.
struct Found<'t> {
    before: &'t str,
    hash: &'t str,
    block: &'t str,
    after: &'t str,
}

/// Brings the block of a workspace's `AGENTS.md` up to date, or takes it away if there are no lines. `is_dry` only
/// says what would be done.
pub fn sync(
    records: &Records,
    workspace: &Path,
    lines: &[Line],
    is_dry: bool,
) -> Result<ViewStep, ViewError> {
    let file = crate::settle(&workspace.join(FILE));
    if !file.starts_with(crate::settle(workspace)) {
        return Err(ViewError::Outside(workspace.join(FILE)));
    }
    let _lock = if is_dry { None } else { Some(records.lock(&file)?) };
    let old = match prowess_fs::read_file(&file, MAX_BYTES) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => text,
            // No block of ours is in a file that is not text.
            Err(_) if lines.is_empty() => return Ok(step(ViewChange::Unchanged)),
            Err(_) => return Err(ViewError::NotText(file)),
        },
        Err(error) if error.is_missing() => String::new(),
        Err(error) => return Err(error.into()),
    };
    let (change, new) = changed(&old, lines).ok_or_else(|| ViewError::EditedBlock(file.clone()))?;
    if !is_dry && new != old {
        if new.is_empty() {
            prowess_fs::remove_file(&file).map_err(|source| ViewError::Io { path: file.clone(), source })?;
        } else {
            prowess_fs::write_atomic(&file, new.as_bytes(), None)?;
        }
    }
    Ok(step(change))
}

fn step(change: ViewChange) -> ViewStep {
    ViewStep { name: FILE.to_owned(), change, details: Vec::new() }
}

/// The file with its block up to date; none if somebody edited the block.
fn changed(old: &str, lines: &[Line]) -> Option<(ViewChange, String)> {
    let block = rendered(lines);
    let hash = short_hash(&block);
    let whole = format!("{BEGIN}{hash}{BEGIN_END}{block}{END}");
    let Some(found) = find(old) else {
        if old.contains(BEGIN) {
            return None;
        }
        if lines.is_empty() {
            return Some((ViewChange::Unchanged, old.to_owned()));
        }
        let gap = match old {
            "" => "",
            old if old.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        return Some((ViewChange::Create, format!("{old}{gap}{whole}")));
    };
    if short_hash(found.block) != found.hash {
        return None;
    }
    if lines.is_empty() {
        // Without the blank line that came with it.
        let before = found.before.strip_suffix('\n').unwrap_or_default();
        return Some((ViewChange::Remove, format!("{before}{}", found.after)));
    }
    let change = if found.block == block { ViewChange::Unchanged } else { ViewChange::Update };
    Some((change, format!("{}{whole}{}", found.before, found.after)))
}

fn find(text: &str) -> Option<Found<'_>> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (hash, rest) = rest.split_once(BEGIN_END)?;
    let (block, after) = rest.split_once(END)?;
    Some(Found { before, hash, block, after })
}

fn rendered(lines: &[Line]) -> String {
    let line = |line: &Line| {
        let description = line.description.split_whitespace().collect::<Vec<_>>().join(" ");
        // A description cannot end the block.
        let description = description.replace("<!--", "<! --");
        format!("- **{}** (`{}`): {description}\n", line.name, line.file)
    };
    let list: String = lines.iter().map(line).collect();
    format!("## Skills\n\nRead the file of a skill before you do what it is for.\n\n{list}")
}

fn short_hash(block: &str) -> String {
    prowess_fs::sha256_hex(block.as_bytes())[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str) -> Line {
        Line {
            name: name.to_owned(),
            description: "Does\nit. <!-- x".to_owned(),
            file: format!("skills/{name}/SKILL.md"),
        }
    }

    #[test]
    fn the_rest_of_the_file_stays() {
        for old in ["", "# Agents\n", "# Agents", "# Agents\n\n"] {
            let (change, made) = changed(old, &[line("a")]).unwrap();
            assert_eq!(change, ViewChange::Create);
            assert!(
                made.starts_with(old) && made.contains("- **a** (`skills/a/SKILL.md`): Does it. <! -- x\n")
            );
            assert_eq!(changed(&made, &[line("a")]).unwrap(), (ViewChange::Unchanged, made.clone()));
            let longer = format!("{made}\nMore.\n");
            let (change, updated) = changed(&longer, &[line("b")]).unwrap();
            assert_eq!(change, ViewChange::Update);
            assert!(updated.ends_with("\nMore.\n") && !updated.contains("**a**"));
            let (change, removed) = changed(&updated, &[]).unwrap();
            assert_eq!(change, ViewChange::Remove);
            let line_end = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
            assert_eq!(removed, format!("{old}{line_end}\nMore.\n"));
        }
    }

    #[test]
    fn a_block_that_was_edited_stays() {
        let (_, made) = changed("# Agents\n", &[line("a")]).unwrap();
        assert_eq!(changed(&made.replace("Does", "Do"), &[line("b")]), None);
        assert_eq!(changed(&made.replace(END, ""), &[line("b")]), None);
    }
}
