use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// A home with a state folder in it: a config, a gateway's folder, skills; a project beside it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("state/config.json", "key"),
            ("state/gateway/token", "token"),
            ("state/skills/tea/SKILL.md", "tea"),
            ("project/notes", "notes"),
        ] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn path(&self, below: &str) -> PathBuf {
        prowess_fs::real(self.0.path()).unwrap().join(below)
    }

    fn places(&self) -> ProtectedPlaces {
        ProtectedPlaces {
            hidden: vec![self.path("state")],
            open: vec![self.path("state/skills")],
            secrets: vec![self.path("state/config.json"), self.path("state/gateway")],
        }
    }
}

#[test]
fn the_innermost_place_decides() {
    let home = Home::new();
    let mut places = home.places();
    for hidden in ["state", "state/config.json", "state/gateway/token", "state/new/file"] {
        assert!(places.hides(&home.path(hidden)), "{hidden}");
    }
    for open in ["", "project/notes", "state/skills", "state/skills/tea/SKILL.md", "state2"] {
        assert!(!places.hides(&home.path(open)), "{open}");
    }
    places.open.extend([home.path("state/gateway"), home.path("state")]);
    assert!(places.hides(&home.path("state/gateway/token")), "what is both is hidden");
    assert!(places.hides(&home.path("state/other")));
}

#[test]
fn another_spelling_is_the_same_place() {
    let home = Home::new();
    std::os::unix::fs::symlink(home.path("state"), home.path("project/link")).unwrap();
    let places = home.places();
    assert!(places.hides(&home.path("project/link/config.json")));
    assert!(places.hides(&home.path("project/../state/config.json")));
    let through_process =
        Path::new("/proc/self/root").join(home.path("state/config.json").strip_prefix("/").unwrap());
    if cfg!(target_os = "linux") {
        assert!(places.hides(&through_process));
    }
}

#[test]
fn what_is_reachable_has_nothing_hidden_below_it() {
    let home = Home::new();
    let found = home.places().map().reachable(&home.path(""));
    assert_eq!(found, [home.path("project"), home.path("state/skills")]);
    let places = ProtectedPlaces::default();
    assert_eq!(places.map().reachable(&home.path("state")), [home.path("state")]);
    assert!(home.places().map().reachable(&home.path("state/gateway")).is_empty());
    assert_eq!(
        home.places().map().reachable(&home.path("state/skills/tea")),
        [home.path("state/skills/tea")]
    );
}

#[test]
fn a_hard_link_is_known_by_its_inode() {
    let home = Home::new();
    let places = home.places();
    assert_eq!(places.extra_links(), None);
    fs::create_dir(home.path("state/sessions")).unwrap();
    fs::write(home.path("state/sessions/trace"), "said").unwrap();
    fs::hard_link(home.path("state/sessions/trace"), home.path("project/trace")).unwrap();
    fs::hard_link(home.path("state/skills/tea/SKILL.md"), home.path("project/tea")).unwrap();
    fs::hard_link(home.path("project/notes"), home.path("project/more")).unwrap();
    assert_eq!(places.extra_links(), None, "a record is not a secret");
    let hides = |below: &str| places.hides_file(&fs::metadata(home.path(below)).unwrap());
    assert!(hides("project/trace") && !hides("project/tea") && !hides("project/more"));

    fs::hard_link(home.path("state/gateway/token"), home.path("project/copy")).unwrap();
    assert!(hides("project/copy"));
    let path = home.path("state/gateway/token");
    assert_eq!(places.extra_links(), Some(ExtraLinks { path, links: 2 }));
    fs::hard_link(home.path("state/config.json"), home.path("config")).unwrap();
    let found = home.places().map().reachable(&home.path(""));
    assert!(!found.contains(&home.path("config")), "{found:?}");
}
