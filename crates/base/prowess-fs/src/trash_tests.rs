use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

use prowess_testkit::Tree;

use super::*;

struct Place {
    tree: Tree,
    trash: Trash,
    roots: Vec<PathBuf>,
}

fn place_with_skill() -> Place {
    let tree = Tree::new();
    tree.write("skills/pdf/SKILL.md", "text");
    tree.write("skills/pdf/scripts/a.sh", "echo");
    tree.write("outside/precious/SKILL.md", "precious");
    let trash = Trash::new(tree.path("state/trash"));
    let roots = vec![tree.path("skills")];
    Place { tree, trash, roots }
}

impl Place {
    fn remove(&self, relative: &str) -> Result<Trashed, TrashError> {
        self.trash.remove(&self.tree.path(relative), &self.roots, 1_700_000_000_000)
    }

    fn is_whole(&self) -> bool {
        let precious = fs::read_to_string(self.tree.path("outside/precious/SKILL.md"));
        precious.is_ok_and(|text| text == "precious")
    }
}

#[test]
fn a_skill_goes_and_comes_back() {
    let place = place_with_skill();
    let trashed = place.remove("skills/pdf").unwrap();
    assert_eq!(trashed.id, "1700000000000-pdf");
    assert!(!place.tree.path("skills/pdf").exists());
    assert_eq!(place.trash.list().unwrap(), std::slice::from_ref(&trashed));
    assert_eq!(place.trash.restore(&trashed.id).unwrap(), place.tree.path("skills/pdf"));
    assert_eq!(fs::read_to_string(place.tree.path("skills/pdf/scripts/a.sh")).unwrap(), "echo");
    assert!(place.trash.list().unwrap().is_empty());
    assert_eq!(fs::read_dir(place.tree.path("state/trash")).unwrap().count(), 0);
}

#[test]
fn two_of_the_same_name_and_time_are_kept_apart() {
    let place = place_with_skill();
    let first = place.remove("skills/pdf").unwrap();
    place.tree.write("skills/pdf/SKILL.md", "second");
    let second = place.remove("skills/pdf").unwrap();
    assert_ne!(first.id, second.id);
    place.trash.restore(&second.id).unwrap();
    assert!(matches!(place.trash.restore(&first.id), Err(TrashError::Taken { .. })));
    assert_eq!(fs::read_to_string(place.tree.path("skills/pdf/SKILL.md")).unwrap(), "second");
    assert_eq!(place.trash.list().unwrap(), [first]);
}

#[test]
fn only_skills_below_a_root_are_removed() {
    let place = place_with_skill();
    place.tree.write("skills/notes/readme.md", "");
    fs::create_dir_all(place.tree.path("skills/linked")).unwrap();
    symlink(place.tree.path("outside/precious/SKILL.md"), place.tree.path("skills/linked/SKILL.md")).unwrap();
    symlink(place.tree.path("outside/precious"), place.tree.path("skills/link")).unwrap();
    symlink(place.tree.path("outside"), place.tree.path("skills/group")).unwrap();
    let name = |path: &str| match place.remove(path).unwrap_err() {
        TrashError::Outside { .. } => "outside",
        TrashError::IsRoot { .. } => "root",
        TrashError::NotASkill { .. } => "no skill",
        TrashError::NotAFolder { .. } => "no folder",
        TrashError::Missing { .. } => "missing",
        other => panic!("{path}: {other}"),
    };
    assert_eq!(name("outside/precious"), "outside");
    assert_eq!(name("skills/../outside/precious"), "outside");
    assert_eq!(name("skills"), "root");
    assert_eq!(name("skills/pdf/.."), "root");
    assert_eq!(name("skills/notes"), "no skill");
    assert_eq!(name("skills/linked"), "no skill", "a link to a file is no file");
    assert_eq!(name("skills/link"), "no folder");
    assert_eq!(name("skills/group/precious"), "no folder");
    assert_eq!(name("skills/pdf/SKILL.md"), "no folder");
    assert_eq!(name("skills/none"), "missing");
    assert!(place.is_whole() && place.trash.list().unwrap().is_empty());
    assert!(place.tree.path("skills/pdf/SKILL.md").exists());
}

