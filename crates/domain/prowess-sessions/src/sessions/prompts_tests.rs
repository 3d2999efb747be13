use std::fs;

use prowess_types::{Backend, PromptedAs};

use super::*;
use crate::sessions::SessionWriter;
use prowess_context::Clock;

fn sessions(home: &tempfile::TempDir) -> (Sessions, SessionWriter) {
    let sessions = Sessions { folder: home.path().join("sessions") };
    let writer = sessions.open(id(), "main", "/project", Clock::new(|| 1_000)).unwrap();
    (sessions, writer)
}

fn id() -> SessionId {
    "s1".parse().unwrap()
}

fn sent(system: &str, context: Option<&str>, message: &str) -> SentPrompt {
    SentPrompt { system: system.into(), context: context.map(str::to_owned), message: message.into() }
}

fn listed(name: &str) -> PromptedSkill {
    PromptedSkill {
        name: name.into(),
        path: format!("/skills/{name}/SKILL.md"),
        content_hash: None,
        how: PromptedAs::Listed,
    }
}

/// A run with a prompt, as the engine records one.
fn turn(
    sessions: &Sessions,
    writer: &SessionWriter,
    run: &str,
    prompt: &SentPrompt,
    bounds: PromptBounds,
) -> KeptPrompt {
    let writer = writer.run(run);
    let started = TraceEvent::RunStarted {
        message: prompt.message.clone(),
        snapshot: None,
        catalogue: None,
        backend: Backend::default(),
        parent: None,
    };
    writer.append(started).unwrap();
    let kept = sessions.keep_prompt_within(&id(), prompt, bounds).unwrap();
    writer.append(kept.event(1, vec![listed("weather")], None)).unwrap();
    kept
}

fn texts(sessions: &Sessions) -> Vec<String> {
    sessions.stored_texts(&id()).into_iter().map(|(hash, _)| hash).collect()
}

#[test]
fn a_prompt_is_read_back_with_its_facts() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    let prompt = sent("You have skills: ä\n", Some("weather: …"), "will it rain?");
    let kept = turn(&sessions, &writer, "r1", &prompt, PromptBounds::default());
    assert_eq!((kept.chars, kept.dropped), (29, 0));
    let stored = sessions.prompt(&id(), None).unwrap();
    assert_eq!(stored, sessions.prompt(&id(), Some("r1")).unwrap());
    assert_eq!(sent(&stored.system, stored.context.as_deref(), &stored.message), prompt);
    assert_eq!((stored.chars, stored.listed, stored.skills), (29, 1, vec![listed("weather")]));
    assert_eq!(stored.system_hash, prowess_fs::sha256_hex(prompt.system.as_bytes()));
}

#[test]
fn equal_texts_of_a_session_are_one_file_of_the_owners_alone() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    for run in ["r1", "r2", "r3"] {
        turn(&sessions, &writer, run, &sent("system", None, run), PromptBounds::default());
    }
    assert_eq!(texts(&sessions).len(), 4);
    #[cfg(unix)]
    for hash in texts(&sessions) {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(sessions.prompts_of(&id()).join(hash)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_run_without_a_prompt_says_so() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    writer.run("old").append(TraceEvent::Answer { text: "done".into() }).unwrap();
    let error = sessions.prompt(&id(), None).unwrap_err();
    assert!(matches!(&error, SessionError::NoPrompt { run, .. } if run == "old"), "{error}");
    let error = sessions.compare_prompts(&id(), None, None).unwrap_err();
    assert!(matches!(&error, SessionError::NoPrompt { .. }), "{error}");
    assert!(matches!(sessions.prompt(&id(), Some("none")), Err(SessionError::UnknownRun { .. })));
    assert!(matches!(sessions.prompt(&"s2".parse().unwrap(), None), Err(SessionError::Unknown(_))));
}

#[test]
fn the_store_is_bounded_and_the_shared_text_stays() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    let bounds = PromptBounds { text_bytes: 100, session_bytes: 200, texts: 100 };
    let mut dropped = 0;
    for number in 0..20 {
        let message = format!("message {number:02} {}", "x".repeat(20));
        let kept = turn(&sessions, &writer, &format!("r{number}"), &sent("system", None, &message), bounds);
        dropped += kept.dropped;
    }
    let left = sessions.stored_texts(&id());
    assert!(left.iter().map(|(_, size)| size).sum::<u64>() <= 200, "{left:?}");
    assert_eq!(left.len() + dropped, 21);
    // The system prompt is the oldest file and the one that was used last.
    assert_eq!(sessions.prompt(&id(), Some("r19")).unwrap().system, "system");
    let error = sessions.prompt(&id(), Some("r0")).unwrap_err();
    assert!(matches!(error, SessionError::PromptDropped { .. }), "{error}");
    let few = PromptBounds { texts: 2, ..PromptBounds::default() };
    turn(&sessions, &writer, "last", &sent("system", Some("context"), "message"), few);
    // What a prompt itself needs is stored even if it is more than that.
    assert_eq!(texts(&sessions).len(), 3);
}

