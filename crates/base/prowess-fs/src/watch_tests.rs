//! On a real file system; waits are generous, and no test asserts how long anything takes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notify::event::{Event, EventKind, Flag};
use tempfile::TempDir;

use super::*;
use crate::WalkRules;

const LONG: Duration = Duration::from_mins(1);
const QUIET: Duration = Duration::from_millis(400);

struct Setup {
    folder: TempDir,
    watcher: Watcher,
}

fn quick(backend: WatchBackend) -> WatchOptions {
    WatchOptions {
        backend,
        debounce: Duration::from_millis(30),
        poll_interval: Duration::from_millis(40),
        check_interval: Duration::from_millis(200),
        ..WatchOptions::default()
    }
}

fn skills(path: PathBuf) -> WatchTarget {
    let rules = Box::new(WalkRules::stop_at_skill(300));
    WatchTarget { path, reach: WatchReach::Skills { rules, beside: &[".origin"] } }
}

fn config(path: PathBuf) -> WatchTarget {
    WatchTarget { path, reach: WatchReach::File }
}

impl Setup {
    /// Watches `skills`, which exists, and `later/skills` and `conf/a.json`, which do not.
    fn new(options: WatchOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("skills")).unwrap();
        let targets = vec![
            skills(folder.path().join("skills")),
            skills(folder.path().join("later/skills")),
            config(folder.path().join("conf/a.json")),
        ];
        let watcher = Watcher::start(targets, options).unwrap();
        Self { folder, watcher }
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    fn write(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Waits until a change concerns a target.
    fn expect(&self, target: &str) {
        let target = self.path(target);
        wait(&self.watcher, |change| change.targets.contains(&target));
    }

    /// Waits until a change names a path.
    fn expect_path(&self, path: &Path) {
        wait(&self.watcher, |change| change.is_about(path));
    }

    fn expect_nothing(&self) {
        assert_eq!(self.watcher.next(QUIET), None);
    }

    fn settle(&self) {
        while self.watcher.next(QUIET).is_some() {}
    }
}

fn wait(watcher: &Watcher, is_it: impl Fn(&WatchChange) -> bool) -> WatchChange {
    let deadline = Instant::now() + LONG;
    while Instant::now() < deadline {
        if let Some(change) = watcher.next(Duration::from_secs(1))
            && is_it(&change)
        {
            return change;
        }
    }
    panic!("the change was missed; {:?}", watcher.health());
}

fn each_backend(test: impl Fn(Setup)) {
    for backend in [WatchBackend::Native, WatchBackend::Polling] {
        test(Setup::new(quick(backend)));
    }
}

#[test]
fn what_happens_to_a_skill_is_reported() {
    each_backend(|setup| {
        let file = setup.write("skills/one/SKILL.md", "1");
        setup.expect("skills");
        setup.settle();
        fs::write(&file, "22").unwrap();
        setup.expect_path(&file);
        setup.settle();
        fs::rename(setup.path("skills/one"), setup.path("skills/two")).unwrap();
        setup.expect("skills");
        setup.settle();
        setup.write("skills/two/SKILL.md", "333");
        setup.expect_path(&setup.path("skills/two/SKILL.md"));
        setup.settle();
        fs::remove_dir_all(setup.path("skills/two")).unwrap();
        setup.expect("skills");
    });
}

#[test]
fn what_cannot_matter_is_not_reported() {
    each_backend(|setup| {
        setup.write("skills/one/SKILL.md", "1");
        setup.expect("skills");
        setup.settle();
        setup.write("skills/notes.txt", "a");
        setup.write("skills/one/script.py", "a");
        setup.write("skills/node_modules/x/SKILL.md", "a");
        setup.write("skills/.git/HEAD", "a");
        setup.write("README.md", "beside the root");
        setup.write("package.json", "beside the root");
        fs::read(setup.path("skills/one/SKILL.md")).unwrap();
        setup.expect_nothing();
    });
}

#[test]
fn what_does_not_exist_yet_is_noticed_when_it_comes() {
    each_backend(|setup| {
        assert_eq!(setup.watcher.health().missing.len(), 2);
        setup.write("later/skills/deep/down/SKILL.md", "1");
        setup.expect("later/skills");
        setup.settle();
        let file = setup.write("later/skills/deep/down/SKILL.md", "22");
        setup.expect_path(&file);
        setup.settle();
        let file = setup.write("conf/a.json", "{}");
        setup.expect("conf/a.json");
        setup.settle();
        assert_eq!(setup.watcher.health().missing, Vec::<PathBuf>::new());
        fs::write(&file, "{a: 1}").unwrap();
        setup.expect_path(&file);
    });
}

#[test]
fn a_root_may_go_and_come_back() {
    let setup = Setup::new(quick(WatchBackend::Native));
    for round in 0..100 {
        let file = setup.write("skills/one/SKILL.md", &format!("{round}"));
        setup.expect("skills");
        fs::write(&file, format!("{round} again")).unwrap();
        setup.expect_path(&file);
        fs::remove_dir_all(setup.path("skills")).unwrap();
        if round % 2 == 0 {
            setup.expect("skills");
        }
        fs::create_dir(setup.path("skills")).unwrap();
    }
    let health = setup.watcher.health();
    assert!(health.directories < 10, "{health:?}");
}

#[test]
fn folders_far_above_may_be_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("a/b/c/skills");
    fs::create_dir_all(&root).unwrap();
    let watcher = Watcher::start(vec![skills(root.clone())], quick(WatchBackend::Native)).unwrap();
    fs::rename(folder.path().join("a"), folder.path().join("gone")).unwrap();
    wait(&watcher, |change| change.targets.contains(&root));
    fs::create_dir_all(root.join("one")).unwrap();
    wait(&watcher, |change| change.targets.contains(&root));
    fs::write(root.join("one/SKILL.md"), "1").unwrap();
    wait(&watcher, |change| change.is_about(&root.join("one/SKILL.md")));
}

