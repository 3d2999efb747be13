//! What the children of a run see.

use proptest::prelude::*;
use prowess_config::{BlankVariable, Env, SecretReference, SecretSettings};
use prowess_run::environment::{
    Overlay, OverlayRequest, RefusalReason, SkillVariables, Suspicion, is_base_name, overlay,
};
use prowess_secret::{SecretSources, resolve};
use prowess_types::Secret;
use serde::Deserialize;

fn env(vars: &[(&str, &str)]) -> Env {
    Env::new(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())), "/")
}

fn skill(key: &str, vars: &[(&str, &str)]) -> SkillVariables {
    let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), Ok(Secret::new(*value))));
    SkillVariables { key: key.to_owned(), env: vars.collect(), ..SkillVariables::default() }
}

fn overlay_of(outer: &Env, skills: &[SkillVariables]) -> Overlay {
    overlay_with(outer, skills, BlankVariable::Absent)
}

fn overlay_with(outer: &Env, skills: &[SkillVariables], blank: BlankVariable) -> Overlay {
    overlay(OverlayRequest { outer, skills, inherit: &[], blank })
}

fn value<'a>(overlay: &'a Overlay, name: &str) -> Option<&'a str> {
    overlay.environment.get(name).map(Secret::expose)
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    value: Option<String>,
    value_repeat: Option<(String, usize)>,
    expect: String,
}

#[test]
fn every_recorded_vector_comes_out_of_the_overlay() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../../../../pure/prowess-scan/tests/fixtures/environment.json"))
            .unwrap();
    assert_eq!(vectors.len(), 500);
    for vector in vectors {
        let text = vector.value_repeat.map(|(text, times)| text.repeat(times)).or(vector.value);
        let text = text.unwrap_or_else(|| "some value".to_owned());
        let plain = skill("s", &[(&vector.name, &text)]);
        let own = SkillVariables { primary: Some(vector.name.clone()), ..plain.clone() };
        let word = |skill: SkillVariables| {
            let overlay = overlay_of(&env(&[]), &[skill]);
            let is_set = value(&overlay, vector.name.trim()) == Some(&text);
            match overlay.refusals.first().map(|refusal| &refusal.reason) {
                None if is_set => "allowed",
                Some(RefusalReason::Dangerous(_) | RefusalReason::Undeclared) if !is_set => "blocked",
                Some(RefusalReason::Invalid(_)) if !is_set => "invalid",
                _ => "lost",
            }
        };
        let shown = vector.name.escape_debug();
        match vector.expect.as_str() {
            "blocked_unless_declared_primary" => {
                assert_eq!((word(plain), word(own)), ("blocked", "allowed"), "{shown}");
            }
            expected => assert_eq!(word(plain), expected, "{shown}"),
        }
    }
}

#[test]
fn a_child_gets_the_base_and_nothing_else_of_the_user() {
    let outer = env(&[
        ("PATH", "/bin"),
        ("HOME", "/home/me"),
        ("LC_TIME", "de_CH"),
        ("https_proxy", "http://me:hunter2@proxy"),
        ("AWS_SECRET_ACCESS_KEY", "hunter2"),
        ("LD_PRELOAD", "x.so"),
        ("SSH_AUTH_SOCK", "/s"),
        ("TZ", " "),
    ]);
    let overlay = overlay_of(&outer, &[]);
    assert_eq!(overlay.environment.names().collect::<Vec<_>>(), ["HOME", "LC_TIME", "PATH", "https_proxy"]);
    assert_eq!(overlay.secrets.len(), 1, "the password of the proxy");
}

#[test]
fn entries_come_first_then_the_key_of_the_primary_variable() {
    let key = |primary: &str, vars: &[(&str, &str)]| SkillVariables {
        primary: Some(primary.to_owned()),
        api_key: Some(Ok(Secret::new("from-key"))),
        ..skill("s", vars)
    };
    let outer = env(&[]);
    assert_eq!(value(&overlay_of(&outer, &[key("MAIN_KEY", &[])]), "MAIN_KEY"), Some("from-key"));
    let both = overlay_of(&outer, &[key("MAIN_KEY", &[("MAIN_KEY", "from-env")])]);
    assert_eq!(value(&both, "MAIN_KEY"), Some("from-env"));
    let empty = overlay_of(&outer, &[key(" MAIN_KEY ", &[("MAIN_KEY", "")])]);
    assert_eq!(value(&empty, "MAIN_KEY"), Some("from-key"));
    let off = SkillVariables { disabled: true, ..key("MAIN_KEY", &[]) };
    assert_eq!(overlay_of(&outer, &[off]).environment.names().count(), 0);
}

