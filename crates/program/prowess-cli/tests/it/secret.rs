//! `prowess secret`

use serde_json::json;

use crate::support::{Home, Program as _, Ran};

const NEEDS: &str = "metadata: {\"prowess\":{\"primaryEnv\":\"WEATHER_KEY\",\"requires\":{\"env\":[\"WEATHER_KEY\",\"GH_TOKEN\"]}}}\n";

fn home() -> Home {
    let home = Home::new();
    home.skill("ws/skills/weather", "weather", NEEDS);
    home.skill("ws/skills/plain", "plain", "");
    home
}

fn set(home: &Home, args: &[&str], secret: &str) -> Ran {
    let mut command = home.command();
    command.args(["secret", "set"]).args(args).write_stdin(secret);
    let ran = home.finish(&mut command);
    assert!(!ran.stdout.contains("hunter2") && !ran.stderr.contains("hunter2"), "{ran:?}");
    ran
}

#[test]
fn a_secret_is_read_from_standard_input_and_kept() {
    let home = home();
    let ran = set(&home, &["weather"], "hunter2 key\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout, "skills.entries.weather.apiKey: kept\n");
    assert!(home.config_text().contains("hunter2 key"));
    let again = set(&home, &["weather", "--json"], "hunter2 key");
    let answer: serde_json::Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!((&answer["changed"], &answer["variable"]), (&json!(false), &json!("WEATHER_KEY")));
    let ran = set(&home, &["GH_TOKEN"], "hunter2-gh");
    assert_eq!(ran.stdout, "skills.entries.weather.env.GH_TOKEN: kept\n");
    assert_eq!(
        home.good(&["secret", "unset", "GH_TOKEN"]),
        "skills.entries.weather.env.GH_TOKEN: forgotten\n"
    );
    assert_eq!(home.good(&["secret", "unset", "weather"]), "skills.entries.weather.apiKey: forgotten\n");
    assert_eq!(
        home.good(&["secret", "unset", "weather"]),
        "skills.entries.weather.apiKey: there is no stored secret\n"
    );
    assert!(!home.config_text().contains("hunter2"));
}

#[cfg(unix)]
#[test]
fn the_config_file_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = home();
    set(&home, &["weather"], "hunter2");
    let file = home.tree.path(".prowess/prowess.json");
    let mode = |file: &std::path::Path| file.metadata().expect("the config").permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o600);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("permissions");
    let ran = set(&home, &["weather"], "hunter2-other");
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stderr, @r"
    warning: others can read `[ROOT]/.prowess/prowess.json`
    help: `chmod 600` it, or keep the secret with `--keyring`
    ");
}

#[test]
fn what_cannot_be_kept_is_refused_with_a_way_out() {
    let home = home();
    let said = |args: &[&str], secret: &str| {
        let ran = set(&home, args, secret);
        assert!(ran.code == 1 || ran.code == 2 || ran.code == 3, "{ran:?}");
        ran.stderr
    };
    insta::assert_snapshot!(said(&["wether"], "hunter2"), @r"
    error[not-found]: there is no skill `wether`
    help: did you mean `weather`?
    ");
    insta::assert_snapshot!(said(&["plain"], "hunter2"), @r"
    error[usage]: `plain` does not say which variable its key is for
    help: name a variable with `--env`
    ");
    insta::assert_snapshot!(said(&["plain", "--env", "GH_TOKEN"], "hunter2"), @r"
    error[usage]: `GH_TOKEN` cannot be set for a skill: a credential: a skill must not replace the host's
    help: let the skill read its key from a variable of its own
    ");
    insta::assert_snapshot!(said(&["weather", "--env", "NODE_OPTIONS"], "hunter2"), @r"
    error[usage]: `NODE_OPTIONS` cannot be set for a skill: adds flags, modules or files to every Node/Bun/Deno process
    help: let the skill read its key from a variable of its own
    ");
    insta::assert_snapshot!(said(&["weather"], "\n"), @r"
    error[usage]: the secret is empty
    help: type it, or pipe it in: `pass show weather | prowess secret set weather`
    ");
    assert!(said(&["weather", "--keyring"], "hunter2").contains("help: leave out `--keyring`"));
    assert_eq!(home.run(&["secret", "set", "weather", "hunter2"]).code, 2, "a secret is not an argument");
}

#[test]
fn the_list_tells_where_secrets_are_and_not_what() {
    let home = home();
    home.config(
        "{skills: {entries: {
            weather: {apiKey: 'hunter2', env: {EXTRA: {source: 'env', id: 'NOWHERE'}}},
            gone: {apiKey: '${HOME}'},
        }}}",
    );
    let mut command = home.command();
    let ran = home.finish(command.args(["secret", "list"]).env("GH_TOKEN", "hunter2-outside"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stdout, @r"
    Skill    Variable       Source       State
    gone     (its API key)  env:HOME     ✓ set
    weather  EXTRA          env:NOWHERE  ✗ there is no value
    weather  WEATHER_KEY    config       ✓ set
    weather  GH_TOKEN       environment  ✓ set
    ");
    let list = home.json(&["secret", "list", "--json"]);
    assert!(!list.to_string().contains("hunter2"));
    assert_eq!(list[3]["source"], json!("none"));
    assert_eq!(home.good(&["secret", "unset", "gone"]), "skills.entries.gone.apiKey: forgotten\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_keyring_keeps_the_secret_out_of_the_config() {
    let home = home();
    let tool = "#!/bin/sh\nhere=\"${0%/*}\"\necho \"$*\" >> \"$here/arguments\"\ncase $1 in\nstore) cat > \"$here/kept\";;\nlookup) cat \"$here/kept\";;\nclear) rm \"$here/kept\";;\nesac\n";
    home.tree.lay("bin/secret-tool", &json!(tool));
    home.tree.lay("bin/secret-tool", &json!({"repeat": [tool, 1], "mode": 0o755}));
    let path = format!("{}:/usr/bin:/bin", home.tree.path("bin").display());
    let mut command = home.command();
    command.args(["secret", "set", "weather", "--keyring"]).env("PATH", &path).write_stdin("hunter2\n");
    let ran = home.finish(&mut command);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "skills.entries.weather.apiKey: kept\n"),
        "{}",
        ran.stderr
    );
    assert!(!home.config_text().contains("hunter2"), "{}", home.config_text());
    let ran = home.finish(home.command().args(["secret", "list"]).env("PATH", &path));
    insta::assert_snapshot!(ran.stdout, @"
    Skill    Variable     Source                  State
    weather  WEATHER_KEY  keyring:weather/apiKey  ✓ set
    weather  GH_TOKEN     none                    △ not set
    ");
    let arguments = std::fs::read_to_string(home.tree.path("bin/arguments")).expect("arguments");
    assert!(!arguments.contains("hunter2"), "{arguments}");
    let ran = home.finish(home.command().args(["secret", "unset", "weather"]).env("PATH", &path));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!home.tree.path("bin/kept").exists());
}
