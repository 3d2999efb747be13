//! Whatever lies in a folder of skills: each gets a named reason, and the rest still loads.

use std::fs;
use std::path::Path;

use prowess::Engine;
use prowess_context::ContextError as EngineError;
use prowess_inventory::{Inventory, PromptRequest};
use prowess_testkit::Tree;
use prowess_types::{LossReason, SpecLevel};
use serde_json::json;

use crate::support::{configure, engine, entry, inventory, loss, losses, names, options, skill, write_skill};

/// A tree with one good skill, so that "the rest still loads" can be seen.
fn tree() -> Tree {
    let tree = Tree::new();
    write_skill(&tree, "ws/skills/good", "good");
    tree
}

/// The first rule that refused the file at `path`.
fn refused_by(inventory: &Inventory, path: &Path) -> String {
    let lost = loss(inventory, path);
    assert_eq!(lost.reason, LossReason::Invalid, "{}", lost.message);
    assert!(!lost.message.is_empty());
    lost.diagnostics.first().map(|diagnostic| diagnostic.rule.to_string()).unwrap_or_default()
}

#[test]
fn texts_that_are_no_skills() {
    let utf16 = |text: &str| -> Vec<u8> {
        [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let cases: &[(&str, Vec<u8>, &str)] = &[
        ("utf-16", utf16(&skill("utf-16", "")), "encoding/utf-16"),
        ("empty", Vec::new(), "frontmatter/missing"),
        ("blank", b"\n\n \n".to_vec(), "frontmatter/missing"),
        ("dashes", b"---".to_vec(), "frontmatter/unterminated"),
        ("dashes-and-line", b"---\n".to_vec(), "frontmatter/unterminated"),
        ("no-fields", b"---\n---\n".to_vec(), "description/missing"),
        ("list", b"---\n- a\n- b\n---\n".to_vec(), "frontmatter/not-a-map"),
        (
            "too-deep",
            format!("---\nname: x\ndescription: d\ny: {}\n---\n", "[".repeat(9_999)).into_bytes(),
            "frontmatter/too-complex",
        ),
        ("blank-description", b"---\nname: x\ndescription: '  '\n---\n".to_vec(), "description/missing"),
        ("prose", b"Just some text.\n".to_vec(), "frontmatter/missing"),
        ("binary", (0..=255).cycle().take(4096).collect(), "frontmatter/missing"),
    ];
    let tree = tree();
    for (name, bytes, _) in cases {
        tree.write(&format!("ws/skills/{name}/SKILL.md"), bytes);
    }
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["good"]);
    for (name, _, rule) in cases {
        let file = tree.path(&format!("ws/skills/{name}/SKILL.md"));
        let rules: Vec<String> = loss(&inventory, &file)
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.rule.to_string())
            .collect();
        refused_by(&inventory, &file);
        assert!(rules.iter().any(|found| found == rule), "{name}: {rule} is not in {rules:?}");
    }
    assert_eq!(inventory.losses.len(), cases.len());
}

#[test]
fn frontmatter_that_can_be_repaired_is_loaded() {
    let tree = tree();
    for (name, text, _) in REPAIRED {
        tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
    }
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["broken-yaml", "good", "hint", "twice", "unclosed"]);
    for (name, _, rule) in REPAIRED {
        let rules: Vec<String> = entry(&inventory, name)
            .skill
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.rule.to_string())
            .collect();
        assert!(rules.iter().any(|found| found == rule), "{name}: {rules:?}");
    }
}

/// A folder, its text, and the rule that names the repair.
const REPAIRED: [(&str, &str, &str); 4] = [
    ("unclosed", "---\nname: unclosed\ndescription: d\n", "frontmatter/loose-fence"),
    ("broken-yaml", "---\nname: broken-yaml\nlicense: [\ndescription: d\n---\n", "frontmatter/repaired"),
    ("twice", "---\nname: a\nname: twice\ndescription: d\n---\n", "frontmatter/repeated-key"),
    (
        "hint",
        "---\nname: hint\ndescription: d\nargument-hint: [filename] [format]\n---\n",
        "frontmatter/repaired",
    ),
];

#[test]
fn odd_bytes_are_remarked_and_loaded() {
    let tree = tree();
    tree.write("ws/skills/nul/SKILL.md", skill("nul", "") + "a\0b\n");
    tree.write("ws/skills/latin/SKILL.md", [skill("latin", "").as_bytes(), b"caf\xE9\n"].concat());
    tree.write("ws/skills/bom/SKILL.md", ["\u{FEFF}", &skill("bom", "")].concat());
    tree.write("ws/skills/crlf/SKILL.md", skill("crlf", "").replace('\n', "\r\n"));
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["bom", "crlf", "good", "latin", "nul"]);
    for (name, rule) in
        [("nul", "encoding/nul"), ("latin", "encoding/invalid-utf-8"), ("bom", "encoding/byte-order-mark")]
    {
        let skill = &entry(&inventory, name).skill;
        assert!(
            skill.diagnostics.iter().any(|diagnostic| diagnostic.rule == rule),
            "{:?}",
            skill.diagnostics
        );
        assert_eq!(skill.level, SpecLevel::Loadable);
    }
    assert_eq!(entry(&inventory, "crlf").skill.level, SpecLevel::Portable);
}