#[test]
fn a_folder_that_holds_a_root_is_not_removed() {
    let mut place = place_with_skill();
    place.tree.write("skills/group/SKILL.md", "");
    place.tree.write("skills/group/inner/x/SKILL.md", "");
    place.roots.push(place.tree.path("skills/group/inner"));
    assert!(matches!(place.remove("skills/group"), Err(TrashError::IsRoot { .. })));
    place.remove("skills/group/inner/x").unwrap();
}

#[test]
fn a_root_may_be_a_link_and_is_resolved_once() {
    let mut place = place_with_skill();
    symlink(place.tree.path("skills"), place.tree.path("home")).unwrap();
    place.roots = vec![place.tree.path("home")];
    let trashed = place.remove("home/pdf").unwrap();
    assert_eq!(trashed.from, place.tree.path("skills/pdf"));
    place.trash.restore(&trashed.id).unwrap();
    place.remove("skills/pdf").unwrap();
}

#[test]
fn hard_links_outside_keep_their_content() {
    let place = place_with_skill();
    let second = place.tree.path("skills/pdf/second");
    fs::hard_link(place.tree.path("outside/precious/SKILL.md"), second).unwrap();
    let trashed = place.remove("skills/pdf").unwrap();
    assert_eq!(place.trash.purge(trashed.removed_at + 1).unwrap(), 1);
    assert!(place.is_whole() && place.trash.list().unwrap().is_empty());
}

#[test]
fn purging_takes_only_what_is_old_and_follows_no_link() {
    let place = place_with_skill();
    symlink(place.tree.path("outside"), place.tree.path("skills/pdf/away")).unwrap();
    let old = place.remove("skills/pdf").unwrap();
    place.tree.write("skills/pdf/SKILL.md", "new");
    let new = place.trash.remove(&place.tree.path("skills/pdf"), &place.roots, old.removed_at + 5).unwrap();
    assert_eq!(place.trash.purge(old.removed_at).unwrap(), 0);
    assert_eq!(place.trash.purge(old.removed_at + 1).unwrap(), 1);
    assert_eq!(place.trash.list().unwrap(), [new]);
    assert!(place.is_whole());
}

#[test]
fn ids_lead_nowhere_else() {
    let place = place_with_skill();
    place.tree.write("state/evil.json", r#"{"from":"/tmp/x","removedAt":1}"#);
    fs::create_dir_all(place.tree.path("state/evil")).unwrap();
    fs::create_dir_all(place.tree.path("state/trash")).unwrap();
    for id in ["../evil", "", ".", "none", "a/b"] {
        assert!(matches!(place.trash.restore(id), Err(TrashError::Unknown { .. })), "{id}");
    }
}

#[test]
fn what_is_swapped_after_the_check_is_not_touched() {
    let place = place_with_skill();
    let (skill, aside) = (place.tree.path("skills/pdf"), place.tree.path("aside"));
    let result = place.trash.remove_with(&skill, &place.roots, 1, || {
        fs::rename(&skill, &aside).unwrap();
        symlink(place.tree.path("outside/precious"), &skill).unwrap();
    });
    assert!(matches!(result, Err(TrashError::Swapped { .. })));
    assert!(skill.is_symlink() && aside.join("SKILL.md").exists() && place.is_whole());
    fs::remove_file(&skill).unwrap();
    fs::rename(&aside, &skill).unwrap();
    let result = place.trash.remove_with(&skill, &place.roots, 1, || {
        fs::rename(&skill, &aside).unwrap();
        fs::rename(place.tree.path("outside/precious"), &skill).unwrap();
    });
    assert!(matches!(result, Err(TrashError::Swapped { .. })));
    assert_eq!(fs::read_to_string(skill.join("SKILL.md")).unwrap(), "precious");
    assert_eq!(fs::read_dir(place.tree.path("state/trash")).unwrap().count(), 0, "no note is left");
}

#[test]
fn whoever_swaps_all_the_time_gains_nothing() {
    let place = place_with_skill();
    let (skill, aside) = (place.tree.path("skills/pdf"), place.tree.path("aside"));
    let precious = place.tree.path("outside/precious");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                if fs::rename(&skill, &aside).is_ok() {
                    let _ = symlink(&precious, &skill);
                    let _ = fs::remove_file(&skill);
                    let _ = fs::rename(&aside, &skill);
                }
            }
        });
        for now in 0..300 {
            if let Ok(trashed) = place.trash.remove(&skill, &place.roots, now) {
                let there = place.tree.path("state/trash").join(&trashed.id);
                assert!(!there.is_symlink() && there.join("scripts/a.sh").is_file());
                place.trash.restore(&trashed.id).unwrap();
            }
            assert!(place.is_whole());
        }
        stop.store(true, Ordering::Relaxed);
    });
    let left = [&skill, &aside].iter().filter(|path| path.join("scripts/a.sh").is_file()).count();
    assert_eq!(left, 1, "the skill is somewhere, once");
}

