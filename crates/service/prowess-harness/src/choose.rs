//! Which folders are filled, so that every harness sees the skills and no folder is filled in vain.

use std::path::{Path, PathBuf};

use crate::{Ground, Harness, SkillFormat, ViewScope};

/// A folder to fill, and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The folder, links resolved.
    pub folder: PathBuf,
    /// How skills are put there.
    pub format: SkillFormat,
    /// Who reads it.
    pub harnesses: Vec<&'static Harness>,
}

/// The folders to fill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// One folder for each harness.
    pub choices: Vec<Choice>,
    /// The harnesses that read no folder of this scope.
    pub without: Vec<&'static Harness>,
}

/// A harness that no folder was found for yet, and the folders it reads.
struct Waiting {
    harness: &'static Harness,
    folders: Vec<PathBuf>,
}

/// Finds a folder for each harness: one that was filled before; else the one that most of them read, and of several
/// the one that is named first.
pub fn choose(
    ground: &Ground<'_>,
    harnesses: &[&'static Harness],
    scope: ViewScope,
    was_filled: impl Fn(&Path) -> bool,
) -> Chosen {
    let mut chosen = Chosen::default();
    let mut waiting = Vec::new();
    for harness in harnesses {
        let folders = ground.folders(harness, scope);
        if folders.is_empty() {
            chosen.without.push(harness);
        } else if let Some(folder) = folders.iter().find(|folder| was_filled(folder)) {
            chosen.serve(folder, harness);
        } else {
            waiting.push(Waiting { harness, folders });
        }
    }
    while let Some(best) = most_read(&waiting) {
        let (served, left): (Vec<Waiting>, _) = waiting.into_iter().partition(|one| one.reads(&best));
        waiting = left;
        for one in served {
            chosen.serve(&best.1, one.harness);
        }
    }
    chosen
}

impl Waiting {
    fn reads(&self, (format, folder): &(SkillFormat, PathBuf)) -> bool {
        self.harness.format == *format && self.folders.contains(folder)
    }
}

impl Chosen {
    fn serve(&mut self, folder: &Path, harness: &'static Harness) {
        let format = harness.format;
        match self.choices.iter_mut().find(|choice| choice.folder == folder && choice.format == format) {
            Some(choice) => choice.harnesses.push(harness),
            None => {
                self.choices.push(Choice { folder: folder.to_owned(), format, harnesses: vec![harness] });
            }
        }
    }
}

fn most_read(waiting: &[Waiting]) -> Option<(SkillFormat, PathBuf)> {
    let named =
        waiting.iter().flat_map(|one| one.folders.iter().map(|folder| (one.harness.format, folder.clone())));
    let mut best = None;
    let mut most = 0;
    for place in named {
        let readers = waiting.iter().filter(|one| one.reads(&place)).count();
        if readers > most {
            (best, most) = (Some(place), readers);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use prowess_config::Env;

    use super::*;
    use crate::find;

    fn chosen(ids: &[&str], scope: ViewScope, filled: &[&str]) -> Vec<(String, Vec<&'static str>)> {
        let env = Env::new([], "/nowhere/ws");
        let (home, workspace) = (Path::new("/nowhere/home"), Path::new("/nowhere/ws"));
        let ground = Ground { env: &env, home, workspace };
        let harnesses: Vec<&'static Harness> = ids.iter().map(|id| find(id).unwrap()).collect();
        let was_filled = |folder: &Path| filled.iter().any(|end| folder.ends_with(end));
        let shown = |choice: Choice| {
            let ids = choice.harnesses.iter().map(|harness| harness.id.as_str()).collect();
            (choice.folder.strip_prefix("/nowhere").unwrap().display().to_string(), ids)
        };
        choose(&ground, &harnesses, scope, was_filled).choices.into_iter().map(shown).collect()
    }

    #[test]
    fn a_folder_that_several_read_is_filled_once() {
        assert_eq!(
            chosen(&["claude-code", "codex", "amp", "zed"], ViewScope::Project, &[]),
            [
                ("ws/.agents/skills".to_owned(), vec!["codex", "amp", "zed"]),
                ("ws/.claude/skills".to_owned(), vec!["claude-code"]),
            ]
        );
        assert_eq!(
            chosen(&["claude-code", "cursor"], ViewScope::User, &[]),
            [("home/.claude/skills".to_owned(), vec!["claude-code", "cursor"])]
        );
    }

    #[test]
    fn a_folder_that_was_filled_before_stays_the_one() {
        assert_eq!(
            chosen(&["codex", "amp"], ViewScope::Project, &[".codex/skills"]),
            [("ws/.codex/skills".to_owned(), vec!["codex"]), ("ws/.agents/skills".to_owned(), vec!["amp"]),]
        );
    }

    #[test]
    fn who_reads_nothing_is_told() {
        let env = Env::new([], "/ws");
        let ground = Ground { env: &env, home: Path::new("/home"), workspace: Path::new("/ws") };
        let chosen = choose(&ground, &[find("zeph").unwrap()], ViewScope::User, |_| false);
        assert!(chosen.choices.is_empty());
        assert_eq!(chosen.without[0].id, "zeph");
    }
}
