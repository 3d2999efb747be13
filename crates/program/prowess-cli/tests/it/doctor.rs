//! `prowess doctor`: one broken home per check.

use serde_json::{Value, json};

use crate::registry_client::{TOKEN, json_answer, registry, route};
use crate::support::{Home, Program as _, Ran, texts};

#[test]
fn all_is_well() {
    let home = Home::new();
    home.skill("ws/skills/one", "one", "");
    let program = std::path::PathBuf::from(assert_cmd::cargo::cargo_bin!("prowess"));
    home.tree.lay("bin/prowess", &json!({ "symlink": program }));
    insta::assert_snapshot!(home.good(&["doctor"]), @"
    Notes
    ✓ config/file: `[ROOT]/.prowess/prowess.json` does not exist; defaults are used
    ✓ bundled/found: `[ROOT]/bundled`, named by the environment
    ✓ skills/ready: 1 of 1 skills are ready
    No problems found (3 notes).
    ");
    let findings = home.json(&["doctor", "--json"]);
    assert_eq!(texts(&findings["findings"], "check"), ["config", "bundled", "skills"]);
    assert!(texts(&findings["findings"], "severity").iter().all(|severity| *severity == "note"));
    assert!(!home.tree.path(".prowess").exists(), "looking makes nothing");
}

#[test]
fn every_problem_has_its_cure() {
    let home = Home::full();
    home.config("{skills: {lod: {}, entries: {weather: {apiKey: 'k'}}}}");
    home.set_mode(".prowess/prowess.json", 0o644);
    home.tree.write("ws/.prowess/config.json", "{skills: {load: {extraDirs: ['/']}}}");
    let mut command = home.command();
    command.env("PATH", "relative/folder").env("PROWESS_BUNDLED_SKILLS_DIR", home.tree.path("nowhere"));
    let ran = home.finish(command.args(["doctor", "--check", "config,secrets,path/relative,bundled,skills"]));
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @"
    Warnings
    △ config/unknown-key: [ROOT]/.prowess/prowess.json:1:11: unknown key `skills.lod` (did you mean `skills.load`?)
        `prowess config keys` lists every key
    △ config/ignored-key: [ROOT]/ws/.prowess/config.json:1:11: `skills.load` is ignored in a project's config (only `skills.modes` and `skills.bundles` count here)
        set it in your own config if you want it
    △ path/relative: `PATH` has the relative folder `relative/folder`
        what counts as installed then depends on the current folder
    △ bundled/missing: the bundled folder `[ROOT]/nowhere` does not exist
        correct the variable or flag that names it
    △ skills/invalid: `[ROOT]/ws/skills/broken/SKILL.md`: the skill has no `description`
        run `prowess validate` on it
    △ secrets/readable: `[ROOT]/.prowess/prowess.json` contains keys, and other users can read it
        chmod 600 [ROOT]/.prowess/prowess.json
    Notes
    ✓ skills/ready: 3 of 5 skills are ready
    · skills/needs: `github` lacks the program `gh`, `git`, the variable `GH_KEY`
        `prowess deps github`, `prowess secret set github --env GH_KEY`
    · secrets/plain: `[ROOT]/.prowess/prowess.json` contains `skills.entries.weather.apiKey` as plain text
        `prowess secret set weather --keyring` keeps it in the system's keyring
    0 errors, 6 warnings, 3 notes. `prowess doctor --fix` can fix 1.
    ");
}

#[test]
fn a_config_that_cannot_be_read_is_an_error() {
    let home = Home::full();
    home.config("{ skills: ");
    let ran = home.run(&["doctor", "--json"]);
    assert_eq!(ran.code, 3);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["findings"][0]["severity"], json!("error"));
    assert_eq!(answer["findings"][0]["id"], json!("config/unreadable"));
}

/// A home with one thing in it that a check is about.
struct Case {
    id: &'static str,
    /// What the finding is about, as a part of its message.
    about: &'static str,
    prepare: fn(&Home),
    /// Variables of the environment; `$ROOT` is the home.
    env: &'static [(&'static str, &'static str)],
    args: &'static [&'static str],
}

