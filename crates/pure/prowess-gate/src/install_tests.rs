use prowess_types::{DownloadRecipe, InstallKind, InstallOption, InstallRecipe, InstallSpec, Skill};

use super::*;
use crate::test_support::{skill, strings};

fn package(kind: InstallKind, name: &str) -> InstallSpec {
    InstallSpec {
        id: None,
        kind,
        label: None,
        bins: Vec::new(),
        os: Vec::new(),
        recipe: InstallRecipe::Package(name.to_owned()),
    }
}

fn download(url: &str) -> InstallSpec {
    let recipe = DownloadRecipe { url: url.to_owned(), ..DownloadRecipe::default() };
    InstallSpec { recipe: InstallRecipe::Download(recipe), ..package(InstallKind::Download, "") }
}

fn brew() -> InstallSpec {
    InstallSpec {
        id: Some("b".to_owned()),
        label: Some("Brew it".to_owned()),
        bins: strings(&["nope"]),
        ..package(InstallKind::Brew, "x")
    }
}

fn only_on(os: &str, spec: InstallSpec) -> InstallSpec {
    InstallSpec { os: strings(&[os]), ..spec }
}

fn skill_with(install: Vec<InstallSpec>) -> Skill {
    let mut skill = skill("a");
    skill.metadata.install = install.into();
    skill
}

fn offered(install: Vec<InstallSpec>, preferences: InstallPreferences) -> Vec<InstallOption> {
    install_options(&skill_with(install), "linux", preferences)
}

fn ids(install: Vec<InstallSpec>, preferences: InstallPreferences) -> Vec<String> {
    let options = offered(install, preferences);
    options.into_iter().map(|option| option.id).collect()
}

const WITHOUT_BREW: InstallPreferences = InstallPreferences {
    prefer_brew: true,
    node_manager: NodeManager::Npm,
    brew_on_path: false,
    os: OsRule::Tolerant,
};
const WITH_BREW: InstallPreferences = InstallPreferences { brew_on_path: true, ..WITHOUT_BREW };
const RATHER_NOT_BREW: InstallPreferences = InstallPreferences { prefer_brew: false, ..WITH_BREW };

#[test]
fn one_way_is_chosen_by_preference() {
    use InstallKind::{Apt, Cargo, Go, Node, Pipx, Uv};
    let node = || package(Node, "left-pad");
    let uv = || package(Uv, "ruff");
    let go = || package(Go, "example.com/x@latest");
    let file = || download("https://e.example/a/tool.tar.gz");
    let table: [(Vec<InstallSpec>, [&str; 3]); 12] = [
        (vec![brew()], ["b", "b", "b"]),
        (vec![brew(), node()], ["b", "node-1", "node-1"]),
        (vec![node(), brew()], ["b", "node-0", "node-0"]),
        (vec![brew(), node(), uv()], ["b", "uv-2", "uv-2"]),
        (vec![go(), brew()], ["b", "b", "go-0"]),
        (vec![file(), go()], ["go-1", "go-1", "go-1"]),
        (vec![file(), brew()], ["b", "b", "download-0"]),
        (vec![package(Apt, "gh"), go()], ["go-1", "go-1", "go-1"]),
        (
            vec![file(), package(Pipx, "p"), package(Cargo, "c"), package(Apt, "gh")],
            ["apt-3", "apt-3", "apt-3"],
        ),
        (vec![file(), package(Pipx, "p"), package(Cargo, "c")], ["cargo-2", "cargo-2", "cargo-2"]),
        (vec![file(), package(Pipx, "p")], ["pipx-1", "pipx-1", "pipx-1"]),
        (vec![package(Apt, "gh"), brew()], ["b", "b", "apt-0"]),
    ];
    for (install, expected) in table {
        for (preferences, id) in [WITH_BREW, RATHER_NOT_BREW, WITHOUT_BREW].into_iter().zip(expected) {
            assert_eq!(ids(install.clone(), preferences), [id], "{install:?} {preferences:?}");
        }
    }
}

