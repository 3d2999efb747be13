//! `read` and `write` stay where they belong.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Component, Path};

use proptest::prelude::*;
use prowess_run::ProtectedPlaces;
use serde_json::json;

use super::Run;
use crate::process::environment;

#[tokio::test]
async fn a_skill_and_the_workspace_can_be_read_in_every_spelling() {
    let run = Run::new();
    std::fs::write(run.path("workspace/note.txt"), "a note").unwrap();
    let skill = run.path("skills/tea/SKILL.md");
    for (path, text) in [
        ("note.txt", "a note"),
        ("./x/../note.txt", ""),
        (run.path("workspace/note.txt").to_str().unwrap(), "a note"),
        (skill.to_str().unwrap(), "how to make tea\n"),
        ("../skills/tea/SKILL.md", "how to make tea\n"),
    ] {
        let output = run.call("read", json!({ "path": path })).await;
        assert_eq!(output.ok, !text.is_empty(), "{path}: {output:?}");
        if output.ok {
            assert_eq!(output.text, text, "{path}");
        }
    }
}

#[tokio::test]
async fn home_is_that_of_the_run() {
    let mut run = Run::new();
    let without = run.call("read", json!({ "path": "~/SKILL.md" })).await;
    assert!(!without.ok && without.text.contains("home folder is not known"), "{without:?}");
    run.context.environment = environment(&[("HOME", run.path("skills/tea").to_str().unwrap())]).into();
    assert_eq!(run.call("read", json!({ "path": "~/SKILL.md" })).await.text, "how to make tea\n");
    assert_eq!(run.call("read", json!({ "path": "~" })).await.text, "SKILL.md");
}

#[tokio::test]
async fn a_link_to_a_skills_folder_counts_as_that_folder() {
    let mut run = Run::new();
    symlink(run.path("skills/tea"), run.path("linked")).unwrap();
    run.context.skills[0].folder = run.path("linked");
    for path in ["linked/SKILL.md", "skills/tea/SKILL.md"] {
        let output = run.call("read", json!({ "path": run.path(path) })).await;
        assert_eq!(output.text, "how to make tea\n", "{path}");
    }
}

#[tokio::test]
async fn nothing_else_can_be_read() {
    let run = Run::new();
    symlink(run.path("outside"), run.path("workspace/away")).unwrap();
    symlink(run.path("outside/secret"), run.path("workspace/file")).unwrap();
    symlink(run.path("workspace/loop"), run.path("workspace/loop")).unwrap();
    for path in [
        "../outside/secret",
        "away/secret",
        "away",
        "file",
        "loop",
        "..",
        "/",
        "/etc/passwd",
        "/proc/self/environ",
        "../skills",
        "",
        " ",
        "a\0b",
        "missing",
        "missing/../../outside/secret",
    ] {
        let output = run.call("read", json!({ "path": path })).await;
        assert!(!output.ok && !output.text.contains("planted"), "{path:?}: {output:?}");
    }
}