#[cfg(unix)]
#[test]
fn links_are_watched_where_they_lead() {
    use std::os::unix::fs::symlink;
    each_backend(|setup| {
        let real = setup.write("skills/.store/one/SKILL.md", "1");
        let elsewhere = setup.write("elsewhere/two/SKILL.md", "1");
        symlink(setup.path("skills/.store/one"), setup.path("skills/one")).unwrap();
        symlink(setup.path("elsewhere"), setup.path("skills/out")).unwrap();
        symlink("../elsewhere", setup.path("later")).unwrap();
        fs::create_dir(setup.path("elsewhere/skills")).unwrap();
        setup.expect("skills");
        setup.settle();
        fs::write(&real, "22").unwrap();
        setup.expect_path(&real);
        setup.settle();
        fs::write(elsewhere, "22").unwrap();
        setup.expect_nothing();

        fs::remove_file(setup.path("skills/one")).unwrap();
        setup.expect("skills");
        setup.settle();
        fs::write(&real, "333").unwrap();
        setup.expect_nothing();
    });
}

#[cfg(unix)]
#[test]
fn a_root_may_be_a_link_that_is_turned() {
    use std::os::unix::fs::symlink;
    each_backend(|setup| {
        let first = setup.write("first/one/SKILL.md", "1");
        let second = setup.write("second/one/SKILL.md", "1");
        fs::create_dir(setup.path("later")).unwrap();
        symlink(setup.path("first"), setup.path("later/skills")).unwrap();
        setup.expect("later/skills");
        setup.settle();
        fs::write(&first, "22").unwrap();
        setup.expect_path(&first);
        setup.settle();
        symlink(setup.path("second"), setup.path("later/new")).unwrap();
        fs::rename(setup.path("later/new"), setup.path("later/skills")).unwrap();
        setup.expect("later/skills");
        setup.settle();
        fs::write(&second, "22").unwrap();
        setup.expect_path(&second);
        setup.settle();
        fs::write(&first, "333").unwrap();
        setup.expect_nothing();
    });
}

#[test]
fn a_folder_is_left_when_it_becomes_a_skill_and_entered_when_it_ceases() {
    let setup = Setup::new(quick(WatchBackend::Native));
    setup.write("skills/group/one/SKILL.md", "1");
    setup.expect("skills");
    setup.settle();
    let outer = setup.write("skills/group/SKILL.md", "1");
    setup.expect_path(&outer);
    setup.settle();
    setup.write("skills/group/one/SKILL.md", "22");
    setup.expect_nothing();
    fs::remove_file(outer).unwrap();
    setup.expect("skills");
    setup.settle();
    let file = setup.write("skills/group/one/SKILL.md", "333");
    setup.expect_path(&file);
}

#[test]
fn files_beside_a_skill_matter_where_they_should() {
    each_backend(|setup| {
        setup.write("skills/one/SKILL.md", "1");
        let origin = setup.write("skills/one/.origin/a.json", "{}");
        setup.expect("skills");
        setup.settle();
        fs::write(&origin, "{b: 1}").unwrap();
        setup.expect_path(&origin);
    });
}

