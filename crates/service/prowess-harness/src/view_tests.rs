use std::fs;

use proptest::prelude::*;

use super::*;

/// A view in a scratch folder.
struct Scene {
    root: tempfile::TempDir,
    records: Records,
}

impl Scene {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let records = Records::at(root.path().join("state/views"));
        Self { root, records }
    }

    fn path(&self, place: &str) -> PathBuf {
        fs::canonicalize(self.root.path()).unwrap().join(place)
    }

    fn write(&self, place: &str, text: &str) {
        let path = self.path("view").join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, place: &str) -> String {
        fs::read_to_string(self.path("view").join(place)).unwrap()
    }

    fn view(&self) -> View<'_> {
        View::new(&self.records, &self.path("view"), Some(&self.path(""))).unwrap()
    }

    fn fill(&self, items: &[Item]) -> Vec<(String, ViewChange)> {
        let compared = brief(&self.view().compare(items).unwrap());
        let filled = brief(&self.view().fill(items).unwrap());
        assert_eq!(compared, filled, "what is told before is what is done");
        filled
    }
}

fn brief(steps: &[ViewStep]) -> Vec<(String, ViewChange)> {
    steps.iter().map(|step| (step.name.clone(), step.change)).collect()
}

fn step(name: &str, change: ViewChange) -> (String, ViewChange) {
    (name.to_owned(), change)
}

fn skill(name: &str, files: &[(&str, &str)]) -> Item {
    let file = |(place, text): &(&str, &str)| ItemFile {
        place: format!("{name}/{place}"),
        bytes: text.as_bytes().to_vec(),
        is_executable: place.starts_with("scripts/"),
    };
    Item { name: name.to_owned(), body: Body::Files(files.iter().map(file).collect()) }
}

#[test]
fn a_view_is_made_brought_up_to_date_and_taken_away() {
    let scene = Scene::new();
    let both =
        [skill("one", &[("SKILL.md", "1"), ("scripts/run.sh", "x")]), skill("two", &[("SKILL.md", "2")])];
    assert_eq!(scene.fill(&both), [step("one", ViewChange::Create), step("two", ViewChange::Create)]);
    assert_eq!(scene.read("one/scripts/run.sh"), "x");
    assert!(prowess_fs::is_executable(&scene.path("view/one/scripts/run.sh")) || cfg!(windows));
    assert_eq!(scene.fill(&both), [step("one", ViewChange::Unchanged), step("two", ViewChange::Unchanged)]);
    let newer = [skill("one", &[("SKILL.md", "1b")])];
    assert_eq!(scene.fill(&newer), [step("one", ViewChange::Update), step("two", ViewChange::Remove)]);
    assert!(!scene.path("view/one/scripts").exists() && !scene.path("view/two").exists());
    assert_eq!(scene.fill(&[]), [step("one", ViewChange::Remove)]);
    assert!(!scene.path("view").exists(), "the folder was made for the view");
    assert!(!scene.records.has(&scene.path("view")));
    assert_eq!(scene.fill(&[]), []);
}

#[test]
fn what_somebody_edited_stays_whole() {
    let scene = Scene::new();
    scene.fill(&[skill("one", &[("SKILL.md", "1"), ("data", "d")])]);
    scene.write("one/data", "mine");
    let newer = [skill("one", &[("SKILL.md", "2"), ("data", "e")])];
    let steps = scene.view().fill(&newer).unwrap();
    assert_eq!(steps[0].change, ViewChange::Edited);
    assert_eq!(steps[0].details, ["one/data"]);
    assert_eq!((scene.read("one/SKILL.md"), scene.read("one/data")), ("1".into(), "mine".into()));
    assert_eq!(scene.fill(&[]), [step("one", ViewChange::Edited)]);
    assert_eq!(scene.read("one/data"), "mine");
    scene.write("one/data", "d");
    assert_eq!(scene.fill(&newer), [step("one", ViewChange::Update)]);
}

#[test]
fn what_somebody_added_stays() {
    let scene = Scene::new();
    let items = [skill("one", &[("SKILL.md", "1")])];
    scene.fill(&items);
    scene.write("one/__pycache__/x", "c");
    assert_eq!(scene.fill(&items), [step("one", ViewChange::Added)]);
    assert_eq!(scene.fill(&[skill("one", &[("SKILL.md", "2")])]), [step("one", ViewChange::Update)]);
    assert_eq!(scene.fill(&[]), [step("one", ViewChange::Remove)]);
    assert_eq!(scene.read("one/__pycache__/x"), "c");
    assert!(!scene.path("view/one/SKILL.md").exists());
}

