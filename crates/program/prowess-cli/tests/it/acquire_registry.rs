//! Installing from a registry that is in good health, and from one that is not.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use prowess_testkit::web::{Answer, Fault};
use serde_json::{Value, json};

use crate::acquire_support::Shop;
use crate::support::{Home, Program as _, files_below};

fn lock(home: &Home, place: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(home.tree.path(place)).unwrap()).unwrap()
}

#[test]
fn from_the_registry_to_the_prompt() {
    let (shop, home) = (Shop::open(), Home::new());
    let text = shop.good(&home, &["install", "weather", "--yes"]);
    assert!(text.contains("installed weather 1.0.0") && text.contains("by @ada"), "{text}");
    assert!(home.good(&["prompt"]).contains("weather"));
    shop.publish("1.1.0", "One.\n\nTwo.\n\nThree and four.");
    let outdated = shop.run(&home, &["outdated", "--json"]);
    let answer: Value = serde_json::from_str(&outdated.stdout).unwrap();
    assert_eq!((outdated.code, &answer["skills"][0]["freshness"]), (1, &json!("outdated")));
    assert_eq!(answer["skills"][0]["latest"], "1.1.0");
    let text = shop.good(&home, &["update", "weather", "--yes"]);
    assert!(text.contains("1.0.0 → 1.1.0"), "{text}");
    assert_eq!(shop.good(&home, &["update", "--all", "--yes"]), "weather: up to date\n");
    shop.good(&home, &["update", "weather", "--version", "1.0.0", "--yes"]);
    assert_eq!(lock(&home, "ws/.prowess/lock.json")["skills"]["weather"]["version"], "1.0.0");
    assert!(shop.run(&home, &["diff", "weather"]).stdout.contains("+Three and four."));
    assert_eq!(shop.run(&home, &["diff", "weather", "--version", "old"]).code, 0);
}