#[test]
fn lost_events_mean_everything() {
    let setup = Setup::new(quick(WatchBackend::Native));
    setup.write("skills/one/SKILL.md", "1");
    setup.expect("skills");
    setup.settle();
    setup.watcher.inbox.receive(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan)));
    let change = wait(&setup.watcher, |change| change.overflow);
    assert!(change.paths.is_empty() && change.targets.len() == 3, "{change:?}");
    assert_eq!(setup.watcher.health().overflows, 1);
    let file = setup.write("skills/one/SKILL.md", "22");
    setup.expect_path(&file);
}

#[test]
fn beyond_the_cap_files_are_compared() {
    let options = WatchOptions { max_directories: 8, ..quick(WatchBackend::Native) };
    let setup = Setup::new(options);
    assert_eq!(setup.watcher.health().mode, WatchMode::Watching);
    for number in 0..20 {
        setup.write(&format!("skills/{number}/SKILL.md"), "1");
    }
    setup.expect("skills");
    setup.settle();
    let health = setup.watcher.health();
    assert_eq!(health.directories, 8);
    assert!(
        matches!(&health.mode, WatchMode::Polling { reason } if reason.contains("more than 8 folders")),
        "{health:?}"
    );
    for number in 0..20 {
        let file = setup.write(&format!("skills/{number}/SKILL.md"), "22");
        setup.expect_path(&file);
    }
    for number in 3..20 {
        fs::remove_dir_all(setup.path(&format!("skills/{number}"))).unwrap();
    }
    setup.expect("skills");
    setup.settle();
    assert_eq!(setup.watcher.health().mode, WatchMode::Watching, "there is room again");
}

#[test]
fn a_file_is_unsettled_while_it_is_written() {
    use std::io::Write as _;
    let setup = Setup::new(quick(WatchBackend::Native));
    let file = setup.write("skills/one/SKILL.md", "1");
    setup.expect("skills");
    setup.settle();
    let is_unsettled = || !setup.watcher.unsettled([file.as_path()]).is_empty();
    assert!(!is_unsettled());
    let mut writer = fs::File::create(&file).unwrap();
    writer.write_all(b"half").unwrap();
    setup.expect_path(&file);
    setup.settle();
    if cfg!(target_os = "linux") {
        assert!(is_unsettled(), "it is still open");
        writer.write_all(b" and half").unwrap();
        drop(writer);
        setup.expect_path(&file);
        setup.settle();
        assert!(!is_unsettled());
        fs::write(&file, "another").unwrap();
        assert!(is_unsettled(), "a change that was not reported yet");
    }
}

#[test]
fn a_stream_without_end_is_reported_now_and_then() {
    let setup = Setup::new(quick(WatchBackend::Native));
    let file = setup.write("skills/one/SKILL.md", "1");
    setup.expect("skills");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut number = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                number += 1;
                fs::write(&file, format!("{number}")).unwrap();
            }
        });
        for _ in 0..3 {
            setup.expect_path(&file);
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn a_batch_is_bounded() {
    let mut change = WatchChange::none(ChangeReason::Watch);
    for number in 0..=change::MAX_PATHS {
        assert!(!change.overflow);
        change.note(PathBuf::from(format!("{number}")));
    }
    assert!(change.overflow && change.paths.is_empty());
    let setup = Setup::new(WatchOptions { debounce: Duration::from_secs(2), ..quick(WatchBackend::Native) });
    for number in 0..=change::MAX_PATHS {
        setup.watcher.inbox.note(setup.path(&format!("skills/{number}.md")), inbox::Weight::Content);
    }
    wait(&setup.watcher, |change| change.overflow);
}

#[test]
fn watching_can_be_switched_off_and_on() {
    let setup = Setup::new(quick(WatchBackend::Off));
    assert_eq!(setup.watcher.health().mode, WatchMode::Off);
    setup.write("skills/one/SKILL.md", "1");
    setup.expect_nothing();
    setup.watcher.configure(vec![skills(setup.path("skills"))], quick(WatchBackend::Native));
    assert_eq!(setup.watcher.health().mode, WatchMode::Watching);
    let file = setup.write("skills/one/SKILL.md", "22");
    setup.expect_path(&file);
    setup.watcher.configure(vec![config(setup.path("a.json"))], quick(WatchBackend::Native));
    setup.write("skills/one/SKILL.md", "333");
    setup.expect_nothing();
    setup.write("a.json", "{}");
    setup.expect("a.json");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_stays_behind() {
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let threads = || fs::read_dir("/proc/self/task").unwrap().count();
    let before = (open(), threads());
    let setups: Vec<Setup> = (0..5).map(|_| Setup::new(quick(WatchBackend::Native))).collect();
    assert!(open() > before.0 && threads() > before.1);
    drop(setups);
    // The system's thread is told to end, not waited for.
    prowess_testkit::wait_until("what it was before", || (open(), threads()) == before);
}
