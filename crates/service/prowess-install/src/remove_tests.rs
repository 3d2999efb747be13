use super::*;
use crate::test_support::{Case, bundle, demo, placement};
use crate::{Existing, RestoreWish, status};

#[test]
fn a_skill_goes_and_is_known_when_it_comes_back() {
    let case = Case::new();
    let skill = bundle(&[("SKILL.md", "1")]);
    case.install(&skill);
    case.write("demo/SKILL.md", "edited");
    let plan = plan_uninstall(&case.home, &demo()).unwrap();
    assert!(!plan.installed.state.is_clean() && plan.path.is_some());

    let aside = case.path().join("aside");
    let writer = case.writer();
    let gone = writer.uninstall(&demo(), None, |path| std::fs::rename(path, &aside)).unwrap();
    assert!(gone.taken.is_some());
    assert!(status(&case.home).unwrap().is_empty());
    let id = Folder::parse("aside").unwrap();
    let wish = RestoreWish { folder: &demo(), id: &id, replaces: false, mirror: None, now: 1000 };
    let failed = writer.restore(&wish, |_| Ok::<_, std::io::Error>(())).unwrap_err();
    assert!(matches!(failed, InstallError::Restore { .. }), "nothing was moved");
    assert!(writer.lock().unwrap().skills.is_empty() && !crate::is_interrupted(&case.home));
    let back = writer.restore(&wish, |path| std::fs::rename(&aside, path)).unwrap();
    assert!(back.is_listed);
    assert_eq!(status(&case.home).unwrap()[0].entry, gone.entry);
    let next = bundle(&[("SKILL.md", "1"), ("new", "2")]);
    writer.update(&placement(&next), crate::Edits::Merge).unwrap();
    assert_eq!(case.read("demo/SKILL.md"), "edited", "the stored copies stayed");
}

#[test]
fn a_folder_that_stays_keeps_its_entry() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "1")]));
    let writer = case.writer();
    let error = writer.uninstall(&demo(), None, |_| Err::<(), _>("the trash is full")).unwrap_err();
    assert!(matches!(error, InstallError::Remove { .. }));
    let error = writer.uninstall(&demo(), None, |_| Ok::<_, std::io::Error>(())).unwrap_err();
    assert!(matches!(error, InstallError::Remove { .. }));
    assert!(status(&case.home).unwrap()[0].state.is_clean());
    assert!(!crate::is_interrupted(&case.home));
}

#[test]
fn a_folder_that_is_gone_only_leaves_the_lock() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "1")]));
    std::fs::remove_dir_all(case.home.target(&demo())).unwrap();
    let writer = case.writer();
    let gone =
        writer.uninstall(&demo(), None, |_| -> Result<(), String> { panic!("nothing to take") }).unwrap();
    assert!(gone.taken.is_none());
    assert!(writer.lock().unwrap().skills.is_empty());
    writer.place(&placement(&bundle(&[("SKILL.md", "1")])), Existing::Refuse).unwrap();
}
