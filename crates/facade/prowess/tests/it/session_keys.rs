//! Keys, settings and ends of sessions.

use prowess_context::Clock;
use prowess_sessions::{SessionCache, SessionFilter, SessionId, Sessions};
use prowess_trace::ImportKind;
use prowess_types::{Backend, TraceEvent};

fn clock() -> Clock {
    Clock::new(|| 1_780_000_000_000)
}

/// Sessions in a scratch folder.
fn sessions(folder: &tempfile::TempDir) -> Sessions {
    let home = folder.path().display().to_string();
    let env = prowess_config::Env::new([("HOME".to_owned(), home)], folder.path());
    let engine = prowess::Engine::open(prowess::EngineOptions { env, ..prowess::EngineOptions::default() });
    engine.expect("an engine").sessions()
}

/// A session of an agent with a run that began.
fn begun(sessions: &Sessions, id: &str, agent: &str) -> SessionId {
    let id: SessionId = id.parse().expect("an id");
    let writer = sessions.open(id.clone(), agent, "/project", clock()).expect("a session");
    let started = TraceEvent::RunStarted {
        message: "hello".to_owned(),
        snapshot: None,
        catalogue: None,
        backend: Backend::default(),
        parent: None,
    };
    writer.run("r1").append(started).expect("a line");
    id
}

#[test]
fn a_key_means_one_session_and_its_session_has_that_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = sessions(&folder);
    for (key, id) in [
        ("agent:main:main", "main.main"),
        ("agent:helper:main", "helper.main"),
        ("agent:main:cron:daily", "main.cron.daily"),
        ("release", "release"),
    ] {
        assert_eq!(sessions.of_key(key).as_str(), id, "{key}");
    }
    assert_eq!(sessions.key_of(&"main.main".parse().expect("an id"), "main"), "agent:main:main");
    // A session that the agent has already under the plain name is that one.
    let plain = begun(&sessions, "notes", "main");
    assert_eq!(sessions.of_key("agent:main:notes"), plain);
    assert_eq!(sessions.of_key("agent:helper:notes").as_str(), "helper.notes");
    assert_eq!(sessions.key_of(&plain, "main"), "agent:main:notes");
}

#[test]
fn no_key_leads_out_of_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = sessions(&folder);
    let long = "x".repeat(500);
    for key in ["../../etc", "", "a/b", "agent:main:../x", "agent:..:x", "agent::", "\0", long.as_str()] {
        let id = sessions.of_key(key);
        assert!(id.as_str().parse::<SessionId>().is_ok(), "{key:?} is {id}");
        assert_eq!(sessions.folder_of(&id).parent(), Some(sessions.folder()));
    }
}

#[test]
fn settings_stay_with_what_others_wrote_and_through_a_reset() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = sessions(&folder);
    let id = begun(&sessions, "s", "main");
    let file = sessions.folder_of(&id).join("settings.json");
    std::fs::write(&file, r#"{"color": "red"}"#).expect("a file");
    sessions.change_settings(&id, |settings| settings.model = Some("a/b".to_owned())).expect("a change");
    let kept = sessions.reset(&id, 5).expect("a reset").expect("something had happened");
    assert_eq!(sessions.show(&kept).expect("the old lines").summary.runs[0].message, "hello");
    assert!(sessions.show(&id).is_err());
    let settings = sessions.settings(&id);
    assert_eq!((settings.model.as_deref(), &settings.extra["color"]), (Some("a/b"), &"red".into()));
    assert_eq!(sessions.reset(&id, 6).expect("nothing to do"), None);
}

#[test]
fn a_run_that_was_cut_off_is_ended_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = sessions(&folder);
    let id = begun(&sessions, "s", "main");
    assert!(sessions.end_run(&id, "r1", clock()).expect("an end"));
    assert!(!sessions.end_run(&id, "r1", clock()).expect("an end already"));
    let run = sessions.show(&id).expect("a session").summary.runs[0].clone();
    assert!(run.ended && run.stopped);
    assert!(sessions.end_run(&id, "other", clock()).is_err());
}

#[test]
fn a_cached_list_is_the_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = sessions(&folder);
    let (cache, all) = (SessionCache::default(), SessionFilter::default());
    begun(&sessions, "one", "main");
    assert_eq!(sessions.list_with(&cache, &all), sessions.list(&all));
    let two = begun(&sessions, "two", "helper");
    assert_eq!(sessions.list_with(&cache, &all), sessions.list(&all));
    sessions.end_run(&two, "r1", clock()).expect("an end");
    assert_eq!(sessions.list_with(&cache, &all), sessions.list(&all));
    assert!(sessions.delete(&two).expect("a deletion"));
    assert_eq!(sessions.list_with(&cache, &all), sessions.list(&all));
    let none = SessionFilter { agent: Some("helper".to_owned()), limit: None };
    assert!(sessions.list_with(&cache, &none).is_empty());
}

#[test]
fn a_text_is_imported_like_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = sessions(&folder);
    let error = sessions.import_text(ImportKind::Codex, "nonsense").expect_err("no session");
    assert_eq!(error.to_string(), "`the text` holds no session of codex");
}
