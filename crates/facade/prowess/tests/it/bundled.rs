//! How the bundled skills are found: named, beside or above the program, or inside it.

use std::path::{Path, PathBuf};

use prowess::{DoctorOptions, Engine, EngineOptions};
use prowess_config::Overrides;
use prowess_context::{BundledFrom, EmbeddedFile};
use prowess_testkit::Tree;
use prowess_types::ProfileName;

use crate::support::{names, options, skill, write_skill};

/// An engine to which nobody names the bundled folder.
fn engine(
    tree: &Tree,
    vars: &[(&str, &str)],
    executable: Option<&str>,
    embedded: &'static [EmbeddedFile],
) -> Engine {
    let plain = options(tree, ProfileName::Prowess, vars);
    Engine::open(EngineOptions {
        overrides: Overrides { bundled: None, ..plain.overrides.clone() },
        executable: executable.map(|path| tree.path(path)),
        embedded,
        ..plain
    })
    .expect("the engine opens")
}

/// Two embedded files: a skill and a program beside it.
fn embedded(name: &str) -> &'static [EmbeddedFile] {
    let text: &'static str = Box::leak(skill(name, "").into_boxed_str());
    let path: &'static str = Box::leak(format!("{name}/SKILL.md").into_boxed_str());
    let script: &'static str = Box::leak(format!("{name}/scripts/run.sh").into_boxed_str());
    Box::leak(Box::new([
        EmbeddedFile { path, bytes: text.as_bytes(), executable: false },
        EmbeddedFile { path: script, bytes: b"#!/bin/sh\n", executable: true },
    ]))
}

fn found(engine: &Engine) -> Option<(PathBuf, BundledFrom)> {
    engine.bundled().expect("an answer")
}

#[test]
fn a_named_folder_is_taken_unchecked() {
    let tree = Tree::new();
    write_skill(&tree, "program/skills/beside", "beside");
    write_skill(&tree, "named/one", "one");
    for variable in ["PROWESS_BUNDLED_SKILLS_DIR", "OPENCLAW_BUNDLED_SKILLS_DIR"] {
        let engine =
            engine(&tree, &[(variable, " $ROOT/named ")], Some("program/prowess"), embedded("inside"));
        assert_eq!(found(&engine), Some((tree.path("named"), BundledFrom::Override)));
        assert_eq!(names(&engine.inventory(None).unwrap()), ["one"]);
    }
    let nowhere =
        engine(&tree, &[("PROWESS_BUNDLED_SKILLS_DIR", "$ROOT/nowhere")], Some("program/prowess"), &[]);
    assert_eq!(found(&nowhere), Some((tree.path("nowhere"), BundledFrom::Override)));
    assert_eq!(names(&nowhere.inventory(None).unwrap()), [""; 0]);
    let warned = nowhere.doctor(None).unwrap();
    assert!(warned.iter().any(|finding| finding.message.contains("does not exist")), "{warned:#?}");
}

#[test]
fn the_doctor_tells_why_there_are_none() {
    let tree = Tree::new();
    let ids = |engine: &Engine| -> Vec<&str> {
        let found = engine.doctor_with(None, &only(&["bundled", "home"])).unwrap();
        found.iter().map(|finding| finding.id).collect()
    };
    assert_eq!(ids(&engine(&tree, &[], None, &[])), ["bundled/none"]);
    // They cannot be unpacked below a file.
    tree.write("home/.prowess", "in the way");
    assert_eq!(ids(&engine(&tree, &[], None, embedded("inside"))), ["bundled/unpack", "home/not-a-folder"]);
}

fn only(checks: &[&str]) -> DoctorOptions {
    let only = checks.iter().map(|check| (*check).to_owned()).collect();
    DoctorOptions { only, ..DoctorOptions::default() }
}

#[test]
fn skills_beside_or_above_the_program_count_before_those_inside() {
    let tree = Tree::new();
    write_skill(&tree, "top/skills/above", "above");
    let program = |levels: usize| format!("top/{}prowess", "x/".repeat(levels));
    for levels in 0..=6 {
        let engine = engine(&tree, &[], Some(&program(levels)), embedded("inside"));
        assert_eq!(found(&engine), Some((tree.path("top/skills"), BundledFrom::Executable)), "{levels}");
    }
    let too_far = engine(&tree, &[], Some(&program(7)), embedded("inside"));
    assert!(matches!(found(&too_far), Some((_, BundledFrom::Embedded))));
}

#[test]
fn a_folder_that_only_happens_to_be_called_skills_does_not_count() {
    let tree = Tree::new();
    tree.write("top/program/skills/notes.txt", "no skills here");
    tree.write("top/program/skills/empty/README.txt", "none here");
    write_skill(&tree, "top/skills/above", "above");
    let engine = engine(&tree, &[], Some("top/program/prowess"), &[]);
    assert_eq!(found(&engine), Some((tree.path("top/skills"), BundledFrom::Executable)));
}

