//! Removing skills over HTTP.

use std::path::Path;

use prowess_testkit::SkillFile;
use serde_json::{Value, json};

use crate::raw::ask_known;
use crate::support::{GatewayHome as _, Home, skill};

async fn remove(home: &Home, change: impl FnOnce(&mut Value)) -> (u16, Value) {
    let gateway = home.start().await;
    let mut wish = json!({
        "skillKey": "tidy",
        "source": "openclaw-workspace",
        "baseDir": home.workspace().join("skills/tidy"),
        "workspaceDir": home.workspace(),
        "managedSkillsDir": home.path().join(".prowess/skills"),
    });
    change(&mut wish);
    let headers = ["Content-Type: application/json"];
    let answer =
        ask_known(gateway.address, "POST /api/gateway/skills/remove", &headers, &wish.to_string()).await;
    (answer.status, serde_json::from_str(&answer.body).unwrap())
}

fn home() -> Home {
    let home = Home::new();
    home.add(&skill("tidy", "Tidies up"));
    home.write(
        ".prowess/skills/weather/SKILL.md",
        SkillFile::new("weather").description("Tells the weather").body("").text(),
    );
    home
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_of_the_workspace_goes_to_the_trash_and_can_come_back() {
    let home = home();
    let folder = home.workspace().join("skills/tidy");
    let (status, answer) = remove(&home, |_| {}).await;
    assert_eq!(status, 200, "{answer}");
    let result = &answer["result"];
    assert_eq!((&result["removed"], &result["source"]), (&json!(true), &json!("openclaw-workspace")));
    assert_eq!(result["removedPath"], folder.to_str().unwrap());
    assert!(!folder.exists());
    let engine = home.engine();
    let desk =
        engine.acquire(prowess_acquire::AcquireOptions::new(prowess_context::Clock::new(|| 0))).unwrap();
    desk.restore(result["trashId"].as_str().unwrap(), false).unwrap();
    assert!(folder.join("SKILL.md").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_managed_skill_is_removed_and_what_is_gone_is_told() {
    let home = home();
    let folder = home.path().join(".prowess/skills/weather");
    let wish = |wish: &mut Value| {
        wish["skillKey"] = json!("weather");
        wish["source"] = json!("openclaw-managed");
        wish["baseDir"] = json!(folder);
    };
    let (status, answer) = remove(&home, wish).await;
    assert_eq!((status, &answer["result"]["removed"]), (200, &json!(true)), "{answer}");
    assert!(!folder.exists());
    let (status, answer) = remove(&home, wish).await;
    assert_eq!((status, &answer["result"]["removed"]), (200, &json!(false)), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_whole_skills_in_our_own_folders_are_removed() {
    let home = home();
    let work = home.workspace();
    home.write(
        "elsewhere/skills/tidy/SKILL.md",
        SkillFile::new("tidy").description("Not ours").body("").text(),
    );
    home.write("ws/skills/plain/notes.txt", "no skill");
    std::os::unix::fs::symlink(home.path().join("elsewhere/skills/tidy"), work.join("skills/link")).unwrap();
    std::os::unix::fs::symlink(home.path().join("elsewhere/skills"), work.join("skills/deep")).unwrap();
    let elsewhere = home.path().join("elsewhere");
    let base = |path: &Path| {
        let path = json!(path);
        move |wish: &mut Value| wish["baseDir"] = path
    };
    let both = |wish: &mut Value| {
        wish["baseDir"] = json!(elsewhere.join("skills/tidy"));
        wish["workspaceDir"] = json!(elsewhere);
    };
    let source = |name: &str| {
        let name = json!(name);
        move |wish: &mut Value| wish["source"] = name
    };
    let key = |wish: &mut Value| wish["skillKey"] = json!("other");
    for (what, (status, answer), part) in [
        ("the root", remove(&home, base(&work.join("skills"))).await, "is a folder of skills"),
        ("the root, longer", remove(&home, base(&work.join("skills/tidy/.."))).await, ""),
        (
            "outside",
            remove(&home, base(&elsewhere.join("skills/tidy"))).await,
            "in no folder that may be changed",
        ),
        ("above", remove(&home, base(&work.join("skills/../../elsewhere/skills/tidy"))).await, ""),
        ("the caller's root", remove(&home, both).await, "no agent works in this workspace"),
        ("a link", remove(&home, base(&work.join("skills/link"))).await, "link"),
        ("below a link", remove(&home, base(&work.join("skills/deep/tidy"))).await, ""),
        ("no skill", remove(&home, base(&work.join("skills/plain"))).await, "holds no `SKILL.md`"),
        ("a bundled one", remove(&home, source("openclaw-bundled")).await, "cannot be removed"),
        ("another key", remove(&home, key).await, "holds the skill `tidy`"),
    ] {
        assert_eq!(status, 400, "{what}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(part), "{what}: {answer}");
    }
    for kept in ["ws/skills/tidy/SKILL.md", "elsewhere/skills/tidy/SKILL.md", "ws/skills/plain/notes.txt"] {
        assert!(home.path().join(kept).exists(), "{kept}");
    }
    let (status, answer) = remove(&home, |wish| *wish = json!({ "skillKey": "tidy" })).await;
    assert_eq!(status, 400, "{answer}");
}

/// A program in the place of `ssh`: does here what it is told to do there, and writes down how it was called.
fn fake_ssh(home: &Home) {
    let (there, note) = (home.path().join("there"), home.path().join("called"));
    let text = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\nfor last; do :; done\nexport HOME='{}'\nexec /bin/sh -c \"$last\"\n",
        note.display(),
        there.display()
    );
    home.write("bin/ssh", &text);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(home.path().join("bin/ssh"), executable).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_managed_skill_of_another_host_is_removed_over_ssh() {
    let home = home();
    home.write(
        ".prowess/prowess.json",
        "{gateway: {remote: {sshTarget: 'me@far', managedSkillsDir: \".it's/skills\"}}}",
    );
    home.write("there/.it's/skills/weather/SKILL.md", "---\nname: weather\n---\n");
    home.write("there/.it's/skills/plain/notes.txt", "no skill");
    fake_ssh(&home);
    let wish = |name: &'static str| {
        move |wish: &mut Value| {
            wish["skillKey"] = json!("weather");
            wish["source"] = json!("openclaw-managed");
            wish["managedSkillsDir"] = json!(".it's/skills");
            wish["baseDir"] = json!(format!(".it's/skills/{name}"));
        }
    };
    let (status, answer) = remove(&home, wish("weather")).await;
    assert_eq!(status, 200, "{answer}");
    let result = &answer["result"];
    assert_eq!(result["removed"], true);
    let there = home.path().join("there/.it's");
    assert!(!there.join("skills/weather").exists());
    let trashed = result["trashId"].as_str().unwrap();
    assert!(there.join("trash").join(trashed).join("SKILL.md").exists());
    let note = std::fs::read_to_string(there.join(format!("trash/{trashed}.json"))).unwrap();
    let note: Value = serde_json::from_str(&note).unwrap();
    assert_eq!(note["from"], result["removedPath"]);
    let called = std::fs::read_to_string(home.path().join("called")).unwrap();
    assert!(called.contains("BatchMode=yes\n") && called.contains("--\nme@far\nsh -s -- "), "{called}");

    let (status, answer) = remove(&home, wish("weather")).await;
    assert_eq!((status, &answer["result"]["removed"]), (200, &json!(false)), "{answer}");
    for (name, part) in [
        ("plain", "holds no `SKILL.md`"),
        ("../../secret", "is not the folder of a skill"),
        ("x; touch pwned", "is not the folder of a skill"),
        ("", "is in no folder that may be changed"),
    ] {
        let (status, answer) = remove(&home, wish(name)).await;
        assert_eq!(status, 400, "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(part), "{answer}");
    }
    assert!(there.join("skills/plain/notes.txt").exists());
}