#[test]
fn nul_in_the_frontmatter_is_remarked() {
    let tree = tree();
    let file = tree.write("ws/skills/nul/SKILL.md", "---\nname: n\0ul\ndescription: with a \0 in it\n---\n");
    let inventory = inventory(&tree);
    assert!(names(&inventory).contains(&"good"));
    let remarks = inventory.entries.iter().find(|entry| entry.origin.file == file).map_or_else(
        || loss(&inventory, &file).diagnostics.clone(),
        |entry| entry.skill.diagnostics.to_vec(),
    );
    assert!(remarks.iter().any(|diagnostic| diagnostic.rule == "encoding/nul"), "{remarks:?}");
    // What reaches a model has no NUL, whatever became of the skill.
    let text = inventory.prompt(&PromptRequest::default()).text;
    assert!(text.contains("<name>good</name>"), "{text}");
}

#[test]
fn a_line_of_ten_megabytes() {
    let tree = tree();
    let line = "x".repeat(10 * 1024 * 1024);
    let in_body = tree.write("ws/skills/body/SKILL.md", skill("body", "") + &line);
    let in_head =
        tree.write("ws/skills/head/SKILL.md", format!("---\nname: head\ndescription: {line}\n---\n"));
    let small = inventory(&tree);
    assert_eq!(names(&small), ["good"]);
    assert_eq!(loss(&small, &in_body).reason, LossReason::Oversize);
    assert_eq!(loss(&small, &in_head).reason, LossReason::Oversize);
    configure(&tree, "{skills: {limits: {maxSkillFileBytes: 20000000}}}");
    let large = inventory(&tree);
    assert_eq!(names(&large), ["body", "good", "head"]);
    assert_eq!(entry(&large, "head").skill.description.len(), line.len());
    let prompt = large.prompt(&PromptRequest::default());
    assert!(prompt.chars <= 30_000);
    assert_eq!(prompt.included.len(), 2, "the long description does not fit");
}

#[test]
fn a_bomb_of_aliases() {
    let tree = tree();
    let tenfold = |level: usize| {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        format!("a{level}: &a{level} [{aliases}]\n")
    };
    let yaml = "a0: &a0 [x]\n".to_owned() + &(1..30).map(tenfold).collect::<String>();
    let bomb = tree.write("ws/skills/bomb/SKILL.md", format!("---\nname: bomb\ndescription: d\n{yaml}---\n"));
    let deep = tree.write(
        "ws/skills/deep/SKILL.md",
        format!("---\nname: deep\ndescription: d\nx: {}{}\n---\n", "[".repeat(5_000), "]".repeat(5_000)),
    );
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["good"]);
    assert_eq!(refused_by(&inventory, &bomb), "frontmatter/too-complex");
    assert_eq!(refused_by(&inventory, &deep), "frontmatter/too-complex");
}

#[cfg(unix)]
#[test]
fn links_in_circles() {
    let tree = tree();
    let link = |path: &str, target: &str| tree.lay(path, &json!({"symlink": target}));
    link("ws/skills/itself", "itself");
    link("ws/skills/one", "two");
    link("ws/skills/two", "one");
    link("ws/skills/to-root", "$ROOT/ws/skills");
    link("ws/skills/group/up", "..");
    link("ws/skills/nowhere", "$ROOT/does-not-exist");
    fs::create_dir_all(tree.path("ws/skills/file")).unwrap();
    link("ws/skills/file/SKILL.md", "SKILL.md");
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["good"]);
    let broken = ["file/SKILL.md", "itself", "nowhere", "one", "two"];
    let expected: Vec<(String, LossReason)> =
        broken.iter().map(|name| (format!("ws/skills/{name}"), LossReason::BrokenLink)).collect();
    assert_eq!(losses(&tree, &inventory), expected);
}

#[cfg(unix)]
#[test]
fn roots_that_are_links_in_circles_or_files() {
    let tree = tree();
    tree.lay("home/.prowess/skills", &json!({"symlink": "skills"}));
    tree.write("home/.agents/skills", "a file where the folder should be");
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["good"]);
    assert_eq!(loss(&inventory, &tree.path("home/.prowess/skills")).reason, LossReason::BrokenLink);
    assert_eq!(loss(&inventory, &tree.path("home/.agents/skills")).reason, LossReason::Unreadable);
}

#[test]
fn a_folder_called_skill_md() {
    let tree = tree();
    tree.write("ws/skills/odd/SKILL.md/inside.txt", "a file");
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["good"]);
    let lost = loss(&inventory, &tree.path("ws/skills/odd/SKILL.md"));
    assert_eq!((lost.reason, lost.message.as_str()), (LossReason::NotAFile, "is a folder, not a file"));
}