#[test]
fn without_any_there_are_none() {
    let tree = Tree::new();
    let engine = engine(&tree, &[], Some("deep/down/in/a/tree/of/folders/without/prowess"), &[]);
    assert_eq!(found(&engine), None);
    assert_eq!(names(&engine.inventory(None).unwrap()), [""; 0]);
}

#[cfg(unix)]
fn identity(file: &Path) -> (u64, i64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = std::fs::metadata(file).expect("the file exists");
    (metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(unix)]
#[test]
fn those_inside_are_unpacked_once() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::new();
    let files = embedded("inside");
    let engine = engine(&tree, &[], None, files);
    let (folder, from) = found(&engine).unwrap();
    assert_eq!(from, BundledFrom::Embedded);
    assert_eq!(folder.parent(), Some(tree.path("home/.prowess/bundled").as_path()));
    assert_eq!(names(&engine.inventory(None).unwrap()), ["inside"]);
    assert_eq!(std::fs::read(folder.join("inside/SKILL.md")).unwrap(), files[0].bytes);
    let mode = |file: &str| std::fs::metadata(folder.join(file)).unwrap().permissions().mode() & 0o111;
    assert_eq!((mode("inside/SKILL.md"), mode("inside/scripts/run.sh")), (0, 0o111));

    let before = identity(&folder.join("inside/SKILL.md"));
    let again = self::engine(&tree, &[], None, files);
    assert_eq!(found(&again).unwrap().0, folder);
    assert_eq!(identity(&folder.join("inside/SKILL.md")), before, "nothing was written again");
}

#[test]
fn another_version_is_unpacked_beside_the_first() {
    let tree = Tree::new();
    let (first, _) = found(&engine(&tree, &[], None, embedded("inside"))).unwrap();
    let second = engine(&tree, &[], None, embedded("newer"));
    assert_ne!(found(&second).unwrap().0, first);
    assert_eq!(names(&second.inventory(None).unwrap()), ["newer"]);
}

#[test]
fn a_folder_that_a_crash_left_half_full_is_filled_again() {
    let tree = Tree::new();
    let files = embedded("inside");
    let (folder, _) = found(&engine(&tree, &[], None, files)).unwrap();
    // A crash leaves files without the marker, which is written last.
    std::fs::remove_file(folder.join(".complete")).unwrap();
    std::fs::write(folder.join("inside/SKILL.md"), "half a fi").unwrap();
    let again = engine(&tree, &[], None, files);
    assert_eq!(names(&again.inventory(None).unwrap()), ["inside"]);
}

#[test]
fn programs_that_unpack_at_once_do_not_disturb_each_other() {
    let tree = Tree::new();
    let files = embedded("inside");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let inventory = engine(&tree, &[], None, files).inventory(None).expect("an inventory");
                assert_eq!(names(&inventory), ["inside"]);
                assert_eq!(inventory.losses, []);
            });
        }
    });
}

#[test]
fn profiles_of_others_unpack_into_our_own_home() {
    let tree = Tree::new();
    let plain = options(&tree, ProfileName::Openclaw, &[]);
    let engine = Engine::open(EngineOptions {
        overrides: Overrides { bundled: None, ..plain.overrides.clone() },
        embedded: embedded("inside"),
        ..plain
    })
    .unwrap();
    assert!(found(&engine).unwrap().0.starts_with(tree.path("home/.prowess/bundled")));
    assert!(!tree.path("home/.openclaw").exists(), "an installation of others is left as it is");
}

#[test]
fn a_home_that_cannot_be_written_is_a_named_error() {
    let tree = Tree::new();
    tree.write("home/.prowess", "a file where the folder should be");
    let plain = options(&tree, ProfileName::Prowess, &[]);
    let opened = Engine::open(EngineOptions {
        overrides: Overrides { bundled: None, ..plain.overrides.clone() },
        embedded: embedded("inside"),
        ..plain
    });
    let error = opened.and_then(|engine| engine.inventory(None).map(|_| ())).unwrap_err();
    assert_eq!(error.to_string(), "cannot unpack the bundled skills");
}

#[test]
fn our_own_skills_scan_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../skills");
    let scanned = prowess_acquire::scan_path(&folder, &prowess_skill::ParseOptions::default())
        .expect("the folder is there");
    assert!(scanned.len() >= 4, "{scanned:#?}");
    for one in scanned {
        assert_eq!(one.report.verdict, prowess_scan::Verdict::Clean, "{:#?}", one.report.findings);
        assert_eq!(one.report.coverage.unread, [], "every byte is read");
    }
}