#[test]
fn across_file_systems_a_copy_takes_its_place() {
    let place = place_with_skill();
    let script = place.tree.path("skills/pdf/scripts/a.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o4755)).unwrap();
    symlink("../outside", place.tree.path("skills/pdf/link")).unwrap();
    fs::create_dir_all(place.tree.path("other")).unwrap();
    let spot = Spot::open(&place.tree.path("skills"), Path::new("pdf")).unwrap();
    let target = fs::File::open(place.tree.path("other")).unwrap();
    spot.copy_to(std::os::fd::AsFd::as_fd(&target), "copied".as_ref()).unwrap();
    let mode = fs::metadata(place.tree.path("other/copied/scripts/a.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
    assert_eq!(fs::read_link(place.tree.path("other/copied/link")).unwrap(), Path::new("../outside"));
    let names = |folder: &str| fs::read_dir(place.tree.path(folder)).unwrap().count();
    assert_eq!((names("skills"), names("other")), (0, 1), "nothing is left of the original");
    assert!(place.is_whole());
}

#[test]
fn what_cannot_be_copied_stays() {
    let place = place_with_skill();
    std::os::unix::net::UnixListener::bind(place.tree.path("skills/pdf/socket")).unwrap();
    fs::create_dir_all(place.tree.path("other")).unwrap();
    let spot = Spot::open(&place.tree.path("skills"), Path::new("pdf")).unwrap();
    let target = fs::File::open(place.tree.path("other")).unwrap();
    assert!(spot.copy_to(std::os::fd::AsFd::as_fd(&target), "copied".as_ref()).is_err());
    assert!(place.tree.path("skills/pdf/SKILL.md").exists());
    assert_eq!(fs::read_dir(place.tree.path("other")).unwrap().count(), 0);
}

/// Where memory is a file system of its own, this crosses from one to another; elsewhere it is a plain move.
#[test]
fn the_trash_may_be_on_another_file_system() {
    let memory = Path::new("/dev/shm");
    let other = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let place = Place { trash: Trash::new(other.path().join("trash")), ..place_with_skill() };
    let trashed = place.remove("skills/pdf").unwrap();
    assert_eq!(fs::read_dir(place.tree.path("skills")).unwrap().count(), 0);
    assert_eq!(place.trash.list().unwrap(), std::slice::from_ref(&trashed));
    place.trash.restore(&trashed.id).unwrap();
    assert_eq!(fs::read_to_string(place.tree.path("skills/pdf/scripts/a.sh")).unwrap(), "echo");
    assert_eq!(fs::read_dir(other.path().join("trash")).unwrap().count(), 0);
}