#[test]
fn what_the_user_has_set_stands() {
    let outer = env(&[("MAIN_KEY", "mine"), ("EMPTY", ""), ("OTHER", "private"), ("KUBECONFIG", "/mine")]);
    let declared = SkillVariables {
        primary: Some("MAIN_KEY".into()),
        requires: vec!["KUBECONFIG".into()],
        api_key: Some(Ok(Secret::new("theirs"))),
        ..skill("s", &[("EMPTY", "theirs"), ("OTHER", "theirs"), ("KUBECONFIG", "/theirs")])
    };
    let overlay = overlay_with(&outer, &[declared], BlankVariable::Set);
    assert_eq!(value(&overlay, "MAIN_KEY"), Some("mine"), "a skill gets what it declares");
    assert_eq!(value(&overlay, "KUBECONFIG"), Some("/mine"));
    assert_eq!((value(&overlay, "EMPTY"), value(&overlay, "OTHER")), (None, None));
    let reasons: Vec<(&str, &RefusalReason)> =
        overlay.refusals.iter().map(|refusal| (refusal.name.as_str(), &refusal.reason)).collect();
    assert!(reasons.contains(&("MAIN_KEY", &RefusalReason::SetOutside)), "{reasons:?}");
    assert!(reasons.contains(&("EMPTY", &RefusalReason::SetOutside)), "set to nothing is set");
    assert!(overlay.secrets.contains(&Secret::new("mine")));
}

#[test]
fn a_blank_variable_gives_way_to_the_configured_key() {
    let outer = env(&[("MAIN_KEY", ""), ("NAMED", " \t"), ("WANTED", " "), ("HOME", "")]);
    let declared = SkillVariables {
        primary: Some("MAIN_KEY".into()),
        requires: vec!["NAMED".into(), "WANTED".into()],
        api_key: Some(Ok(Secret::new("key"))),
        ..skill("s", &[("NAMED", "named")])
    };
    let found = overlay_of(&outer, std::slice::from_ref(&declared));
    assert_eq!((value(&found, "MAIN_KEY"), value(&found, "NAMED")), (Some("key"), Some("named")));
    assert_eq!(found.environment.names().collect::<Vec<_>>(), ["MAIN_KEY", "NAMED"], "no blank is passed on");
    assert_eq!(found.refusals, []);
    let found = overlay_with(&outer, &[declared], BlankVariable::Set);
    assert_eq!((value(&found, "MAIN_KEY"), value(&found, "WANTED")), (Some(""), Some(" ")));
    assert_eq!(found.refusals.len(), 2, "{:?}", found.refusals);
}

#[test]
fn declaring_a_name_does_not_load_code_or_open_the_engine() {
    let outer = env(&[("LD_PRELOAD", "x.so"), ("OPENCLAW_GATEWAY_TOKEN", "hunter2"), ("PROWESS_HOME", "/h")]);
    let names = ["LD_PRELOAD", "OPENCLAW_GATEWAY_TOKEN", "PROWESS_HOME", "NODE_OPTIONS"];
    let greedy = SkillVariables {
        primary: Some("NODE_OPTIONS".into()),
        requires: names.map(str::to_owned).to_vec(),
        api_key: Some(Ok(Secret::new("--require=x"))),
        ..skill("greedy", &[])
    };
    let overlay = overlay_of(&outer, &[greedy]);
    assert_eq!(overlay.environment.names().count(), 0);
    assert_eq!(
        overlay.log_lines(),
        [
            "Blocked skill env overrides for greedy: LD_PRELOAD, OPENCLAW_GATEWAY_TOKEN, PROWESS_HOME, NODE_OPTIONS"
        ]
    );
}

#[test]
fn a_credential_belongs_to_the_skill_that_declares_it() {
    let by = |declare: bool| SkillVariables {
        requires: if declare { vec!["GH_TOKEN".into()] } else { Vec::new() },
        ..skill("github", &[("GH_TOKEN", "hunter2")])
    };
    let overlay = overlay_of(&env(&[]), &[by(true)]);
    assert_eq!(value(&overlay, "GH_TOKEN"), Some("hunter2"));
    assert_eq!(overlay.refusals, []);
    let overlay = overlay_of(&env(&[]), &[by(false)]);
    assert_eq!(overlay.refusals[0].reason, RefusalReason::Undeclared);
    assert_eq!(overlay.environment.names().count(), 0);
}

#[test]
fn the_first_skill_wins() {
    let skills = [skill("a", &[("SHARED", "1-from-a")]), skill("b", &[("SHARED", "1-from-b"), ("OWN", "2")])];
    let overlay = overlay_of(&env(&[]), &skills);
    assert_eq!((value(&overlay, "SHARED"), value(&overlay, "OWN")), (Some("1-from-a"), Some("2")));
    assert_eq!(overlay.refusals[0].to_string(), "`SHARED` of `b` is not set: `a` has set it already");
    let same = [skill("a", &[("SHARED", "same")]), skill("b", &[("SHARED", "same")])];
    assert_eq!(overlay_of(&env(&[]), &same).refusals, []);
}

