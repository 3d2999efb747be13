//! `prowess sync`

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Home, Program as _, files_below, texts};

/// A home with a skill for this workspace, one for all, and one that cannot run.
fn home() -> Home {
    let home = Home::new();
    home.skill("ws/skills/notes", "notes", "");
    home.tree.write_program("ws/skills/notes/scripts/add.sh");
    home.skill(".prowess/skills/weather", "weather", "license: MIT\n");
    home.skill("ws/skills/amiga", "amiga", "metadata: {\"prowess\":{\"os\":[\"amiga\"]}}\n");
    home
}

/// Every file below a folder with its content; links with where they lead.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("inside").display().to_string();
            if path.is_symlink() {
                found.insert(name, format!("-> {}", std::fs::read_link(&path).expect("a link").display()));
            } else if path.is_dir() {
                waiting.push(path);
            } else {
                found.insert(name, std::fs::read_to_string(&path).expect("text"));
            }
        }
    }
    found
}

fn steps(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let steps = report["views"].as_array().expect("views").iter().filter_map(|view| view["steps"].as_array());
    steps.flatten().map(|step| (text(&step["name"]), text(&step["change"]))).collect()
}

fn report(home: &Home, args: &[&str], code: i32) -> Value {
    let mut all = vec!["sync", "--json"];
    all.extend(args);
    let ran = home.run(&all);
    assert_eq!(ran.code, code, "{args:?}\n{}{}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// What a program leaves behind, and the folders of it that are filled for it alone.
const PROGRAMS: [(&str, &str, &str, &str); 16] = [
    ("claude-code", ".claude", "ws/.claude/skills", ".claude/skills"),
    ("codex", ".codex", "ws/.agents/skills", ".agents/skills"),
    ("openclaw", ".openclaw", "ws/.agents/skills", ".openclaw/skills"),
    ("hermes", ".hermes", "ws/.hermes/skills", ".hermes/skills"),
    ("goose", ".config/goose", "ws/.goose/skills", ".config/goose/skills"),
    ("cursor", ".cursor", "ws/.cursor/skills", ".cursor/skills"),
    ("windsurf", ".codeium/windsurf", "ws/.windsurf/skills", ".codeium/windsurf/skills"),
    ("copilot", ".copilot", "ws/.github/skills", ".copilot/skills"),
    ("gemini-cli", ".gemini/skills", "ws/.gemini/skills", ".gemini/skills"),
    ("opencode", ".config/opencode", "ws/.opencode/skills", ".config/opencode/skills"),
    ("amp", ".config/amp", "ws/.agents/skills", ".config/agents/skills"),
    ("roo", ".roo", "ws/.roo/skills", ".roo/skills"),
    ("qwen-code", ".qwen", "ws/.qwen/skills", ".qwen/skills"),
    ("kiro", ".kiro", "ws/.kiro/skills", ".kiro/skills"),
    ("pi", ".pi/agent", "ws/.pi/skills", ".pi/agent/skills"),
    ("crush", ".config/crush", "ws/.crush/skills", ".config/crush/skills"),
];

/// Finds the program, fills, edits, detects drift, removes; what was there before is there afterwards.
fn life_of_a_view(id: &str, mark: &str, view: &str, scope: &str, method: &str) {
    let home = home();
    std::fs::create_dir_all(home.tree.path(mark)).expect("what it leaves behind");
    home.skill(&format!("{view}/theirs"), "theirs", "");
    let foreign = contents(&home.tree.path(view));
    let args = [scope, method];

    let drift = report(&home, &[scope, method, "--check"], 1);
    assert_eq!(texts(&drift["views"], "folder"), [format!("[ROOT]/{view}")], "{id}");
    assert_eq!(drift["views"][0]["harnesses"], json!([id]), "it is found without being named");
    assert_eq!(contents(&home.tree.path(view)), foreign, "a check writes nothing");

    let made = steps(&report(&home, &args, 0));
    // OpenClaw reads `skills` of a workspace by itself.
    let is_shared = scope == "--user" || id == "openclaw";
    let expected: &[&str] = if is_shared { &["weather"] } else { &["notes", "weather"] };
    let names: Vec<&str> = made.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, expected, "{id}");
    assert!(made.iter().all(|(_, change)| change == "create"), "{id}: {made:?}");
    let file = home.tree.path(&format!("{view}/weather/SKILL.md"));
    let original = std::fs::read_to_string(&file).expect("readable through whatever was made");
    report(&home, &[scope, method, "--check"], 0);

    // The store changes.
    home.skill(".prowess/skills/weather", "weather", "license: GPL\n");
    let is_link = home.tree.path(&format!("{view}/weather")).is_symlink();
    let code = i32::from(!is_link);
    report(&home, &[scope, method, "--check"], code);
    report(&home, &args, 0);
    assert_ne!(std::fs::read_to_string(&file).expect("a file"), original, "{id}");

    // Somebody edits what was made.
    let folder = home.tree.path(&format!("{view}/weather"));
    if is_link {
        std::fs::remove_file(&folder).expect("a link");
        std::fs::create_dir(&folder).expect("a folder");
    }
    std::fs::write(&file, "mine").expect("written");
    let edited = ("weather".to_owned(), "edited".to_owned());
    assert!(steps(&report(&home, &[scope, method, "--check"], 1)).contains(&edited), "{id}");
    assert!(steps(&report(&home, &args, 1)).contains(&edited), "{id}");
    assert!(steps(&report(&home, &[scope, "--remove"], 1)).contains(&edited), "{id}");
    assert_eq!(std::fs::read_to_string(&file).expect("still there"), "mine", "{id}");
    std::fs::remove_dir_all(&folder).expect("removed");

    report(&home, &args, 0);
    report(&home, &[scope, "--remove"], 0);
    assert_eq!(contents(&home.tree.path(view)), foreign, "{id}: only what was made is gone");
    assert_eq!(steps(&report(&home, &[scope, "--remove"], 0)), [], "{id}");
}

#[test]
fn programs_get_views_of_a_workspace() {
    for (id, mark, view, _) in PROGRAMS {
        life_of_a_view(id, mark, view, "--project", "--copy");
    }
}

#[test]
fn programs_get_views_for_the_user() {
    for (id, mark, _, view) in PROGRAMS {
        life_of_a_view(id, mark, view, "--user", "--copy");
    }
}

#[cfg(unix)]
#[test]
fn programs_that_follow_links_get_links() {
    for id in ["claude-code", "goose", "gemini-cli", "opencode", "qwen-code"] {
        let (id, mark, view, _) = PROGRAMS.into_iter().find(|program| program.0 == id).expect("one of them");
        life_of_a_view(id, mark, view, "--project", "--link");
        let home = home();
        std::fs::create_dir_all(home.tree.path(mark)).expect("what it leaves behind");
        home.good(&["sync"]);
        let made = contents(&home.tree.path(view));
        assert_eq!(made["notes"], "-> ../../skills/notes", "{id}");
        assert!(made["weather"].ends_with("/.prowess/skills/weather"), "{id}: {made:?}");
    }
}

#[test]
fn what_is_said() {
    let home = home();
    home.tree.write(".claude/settings.json", "{}");
    home.tree.write(".kiro/settings.json", "{}");
    insta::assert_snapshot!(home.good(&["sync", "--dry-run"]), @"
    [ROOT]/ws/.claude/skills (claude-code)
      + notes is missing
      + weather is missing
    [ROOT]/ws/.kiro/skills (kiro)
      + notes is missing
      + weather is missing
    would be: 4 added, 0 updated, 0 removed
    ");
    insta::assert_snapshot!(home.good(&["sync"]), @"
    [ROOT]/ws/.claude/skills (claude-code)
      + notes
      + weather
    [ROOT]/ws/.kiro/skills (kiro)
      + notes
      + weather
    4 added, 0 updated, 0 removed
    ");
    home.skill(".prowess/skills/weather", "weather", "license: GPL\n");
    std::fs::remove_dir_all(home.tree.path("ws/skills/notes")).expect("removed");
    home.tree.write("ws/.kiro/skills/notes/mine.txt", "mine");
    home.skill("ws/skills/theirs", "theirs", "");
    home.tree.write("ws/.kiro/skills/theirs/SKILL.md", "theirs");
    let ran = home.run(&["sync", "--check"]);
    insta::assert_snapshot!(format!("{}[exit {}]", ran.stdout, ran.code), @"
    [ROOT]/ws/.claude/skills (claude-code)
      - notes is obsolete
      + theirs is missing
      = 1 up to date
    [ROOT]/ws/.kiro/skills (kiro)
      - notes is obsolete (what was added stays: notes/mine.txt)
      ! theirs something else has its name
      ~ weather is out of date
    5 differences
    [exit 1]
    ");
    let ran = home.run(&["sync"]);
    insta::assert_snapshot!(format!("{}[exit {}]", ran.stdout, ran.code), @"
    [ROOT]/ws/.claude/skills (claude-code)
      - notes
      + theirs
      = 1 up to date
    [ROOT]/ws/.kiro/skills (kiro)
      - notes (what was added stays: notes/mine.txt)
      ! theirs something else has its name
      ~ weather updated
    1 added, 1 updated, 2 removed, 1 unchanged
    [exit 1]
    ");
    insta::assert_snapshot!(home.good(&["sync", "--remove"]), @"
    [ROOT]/ws/.claude/skills (claude-code, goose, cursor, copilot, opencode)
      - theirs
      - weather
    [ROOT]/ws/.kiro/skills (kiro)
      - weather
    0 added, 0 updated, 3 removed
    ");
    assert_eq!(files_below(&home.tree.path("ws/.kiro")), ["skills/notes/mine.txt", "skills/theirs/SKILL.md"]);
    assert!(!home.tree.path("ws/.claude").exists());
}

#[test]
fn allowlists_gates_and_switches_are_honoured() {
    let home = home();
    home.skill(".prowess/skills/off", "off", "");
    home.config(
        "{ skills: { entries: { off: { enabled: false } } }, agents: { list: [{ id: 'main', default: true }, \
         { id: 'writer', skills: ['notes'], workspace: '$ROOT/ws' }] } }",
    );
    let names = |args: &[&str]| -> Vec<String> {
        steps(&report(&home, args, 0)).into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(&["--to", "kiro", "--dry-run"]), ["notes", "weather"]);
    assert_eq!(names(&["--to", "kiro", "--dry-run", "--agent", "writer"]), ["notes"]);
}

#[test]
fn a_copy_never_hides_what_it_was_made_of() {
    let home = home();
    home.tree.write("ws/.git/config", "[remote \"origin\"]\n  url = https://example.org/x.git\n");
    home.good(&["sync", "--to", "codex"]);
    assert!(home.tree.path("ws/.agents/skills/weather/SKILL.md").is_file());
    let info = home.json(&["info", "weather", "--json"]);
    assert_eq!(info["filePath"], "[ROOT]/.prowess/skills/weather/SKILL.md", "{info}");
    let listed = home.good(&["list", "--all"]);
    insta::assert_snapshot!(listed, @"
    Skills (1/3 ready)
    Status           Skill    Description                    Source
    ✗ not supported  amiga    Does amiga. Use when asked.    workspace
    △ not trusted    notes    Does notes. Use when asked.    workspace
    ✓ ready          weather  Does weather. Use when asked.  managed

    Not loaded (1)
      shadowed [ROOT]/ws/.agents/skills/weather/SKILL.md
        it is a copy that `prowess sync` made for other programs
    ");
    // What was made of a skill that is gone goes with the next sync.
    std::fs::remove_dir_all(home.tree.path(".prowess/skills/weather")).expect("removed");
    let gone = steps(&report(&home, &["--to", "codex"], 0));
    assert!(gone.contains(&("weather".to_owned(), "remove".to_owned())), "{gone:?}");
}

#[test]
fn a_skill_that_a_program_finds_by_itself_is_not_shown_twice() {
    let home = home();
    home.skill("ws/.agents/skills/own", "own", "");
    let report = report(&home, &["--to", "codex"], 0);
    assert_eq!(report["views"][0]["native"], json!(["own"]));
    assert_eq!(files_below(&home.tree.path("ws/.agents/skills/own")), ["SKILL.md"]);
}

#[test]
fn a_folder_that_several_read_is_filled_once() {
    let home = home();
    let report = report(&home, &["--to", "codex,amp,zed,claude-code,cursor"], 0);
    assert_eq!(texts(&report["views"], "folder"), ["[ROOT]/ws/.agents/skills", "[ROOT]/ws/.claude/skills"]);
    assert_eq!(report["twice"], json!([{ "harness": "cursor", "folder": "[ROOT]/ws/.claude/skills" }]));
}

#[test]
fn what_a_program_will_ignore_is_told() {
    let home = home();
    home.skill("ws/skills/notes", "notes", "allowed-tools: Read\ndisable-model-invocation: true\n");
    let text = home.good(&["sync", "--to", "codex,kiro"]);
    for line in [
        "note codex ignores the field `allowed-tools`: notes",
        "note codex ignores the field `license`: weather",
        "note codex offers it to the model, although it is meant for people only: notes",
        "note kiro offers it to the model, although it is meant for people only: notes",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[cfg(unix)]
#[test]
fn planted_links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let home = home();
    std::fs::create_dir_all(home.tree.path("outside")).expect("a folder");
    symlink(home.tree.path("outside"), home.tree.path("ws/.kiro")).expect("a link");
    std::fs::create_dir_all(home.tree.path("ws/.roo/skills")).expect("a folder");
    symlink(home.tree.path("outside"), home.tree.path("ws/.roo/skills/notes")).expect("a link");
    let ran = home.run(&["sync", "--to", "kiro,roo"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    insta::assert_snapshot!(ran.stdout, @"
    [ROOT]/ws/.roo/skills (roo)
      ! notes something else has its name
      + weather
    [ROOT]/outside/skills (kiro)
      error `[ROOT]/outside/skills` leads out of the workspace through a link
    1 added, 0 updated, 0 removed, 1 unchanged
    ");
    assert_eq!(files_below(&home.tree.path("outside")), Vec::<String>::new());
}

#[test]
fn rules_of_cursor_and_agents_md() {
    let home = home();
    home.skill("ws/skills/notes", "notes", "paths: [\"**/*.md\"]\n");
    home.tree.write("ws/AGENTS.md", "# Ours\n");
    home.good(&["sync", "--to", "cursor-rules,agents-md"]);
    insta::assert_snapshot!(contents(&home.tree.path("ws/.cursor/rules"))["notes.mdc"], @"
    ---
    description: Does notes. Use when asked.
    globs: **/*.md
    alwaysApply: false
    ---
    # notes

    Body.
    ");
    let agents = std::fs::read_to_string(home.tree.path("ws/AGENTS.md")).expect("a file");
    assert!(agents.starts_with("# Ours\n\n<!-- prowess:skills "), "{agents}");
    assert!(
        agents.contains("- **notes** (`skills/notes/SKILL.md`): Does notes. Use when asked.\n"),
        "{agents}"
    );
    home.good(&["sync", "--to", "cursor-rules,agents-md", "--check"]);
    home.good(&["sync", "--remove"]);
    assert_eq!(std::fs::read_to_string(home.tree.path("ws/AGENTS.md")).expect("a file"), "# Ours\n");
    assert!(!home.tree.path("ws/.cursor").exists());
}

#[test]
fn wrong_wishes() {
    let home = home();
    let ran = home.run(&["sync"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-found]: no other agent program was found on this machine
    help: name one with `--to`; `prowess sync --list` names every program that is known
    ");
    let ran = home.run(&["sync", "--to", "claud-code"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @"
    error[usage]: there is no agent program `claud-code`; did you mean `claude-code`?
    help: `prowess sync --list` names every program that is known
    ");
    assert_eq!(home.run(&["sync", "--copy", "--link"]).code, 2);
    assert_eq!(home.run(&["sync", "--check", "--remove"]).code, 2);
}

/// Names of version 0.1 for `--with` are accepted, and the id is shown.
#[test]
fn an_alias_means_the_same_program() {
    let home = home();
    let shown = home.good(&["sync", "--to", "claude", "--dry-run"]);
    insta::assert_snapshot!(shown, @"
    [ROOT]/ws/.claude/skills (claude-code)
      + notes is missing
      + weather is missing
    would be: 2 added, 0 updated, 0 removed
    ");
    assert_eq!(home.good(&["sync", "--to", "claude-code", "--dry-run"]), shown);
}

/// The page for users has the table that the program has.
#[test]
fn the_page_has_every_program() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/harnesses.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let home = Home::new();
    let listed = home.json(&["sync", "--list", "--json"]);
    let quoted = |list: &Value| -> String {
        let places = list.as_array().expect("places").iter();
        let places: Vec<String> =
            places.map(|place| format!("`{}`", place.as_str().expect("a text"))).collect();
        if places.is_empty() { "–".to_owned() } else { places.join(" ") }
    };
    for harness in listed["harnesses"].as_array().expect("a list") {
        let text = |key: &str| harness[key].as_str().expect("a text").to_owned();
        let gets = if harness["links"] == json!(true) { "links" } else { "copies" };
        let (project, user) = (quoted(&harness["project"]), quoted(&harness["user"]));
        let row = format!("| {} | `{}` | {project} | {user} | {gets} |", text("name"), text("id"));
        assert!(page.contains(&row), "{row}");
    }
    assert!(home.good(&["sync", "--list"]).contains("claude-code"));
}

/// A kill at any moment leaves whole files and nothing that the next sync does not know.
#[cfg(unix)]
#[test]
fn a_kill_at_any_moment_is_made_good() {
    const FILES: usize = 40;
    let home = home();
    let content = |round: usize| format!("round {round}\n").repeat(1_000);
    for round in 0..8 {
        for number in 0..FILES {
            home.tree.write(&format!("ws/skills/notes/data/{number}.txt"), content(round));
        }
        let mut child = home
            .process()
            .args(["sync", "--to", "kiro"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        // Another moment each time: where a kill falls is what is tested.
        std::thread::sleep(std::time::Duration::from_millis(9 * round as u64));
        child.kill().expect("killed");
        child.wait().expect("it ends");
        for number in 0..FILES {
            let copy = home.tree.path(&format!("ws/.kiro/skills/notes/data/{number}.txt"));
            if let Ok(text) = std::fs::read_to_string(copy) {
                assert!((0..=round).any(|round| text == content(round)), "file {number} is torn");
            }
        }
    }
    report(&home, &["--to", "kiro"], 0);
    report(&home, &["--to", "kiro", "--check"], 0);
    report(&home, &["--remove"], 0);
    assert!(!home.tree.path("ws/.kiro").exists());
}
