use super::*;

const FILE: &str = r#"{
  "version": 1,
  "cortex": {
    "sensory": { "patterns": [{ "signal": ["manage", "todo"], "region": "todo", "by": "me" }], "era": 3 },
    "motor": {
      "todo": {
        "candidates": [
          {
            "slug": "todoist-cli", "source": "clawhub", "version": "1.2.0", "weight": 0.85,
            "runs": { "success": 4, "fail": 1, "recent_successes_7d": 2, "mood": "good" },
            "last_fail": { "type": "auth_error", "detail": "401", "date": "2026-02-20", "code": 401 },
            "side_effects": ["network:api.todoist.com"], "skill_md_chars": 3200, "reflex": false, "stars": 12
          }
        ],
        "last_used": "2026-02-24", "colour": "red"
      }
    },
    "prefrontal": {
      "lessons": [
        { "type": "env_ready", "region": "todo", "key": "TODOIST_API_KEY", "confidence": 0.7, "created": "2026-02-01", "by": "me" },
        { "type": "free_form", "text": "no such type" }
      ]
    }
  },
  "blacklist": ["evil"],
  "stats": { "searches": 3, "installs": 2, "cache_hits": 1, "reflexes_fired": 0, "smiles": 1 },
  "theme": "dark"
}"#;

#[test]
fn fields_of_others_are_kept() {
    let document = read_document(FILE.as_bytes()).unwrap();
    let again = read_document(write_document(&document).as_bytes()).unwrap();
    assert_eq!(again, document);
    let mut expected: serde_json::Value = serde_json::from_str(FILE).unwrap();
    expected["cortex"]["prefrontal"]["lessons"].as_array_mut().unwrap().pop();
    assert_eq!(serde_json::to_value(&document).unwrap(), expected);
}

#[test]
fn an_old_file_has_a_streak() {
    let document = read_document(FILE.as_bytes()).unwrap();
    let mut candidate = document.cortex.motor["todo"].candidates[0].clone();
    assert_eq!(candidate.streak(), 0);
    candidate.last_fail = None;
    assert_eq!(candidate.streak(), 4);
}

#[test]
fn damage_at_every_byte_is_told_or_harmless() {
    for at in 0..FILE.len() {
        let cut = recover(Some(&FILE.as_bytes()[..at]));
        assert!(cut.is_degraded && cut.problem.is_some(), "cut at {at}");
        for damage in [b'\0', b'"', b'}', b'-', b'9', b'e', 0xff] {
            let mut bytes = FILE.as_bytes().to_vec();
            bytes[at] = damage;
            let reading = recover(Some(&bytes));
            assert_eq!(reading.is_degraded, reading.problem.is_some());
            let text = write_document(&reading.document);
            assert_eq!(read_document(text.as_bytes()).unwrap(), reading.document, "{at}: {damage}");
            let weights = reading.document.cortex.motor.values().flat_map(|region| &region.candidates);
            assert!(weights.into_iter().all(|candidate| (0.0..=1.0).contains(&candidate.weight)));
        }
    }
}

#[test]
fn other_files_are_told_apart() {
    for (text, message) in [
        ("", "the file is damaged (line 1, column 0)"),
        ("[]", "the file is damaged"),
        (r#"{"version": 2}"#, "the file has version 2, this program reads version 1"),
        (r#"{"version": 1, "cortex": 7}"#, "the file is damaged"),
        (
            r#"{"version": 1, "cortex": {"motor": {"r": {"candidates": [{"weight": 1}]}}}}"#,
            "the file is damaged",
        ),
    ] {
        let error = read_document(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
    let large = vec![b' '; (16 << 20) + 1];
    assert!(matches!(read_document(&large), Err(FileError::TooLarge(_))));
    assert!(read_document("\u{feff}{\"version\": 1}".as_bytes()).is_ok());
}

#[test]
fn a_date_nobody_can_read_is_long_ago() {
    let text = FILE.replace("2026-02-24", "last tuesday");
    let document = read_document(text.as_bytes()).unwrap();
    let region = &document.cortex.motor["todo"];
    let today = crate::Day::parse("2026-02-25").unwrap();
    let effective = crate::Rules::AsWritten.effective(&region.candidates[0], region, today);
    assert!((effective - 0.85 * 0.3).abs() < 1e-9);
}