#[test]
fn odd_values_are_set_and_reported() {
    let long = "x y ".repeat(10_000);
    let encoded = "QUJD".repeat(20);
    let odd = skill("s", &[("A_LONG", &long), ("AN_ENCODED", &encoded), ("SOME_TOKEN", "tok")]);
    let overlay = overlay_of(&env(&[]), &[odd]);
    let found: Vec<Suspicion> = overlay.warnings.iter().map(|warning| warning.suspicion).collect();
    assert_eq!(found, [Suspicion::Long, Suspicion::Encoded, Suspicion::Undeclared]);
    assert_eq!(overlay.environment.names().count(), 3);
    assert!(overlay.log_lines()[0].starts_with(
        "Suspicious skill env overrides for s: A_LONG: Value exceeds maximum length, AN_ENCODED: Value looks like \
         base64-encoded credential data, "
    ));
}

#[test]
fn a_secret_that_cannot_be_got_is_reported_by_reference() {
    let outer = env(&[]);
    let settings = SecretSettings::default();
    let sources = SecretSources { settings: &settings, env: &outer, expand: &|path| path.into() };
    let failed = resolve(&SecretReference::new("env", "NOWHERE"), sources);
    let skill = SkillVariables { env: vec![("A_KEY".into(), failed)], ..skill("s", &[]) };
    let overlay = overlay_of(&outer, &[skill]);
    assert_eq!(
        overlay.refusals[0].to_string(),
        "`A_KEY` of `s` is not set: `env:NOWHERE` cannot be resolved: there is no value"
    );
}

#[test]
fn two_runs_see_their_own_keys_only() {
    let outer = env(&[("PATH", "/usr/bin:/bin")]);
    let run = |key: &str| {
        let overlay = overlay_of(&outer, &[skill("s", &[("RUN_KEY", key)])]);
        let mut command = std::process::Command::new("env");
        overlay.environment.give(&mut command);
        String::from_utf8(command.output().expect("`env` runs").stdout).unwrap()
    };
    let (one, two) = std::thread::scope(|scope| {
        let two = scope.spawn(|| run("key-of-two"));
        (run("key-of-one"), two.join().unwrap())
    });
    assert!(one.contains("RUN_KEY=key-of-one") && !one.contains("key-of-two"), "{one}");
    assert!(two.contains("RUN_KEY=key-of-two") && !two.contains("key-of-one"), "{two}");
    assert_eq!(one.lines().count(), 2, "{one}");
    // This process has nothing that could be left behind.
    let after = std::process::Command::new("env").output().expect("`env` runs").stdout;
    assert!(!String::from_utf8_lossy(&after).contains("RUN_KEY"));
}

fn any_name() -> impl Strategy<Value = String> {
    let known = ["LD_PRELOAD", "PATH", "GH_TOKEN", "MAIN_KEY", "NODE_OPTIONS", "HOME", "git_dir", "X"];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_owned), "[A-Za-z_=\0 ]{0,6}"]
}

proptest! {
    #[test]
    fn nothing_that_is_blocked_is_set(
        names in prop::collection::vec((any_name(), "hunter2[a-z\0]{0,4}"), 0..6),
        declared in prop::collection::vec(any_name(), 0..4),
        outer in prop::collection::vec((any_name(), "outer[a-z]{0,4}"), 0..4),
    ) {
        let outer = Env::new(outer, "/");
        let vars: Vec<(&str, &str)> = names.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let skill = SkillVariables {
            primary: declared.first().cloned(),
            requires: declared.iter().skip(1).cloned().collect(),
            api_key: Some(Ok(Secret::new("hunter2-main"))),
            ..skill("s", &vars)
        };
        let overlay = overlay_of(&outer, &[skill]);
        let is_name_refused = |reason: &RefusalReason| {
            matches!(reason, RefusalReason::Dangerous(_) | RefusalReason::Undeclared)
        };
        let refused = overlay.refusals.iter().filter(|refusal| is_name_refused(&refusal.reason));
        for refusal in refused.filter(|refusal| !is_base_name(&refusal.name)) {
            let set = value(&overlay, &refusal.name);
            // The user's own value may be there, the skill's may not.
            prop_assert!(set.is_none_or(|value| value.starts_with("outer")), "{}", refusal.name);
        }
        for name in overlay.environment.names() {
            prop_assert!(!name.contains(['=', '\0']) && !name.is_empty(), "{name:?}");
            prop_assert!(value(&overlay, name).is_some_and(|value| !value.contains('\0')), "{name}");
        }
        for name in ["LD_PRELOAD", "NODE_OPTIONS", "git_dir"] {
            prop_assert!(value(&overlay, name).is_none());
        }
        for name in ["PATH", "HOME"] {
            prop_assert_eq!(value(&overlay, name), outer.trimmed(name).and(outer.get(name)));
        }
        let shown = format!("{overlay:?}");
        prop_assert!(!shown.contains("hunter2") && !shown.contains("outer"), "{shown}");
    }
}
