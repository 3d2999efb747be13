//! `prowess registry login`, `logout`, `whoami`, and where the token goes.

use std::sync::atomic::{AtomicUsize, Ordering};

use prowess_testkit::web::{Answer, Web};
use serde_json::{Value, json};

use crate::registry_client::{TOKEN, cleaned, json_answer, registry, route};
use crate::support::{Home, Program as _, Ran, files_below};

const FILE: &str = ".config/clawhub/config.json";

fn login(home: &Home, web: &Web, args: &[&str], input: &str) -> Ran {
    let mut command = home.command();
    command.args(["registry", "login", "--registry", &web.url("")]).args(args).write_stdin(input);
    cleaned(home.finish(&mut command), web)
}

fn saved(home: &Home) -> Value {
    let text = std::fs::read_to_string(home.tree.path(FILE)).expect("the login");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_login_is_shared_with_the_clawhub_command() {
    let (home, web) = (Home::new(), registry(|_| None));
    home.tree.write(FILE, r#"{"registry":"https://clawhub.ai","theme":"dark"}"#);
    let ran = login(&home, &web, &["--token", "-"], &format!(" {TOKEN}\n"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout, "Logged in to [REGISTRY] as @ann.\n");
    assert_eq!(saved(&home), json!({ "registry": web.url(""), "theme": "dark", "token": TOKEN }));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(home.tree.path(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // No address is named from here on: the login says which registry is meant.
    let ran = cleaned(home.run(&["registry", "whoami"]), &web);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "@ann at [REGISTRY]\n"), "{}", ran.stderr);
    assert_eq!(cleaned(home.run(&["search", "rain"]), &web).code, 0);
    let last = web.requests().pop().unwrap();
    assert_eq!(last.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    let ran = cleaned(home.run(&["registry", "logout"]), &web);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stdout, @"Logged out of [REGISTRY]. The token is still valid; revoke it on the registry's site if others may have it.");
    assert_eq!(saved(&home), json!({ "registry": web.url(""), "theme": "dark" }));
    assert_eq!(home.good(&["registry", "logout"]), "Not logged in.\n");
    assert_eq!(home.run(&["registry", "whoami"]).code, 1);
    for file in files_below(home.tree.root()) {
        let bytes = std::fs::read(home.tree.path(&file)).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("hunter2"), "{file}");
    }
}

#[test]
fn a_token_that_does_not_work_is_not_kept() {
    let (home, web) = (Home::new(), registry(|_| None));
    let ran = login(&home, &web, &["--token", "-"], "clh_hunter2_wrong");
    assert_eq!(ran.code, 3);
    insta::assert_snapshot!(ran.stderr, @"
    error[credentials]: the registry did not accept the login: Unauthorized; log in with a token
    help: `prowess registry login` gets a new token; `prowess registry whoami` tests it
    ");
    for input in ["", " \n", "two words", "hunter2\nhunter2"] {
        let ran = login(&home, &web, &["--token", "-"], input);
        assert_eq!(ran.code, 2, "{input:?} {ran:?}");
    }
    assert!(!home.tree.path(FILE).exists());
}

#[test]
fn a_token_in_the_arguments_is_warned_of() {
    let (home, web) = (Home::new(), registry(|_| None));
    let ran = login(&home, &web, &["--token", TOKEN, "--json"], "");
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stderr, @"
    warning: every user of this machine can read the arguments of a program, and the shell remembers them
    help: `--token -` reads the token from standard input
    ");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["user"]["handle"], json!("ann"));
    assert_eq!(answer["file"], json!(format!("[ROOT]/{FILE}")));
}

#[test]
fn a_file_that_is_no_login_is_not_touched() {
    let (home, web) = (Home::new(), registry(|_| None));
    for text in ["not json hunter2", "[\"hunter2\"]"] {
        home.tree.write(FILE, text);
        let ran = login(&home, &web, &["--token", "-"], TOKEN);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert_eq!(std::fs::read_to_string(home.tree.path(FILE)).unwrap(), text);
        assert!(ran.stderr.contains("does not hold a login"), "{}", ran.stderr);
    }
    assert_eq!(web.requests(), []);
    // Who only reads is not kept from it.
    let mut search = home.command();
    let ran = home.finish(search.args(["search", "rain", "--registry", &web.url("")]));
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn a_code_is_confirmed_elsewhere() {
    let asked = AtomicUsize::new(0);
    let web = registry(move |request| match route(request).as_str() {
        "POST /api/cli/device/code" => Some(json_answer(&json!({
            "device_code": "device-hunter2", "user_code": "WXYZ-1234", "verification_uri": "https://hub.example/device",
            "expires_in": 60, "interval": 0,
        }))),
        "POST /api/cli/device/token" => Some(match asked.fetch_add(1, Ordering::SeqCst) {
            0 => Answer::status(400, r#"{"error":"authorization_pending"}"#),
            1 => Answer::status(400, r#"{"error":"slow_down","interval":0}"#),
            _ => {
                json_answer(&json!({ "access_token": TOKEN, "token_type": "bearer", "scope": "read write" }))
            }
        }),
        _ => None,
    });
    let home = Home::new();
    let ran = login(&home, &web, &[], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "Logged in to [REGISTRY] as @ann.\n"), "{}", ran.stderr);
    insta::assert_snapshot!(ran.stderr, @"
    Open https://hub.example/device
    and enter the code WXYZ-1234
    ");
    assert_eq!(saved(&home)["token"], json!(TOKEN));
    let requests = web.requests();
    let body = |index: usize| serde_json::from_slice::<Value>(&requests[index].body).unwrap();
    assert_eq!(body(0), json!({ "scope": "read write", "site_url": web.url(""), "label": "prowess" }));
    assert_eq!(
        body(1),
        json!({ "device_code": "device-hunter2", "grant_type": "urn:ietf:params:oauth:grant-type:device_code" })
    );
    assert_eq!(requests.len(), 5);
}

#[test]
fn a_code_that_is_not_confirmed_leads_nowhere() {
    let code = |expires: u64| json!({ "device_code": "d", "user_code": "U", "verification_uri": "https://hub.example", "expires_in": expires, "interval": 0 });
    let cases = [
        (code(60), Answer::status(400, r#"{"error":"access_denied"}"#), 1, "the login was refused"),
        (code(60), Answer::status(400, r#"{"error":"expired_token"}"#), 1, "not confirmed in time"),
        (code(0), Answer::status(400, r#"{"error":"authorization_pending"}"#), 1, "not confirmed in time"),
        (code(60), Answer::status(400, r#"{"error":"invalid_grant"}"#), 3, "answers 400"),
        (code(60), Answer::ok("{}"), 3, "did not answer like a registry"),
    ];
    for (code, answer, exit, words) in cases {
        let web = registry(move |request| match route(request).as_str() {
            "POST /api/cli/device/code" => Some(json_answer(&code)),
            "POST /api/cli/device/token" => Some(answer.clone()),
            _ => None,
        });
        let home = Home::new();
        let ran = login(&home, &web, &[], "");
        assert_eq!(ran.code, exit, "{ran:?}");
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
        assert!(!home.tree.path(FILE).exists());
    }
    let (home, web) = (Home::new(), registry(|_| None));
    let ran = login(&home, &web, &[], "");
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stderr, @"
    error[refused]: this registry does not support login by code
    help: get a token on its site, then `prowess registry login --token -`
    ");
}

#[test]
fn a_saved_token_never_goes_to_another_registry() {
    let (home, own, other) = (Home::new(), registry(|_| None), registry(|_| None));
    assert_eq!(login(&home, &own, &["--token", "-"], TOKEN).code, 0);
    let has_token = |web: &Web| {
        let requests = web.requests();
        assert!(!requests.is_empty());
        requests.iter().any(|request| format!("{request:?}").contains("hunter2"))
    };
    for variable in ["PROWESS_REGISTRY", "CLAWHUB_REGISTRY", "CLAWDHUB_REGISTRY"] {
        let mut command = home.command();
        command.env(variable, other.url("")).args(["search", "rain"]);
        assert_eq!(cleaned(home.finish(&mut command), &other).code, 0);
    }
    assert_eq!(cleaned(home.run(&["search", "rain", "--registry", &other.url("")]), &other).code, 0);
    home.config(&format!("{{ skills: {{ registry: '{}' }} }}", other.url("")));
    assert_eq!(cleaned(home.run(&["search", "rain"]), &other).code, 0);
    assert_eq!(other.requests().len(), 5);
    assert!(!has_token(&other) && has_token(&own));
    // The environment's token stays with the environment's registry.
    let mut command = home.command();
    command.env("CLAWHUB_REGISTRY", own.url("")).env("CLAWHUB_TOKEN", TOKEN);
    let ran = home.finish(command.args(["search", "rain", "--registry", &other.url("")]));
    assert_eq!(cleaned(ran, &other).code, 0);
    assert!(!has_token(&other));
}

#[test]
fn who_names_a_registry_decides() {
    let home = Home::new();
    let [argument, environment, found, config, saved] = std::array::from_fn(|_| registry(|_| None));
    let target = found.url("");
    let site = registry(move |request| {
        (request.path == "/.well-known/clawhub.json").then(|| json_answer(&json!({ "apiBase": target })))
    });
    home.tree.write(FILE, json!({ "registry": saved.url("") }).to_string());
    let search = |prepare: &dyn Fn(&mut assert_cmd::Command), args: &[&str]| {
        let mut command = home.command();
        prepare(&mut command);
        let ran = home.finish(command.args(["search", "rain"]).args(args));
        assert_eq!(ran.code, 0, "{ran:?}");
    };
    let count = |web: &Web| web.requests().len();
    search(&|_| {}, &[]);
    assert_eq!(count(&saved), 1);
    home.config(&format!("{{ skills: {{ registry: '{}' }} }}", config.url("")));
    search(&|_| {}, &[]);
    assert_eq!((count(&saved), count(&config)), (1, 1));
    search(&|_| {}, &["--site", &site.url("")]);
    assert_eq!((count(&found), count(&config)), (1, 1));
    search(&|command| _ = command.env("CLAWHUB_SITE", site.url("")), &[]);
    assert_eq!(count(&found), 2);
    search(&|command| _ = command.env("PROWESS_REGISTRY", environment.url("")), &["--site", &site.url("")]);
    assert_eq!((count(&environment), count(&found)), (1, 2));
    let both = |command: &mut assert_cmd::Command| {
        command.env("PROWESS_REGISTRY", environment.url("")).env("CLAWHUB_REGISTRY", config.url(""));
    };
    search(&both, &["--registry", &argument.url("/")]);
    assert_eq!((count(&argument), count(&environment), count(&config)), (1, 1, 1));
    search(&both, &[]);
    assert_eq!((count(&environment), count(&config)), (2, 1));
    // A repository does not get to say which registry is asked.
    home.config("{}");
    home.tree
        .write("ws/.prowess/prowess.json", format!("{{ skills: {{ registry: '{}' }} }}", argument.url("")));
    search(&|_| {}, &[]);
    assert_eq!((count(&saved), count(&argument)), (2, 1));
}

#[test]
fn the_key_of_the_registry_is_not_written_where_openclaw_would_refuse_it() {
    let home = Home::new();
    let address = "https://hub.example";
    home.good(&["config", "set", "skills.registry", address]);
    assert!(home.config_text().contains(address));
    let ran = home.run(&["--profile", "openclaw", "config", "set", "skills.registry", address]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(!home.tree.path(".openclaw/openclaw.json").exists());
}
