//! A copy of the skills for an agent that cannot see the user's folders.

use prowess::Engine;
use prowess_catalog::MessageInvocation;
use prowess_inventory::{PromptRequest, SandboxSyncOptions, SandboxSyncReport};
use prowess_testkit::Tree;

use crate::support::{engine, inventory, skill, write_skill};

fn tree() -> Tree {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/one", "one");
    tree.write("ws/skills/one/docs/more.md", "More.\n");
    tree.write_program("ws/skills/one/scripts/run.sh");
    tree.write("bundled/two words/SKILL.md", skill("two words", "disable-model-invocation: true\n"));
    tree.write("ws/skills/off/SKILL.md", skill("off", "metadata: {\"prowess\":{\"os\":[\"amiga\"]}}\n"));
    tree
}

fn sync_with(engine: &Engine, tree: &Tree, options: &SandboxSyncOptions) -> SandboxSyncReport {
    engine
        .sandbox_sync(engine.view(None).expect("a view").inventory(), &tree.path("box"), options)
        .expect("a sync")
}

fn sync(tree: &Tree) -> SandboxSyncReport {
    sync_with(&engine(tree), tree, &SandboxSyncOptions::default())
}

fn text(tree: &Tree, place: &str) -> Option<String> {
    std::fs::read_to_string(tree.path("box").join(place)).ok()
}

const ALL: [&str; 4] = [
    "skills/one/SKILL.md",
    "skills/one/docs/more.md",
    "skills/one/scripts/run.sh",
    "skills/two-words/SKILL.md",
];

#[test]
fn skills_that_can_be_used_are_copied_once() {
    let tree = tree();
    let first = sync(&tree);
    assert_eq!(first.written, ALL);
    assert!(first.skipped.is_empty() && first.overwritten.is_empty(), "{first:?}");
    assert_eq!(text(&tree, "skills/one/docs/more.md").as_deref(), Some("More.\n"));
    assert_eq!(text(&tree, "skills/off/SKILL.md"), None);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode =
            |place: &str| std::fs::metadata(tree.path("box").join(place)).unwrap().permissions().mode();
        assert_eq!((mode(ALL[2]) & 0o777, mode(ALL[0]) & 0o777), (0o755, 0o644));
    }
    let second = sync(&tree);
    assert_eq!((second.written.len(), second.unchanged), (0, 4));
    assert_eq!(second.locations, first.locations);
}

#[test]
fn only_changes_are_written_and_only_our_own_is_removed() {
    let tree = tree();
    sync(&tree);
    tree.write("box/skills/one/theirs.txt", "theirs");
    tree.write("box/skills/one/docs/more.md", "changed in the sandbox");
    tree.write("ws/skills/one/SKILL.md", skill("one", "license: MIT\n"));
    std::fs::remove_file(tree.path("ws/skills/one/scripts/run.sh")).unwrap();
    std::fs::remove_dir_all(tree.path("bundled/two words")).unwrap();
    let report = sync(&tree);
    assert_eq!(report.written, [ALL[0], ALL[1]]);
    assert_eq!(report.overwritten, [ALL[1]]);
    assert_eq!(report.removed, [ALL[2], ALL[3]]);
    assert_eq!(text(&tree, "skills/one/docs/more.md").as_deref(), Some("More.\n"));
    assert_eq!(text(&tree, "skills/one/theirs.txt").as_deref(), Some("theirs"));
    assert!(!tree.path("box/skills/two-words").exists() && !tree.path("box/skills/one/scripts").exists());
}

#[test]
fn a_dry_run_only_tells() {
    let tree = tree();
    let dry = SandboxSyncOptions { dry_run: true, ..SandboxSyncOptions::default() };
    let told = sync_with(&engine(&tree), &tree, &dry);
    assert!(!tree.path("box").exists());
    assert_eq!(told, sync(&tree));
    std::fs::remove_file(tree.path("ws/skills/one/docs/more.md")).unwrap();
    let told = sync_with(&engine(&tree), &tree, &dry);
    assert!(text(&tree, ALL[1]).is_some());
    assert_eq!(told.removed, [ALL[1]]);
    assert_eq!(told, sync(&tree));
}

#[test]
fn an_interrupted_sync_is_repaired_by_the_next() {
    let tree = tree();
    sync(&tree);
    // Killed after some files were written, before they were remembered as written.
    let manifest = std::fs::read_to_string(tree.path("box/.prowess-sync.json")).unwrap();
    let mut known: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    for hash in known["files"].as_object_mut().unwrap().values_mut() {
        *hash = "".into();
    }
    tree.write("box/.prowess-sync.json", known.to_string());
    tree.write("box/.prowess-mirror.tmp", "half a file");
    std::fs::remove_file(tree.path("box").join(ALL[0])).unwrap();
    tree.write("ws/skills/one/docs/more.md", "Even more.\n");
    std::fs::remove_dir_all(tree.path("bundled/two words")).unwrap();
    let report = sync(&tree);
    assert_eq!(
        (report.written, report.removed),
        (vec![ALL[0].to_owned(), ALL[1].to_owned()], vec![ALL[3].to_owned()])
    );
    assert!(report.overwritten.is_empty());
    assert!(!tree.path("box/.prowess-mirror.tmp").exists());
    assert_eq!(sync(&tree).unchanged, 3);
}