#[test]
fn a_long_text_is_cut_between_characters_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    let bounds = PromptBounds { text_bytes: 9, ..PromptBounds::default() };
    let kept = turn(&sessions, &writer, "r1", &sent("ääääääää", None, "short"), bounds);
    assert_eq!(kept.chars, 8);
    let stored = sessions.prompt(&id(), None).unwrap();
    assert_eq!((stored.system, stored.message), (format!("ääää{CUT}"), "short".to_owned()));
}

#[test]
fn prompts_go_with_their_session() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    turn(&sessions, &writer, "r1", &sent("system", None, "one"), PromptBounds::default());
    let kept = sessions.reset(&id(), 2_000).unwrap().unwrap();
    assert!(texts(&sessions).is_empty());
    assert_eq!(sessions.prompt(&kept, None).unwrap().message, "one");
    sessions.delete(&kept).unwrap();
    assert!(!sessions.prompts_of(&kept).exists());
    assert!(matches!(sessions.prompt(&kept, None), Err(SessionError::Unknown(_))));
}

#[test]
fn a_name_that_is_not_a_hash_opens_no_file() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    let event = TraceEvent::Prompt {
        system: "../trace.jsonl".into(),
        context: None,
        message: None,
        chars: 0,
        listed: 0,
        skills: Vec::new(),
        empty: None,
    };
    writer.run("r1").append(event).unwrap();
    assert!(matches!(sessions.prompt(&id(), None), Err(SessionError::PromptDropped { .. })));
}

#[test]
fn prompts_of_two_runs_are_compared_part_by_part() {
    let home = tempfile::tempdir().unwrap();
    let (sessions, writer) = sessions(&home);
    let bounds = PromptBounds::default();
    turn(&sessions, &writer, "r1", &sent("a\nb\n", None, "one"), bounds);
    turn(&sessions, &writer, "r2", &sent("a\nb\n", Some("weather\n"), "two"), bounds);
    turn(&sessions, &writer, "r3", &sent("a\nc\n", Some("weather\n"), "two"), bounds);
    let difference = sessions.compare_prompts(&id(), Some("r2"), None).unwrap();
    let same: Vec<bool> = difference.parts.iter().map(|part| part.same).collect();
    assert_eq!((difference.before.as_str(), same), ("r1", vec![true, false, false]));
    assert_eq!(difference.parts[1].text, "@@ -0,0 +1 @@\n+weather\n");
    let difference = sessions.compare_prompts(&id(), None, Some("r1")).unwrap();
    assert_eq!((difference.run.as_str(), difference.before.as_str()), ("r3", "r1"));
    assert!(difference.parts[0].text.contains("-b\n+c\n"), "{}", difference.parts[0].text);
    let error = sessions.compare_prompts(&id(), Some("r1"), None).unwrap_err();
    assert!(matches!(error, SessionError::NothingToCompare { .. }), "{error}");
}