#[test]
fn a_folder_that_is_there_is_an_error_before_any_question() {
    let (shop, home) = (Shop::open(), Home::new());
    home.skill("ws/skills/weather", "weather", "");
    let ran = shop.run(&home, &["install", "weather", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("already exists"), "{}", ran.stderr);
    assert!(shop.web.requests().is_empty());
    shop.good(&home, &["install", "weather", "--yes", "--force"]);
    assert!(home.good(&["restore"]).contains("weather"), "what was there is kept");
}

#[test]
fn an_owner_has_a_folder() {
    let (shop, home) = (Shop::open(), Home::new());
    shop.good(&home, &["install", "@ada/weather@old", "--yes"]);
    assert!(home.tree.path("ws/skills/@ada/weather/SKILL.md").exists());
    insta::assert_snapshot!(home.good(&["list"]), @"
    Skills (1/1 ready)
    Status   Skill    Description                    Source
    ✓ ready  weather  Does weather. Use when asked.  workspace
    ");
    assert_eq!(home.run(&["verify", "weather"]).code, 0);
    home.good(&["uninstall", "@ada/weather", "--yes"]);
    assert!(!home.tree.path("ws/skills/@ada").exists());
}

#[test]
fn what_the_registry_thinks_counts() {
    let (shop, home) = (Shop::open(), Home::new());
    shop.moderate(true, false);
    let ran = shop.run(&home, &["install", "weather", "--yes"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[not-agreed]: `weather` has warnings and was not confirmed: the registry calls it suspicious: phones home
    help: review the warnings; `--force` installs it anyway
    ");
    assert!(!home.tree.path("ws/skills").exists());
    shop.good(&home, &["install", "weather", "--yes", "--force"]);
    shop.moderate(false, true);
    shop.publish("2.0.0", "New.");
    let ran = shop.run(&home, &["update", "weather", "--yes", "--force"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: `@ada/weather` is blocked as malware by the registry: phones home
    help: if it is installed, remove it with `prowess uninstall`
    ");
    let outdated = shop.run(&home, &["outdated"]);
    assert_eq!(outdated.code, 1);
    insta::assert_snapshot!(outdated.stdout, @"
    Skill    Installed  Source has  State          Note
    weather  1.0.0      2.0.0       malicious now  phones home
    ");
    let other = Home::new();
    assert_eq!(shop.run(&other, &["install", "weather", "--yes", "--force"]).code, 1);
    assert_eq!(files_below(&other.tree.path("ws")), Vec::<String>::new());
}

#[test]
fn openclaw_finds_what_its_own_client_would_have_written() {
    let (shop, home) = (Shop::open(), Home::new());
    let ws = ".openclaw/workspace";
    let run = |args: &[&str]| shop.good(&home, &[&["--profile", "openclaw"], args].concat());
    run(&["install", "weather", "--yes"]);
    let entry = lock(&home, &format!("{ws}/.clawhub/lock.json"))["skills"]["weather"].clone();
    assert_eq!((&entry["version"], &entry["ownerHandle"]), (&json!("1.0.0"), &json!("ada")));
    let origin = lock(&home, &format!("{ws}/skills/weather/.clawhub/origin.json"));
    assert_eq!((&origin["slug"], &origin["installedVersion"]), (&json!("weather"), &json!("1.0.0")));
    assert_eq!(origin["fingerprint"].as_str().map(str::len), Some(64));
    let status: Value = serde_json::from_str(&run(&["status", "--json"])).unwrap();
    let skill = status["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "weather").unwrap();
    assert_eq!(skill["clawhub"]["valid"], true);
    run(&["verify"]);
    run(&["pin", "weather", "--reason", "tested"]);
    assert_eq!(lock(&home, &format!("{ws}/.clawhub/lock.json"))["skills"]["weather"]["pinReason"], "tested");
    run(&["unpin", "weather"]);
    shop.publish("1.1.0", "New.");
    run(&["update", "weather", "--yes"]);
    let after = lock(&home, &format!("{ws}/.clawhub/lock.json"))["skills"]["weather"].clone();
    assert_eq!((&after["version"], &after["installedAt"]), (&json!("1.1.0"), &entry["installedAt"]));
    let origin = lock(&home, &format!("{ws}/skills/weather/.clawhub/origin.json"));
    assert_eq!(
        (&origin["installedVersion"], &origin["installedAt"]),
        (&json!("1.1.0"), &entry["installedAt"])
    );
    run(&["uninstall", "weather", "--yes"]);
    assert_eq!(lock(&home, &format!("{ws}/.clawhub/lock.json"))["skills"], json!({}));
}

#[test]
fn a_registry_in_bad_health_leaves_nothing_behind() {
    let shop = Shop::open();
    let archive = shop.archive("1.0.0");
    let lie = json!({
        "version": {"version": "1.0.0", "createdAt": 1, "changelog": "", "files": [
            {"path": "SKILL.md", "size": 1, "sha256": "0".repeat(64), "contentType": "text/markdown"},
        ]},
        "skill": {"slug": "weather", "displayName": "Weather"},
    });
    let pause = Duration::from_millis(20);
    let faults: [(&str, &str, Answer, i32); 12] = [
        ("dies", "/download", Answer::ok(archive.clone()).with(Fault::DieAfter(60)), 3),
        ("hangs up", "/download", Answer::ok("").with(Fault::HangUp), 3),
        ("truncates", "/download", Answer::ok(archive[..archive.len() / 2].to_vec()), 1),
        ("claims more", "/download", Answer::ok(archive.clone()).claiming(archive.len() + 9), 3),
        ("lies about a file", "/versions/", Answer::ok(lie.to_string()), 1),
        ("is no archive", "/download", Answer::ok("<html>hello</html>"), 1),
        ("leads inside", "/download", Answer::redirect(302, "http://10.0.0.1/weather.zip"), 1),
        ("is busy", "/api/v1/skills/weather", Answer::status(429, "Slow down").header("retry-after", "0"), 3),
        ("is broken", "/download", Answer::status(500, "Oops"), 3),
        ("has nothing", "/api/v1/skills/weather", Answer::status(404, "Skill not found"), 1),
        ("talks rubbish", "/api/v1/skills/weather", Answer::ok("[]"), 3),
        ("removed it", "/download", Answer::status(410, "Removed by a moderator"), 1),
    ];
    let home = Home::new();
    for (what, part, answer, code) in faults {
        shop.no_faults();
        shop.fault(part, answer);
        let ran = shop.run(&home, &["install", "weather", "--yes"]);
        assert_eq!(ran.code, code, "{what}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("error["), "{what}: {}", ran.stderr);
        assert_eq!(files_below(&home.tree.path("ws")), Vec::<String>::new(), "{what}");
    }
    shop.no_faults();
    shop.fault("/download", Answer::ok(archive).with(Fault::Drip(64, pause)));
    shop.good(&home, &["install", "weather", "--yes"]);
    assert_eq!(home.run(&["verify"]).code, 0, "slow is no fault");

    // What is installed stays as it is when an update fails.
    let before = files_below(&home.tree.path("ws/skills"));
    shop.no_faults();
    shop.publish("1.1.0", "New.");
    shop.fault("/download", Answer::status(500, "Oops"));
    assert_eq!(shop.run(&home, &["update", "weather", "--yes"]).code, 3);
    assert_eq!((files_below(&home.tree.path("ws/skills")), home.run(&["verify"]).code), (before, 0));
}

#[test]
fn an_interrupted_install_says_that_nothing_was_changed() {
    let home = Home::new();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let registry = format!("http://{}", silent.local_addr().unwrap());
    let mut command = home.process();
    command.args(["install", "weather", "--yes", "--json", "--registry", &registry]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It has asked, and waits for an answer that never comes.
    let _asked = silent.accept().unwrap();
    assert!(Command::new("/bin/kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["error"]["message"], "interrupted; nothing was changed");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error[interrupted]: interrupted; nothing was changed\nhelp: run it again; steps that had not started changed nothing\n"
    );
    assert_eq!(files_below(&home.tree.path("ws")), Vec::<String>::new());
}

#[test]
fn a_lock_cannot_send_anybody_into_the_own_network() {
    let (shop, home) = (Shop::open(), Home::new());
    shop.good(&home, &["install", "weather", "--yes"]);
    let asked = shop.web.requests().len();
    let ran = home.run(&["update", "weather", "--yes"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(prowess_testkit::stable::text(&ran.stderr), @"
    error[refused]: the lock names `http://[ADDRESS]`, which is not a public address and was not named by you
    help: if it is yours, name it: `--registry URL`
    ");
    assert_eq!(shop.web.requests().len(), asked);
    let named = home.run(&["update", "weather", "--yes", "--registry", &shop.web.url("")]);
    assert_eq!((named.code, named.stdout.as_str()), (0, "weather: up to date\n"), "{}", named.stderr);
}

#[test]
fn a_token_is_in_no_output_and_no_file() {
    const TOKEN: &str = "clh_very-secret-token";
    let (shop, home) = (Shop::open(), Home::new());
    let run = |args: &[&str]| {
        let mut command = home.command();
        command.env("CLAWHUB_REGISTRY", shop.web.url("")).env("CLAWHUB_TOKEN", TOKEN).args(args);
        let ran = home.finish(&mut command);
        assert!(!ran.stdout.contains(TOKEN) && !ran.stderr.contains(TOKEN), "{args:?}");
    };
    run(&["install", "weather", "--yes", "--json"]);
    run(&["update", "weather", "--yes", "--force"]);
    shop.fault("/api/v1", Answer::status(401, "Unauthorized"));
    run(&["outdated"]);
    run(&["install", "weather", "--yes", "--force"]);
    for file in files_below(home.tree.root()) {
        let bytes = fs::read(home.tree.path(&file)).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains(TOKEN), "{file}");
    }
}

#[test]
fn addresses_and_repositories_that_the_user_writes_are_asked() {
    let (shop, home) = (Shop::open(), Home::new());
    let archive = shop.archive("1.0.0");
    shop.fault("/files/weather.zip", Answer::ok(archive));
    home.good(&["install", &shop.web.url("/files/weather.zip"), "--yes"]);
    assert_eq!(home.run(&["verify"]).code, 0);
    let wrong = format!("{}#sha256={}", shop.web.url("/files/weather.zip"), "0".repeat(64));
    let ran = home.run(&["install", &wrong, "--yes", "--force"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(prowess_testkit::stable::text(&ran.stderr), @"
    error[not-found]: checksum mismatch of `http://[ADDRESS]/files/weather.zip`: expected [HEX], got [HEX]
    help: check the spelling; `prowess list --all` lists every skill
    ");
}
