use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use super::*;

fn settings(script: &str, folder: &Path) -> InstallPolicySettings {
    let path = folder.join("policy.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("it works");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it works");
    InstallPolicySettings {
        targets: None,
        command: Some(path.display().to_string()),
        args: vec!["one two".to_owned()],
        timeout: Duration::from_secs(20),
        silence: Duration::from_secs(20),
        max_output: 10_000,
        env: vec![("MODE".to_owned(), Secret::new("strict"))],
        pass_env: vec!["KEEP".to_owned()],
        trusted_dirs: Vec::new(),
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("it works")
}

fn request() -> PolicyRequest {
    PolicyRequest {
        target_type: "skill".to_owned(),
        target_name: "weather".to_owned(),
        source_path: "/s".into(),
        source_path_kind: "directory".to_owned(),
        origin: Value::Null,
        request: serde_json::json!({"kind": "skill-install"}),
        scan: serde_json::json!({"verdict": "clean"}),
    }
}

fn answer(script: &str) -> PolicyAnswer {
    let folder = folder();
    let vars =
        [("KEEP", "kept"), ("DROP", "dropped")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    ask(&settings(script, folder.path()), &Env::new(vars, "/"), &request())
}

#[test]
fn a_command_decides() {
    let allowed = answer("echo '{\"protocolVersion\":1,\"decision\":\"allow\"}'");
    assert_eq!(allowed.decision, PolicyDecision::Allow, "{allowed:?}");
    let warned = answer(
        "echo '{\"protocolVersion\":1,\"decision\":\"warn\",\"reason\":\"r\",\"findings\":[{\"ruleId\":\"a\",\
         \"severity\":\"warn\",\"message\":\"m\"},{\"ruleId\":\"b\"},7]}'",
    );
    assert_eq!((warned.decision, warned.findings.len()), (PolicyDecision::Warn, 1), "{warned:?}");
}

#[test]
fn it_gets_the_request_and_only_the_variables_it_was_given() {
    let script = "read -r body\ncase \"$body\" in *'\"targetName\":\"weather\"'*'\"protocolVersion\":1'*) ;; *) exit 1;; esac\n\
                  [ \"$1\" = 'one two' ] && [ \"$MODE\" = strict ] && [ \"$KEEP\" = kept ] && [ -z \"$DROP\" ] || exit 2\n\
                  echo '{\"protocolVersion\":1,\"decision\":\"allow\"}'";
    let answer = answer(script);
    assert_eq!(answer.decision, PolicyDecision::Allow, "{answer:?}");
}

#[test]
fn whatever_goes_wrong_blocks() {
    for (script, why) in [
        ("exit 3", "ended with"),
        ("echo '{\"protocolVersion\":1,\"decision\":\"allow\"}'; exit 1", "ended with"),
        ("echo nonsense", "not JSON"),
        ("echo '{\"decision\":\"allow\"}'", "protocolVersion"),
        ("echo '{\"protocolVersion\":1}'", "decision"),
        ("echo '{\"protocolVersion\":1,\"decision\":\"block\"}'", "reason"),
        ("yes | head -c 20000", "more than"),
        ("echo '{\"protocolVersion\":1,\"decision\":\"allow\"}' >&2", "not JSON"),
    ] {
        let answer = answer(script);
        assert_eq!(answer.decision, PolicyDecision::Block, "{script}");
        assert!(answer.reason.contains(why), "{script}: {}", answer.reason);
    }
}

#[test]
fn silence_ends_and_so_does_everything_it_started() {
    let folder = folder();
    let mark = folder.path().join("mark");
    let script = format!("(sleep 2; touch {}) & sleep 30", mark.display());
    let mut settings = settings(&script, folder.path());
    settings.timeout = Duration::from_millis(200);
    let answer = ask(&settings, &Env::new([], "/"), &request());
    assert!(answer.reason.contains("no answer"), "{}", answer.reason);
    // Until the child would have left its mark.
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!mark.exists(), "a child went on");
}

#[test]
fn a_command_that_others_could_have_changed_is_not_run() {
    let folder = folder();
    let settings = settings("echo '{\"protocolVersion\":1,\"decision\":\"allow\"}'", folder.path());
    let path = folder.path().join("policy.sh");
    let ask = |settings: &InstallPolicySettings| ask(settings, &Env::new([], "/"), &request()).decision;
    assert_eq!(ask(&settings), PolicyDecision::Allow);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).expect("it works");
    assert_eq!(ask(&settings), PolicyDecision::Block);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it works");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).expect("it works");
    let linked = InstallPolicySettings { command: Some(link.display().to_string()), ..settings.clone() };
    assert_eq!(ask(&linked), PolicyDecision::Block);
    let elsewhere = InstallPolicySettings { trusted_dirs: vec!["/usr/bin".to_owned()], ..settings.clone() };
    assert_eq!(ask(&elsewhere), PolicyDecision::Block);
    let here = folder.path().display().to_string();
    assert_eq!(
        ask(&InstallPolicySettings { trusted_dirs: vec![here], ..settings.clone() }),
        PolicyDecision::Allow
    );
    assert_eq!(ask(&InstallPolicySettings { command: None, ..settings.clone() }), PolicyDecision::Block);
    let relative = InstallPolicySettings { command: Some("policy.sh".to_owned()), ..settings.clone() };
    assert_eq!(ask(&relative), PolicyDecision::Block);
    let other = InstallPolicySettings { targets: Some(vec!["plugin".to_owned()]), command: None, ..settings };
    assert_eq!(ask(&other), PolicyDecision::Allow, "skills are not concerned");
}
