//! From a folder to a registry and into another workspace, and from a repository, with nothing but the program itself.

use std::path::Path;
use std::process::Command;

use prowess_testkit::SkillFile;
use serde_json::Value;

use crate::hub::Serving;
use crate::support::{Home, Program as _, Ran, texts};

/// Runs the program against a registry, with a token or without.
fn ask(home: &Home, serving: &Serving, token: Option<&str>, args: &[&str]) -> Ran {
    let mut command = home.command();
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    command.env("PROWESS_REGISTRY", format!("http://{}", serving.address)).env("PATH", path);
    if let Some(token) = token {
        command.env("PROWESS_REGISTRY_TOKEN", token);
    }
    let ran = home.finish(command.args(args));
    assert!(!token.is_some_and(|token| (ran.stdout.clone() + &ran.stderr).contains(token)), "{ran:?}");
    ran
}

fn good(home: &Home, serving: &Serving, token: Option<&str>, args: &[&str]) -> Value {
    let args = [args, &["--json"]].concat();
    let ran = ask(home, serving, token, &args);
    assert_eq!(ran.code, 0, "{args:?}\n{}{}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

fn write(home: &Home, body: &str) {
    let head = "---\nname: tide-tables\ndescription: Tells when the tide turns at a harbour. Use when asked about high or low \
                water.\n---\n";
    home.tree.write("ws/source/tide-tables/SKILL.md", format!("{head}# Tides\n\n{body}\n"));
    home.tree.write("ws/source/tide-tables/scripts/tide.sh", "#!/bin/sh\necho high\n");
}

#[test]
fn a_skill_is_published_found_installed_updated_and_proven() {
    let operator = Home::new();
    let created = operator.json(&["registry", "token", "create", "ada", "--json"]);
    let token = created["token"].as_str().expect("a token");
    let serving = Serving::start(&operator);

    let author = Home::new();
    write(&author, "First.\n\nSecond.");
    let source = "source/tide-tables";
    good(&author, &serving, Some(token), &["publish", source, "--yes"]);
    let again = good(&author, &serving, Some(token), &["publish", source, "--yes"]);
    assert!(again.to_string().contains("unchanged"), "{again}");

    let reader = Home::new();
    let found = good(&reader, &serving, None, &["search", "when is low water at the port"]);
    assert_eq!(texts(&found["results"], "slug"), ["tide-tables"], "{found}");
    good(&reader, &serving, None, &["install", "tide-tables", "--yes"]);
    let installed = reader.tree.path("ws/skills/tide-tables");
    assert!(std::fs::read_to_string(installed.join("SKILL.md")).expect("the skill").contains("First."));
    assert_eq!(ask(&reader, &serving, None, &["verify"]).code, 0);
    assert_eq!(ask(&reader, &serving, None, &["outdated"]).code, 0);

    write(&author, "First.\n\nSecond, better.");
    good(&author, &serving, Some(token), &["publish", source, "--yes"]);
    assert_eq!(ask(&reader, &serving, None, &["outdated"]).code, 1);
    let mine =
        std::fs::read_to_string(installed.join("SKILL.md")).expect("the skill").replace("First.", "Mine.");
    std::fs::write(installed.join("SKILL.md"), mine).expect("an edit");
    good(&reader, &serving, None, &["update", "tide-tables", "--yes"]);
    let merged = std::fs::read_to_string(installed.join("SKILL.md")).expect("the skill");
    assert!(merged.contains("Mine.") && merged.contains("better"), "{merged}");

    // The same skill from the page of its publisher, as other clients get it.
    let visitor = Home::new();
    let page = format!("http://{}/ada/skills/tide-tables", serving.address);
    good(&visitor, &serving, None, &["install", &page, "--yes"]);
    assert!(visitor.tree.path("ws/skills/tide-tables/SKILL.md").is_file());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let script = visitor.tree.path("ws/skills/tide-tables/scripts/tide.sh");
        let mode = std::fs::metadata(script).expect("the script").permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "it can be run");
    }

    let lock = std::fs::read_to_string(reader.tree.path("ws/.prowess/lock.json")).expect("the lock");
    assert!(!lock.contains(token) && lock.contains("1.0.1"), "{lock}");
    good(&reader, &serving, None, &["uninstall", "tide-tables", "--yes"]);
    assert!(!installed.exists());
}

fn git(folder: &Path, args: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_skill_comes_out_of_a_repository_at_a_commit() {
    let operator = Home::new();
    let serving = Serving::start(&operator);
    let home = Home::new();
    home.skill("repo/skills/harbour", "harbour", "");
    home.skill("repo/skills/pier", "pier", "");
    let repository = home.tree.path("repo");
    git(&repository, &["init", "--quiet"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "--quiet", "-m", "first"]);
    git(&repository, &["tag", "v1"]);
    home.tree.write(
        "repo/skills/harbour/SKILL.md",
        SkillFile::new("harbour").description("Changed.").body("Later.\n").text(),
    );
    git(&repository, &["commit", "--quiet", "-am", "second"]);

    let address = format!("git+file://{}", repository.display());
    let several = ask(&home, &serving, None, &["install", &address, "--yes"]);
    assert!(several.code != 0 && several.stderr.contains("skills/pier"), "{}", several.stderr);
    let old = format!("{address}#v1:skills/harbour");
    good(&home, &serving, None, &["install", &old, "--yes"]);
    let text = std::fs::read_to_string(home.tree.path("ws/skills/harbour/SKILL.md")).expect("the skill");
    assert!(!text.contains("Later."), "{text}");
    let lock = std::fs::read_to_string(home.tree.path("ws/.prowess/lock.json")).expect("the lock");
    let lock: Value = serde_json::from_str(&lock).expect("JSON");
    let commit = lock.to_string().split("\"commit\":\"").nth(1).map(|rest| rest[..40].to_owned());
    assert!(commit.is_some_and(|commit| commit.chars().all(|char| char.is_ascii_hexdigit())), "{lock}");
    assert_eq!(ask(&home, &serving, None, &["verify"]).code, 0);
}