const fn case(id: &'static str, about: &'static str, prepare: fn(&Home)) -> Case {
    Case { id, about, prepare, env: &[], args: &[] }
}

fn nothing(_home: &Home) {}

const CASES: &[Case] = &[
    case("config/file", "prowess.json", nothing),
    case("config/unreadable", "prowess.json", |home| home.config("{ skills: ")),
    case("config/wrong-type", "`skills.load.watch`", |home| {
        home.config("{skills: {load: {watch: 'maybe'}}}");
    }),
    case("config/unknown-key", "`skils`", |home| home.config("{skils: {}}")),
    Case {
        args: &["--profile", "openclaw"],
        ..case("config/foreign-key", "`skills.modes", |home| {
            home.tree.write(".openclaw/openclaw.json", "{skills: {modes: {one: 'pinned'}}}");
        })
    },
    case("config/ignored-key", "`skills.load`", |home| {
        home.tree.write("ws/.prowess/config.json", "{skills: {load: {watch: false}}}");
    }),
    case("config/overridden", "`skills.modes.one`", |home| {
        home.config("{skills: {modes: {one: 'pinned', two: 'manual'}}}");
        home.tree.write("ws/.prowess/config.json", "{skills: {modes: {one: 'manual', two: 'manual'}}}");
    }),
    case("config/unknown-skill", "`nobody`", |home| {
        home.config("{agents: {entries: {main: {skills: ['one', 'nobody']}}}}");
    }),
    case("config/agent-without-skills", "`main`", |home| {
        home.config("{agents: {entries: {main: {skills: ['nobody']}}}}");
    }),
    case("gateway/bind", "`somewhere`", |home| home.config("{gateway: {bind: 'somewhere'}}")),
    case("gateway/open", "0.0.0.0", |home| home.config("{gateway: {bind: 'lan'}}")),
    case("gateway/short-token", "16", |home| home.config("{gateway: {auth: {token: 'hunter2'}}}")),
    case("gateway/token", "NO_SUCH_TOKEN", |home| {
        home.config("{gateway: {auth: {token: {source: 'env', provider: 'default', id: 'NO_SUCH_TOKEN'}}}}");
    }),
    case("home/not-a-folder", ".prowess`", |home| _ = home.tree.write(".prowess", "a file")),
    case("permissions/writable", "trust.json`", |home| {
        home.tree.write(".prowess/trust.json", "{}");
        home.set_mode(".prowess/trust.json", 0o666);
    }),
    Case { env: &[("PATH", "")], ..case("path/empty", "PATH", nothing) },
    Case { env: &[("PATH", "here:/usr/bin")], ..case("path/relative", "`here`", nothing) },
    Case { env: &[("PATH", "$ROOT/gone")], ..case("path/missing", "[ROOT]/gone", nothing) },
    case("path/writable", "[ROOT]/bin", |home| home.set_mode("bin", 0o777)),
    case("path/self", "prowess", nothing),
    case("path/shadowed", "[ROOT]/bin/prowess", |home| _ = home.tree.write_program("bin/prowess")),
    case("path/elsewhere", "[ROOT]/.local/bin/zap", |home| {
        home.skill("ws/skills/zap", "zap", "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"zap\"]}}}\n");
        home.tree.write_program(".local/bin/zap");
    }),
    case("bundled/found", "[ROOT]/bundled", nothing),
    Case {
        env: &[("PROWESS_BUNDLED_SKILLS_DIR", "$ROOT/gone")],
        ..case("bundled/missing", "[ROOT]/gone", nothing)
    },
    case("skills/ready", "1 of 1", nothing),
    case("skills/invalid", "skills/broken/", |home| {
        home.tree.write("ws/skills/broken/SKILL.md", "---\nname: broken\n---\n");
    }),
    case("skills/no-file", "skills/notes`", |home| _ = home.tree.write("ws/skills/notes/notes.txt", "x")),
    case("skills/unreadable", "skills/odd", |home| {
        std::fs::create_dir_all(home.tree.path("ws/skills/odd/SKILL.md/x")).unwrap();
    }),
    case("skills/broken-link", "skills/gone", |home| {
        home.tree.lay("ws/skills/gone", &json!({ "symlink": "$ROOT/nowhere" }));
    }),
    case("skills/outside", "skills/away", |home| {
        home.skill("elsewhere/away", "away", "");
        home.tree.lay("ws/skills/away", &json!({ "symlink": "$ROOT/elsewhere/away" }));
    }),
    case("skills/unlisted", "1 of 2 skills", |home| {
        home.skill("ws/skills/two", "two", "");
        home.config("{skills: {limits: {maxSkillsInPrompt: 1}, prompt: {select: 'all'}}}");
    }),
    case("skills/chosen", "each message chooses from all skills", |home| {
        home.skill("ws/skills/two", "two", "");
        home.config("{skills: {limits: {maxSkillsInPrompt: 1}}}");
    }),
    case("skills/limit", "skills/one", |home| home.config("{skills: {limits: {maxSkillFileBytes: 20}}}")),
    case("skills/plugin", "plugins/odd", |home| {
        home.tree.write(".prowess/plugins/odd/prowess.plugin.json", "{ no json");
    }),
    case("skills/shadowed", "bundled/one/SKILL.md", |home| {
        home.skill("bundled/one", "one", "license: MIT\n");
    }),
    case("skills/name", "`other`", |home| home.skill("ws/skills/two", "other", "")),
    case("skills/needs", "`NO_SUCH_KEY`", |home| {
        home.skill(
            "ws/skills/zap",
            "zap",
            "metadata: {\"prowess\":{\"requires\":{\"env\":[\"NO_SUCH_KEY\"]}}}\n",
        );
    }),
    case("skills/untrusted", "`one`", |home| {
        home.tree.write("ws/.git/config", "[remote \"origin\"]\n\turl = https://example.org/team/repo.git\n");
    }),
    case("secrets/readable", "prowess.json`", |home| {
        home.config("{skills: {entries: {one: {apiKey: 'hunter2'}}}}");
        home.set_mode(".prowess/prowess.json", 0o644);
    }),
    case("secrets/plain", "`skills.entries.one.env.ONE_KEY`", |home| {
        home.config("{skills: {entries: {one: {env: {ONE_KEY: 'hunter2'}}}}}");
        home.set_mode(".prowess/prowess.json", 0o600);
    }),
    case("secrets/workspace", "`skills.entries.one.apiKey`", |home| {
        home.tree.write("ws/.prowess/config.json", "{skills: {entries: {one: {apiKey: 'hunter2'}}}}");
    }),
    case("secrets/skill", "in line 7", |home| {
        let key = ["ghp", "_hunter2hunter2hunter2hunter2hunter2"].concat();
        home.tree.write(
            "ws/skills/two/SKILL.md",
            format!("---\nname: two\ndescription: Does two.\n---\n# Two\n\nUse {key}.\n"),
        );
    }),
    case("secrets/env-file", "`ONE_TOKEN`", |home| {
        _ = home.tree.write("ws/.env", "LANG=C\nONE_TOKEN=hunter2\n");
    }),
    case("locks/abandoned", "process 4194303", |home| {
        _ = home.tree.write(".prowess/trust.json.lock", "4194303\n");
    }),
    case("leftovers/temporary", ".prowess-old.tmp", |home| home.leftover(".prowess/.prowess-old.tmp")),
    case("install/interrupted", "[ROOT]/ws/skills", |home| {
        home.tree.write("ws/skills/.prowess-staging/new/SKILL.md", "half");
    }),
    case("install/lock", "lock.json", |home| _ = home.tree.write(".prowess/lock.json", "{ no lock")),
    case("trash/kept", "1 removed", |home| {
        home.good(&["install", "./skills/one", "--global", "--yes", "--json"]);
        home.good(&["uninstall", "one", "--global", "--yes", "--json"]);
    }),
    case("cache/damaged", "cache/skills/00.bin", |home| {
        home.tree.write(".prowess/cache/skills/00.bin", "damaged");
        home.tree.write(".prowess/cache/vectors/x/00.vec", "damaged");
    }),
    case("cortex/export", "cortex.json", |home| _ = home.tree.write(".prowess/cortex.json", "{ no cortex")),
    case("cortex/log", "state.db", |home| {
        _ = home.tree.write(".prowess/state.db", "no database".repeat(100));
    }),
    case("cortex/task", "`todo`", |home| {
        let note =
            json!({ "slug": "todo", "folder": "todo", "workspace": home.tree.path("ws"), "installedAt": 1 });
        home.tree.write(".prowess/cortex-tasks/01.json", note.to_string());
    }),
    case("sessions/damaged", "`s1`", |home| {
        home.tree.write(".prowess/sessions/s1/trace.jsonl", "no line of ours\n");
    }),
    case("hooks/program", "/gone/prowess", |home| {
        let command = json!({ "type": "command", "command": "/gone/prowess hook run claude-code" });
        let settings = json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [command] }] } });
        home.tree.write(".claude/settings.json", settings.to_string());
    }),
    case("hooks/file", "settings.json", |home| _ = home.tree.write(".claude/settings.json", "{ no settings")),
    case("hooks/problems", "1 problem", |home| {
        let problem = json!({ "at": 1, "harness": "codex", "problem": "it was slow" });
        home.tree.write(".prowess/hooks/problems.jsonl", format!("{problem}\n"));
    }),
    case("sync/drift", ".claude/skills", |home| {
        std::fs::create_dir_all(home.tree.path(".claude")).unwrap();
        home.good(&["sync", "--to", "claude-code", "--json"]);
        home.skill("ws/skills/late", "late", "");
    }),
    case("harness/found", "Claude Code", |home| std::fs::create_dir_all(home.tree.path(".claude")).unwrap()),
    Case {
        env: &[("CLAWHUB_CONFIG_PATH", "$ROOT/login.json")],
        ..case("registry/login", "login.json", |home| _ = home.tree.write("login.json", "[]"))
    },
];

