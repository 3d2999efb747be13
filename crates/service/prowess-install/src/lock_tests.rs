use serde_json::json;

use super::*;
use crate::test_support::{Case, bundle, demo, placement};
use crate::{Existing, Writer};

fn sample() -> Value {
    let digest = Digest::of(b"x");
    let hash = Digest::of_tree([("SKILL.md", true, &digest)]);
    json!({
        "schema": 1,
        "skills": {"demo": {
            "name": "demo", "source": "registry:demo", "version": "1.0.0", "hash": hash,
            "files": {"SKILL.md": {"sha256": digest, "executable": true, "later": 1}},
            "scan": {"verdict": "clean", "findings": 0, "later": [1]},
            "installedAt": 5, "pinned": {"reason": "why", "later": null}, "later": {"a": 1.5}
        }},
        "later": "kept"
    })
}

#[test]
fn what_nobody_knows_survives_a_rewrite() {
    let lock = LockFile::parse(&sample().to_string()).unwrap();
    assert_eq!(lock.skills[&demo()].provenance.version.as_deref(), Some("1.0.0"));
    let written: Value = serde_json::from_str(&lock.render()).unwrap();
    assert_eq!(written, sample());
}

#[test]
fn a_verdict_of_a_later_version_survives_and_counts_as_the_strictest() {
    let mut value = sample();
    value["skills"]["demo"]["scan"]["verdict"] = json!("doubtful");
    let lock = LockFile::parse(&value.to_string()).unwrap();
    let scan = lock.skills[&demo()].provenance.scan.as_ref().unwrap();
    assert_eq!(scan.verdict.verdict(), ScanVerdict::Malicious);
    assert_eq!(serde_json::from_str::<Value>(&lock.render()).unwrap(), value);
}

#[test]
fn names_that_lead_elsewhere_do_not_parse() {
    let digest = Digest::of(b"x");
    let break_it = |change: &dyn Fn(&mut Value)| {
        let mut value = sample();
        change(&mut value);
        LockFile::parse(&value.to_string()).unwrap_err()
    };
    let errors = [
        break_it(&|value| value["skills"]["../evil"] = value["skills"]["demo"].clone()),
        break_it(&|value| value["skills"]["demo"]["files"] = json!({"../x": {"sha256": digest}})),
        break_it(&|value| value["skills"]["demo"]["files"]["SKILL.md"]["sha256"] = json!("../../x")),
        break_it(&|value| value["skills"]["demo"]["notes"] = json!(["/etc/passwd"])),
        break_it(&|value| value["skills"]["demo"]["files"]["SKILL.md"]["executable"] = json!(false)),
        break_it(&|value| value["schema"] = json!("1")),
    ];
    assert!(errors.iter().all(|error| matches!(error, LockParseError::Damaged { .. })), "{errors:?}");
    assert_eq!(break_it(&|value| value["schema"] = json!(2)), LockParseError::Newer { schema: 2 });
}

#[test]
fn a_damaged_file_is_kept_under_another_name() {
    let case = Case::new();
    for number in 1..=2 {
        std::fs::create_dir_all(&case.home.state).unwrap();
        std::fs::write(case.home.lock_file(), b"\xff{").unwrap();
        assert!(matches!(LockFile::read(&case.home), Err(InstallError::Damaged { .. })));
        let writer = case.writer();
        let kept = case.home.state.join(format!("lock.json.damaged-{number}"));
        assert_eq!(writer.damaged(), Some(&*kept));
        assert_eq!(std::fs::read(kept).unwrap(), b"\xff{");
        let skill = bundle(&[("SKILL.md", "x")]);
        writer.place(&placement(&skill), Existing::Replace).unwrap();
        assert_eq!(writer.lock().unwrap().skills.len(), 1);
    }
}

#[test]
fn a_newer_file_is_left_alone() {
    let case = Case::new();
    std::fs::create_dir_all(&case.home.state).unwrap();
    std::fs::write(case.home.lock_file(), r#"{"schema": 9}"#).unwrap();
    let error = Writer::open(&case.home, PATIENCE).unwrap_err();
    assert!(matches!(error, InstallError::Newer { schema: 9, .. }));
    assert_eq!(std::fs::read_to_string(case.home.lock_file()).unwrap(), r#"{"schema": 9}"#);
}

#[test]
fn fields_of_a_later_version_survive_an_update() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "x")]));
    let mut value: Value = serde_json::from_slice(&std::fs::read(case.home.lock_file()).unwrap()).unwrap();
    value["later"] = json!(true);
    value["skills"]["demo"]["later"] = json!(true);
    std::fs::write(case.home.lock_file(), value.to_string()).unwrap();
    let next = bundle(&[("SKILL.md", "y")]);
    case.writer().update(&placement(&next), crate::Edits::Refuse).unwrap();
    let value: Value = serde_json::from_slice(&std::fs::read(case.home.lock_file()).unwrap()).unwrap();
    assert_eq!((&value["later"], &value["skills"]["demo"]["later"]), (&json!(true), &json!(true)));
}