#[test]
fn a_damaged_or_lying_memory_harms_nothing_else() {
    let tree = tree();
    sync(&tree);
    tree.write("box/.prowess-sync.json", "{");
    assert_eq!(sync(&tree).unchanged, 4);
    tree.write("precious", "p");
    tree.write("box/work.txt", "w");
    let lie = "{\"version\": 1, \"files\": {\"../precious\": \"\", \"work.txt\": \"\", \"skills/../work.txt\": \"\", \"/etc/x\": \"\"}}";
    tree.write("box/.prowess-sync.json", lie);
    let report = sync(&tree);
    assert!(report.removed.is_empty(), "{report:?}");
    assert!(tree.path("precious").exists() && tree.path("box/work.txt").exists());
}

#[cfg(unix)]
#[test]
fn nothing_leaves_a_skill_and_nothing_leaves_the_sandbox() {
    use std::os::unix::fs::symlink;
    let tree = tree();
    tree.write("secret", "s3cr3t");
    let folder = tree.path("ws/skills/one");
    symlink(tree.path("secret"), folder.join("out")).unwrap();
    symlink("nowhere", folder.join("dangling")).unwrap();
    symlink("docs", folder.join("inside-folder")).unwrap();
    symlink("docs/more.md", folder.join("inside")).unwrap();
    std::fs::hard_link(tree.path("secret"), folder.join("shared")).unwrap();
    std::os::unix::net::UnixListener::bind(folder.join("socket")).unwrap();
    std::fs::File::create(folder.join("huge")).unwrap().set_len(1 << 30).unwrap();
    let report = sync(&tree);
    let skipped: Vec<String> = report
        .skipped
        .iter()
        .map(|skipped| skipped.path.strip_prefix(&folder).unwrap().display().to_string())
        .collect();
    assert_eq!(skipped, ["dangling", "huge", "inside-folder", "out", "shared", "socket"]);
    assert_eq!(text(&tree, "skills/one/inside").as_deref(), Some("More.\n"));
    assert!(!tree.path("box/skills/one/out").exists());

    // The agent in the sandbox makes traps.
    std::fs::remove_dir_all(tree.path("box/skills/one")).unwrap();
    std::fs::create_dir(tree.path("elsewhere")).unwrap();
    tree.write("elsewhere/SKILL.md", "elsewhere");
    symlink(tree.path("elsewhere"), tree.path("box/skills/one")).unwrap();
    sync(&tree);
    assert_eq!(std::fs::read_dir(tree.path("elsewhere")).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(tree.path("elsewhere/SKILL.md")).unwrap(), "elsewhere");
    assert!(text(&tree, ALL[0]).is_some_and(|text| text.contains("Does one")));
}

#[test]
fn the_prompt_names_the_copies() {
    let tree = tree();
    let engine = engine(&tree);
    let options =
        SandboxSyncOptions { mounted_at: Some("/workspace/".to_owned()), ..SandboxSyncOptions::default() };
    let report = sync_with(&engine, &tree, &options);
    let file = tree.path("ws/skills/one/SKILL.md");
    assert_eq!(report.locations.of(&file), Some("/workspace/skills/one/SKILL.md"));
    assert_eq!(engine.sandbox_locations(&tree.path("box")).unwrap(), report.locations);
    assert!(engine.sandbox_locations(&tree.path("ws")).is_err());
    let inventory = inventory(&tree).located(report.locations);
    let prompt = inventory.prompt(&PromptRequest::default()).text;
    assert!(prompt.contains("<location>/workspace/skills/one/SKILL.md</location>"), "{prompt}");
    let MessageInvocation::References(found) = inventory.invocation("$two-words") else {
        panic!("a reference")
    };
    assert_eq!(found[0].location.as_deref(), Some("/workspace/skills/two-words/SKILL.md"));
    let here = sync(&tree).locations;
    assert_eq!(here.of(&file), Some(tree.path("box/skills/one/SKILL.md").display().to_string().as_str()));
}

#[test]
fn two_syncs_at_once_do_not_disturb_each_other() {
    let tree = tree();
    let engine = engine(&tree);
    let reports: Vec<SandboxSyncReport> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| sync_with(&engine, &tree, &SandboxSyncOptions::default())))
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a report")).collect()
    });
    assert_eq!(reports.iter().map(|report| report.written.len()).sum::<usize>(), 4);
    assert!(reports.iter().all(|report| report.skipped.is_empty()), "{reports:?}");
}