#[tokio::test]
async fn pipes_devices_binaries_and_giants_are_refused() {
    let run = Run::new();
    let pipe = run.path("workspace/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(run.path("workspace/socket")).unwrap();
    std::fs::write(run.path("workspace/binary"), b"ELF\0\x01").unwrap();
    std::fs::File::create(run.path("workspace/giant")).unwrap().set_len(1 << 40).unwrap();
    for (path, reason) in [
        ("pipe", "neither a regular file"),
        ("socket", "cannot read"),
        ("binary", "binary file of 5 bytes"),
        ("giant", "more than 16777216"),
    ] {
        let output = run.call("read", json!({ "path": path })).await;
        assert!(!output.ok && output.text.contains(reason), "{path}: {output:?}");
        if path != "binary" && path != "giant" {
            let output = run.call("write", json!({ "path": path, "content": "x" })).await;
            assert!(!output.ok, "{path}: {output:?}");
            let output = run.call("write", json!({ "path": path, "content": "x", "append": true })).await;
            assert!(!output.ok, "{path}: {output:?}");
        }
    }
}

#[tokio::test]
async fn a_folder_is_listed() {
    let run = Run::new();
    assert_eq!(run.call("read", json!({ "path": "." })).await.text, "[the folder is empty]");
    std::fs::create_dir(run.path("workspace/sub")).unwrap();
    std::fs::write(run.path("workspace/b"), "").unwrap();
    symlink("b", run.path("workspace/a")).unwrap();
    assert_eq!(run.call("read", json!({ "path": "." })).await.text, "a@\nb\nsub/");
}

#[tokio::test]
async fn long_files_come_in_windows() {
    let mut run = Run::new();
    run.context.limits.max_output_bytes = 10;
    std::fs::write(run.path("workspace/long"), "1234\n".repeat(5)).unwrap();
    let output = run.call("read", json!({ "path": "long" })).await;
    assert_eq!(output.text, "1234\n1234\n\n[lines 1 to 2 of 5; go on with offset 3]");
    assert_eq!(output.omitted_bytes, 15);
    let output = run.call("read", json!({ "path": "long", "offset": 5 })).await;
    assert_eq!(output.text, "1234\n\n[lines 5 to 5 of 5]");
    let output = run.call("read", json!({ "path": "long", "offset": "5" })).await;
    assert!(output.text.starts_with("the input does not fit: "), "{output:?}");
}

#[tokio::test]
async fn writing_replaces_appends_and_makes_folders() {
    let run = Run::new();
    let output = run.call("write", json!({ "path": "a/b/c.txt", "content": "one\n" })).await;
    assert!(output.ok, "{output:?}");
    let file = run.path("workspace/a/b/c.txt");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o750)).unwrap();
    run.call("write", json!({ "path": "a/b/c.txt", "content": "two\n", "append": true })).await;
    assert_eq!(run.text_of("workspace/a/b/c.txt"), "one\ntwo\n");
    run.call("write", json!({ "path": file, "content": "three" })).await;
    assert_eq!(run.text_of("workspace/a/b/c.txt"), "three");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o750);
    let left: Vec<_> = std::fs::read_dir(file.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left");
    let output = run.call("write", json!({ "path": "new.txt", "content": "x", "append": true })).await;
    assert!(output.ok && run.text_of("workspace/new.txt") == "x", "{output:?}");
}

#[tokio::test]
async fn nothing_is_written_outside() {
    let run = Run::new();
    symlink(run.path("outside"), run.path("workspace/away")).unwrap();
    symlink(run.path("outside/secret"), run.path("workspace/file")).unwrap();
    symlink(run.path("outside/new"), run.path("workspace/dangling")).unwrap();
    symlink("loop", run.path("workspace/loop")).unwrap();
    let skill = run.path("skills/tea/SKILL.md");
    for path in [
        "../outside/secret",
        "../outside/new",
        "away/new",
        "away/deeper/new",
        "file",
        "dangling",
        "dangling/new",
        "loop",
        "missing/../../outside/new",
        "/tmp/../etc/prowess-test",
        skill.to_str().unwrap(),
        ".",
        "..",
        "",
        "a\0b",
    ] {
        for append in [false, true] {
            let output =
                run.call("write", json!({ "path": path, "content": "changed", "append": append })).await;
            assert!(!output.ok, "{path:?}: {output:?}");
        }
    }
    assert_eq!(run.text_of("outside/secret"), "planted-secret");
    assert_eq!(run.text_of("skills/tea/SKILL.md"), "how to make tea\n");
    assert_eq!(std::fs::read_dir(run.path("outside")).unwrap().count(), 1);
    assert!(!run.path("workspace/missing").exists());
}

