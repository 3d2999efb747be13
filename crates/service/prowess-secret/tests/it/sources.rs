//! Secrets from where they are.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use prowess_config::{Config, Env, SecretReference};
use prowess_secret::{Keyring, SecretError, SecretSources, resolve};
use prowess_testkit::Tree;
use prowess_types::{ProfileName, Secret};

struct Home {
    tree: Tree,
    vars: Vec<(String, String)>,
}

impl Home {
    fn new() -> Self {
        Self { tree: Tree::new(), vars: vec![("A_KEY".into(), "hunter2-env".into())] }
    }

    fn file(&self, name: &str, text: &str, mode: u32) {
        let path = self.tree.write(name, text);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn env(&self) -> Env {
        Env::new(self.vars.clone(), self.tree.root())
    }

    fn ask(&self, config: &str, source: &str, provider: &str, id: &str) -> Result<String, String> {
        let config = format!("{{secrets: {{{config}}}}}");
        let (config, issues) = Config::parse(Some(&config), Path::new("/c.json"), ProfileName::Prowess);
        assert_eq!(issues, []);
        let reference = SecretReference {
            source: source.into(),
            provider: (!provider.is_empty()).then(|| provider.into()),
            id: (!id.is_empty()).then(|| id.into()),
        };
        let sources = SecretSources {
            settings: &config.secrets(),
            env: &self.env(),
            expand: &|path| self.tree.path(path),
        };
        let shown = |error: SecretError| {
            let all = format!("{error} {error:?}");
            assert!(!all.contains("hunter2"), "{all}");
            error.problem.to_string()
        };
        resolve(&reference, sources).map(|secret| secret.expose().to_owned()).map_err(shown)
    }
}

#[test]
fn a_variable() {
    let home = Home::new();
    assert_eq!(home.ask("", "env", "", "A_KEY").unwrap(), "hunter2-env");
    assert_eq!(home.ask("", "env", "default", "A_KEY").unwrap(), "hunter2-env");
    assert_eq!(home.ask("", "env", "", "B_KEY").unwrap_err(), "there is no value");
    assert!(home.ask("", "env", "", "a key").unwrap_err().contains("upper case"));
    assert!(home.ask("", "env", "", "").unwrap_err().contains("upper case"));
    assert!(home.ask("", "env", "team", "A_KEY").unwrap_err().contains("has no `team`"));
    assert!(home.ask("", "env", "Team X", "A_KEY").unwrap_err().contains("lower-case"));
    let limited = "providers: {default: {source: 'env', allowlist: ['B_KEY']}}";
    assert!(home.ask(limited, "env", "", "A_KEY").unwrap_err().contains("allowlist"));
    assert!(home.ask("", "sky", "", "A_KEY").unwrap_err().contains("no source `sky`"));
    assert!(home.ask("", "store", "", "A_KEY").unwrap_err().contains("only OpenClaw"));
}

#[test]
fn a_file() {
    let home = Home::new();
    home.file("s.json", r#"{"a": {"b/c": "hunter2-file"}, "n": 1, "blank": " "}"#, 0o600);
    home.file("one", "hunter2-one\r\n", 0o400);
    home.file("list.json", r#"["hunter2"]"#, 0o600);
    home.file("broken.json", r#"{"hunter2"#, 0o600);
    let json = "providers: {f: {source: 'file', path: 's.json'}}, defaults: {file: 'f'}";
    assert_eq!(home.ask(json, "file", "", "/a/b~1c").unwrap(), "hunter2-file");
    assert_eq!(home.ask(json, "file", "f", "/nothing").unwrap_err(), "there is no value");
    assert_eq!(home.ask(json, "file", "f", "/blank").unwrap_err(), "there is no value");
    assert!(home.ask(json, "file", "f", "/n").unwrap_err().contains("a string"));
    assert!(home.ask(json, "file", "f", "a").unwrap_err().contains("JSON pointer"));
    let one = "providers: {f: {source: 'file', path: 'one', mode: 'singleValue'}}";
    assert_eq!(home.ask(one, "file", "f", "value").unwrap(), "hunter2-one");
    assert!(home.ask(one, "file", "f", "/a").unwrap_err().contains("`value`"));
    for file in ["list.json", "broken.json", "missing.json"] {
        let config = format!("providers: {{f: {{source: 'file', path: '{file}'}}}}");
        assert!(home.ask(&config, "file", "f", "/a").is_err(), "{file}");
    }
    let small = "providers: {f: {source: 'file', path: 's.json', maxBytes: 5}}";
    assert!(home.ask(small, "file", "f", "/n").unwrap_err().contains("cannot read"));
}

#[test]
fn a_file_that_others_can_reach_is_not_read() {
    let home = Home::new();
    let text = r#"{"a": "hunter2"}"#;
    home.file("open.json", text, 0o640);
    home.file("twice.json", text, 0o600);
    fs::hard_link(home.tree.path("twice.json"), home.tree.path("again.json")).unwrap();
    home.file("target.json", text, 0o600);
    symlink(home.tree.path("target.json"), home.tree.path("link.json")).unwrap();
    for (file, problem) in
        [("open.json", "chmod 600"), ("twice.json", "more than one name"), ("link.json", "cannot read")]
    {
        let config = format!("providers: {{f: {{source: 'file', path: '{file}'}}}}");
        let said = home.ask(&config, "file", "f", "/a").unwrap_err();
        assert!(said.contains(problem), "{file}: {said}");
    }
}

#[test]
fn a_program() {
    let home = Home::new();
    let answer = |body: &str| format!("#!/bin/sh\nread request\n{body}\n");
    let echo = r#"case "$request" in *'"ids":["a/b#c"]'*) echo '{"protocolVersion":1,"values":{"a/b#c":"hunter2-exec"}}';; esac"#;
    home.file("vault", &answer(echo), 0o700);
    home.file("errors", &answer(r#"echo '{"protocolVersion":1,"values":{},"errors":{"x":{"code":"NOT_FOUND","message":"hunter2"},"y":{"message":"hunter2"}}}'"#), 0o700);
    home.file("plain", &answer("echo hunter2-plain"), 0o700);
    home.file("env", &answer(r#"echo "$GIVEN $A_KEY ${HOME:-nothing}""#), 0o700);
    home.file("fails", &answer("echo hunter2 >&2; exit 3"), 0o700);
    home.file("sleeps", &answer("sleep 60"), 0o700);
    home.file("floods", &answer("while :; do echo hunter2hunter2hunter2; done"), 0o700);
    home.file("shared", &answer(echo), 0o777);
    let ask = |program: &str, more: &str, id: &str| {
        let config = format!("providers: {{v: {{source: 'exec', command: '{program}', {more}}}}}");
        home.ask(&config, "exec", "v", id)
    };
    assert_eq!(ask("vault", "", "a/b#c").unwrap(), "hunter2-exec");
    assert_eq!(ask("errors", "", "x").unwrap_err(), "there is no value");
    assert_eq!(ask("errors", "", "y").unwrap_err(), "its program could not get it");
    assert!(ask("plain", "", "a").unwrap_err().contains("JSON object"));
    assert_eq!(ask("plain", "jsonOnly: false", "a").unwrap(), "hunter2-plain");
    let given = "jsonOnly: false, env: {GIVEN: 'given'}, passEnv: ['A_KEY']";
    assert_eq!(ask("env", given, "a").unwrap(), "given hunter2-env nothing");
    assert!(ask("fails", "", "a").unwrap_err().contains("exit status: 3"));
    assert!(ask("sleeps", "timeoutMs: 100", "a").unwrap_err().contains("longer than 100 ms"));
    assert!(ask("floods", "maxOutputBytes: 1000", "a").unwrap_err().contains("more than 1000 bytes"));
    assert!(ask("shared", "", "a").unwrap_err().contains("not run"));
    assert!(ask("vault", "trustedDirs: ['/nowhere']", "a").unwrap_err().contains("not run"));
    for id in ["", "../a", "a/../b", "a b", "-x"] {
        assert!(ask("vault", "", id).unwrap_err().contains("`id`"), "{id}");
    }
    let plugin = "providers: {v: {source: 'exec', pluginIntegration: {pluginId: 'p'}}}";
    assert!(home.ask(plugin, "exec", "v", "a").unwrap_err().contains("no `command`"));
}

/// A `secret-tool` that keeps its secrets in files and writes down its arguments.
#[cfg(target_os = "linux")]
const SECRET_TOOL: &str = r#"#!/bin/sh
here="$(dirname "$0")"
echo "$*" >> "$here/arguments"
case "$1" in
  store) cat > "$here/$(echo "$6" | tr / _)";;
  lookup) cat "$here/$(echo "$5" | tr / _)" 2>/dev/null || exit 1;;
  clear) rm "$here/$(echo "$5" | tr / _)";;
esac
"#;

#[cfg(target_os = "linux")]
#[test]
fn the_keyring() {
    let mut home = Home::new();
    home.vars.push(("PATH".into(), format!("{}:/usr/bin:/bin", home.tree.path("bin").display())));
    assert!(home.ask("", "keyring", "", "weather/KEY").unwrap_err().contains("secret-tool"));
    home.file("bin/secret-tool", SECRET_TOOL, 0o755);
    assert_eq!(home.ask("", "keyring", "", "weather/KEY").unwrap_err(), "there is no value");
    let keyring = Keyring::open(&home.env(), None).unwrap();
    keyring.set("weather/KEY", &Secret::new("hunter2 \"keyring\"")).unwrap();
    assert_eq!(home.ask("", "keyring", "", "weather/KEY").unwrap(), "hunter2 \"keyring\"");
    keyring.remove("weather/KEY").unwrap();
    keyring.remove("weather/KEY").unwrap();
    assert_eq!(home.ask("", "keyring", "", "weather/KEY").unwrap_err(), "there is no value");
    assert!(keyring.get("a b").is_err() && keyring.set("", &Secret::new("x")).is_err());
    let arguments = fs::read_to_string(home.tree.path("bin/arguments")).unwrap();
    assert!(arguments.contains("store") && !arguments.contains("hunter2"), "{arguments}");
    let named = "providers: {team: {source: 'keyring', service: 'team-keys'}}";
    assert_eq!(home.ask(named, "keyring", "team", "a").unwrap_err(), "there is no value");
    assert!(fs::read_to_string(home.tree.path("bin/arguments")).unwrap().contains("service team-keys"));
}