/// Fails instead of waiting for ever.
#[cfg(unix)]
fn within_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(std::time::Duration::from_secs(30)).expect("it should not hang")
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let status = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(status.success());
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_called_like_skills() {
    let tree = tree();
    let pipe = tree.path("ws/skills/pipe/SKILL.md");
    make_pipe(&pipe);
    make_pipe(&tree.path("ws/skills/lone.md"));
    make_pipe(&tree.path("home/.prowess/plugins/odd/prowess.plugin.json"));
    make_pipe(&tree.path("ws/skills/good/.openclaw/source-origin.json"));
    make_pipe(&tree.path("ws/skills/good/skill-card.md"));
    fs::create_dir_all(tree.path("ws/skills/socket")).unwrap();
    let socket = tree.path("ws/skills/socket/SKILL.md");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let engine = engine(&tree);
    let (inventory, _) = within_time(move || {
        let inventory = engine.inventory(None).unwrap();
        let report = serde_json::to_value(inventory.status()).unwrap();
        (inventory, report)
    });
    assert_eq!(names(&inventory), ["good"]);
    assert_eq!(loss(&inventory, &pipe).reason, LossReason::NotAFile);
    assert_eq!(loss(&inventory, &socket).reason, LossReason::NotAFile);
    assert_eq!(loss(&inventory, &tree.path("ws/skills/lone.md")).reason, LossReason::NotAFile);
}

#[cfg(unix)]
#[test]
fn a_pipe_where_the_config_should_be() {
    let tree = tree();
    make_pipe(&tree.path("home/.prowess/prowess.json"));
    let options = options(&tree, prowess_types::ProfileName::Prowess, &[]);
    let opened = within_time(move || Engine::open(options).map(|_| ()));
    assert!(matches!(opened, Err(EngineError::ReadConfig(_))), "{opened:?}");
}

#[test]
fn a_config_that_is_not_json5() {
    let tree = tree();
    for broken in
        ["{ skills: ", "skills = 1", "[1, 2]", "'text'", "{skills: {entries: {good: {enabled: false}}}"]
    {
        configure(&tree, broken);
        let engine = engine(&tree);
        assert!(engine.issues().iter().any(prowess_config::ConfigIssue::is_fatal), "{broken}");
        assert!(engine.issues()[0].file.ends_with("prowess.json"));
        let inventory = engine.inventory(None).unwrap();
        assert!(entry(&inventory, "good").verdict.eligible, "{broken}");
        let findings = engine.doctor(None).unwrap();
        assert!(findings.iter().any(|finding| finding.severity == prowess_types::Severity::Error));
    }
    fs::remove_file(tree.path("home/.prowess/prowess.json")).unwrap();
    tree.write("ws/.prowess/config.json", "{ skills: ");
    let engine = engine(&tree);
    assert!(engine.issues().is_empty(), "the user's own config is fine");
    assert!(engine.config_in(&tree.path("ws")).unwrap().1[0].is_fatal());
    assert_eq!(names(&engine.inventory(None).unwrap()), ["good"]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;
    let tree = tree();
    let folder = tree.path("ws/skills").join(std::ffi::OsStr::from_bytes(b"caf\xE9"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), skill("coffee", "")).unwrap();
    let other = tree.path("ws/skills").join(std::ffi::OsStr::from_bytes(b"caf\xE8.md"));
    fs::write(other, skill("lone-coffee", "")).unwrap();
    let inventory = inventory(&tree);
    assert_eq!(names(&inventory), ["coffee", "good", "lone-coffee"]);
    serde_json::to_value(inventory.status()).expect("the report can still be written");
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = tree();
    write_skill(&tree, "ws/skills/locked", "locked");
    write_skill(&tree, "ws/skills/secret", "secret");
    let set_mode = |path: &str, mode: u32| {
        fs::set_permissions(tree.path(path), fs::Permissions::from_mode(mode)).expect("permissions");
    };
    set_mode("ws/skills/locked", 0o000);
    set_mode("ws/skills/secret/SKILL.md", 0o000);
    let is_almighty = fs::read(tree.path("ws/skills/secret/SKILL.md")).is_ok();
    let inventory = inventory(&tree);
    set_mode("ws/skills/locked", 0o755);
    if is_almighty {
        return;
    }
    assert_eq!(names(&inventory), ["good"]);
    assert_eq!(
        losses(&tree, &inventory),
        [
            ("ws/skills/locked".to_owned(), LossReason::Unreadable),
            ("ws/skills/secret/SKILL.md".to_owned(), LossReason::Unreadable)
        ]
    );
    let message = &loss(&inventory, &tree.path("ws/skills/secret/SKILL.md")).message;
    assert!(message.to_lowercase().contains("permission"), "the message should say why: {message}");
}