/// Checks that no home of a test can fail in the same way everywhere; they are tested beside their code, or below.
const ELSEWHERE: [&str; 11] = [
    "bundled/none",
    "bundled/unpack",
    "gateway/running",
    "home/full",
    "home/not-writable",
    "home/read-only",
    "locks/held",
    "permissions/owner",
    "registry/reached",
    "registry/refused",
    "registry/unreachable",
];

impl Case {
    fn run(&self, home: &Home, args: &[&str]) -> Ran {
        let mut command = home.command();
        for (name, value) in self.env {
            command.env(name, home.tree.expand(value));
        }
        home.finish(command.args(self.args).arg("doctor").args(args))
    }

    fn home(&self) -> Home {
        let home = Home::new();
        home.skill("ws/skills/one", "one", "");
        (self.prepare)(&home);
        home
    }
}

fn findings(ran: &Ran) -> Vec<Value> {
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("no JSON: {ran:?}"));
    answer["findings"].as_array().expect("a list").clone()
}

#[test]
fn every_check_finds_what_it_is_about() {
    for case in CASES {
        let home = case.home();
        let ran = case.run(&home, &["--json", "--check", case.id]);
        let found = findings(&ran);
        let is_it = |finding: &&Value| finding["message"].as_str().unwrap().contains(case.about);
        assert!(found.iter().any(|finding| is_it(&finding)), "{}: {ran:#?}", case.id);
        assert!(found.iter().all(|finding| finding["id"] == case.id), "{}: {found:#?}", case.id);
        let is_problem = found[0]["severity"] != "note";
        assert_eq!(ran.code != 0, is_problem, "{}: {ran:#?}", case.id);
        let told = case.run(&home, &["--check", case.id]).stdout;
        assert!(told.contains(case.id) && told.contains(case.about), "{}: {told}", case.id);
        assert!(!(ran.stdout + &ran.stderr + &told).contains("hunter2"), "{}", case.id);
    }
}