#[test]
fn apt_is_for_linux() {
    let install = vec![package(InstallKind::Apt, "gh"), download("https://e.example/x")];
    let options = install_options(&skill_with(install), "darwin", WITHOUT_BREW);
    assert_eq!(options[0].id, "download-1");
    let only_apt = vec![package(InstallKind::Apt, "gh")];
    let options = install_options(&skill_with(only_apt), "darwin", WITHOUT_BREW);
    assert_eq!(options[0].id, "apt-0", "the first is better than nothing");
}

#[test]
fn downloads_are_all_offered_and_keep_their_place() {
    let third = InstallSpec { id: Some("third".to_owned()), ..download("https://e.example/b/") };
    let file = download("https://e.example/a/tool.tar.gz");
    let options = offered(vec![file.clone(), only_on("darwin", file.clone()), third, file], WITH_BREW);
    let shown: Vec<_> = options.iter().map(|o| (o.id.as_str(), o.label.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("download-0", "Download tool.tar.gz"),
            ("third", "Download https://e.example/b/"),
            ("download-3", "Download tool.tar.gz"),
        ]
    );
}

#[test]
fn the_place_counts_the_whole_list() {
    let install = vec![only_on("darwin", package(InstallKind::Brew, "m")), package(InstallKind::Node, "n")];
    assert_eq!(ids(install, WITHOUT_BREW), ["node-1"]);
}

#[test]
fn labels() {
    let labelled = |kind, name: &str| InstallSpec { label: Some("Do it".to_owned()), ..package(kind, name) };
    let table = [
        (package(InstallKind::Brew, "tap/repo/f"), "Install tap/repo/f (brew)"),
        (package(InstallKind::Go, "e.example/x"), "Install e.example/x (go)"),
        (package(InstallKind::Uv, "a[b]==1.0"), "Install a[b]==1.0 (uv)"),
        (package(InstallKind::Node, "@s/p@1.2.3"), "Install @s/p@1.2.3 (pnpm)"),
        (package(InstallKind::Apt, "gh"), "Install gh (apt)"),
        (package(InstallKind::Cargo, "rg"), "Install rg (cargo)"),
        (package(InstallKind::Pipx, "black"), "Install black (pipx)"),
        (download("https://e.example/A%20b.zip?x=1"), "Download A%20b.zip?x=1"),
        (labelled(InstallKind::Brew, "x"), "Do it"),
        (labelled(InstallKind::Node, "x"), "Install x (pnpm)"),
    ];
    let preferences = InstallPreferences { node_manager: NodeManager::Pnpm, ..WITH_BREW };
    for (spec, label) in table {
        assert_eq!(offered(vec![spec], preferences)[0].label, label);
    }
}

#[test]
fn nothing_is_offered_for_another_platform() {
    let mut skill = skill_with(vec![brew()]);
    skill.requirements.os = strings(&["macos"]);
    assert!(install_options(&skill, "linux", WITH_BREW).is_empty());
    assert_eq!(install_options(&skill, "darwin", WITH_BREW).len(), 1);
    assert!(offered(vec![only_on("windows", brew())], WITH_BREW).is_empty());
    assert!(offered(Vec::new(), WITH_BREW).is_empty());
}

#[test]
fn what_is_for_another_system_is_refused_with_the_system() {
    let mut skill = skill_with(vec![brew(), only_on("darwin", package(InstallKind::Go, "e.example/x"))]);
    let told = |skill: &Skill| -> Vec<String> {
        refused_installs(skill, "linux").iter().map(ToString::to_string).collect()
    };
    let go = "install option `go-1` is refused: it is for `darwin`, and this is `linux`";
    assert_eq!(told(&skill), [go]);
    skill.metadata.refused_installs = vec![RefusedInstall {
        kind: "snap".to_owned(),
        place: 3,
        reason: "it has the unknown kind `snap`".to_owned(),
        ..RefusedInstall::default()
    }]
    .into();
    assert_eq!(told(&skill), ["install option 3 (`snap`) is refused: it has the unknown kind `snap`", go]);
    assert!(refused_installs(&skill, "linux")[0].is_called("snap-2"));
    skill.requirements.os = strings(&["darwin"]);
    assert_eq!(told(&skill).len(), 3, "nothing is offered for a skill of another system");
}