#[test]
fn what_is_gone_is_made_anew() {
    let scene = Scene::new();
    let items = [skill("one", &[("SKILL.md", "1"), ("data", "d")])];
    scene.fill(&items);
    fs::remove_file(scene.path("view/one/data")).unwrap();
    assert_eq!(scene.fill(&items), [step("one", ViewChange::Update)]);
    assert_eq!(scene.read("one/data"), "d");
    fs::remove_dir_all(scene.path("view/one")).unwrap();
    assert_eq!(scene.fill(&items), [step("one", ViewChange::Create)]);
    fs::remove_dir_all(scene.path("view/one")).unwrap();
    assert_eq!(scene.fill(&[]), []);
}

#[test]
fn a_foreign_skill_of_the_same_name_stays() {
    let scene = Scene::new();
    scene.write("one/SKILL.md", "theirs");
    scene.write("same/SKILL.md", "1");
    let items = [skill("one", &[("SKILL.md", "1")]), skill("same", &[("SKILL.md", "1")])];
    assert_eq!(scene.fill(&items), [step("one", ViewChange::Foreign), step("same", ViewChange::Present)]);
    assert_eq!(scene.fill(&[]), [], "the same is not ours, either");
    assert_eq!((scene.read("one/SKILL.md"), scene.read("same/SKILL.md")), ("theirs".into(), "1".into()));
}

#[test]
fn an_interruption_is_made_good() {
    let scene = Scene::new();
    let old = [skill("one", &[("SKILL.md", "1"), ("a", "a")])];
    let new = [skill("one", &[("SKILL.md", "2"), ("b", "b")])];
    scene.fill(&old);
    // As far as a writer gets that is killed after its first file.
    let mut record = scene.records.read(&scene.path("view")).unwrap();
    record.entries.get_mut("one").unwrap().expect(&made(&new[0]));
    scene.records.write(&scene.path("view"), &record).unwrap();
    scene.write("one/SKILL.md", "2");
    assert_eq!(scene.fill(&new), [step("one", ViewChange::Update)]);
    assert!(!scene.path("view/one/a").exists());
    assert_eq!(scene.fill(&[]), [step("one", ViewChange::Remove)]);
    assert!(!scene.path("view").exists());
}

#[test]
fn a_damaged_record_stops_everything() {
    let scene = Scene::new();
    let items = [skill("one", &[("SKILL.md", "1")])];
    scene.fill(&items);
    let file = fs::read_dir(scene.path("state/views")).unwrap().map(|entry| entry.unwrap().path());
    let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    fs::write(&file, "{").unwrap();
    let error = scene.view().fill(&items).unwrap_err();
    assert!(error.to_string().contains("is damaged, so it is not known what was made in"), "{error}");
    fs::remove_file(file).unwrap();
    assert_eq!(scene.fill(&items), [step("one", ViewChange::Present)]);
}