#[test]
fn every_check_is_tried_and_documented() {
    let list = Home::new().json(&["doctor", "--list", "--json"]);
    let mut tried: Vec<&str> = CASES.iter().map(|case| case.id).chain(ELSEWHERE).collect();
    tried.sort_unstable();
    let mut known = texts(&list["checks"], "id");
    known.sort_unstable();
    assert_eq!(known, tried);
    let page = include_str!("../../../../../docs/doctor.md");
    for check in list["checks"].as_array().unwrap() {
        let text = |key: &str| check[key].as_str().unwrap();
        let fix = if check["fixable"] == true { "yes" } else { "" };
        let row = format!(
            "| `{}` | {} | {} | {} | {fix} |",
            text("id"),
            text("severity"),
            text("cause"),
            text("remedy")
        );
        assert!(page.contains(&row), "docs/doctor.md lacks\n{row}");
    }
}

#[test]
fn a_check_that_nobody_knows_is_refused() {
    let ran = Home::new().run(&["doctor", "--check", "path,nonsense"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("there is no check `nonsense`"), "{}", ran.stderr);
    assert_eq!(Home::new().run(&["doctor", "--yes"]).code, 2);
}

#[test]
fn a_lock_that_is_held_and_a_gateway_that_serves_are_told() {
    let home = Home::new();
    let env = [("HOME".to_owned(), home.tree.root().display().to_string())];
    let env = prowess_config::Env::new(env, home.tree.path("ws"));
    let engine = prowess::Engine::open(prowess::EngineOptions { env, ..Default::default() }).unwrap();
    let claim = engine.claim_gateway().unwrap();
    claim.announce("http://127.0.0.1:18789").unwrap();
    let found = findings(&home.run(&["doctor", "--json", "--check", "locks,gateway"]));
    let mut ids: Vec<&str> = found.iter().map(|finding| finding["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["gateway/running", "locks/held"]);
    drop(claim);
    assert!(findings(&home.run(&["doctor", "--json", "--check", "locks,gateway"])).is_empty());
}

#[test]
fn only_a_registry_that_was_named_is_asked() {
    let web = registry(|request| match route(request).as_str() {
        "GET whoami" if request.header("authorization") != Some("Bearer good") => {
            Some(prowess_testkit::web::Answer::status(401, "who are you?"))
        }
        "GET whoami" => Some(json_answer(&json!({ "user": { "handle": "ann" } }))),
        _ => None,
    });
    let home = Home::new();
    let ask = |vars: &[(&str, &str)], args: &[&str]| {
        let mut command = home.command();
        command.args(["doctor", "--json", "--check", "registry"]).args(args).envs(vars.iter().copied());
        let ran = home.finish(&mut command);
        assert!(!(ran.stdout.clone() + &ran.stderr).contains(TOKEN), "{ran:?}");
        let found = findings(&ran);
        found.first().map(|finding| finding["id"].as_str().unwrap().to_owned())
    };
    let url = web.url("");
    assert_eq!(ask(&[], &[]), None);
    assert_eq!(ask(&[("PROWESS_REGISTRY", &url)], &["--offline"]), None);
    assert_eq!(web.requests().len(), 0);
    assert_eq!(ask(&[("PROWESS_REGISTRY", &url)], &[]).as_deref(), Some("registry/reached"));
    let named = [("PROWESS_REGISTRY", url.as_str()), ("PROWESS_REGISTRY_TOKEN", TOKEN)];
    assert_eq!(ask(&named, &[]).as_deref(), Some("registry/refused"));
    let named = [("PROWESS_REGISTRY", url.as_str()), ("PROWESS_REGISTRY_TOKEN", "good")];
    assert_eq!(ask(&named, &[]).as_deref(), Some("registry/reached"));
    // Nobody listens on the port of a server that has ended.
    drop(web);
    assert_eq!(ask(&[("PROWESS_REGISTRY", &url)], &[]).as_deref(), Some("registry/unreachable"));
}