#[tokio::test]
async fn a_link_inside_the_workspace_stays_a_link() {
    let run = Run::new();
    std::fs::write(run.path("workspace/real"), "old").unwrap();
    symlink("real", run.path("workspace/link")).unwrap();
    let output = run.call("write", json!({ "path": "link", "content": "new" })).await;
    assert!(output.ok, "{output:?}");
    assert_eq!(run.text_of("workspace/real"), "new");
    assert!(run.path("workspace/link").is_symlink());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn appending_together_loses_nothing() {
    let run = std::sync::Arc::new(Run::new());
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..40 {
        let run = std::sync::Arc::clone(&run);
        writers.spawn(async move {
            let content = format!("{number}\n");
            assert!(run.call("write", json!({ "path": "log", "content": content, "append": true })).await.ok);
        });
    }
    writers.join_all().await;
    let mut lines: Vec<u32> =
        run.text_of("workspace/log").lines().map(|line| line.parse().unwrap()).collect();
    lines.sort_unstable();
    assert_eq!(lines, (0..40).collect::<Vec<_>>());
}

/// Somebody exchanges a folder for a link to the outside and back, as fast as they can.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_folder_that_is_exchanged_meanwhile_leads_nowhere() {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{CWD, RenameFlags, renameat_with};

    let run = Run::new();
    std::fs::create_dir(run.path("workspace/folder")).unwrap();
    std::fs::write(run.path("workspace/folder/secret"), "harmless").unwrap();
    symlink(run.path("outside"), run.path("workspace/link")).unwrap();
    let stop = std::sync::Arc::new(AtomicBool::new(false));
    let exchanger = std::thread::spawn({
        let (stop, folder, link) = (stop.clone(), run.path("workspace/folder"), run.path("workspace/link"));
        move || {
            while !stop.load(Ordering::Relaxed) {
                renameat_with(CWD, &folder, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        }
    });
    let (mut read, mut refused) = (0, 0);
    for _ in 0..1500 {
        let output = run.call("read", json!({ "path": "folder/secret" })).await;
        assert!(!output.text.contains("planted"), "{output:?}");
        if output.ok {
            read += 1;
        } else {
            refused += 1;
        }
        run.call("write", json!({ "path": "folder/new", "content": "" })).await;
    }
    stop.store(true, Ordering::Relaxed);
    exchanger.join().unwrap();
    assert_eq!(std::fs::read_dir(run.path("outside")).unwrap().count(), 1, "nothing was written there");
    assert!(read > 0 && refused > 0, "both ways were taken: {read} and {refused}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Paths of the parts that lead astray.
fn astray() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["..", ".", "a", "b", "out", "up", "self", "dangling", "secret", ""]);
    let start = prop::sample::select(vec!["", "/", "./", "//"]);
    (start, prop::collection::vec(part, 0..7))
        .prop_map(|(start, parts)| format!("{start}{}", parts.join("/")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_path_leads_out(path in astray(), absolute in any::<bool>(), append in any::<bool>()) {
        let run = Run::new();
        std::fs::create_dir_all(run.path("workspace/a/b")).unwrap();
        symlink(run.path("outside"), run.path("workspace/out")).unwrap();
        symlink("..", run.path("workspace/up")).unwrap();
        symlink(".", run.path("workspace/a/self")).unwrap();
        symlink(run.path("outside/new"), run.path("workspace/dangling")).unwrap();
        let path = if absolute && !path.starts_with('/') {
            run.path("workspace").join(&path).display().to_string()
        } else {
            path
        };
        runtime().block_on(async {
            let read = run.call("read", json!({ "path": path })).await;
            assert!(!read.text.contains("planted"), "{path}: {read:?}");
            let written = run.call("write", json!({ "path": path, "content": "changed", "append": append })).await;
            assert_eq!(run.text_of("outside/secret"), "planted-secret", "{path}: {written:?}");
            assert_eq!(std::fs::read_dir(run.path("outside")).unwrap().count(), 1, "{path}: {written:?}");
            assert_eq!(std::fs::read_dir(run.folder.path()).unwrap().count(), 3, "{path}: {written:?}");
        });
    }

    #[test]
    fn every_plain_path_can_be_written_and_read(parts in prop::collection::vec("[a-z]{1,8}", 1..5), content in "\\PC{0,50}") {
        let run = Run::new();
        let path: std::path::PathBuf = parts.iter().collect();
        prop_assert!(path.components().all(|part| matches!(part, Component::Normal(_))));
        runtime().block_on(async {
            let written = run.call("write", json!({ "path": path, "content": content })).await;
            assert!(written.ok, "{written:?}");
            let found = std::fs::read_to_string(run.path(Path::new("workspace").join(&path))).unwrap();
            assert_eq!(found, content);
        });
    }
}

/// A run whose workspace is the home: the state folder lies in it, with a skill that it may use.
fn home_run() -> Run {
    let mut run = Run::new();
    for (file, text) in [
        ("state/config", "planted-secret"),
        ("state/gateway/token", "planted-token"),
        ("state/skills/tea/SKILL.md", "tea"),
    ] {
        let path = run.path("workspace").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    run.context.protected = ProtectedPlaces {
        hidden: vec![run.path("workspace/state")],
        open: vec![run.path("workspace/state/skills")],
        secrets: vec![run.path("workspace/state/config")],
    };
    run
}

#[tokio::test]
async fn protected_places_are_out_of_reach_under_every_name() {
    let run = home_run();
    symlink(run.path("workspace/state"), run.path("workspace/link")).unwrap();
    symlink(run.path("workspace/state/config"), run.path("workspace/file")).unwrap();
    std::fs::hard_link(run.path("workspace/state/config"), run.path("workspace/copy")).unwrap();
    std::fs::hard_link(run.path("workspace/state/gateway/token"), run.path("workspace/other")).unwrap();
    let absolute = run.path("workspace/state/config").display().to_string();
    let (root, by_id) =
        (format!("/proc/self/root{absolute}"), format!("/proc/{}/root{absolute}", std::process::id()));
    for path in [
        "state",
        "state/config",
        "state/gateway/token",
        "./x/../state/config",
        "link/config",
        "link/gateway",
        "file",
        "copy",
        "other",
        "state/skills/../config",
        &absolute,
        &root,
        &by_id,
    ] {
        let output = run.call("read", json!({ "path": path })).await;
        assert!(!output.ok && !output.text.contains("planted"), "{path}: {output:?}");
        let output = run.call("write", json!({ "path": path, "content": "x", "append": true })).await;
        assert!(!output.ok, "{path}: {output:?}");
        let output = run.call("exec", json!({ "command": "pwd", "workdir": path })).await;
        assert!(!output.ok, "{path}: {output:?}");
    }
    for path in ["state/config", "state/new", "state/gateway/new/file", "link/new"] {
        let output = run.call("write", json!({ "path": path, "content": "x" })).await;
        assert!(!output.ok && output.text.contains("state folder"), "{path}: {output:?}");
    }
    assert_eq!(run.text_of("workspace/state/config"), "planted-secret");
    assert_eq!(run.call("read", json!({ "path": "state/skills/tea/SKILL.md" })).await.text, "tea");
    assert!(run.call("write", json!({ "path": "state/skills/tea/notes", "content": "x" })).await.ok);
    assert!(run.call("read", json!({ "path": "." })).await.text.contains("state/"));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_inside_of_processes_is_not_read() {
    let mut run = Run::new();
    run.context.workspace = "/".into();
    for path in ["/proc/self/environ", "/proc/self/cmdline", "/proc/1/status"] {
        let output = run.call("read", json!({ "path": path })).await;
        assert!(!output.ok && output.text.contains("inside of processes"), "{path}: {output:?}");
    }
}

#[tokio::test]
async fn a_window_never_shows_half_a_secret() {
    let mut run = Run::new();
    run.context.redactor =
        prowess_secret::Redactor::new([&prowess_types::Secret::new("planted-secret-value")]);
    run.context.limits.max_output_bytes = 100;
    std::fs::write(run.path("workspace/long"), format!("{}planted-secret-value", "x".repeat(90))).unwrap();
    let output = run.call("read", json!({ "path": "long" })).await;
    assert!(!output.text.contains("plant"), "{output:?}");
}