#[test]
fn a_name_cannot_leave_the_view() {
    let scene = Scene::new();
    for name in ["../out", "/etc/x", "a/../../b", "", ".", "a\\b"] {
        let file = ItemFile { place: name.to_owned(), bytes: Vec::new(), is_executable: false };
        let item = Item { name: name.to_owned(), body: Body::Files(vec![file]) };
        assert_eq!(scene.fill(&[item]), [step(name, ViewChange::Failed)], "{name:?}");
    }
    assert!(!scene.path("out").exists() && !scene.path("b").exists());
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    fn link(name: &str, target: &Path) -> Item {
        Item { name: name.to_owned(), body: Body::Link(target.to_owned()) }
    }

    #[test]
    fn links_are_made_changed_and_taken_away() {
        let scene = Scene::new();
        let (one, two) = (scene.path("store/one"), scene.path("store/two"));
        fs::create_dir_all(&one).unwrap();
        fs::write(one.join("SKILL.md"), "1").unwrap();
        assert_eq!(scene.fill(&[link("a", &one)]), [step("a", ViewChange::Create)]);
        assert_eq!(scene.read("a/SKILL.md"), "1");
        assert_eq!(scene.fill(&[link("a", &one)]), [step("a", ViewChange::Unchanged)]);
        assert_eq!(scene.fill(&[link("a", &two)]), [step("a", ViewChange::Update)]);
        assert_eq!(scene.fill(&[skill("a", &[("SKILL.md", "c")])]), [step("a", ViewChange::Update)]);
        assert_eq!(scene.read("a/SKILL.md"), "c");
        assert_eq!(scene.fill(&[link("a", &one)]), [step("a", ViewChange::Update)]);
        assert_eq!(scene.fill(&[]), [step("a", ViewChange::Remove)]);
        assert!(one.join("SKILL.md").exists() && !scene.path("view").exists());
    }

    #[test]
    fn a_link_gives_no_way_to_what_was_added() {
        let scene = Scene::new();
        scene.fill(&[skill("a", &[("SKILL.md", "c")])]);
        scene.write("a/mine", "m");
        assert_eq!(scene.fill(&[link("a", Path::new("/store/a"))]), [step("a", ViewChange::Edited)]);
        assert_eq!(scene.read("a/mine"), "m");
    }

    #[test]
    fn planted_links_are_not_followed() {
        let scene = Scene::new();
        let secret = scene.path("secret");
        fs::create_dir_all(&secret).unwrap();
        fs::write(secret.join("SKILL.md"), "secret").unwrap();
        fs::create_dir_all(scene.path("view")).unwrap();
        symlink(&secret, scene.path("view/a")).unwrap();
        let items = [skill("a", &[("SKILL.md", "c")]), skill("b", &[("sub/x", "c")])];
        assert_eq!(scene.fill(&items), [step("a", ViewChange::Foreign), step("b", ViewChange::Create)]);
        // A folder of ours becomes a link to somewhere else.
        fs::remove_dir_all(scene.path("view/b/sub")).unwrap();
        symlink(&secret, scene.path("view/b/sub")).unwrap();
        let newer = [skill("b", &[("sub/SKILL.md", "new")])];
        assert_eq!(scene.fill(&newer)[0].1, ViewChange::Update);
        assert_eq!(fs::read_to_string(secret.join("SKILL.md")).unwrap(), "secret");
        assert_eq!(fs::read_dir(&secret).unwrap().count(), 1);
    }

    #[test]
    fn a_view_behind_a_link_out_of_the_workspace_is_refused() {
        let scene = Scene::new();
        fs::create_dir_all(scene.path("ws")).unwrap();
        fs::create_dir_all(scene.path("elsewhere")).unwrap();
        symlink(scene.path("elsewhere"), scene.path("ws/.claude")).unwrap();
        let refused = View::new(&scene.records, &scene.path("ws/.claude/skills"), Some(&scene.path("ws")));
        assert!(matches!(refused, Err(ViewError::Outside(_))));
        assert!(View::new(&scene.records, &scene.path("ws/.claude/skills"), None).is_ok());
    }
}

/// Something that somebody does to a view.
#[derive(Clone, Debug)]
enum Deed {
    Fill(Vec<(usize, u8)>),
    Write(usize, usize, u8),
    Empty,
}

const NAMES: [&str; 4] = ["one", "two", "three", "four"];
const PLACES: [&str; 4] = ["SKILL.md", "data", "sub/x", "mine"];

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => prop::collection::vec((0..NAMES.len(), 0..3_u8), 0..4).prop_map(Deed::Fill),
        3 => (0..NAMES.len(), 0..PLACES.len(), 0..6_u8).prop_map(|(name, place, text)| Deed::Write(name, place, text)),
        1 => Just(Deed::Empty),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// Whatever a person writes into a view, under whatever name, is there afterwards.
    #[test]
    fn what_a_person_wrote_is_never_lost(deeds in prop::collection::vec(deed(), 1..14)) {
        let scene = Scene::new();
        let mut written: BTreeMap<String, String> = BTreeMap::new();
        for deed in deeds {
            match deed {
                Deed::Fill(wanted) => {
                    let wanted: BTreeMap<usize, u8> = wanted.into_iter().collect();
                    let items: Vec<Item> = wanted.iter().map(|(name, round)| {
                        let text = format!("made {round}");
                        skill(NAMES[*name], &[("SKILL.md", &text), ("data", "made"), ("sub/x", &text)])
                    }).collect();
                    scene.view().fill(&items).unwrap();
                }
                Deed::Write(name, place, text) => {
                    let place = format!("{}/{}", NAMES[name], PLACES[place]);
                    let text = format!("mine {text}");
                    scene.write(&place, &text);
                    written.insert(place, text);
                }
                Deed::Empty => {
                    scene.view().fill(&[]).unwrap();
                }
            }
            for (place, text) in &written {
                prop_assert_eq!(&scene.read(place), text, "{}", place);
            }
        }
        let steps = scene.view().fill(&[]).unwrap();
        let is_clean = steps.iter().all(|step| step.change == ViewChange::Remove);
        for (place, text) in &written {
            prop_assert_eq!(&scene.read(place), text, "{}", place);
        }
        // Nothing of ours is left where nobody edited anything.
        if is_clean {
            let left = prowess_fs::list_all(&scene.path("view"), 1_000, 8).entries;
            for entry in left {
                prop_assert!(written.contains_key(&entry.relative), "{} is left", entry.relative);
            }
        }
    }
}
