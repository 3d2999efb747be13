//! Sessions: written, found, read, rated, imported, exported.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use std::{fs, thread};

use prowess_context::{Caching, Clock};
use prowess_sessions::{
    ExportFormat, Rating, SessionError, SessionFilter, SessionId, SessionWriter, Sessions,
};
use prowess_testkit::Tree;
use prowess_trace::ImportKind;
use prowess_types::{
    Backend, Outcome, OutcomeResult, OutcomeSource, ProfileName, TraceEvent, TraceLine, Usage,
};
use serde_json::Value;

use crate::support::{engine, engine_with};

/// Every look at it is a second later.
fn clock() -> Clock {
    let seconds = AtomicU64::new(0);
    Clock::new(move || 1_000 * seconds.fetch_add(1, Ordering::Relaxed))
}

fn id(text: &str) -> SessionId {
    text.parse().expect("an id")
}

fn open(sessions: &Sessions, name: &str) -> SessionWriter {
    sessions.open(id(name), "main", "/project", clock()).expect("a writer")
}

fn started(message: &str) -> TraceEvent {
    TraceEvent::RunStarted {
        message: message.into(),
        snapshot: None,
        catalogue: None,
        backend: Backend::default(),
        parent: None,
    }
}

fn ended() -> TraceEvent {
    TraceEvent::RunEnded { outcome: Outcome::default(), usage: Usage::default(), ms: None, stopped: false }
}

/// One run that failed for want of a program.
fn write_run(writer: &SessionWriter, run: &str, message: &str) {
    let writer = writer.run(run);
    writer.append(started(message)).expect("written");
    let input = serde_json::json!({ "command": "jq ." });
    writer
        .append(TraceEvent::ToolCall { id: "1".into(), tool: "exec".into(), input, step: None })
        .expect("written");
    let output = "jq: command not found".into();
    let result = TraceEvent::ToolResult {
        id: "1".into(),
        ok: false,
        output,
        omitted_bytes: 0,
        exit_code: Some(127),
        ms: None,
    };
    writer.append(result).expect("written");
    writer.append(ended()).expect("written");
}

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../pure/prowess-trace/tests/fixtures").join(name)
}

/// Sets when sessions were last written, a minute after each other: clocks of file systems are coarse.
fn age(sessions: &Sessions, names: &[&str]) {
    for (minute, name) in (1..).zip(names) {
        let file = fs::File::options().append(true).open(sessions.folder().join(name).join("trace.jsonl"));
        let moment = SystemTime::UNIX_EPOCH + Duration::from_mins(minute);
        file.expect("a file").set_modified(moment).expect("a new time");
    }
}

#[test]
fn what_is_written_is_found_and_read() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    assert_eq!(sessions.folder(), tree.path("home/.prowess/sessions"));
    let writer = open(&sessions, "first");
    write_run(&writer, "r1", "sort this");
    let stored = sessions.show(&id("first")).expect("a session");
    assert_eq!(
        stored.session.lines.iter().map(|line| line.at).collect::<Vec<_>>(),
        [0, 1_000, 2_000, 3_000, 4_000]
    );
    assert_eq!((stored.summary.session.as_str(), stored.summary.agent.as_str()), ("first", "main"));
    let run = stored.run(None).expect("a run");
    assert_eq!((run.message.as_str(), run.outcome.result), ("sort this", OutcomeResult::DependencyMissing));
    assert_eq!(writer.file(), tree.path("home/.prowess/sessions/first/trace.jsonl"));
}

#[test]
fn a_session_goes_on_where_it_was() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    write_run(&open(&sessions, "s"), "r1", "one");
    write_run(&open(&sessions, "s"), "r2", "two");
    let stored = sessions.show(&id("s")).expect("a session");
    let begins = |line: &&TraceLine| matches!(line.event, TraceEvent::Session { .. });
    assert_eq!(stored.session.lines.iter().filter(begins).count(), 1);
    assert_eq!(stored.summary.runs.len(), 2);
}

#[test]
fn many_threads_write_one_session() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    let writer = open(&sessions, "busy");
    thread::scope(|scope| {
        for number in 0..8 {
            let writer = writer.run(format!("r{number}"));
            scope.spawn(move || {
                for text in 0..25 {
                    writer.append(TraceEvent::Answer { text: text.to_string() }).expect("written");
                }
            });
        }
    });
    let stored = sessions.show(&id("busy")).expect("a session");
    assert_eq!((stored.session.lines.len(), stored.session.unread.len()), (1 + 8 * 25, 0));
}

#[test]
fn a_torn_line_is_kept_and_reported() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    let writer = open(&sessions, "torn");
    let whole = fs::read_to_string(writer.file()).expect("a file");
    fs::write(writer.file(), format!("{whole}{{\"at\":1,\"type\":\"ans")).expect("written");
    writer.append(TraceEvent::Answer { text: "after".into() }).expect("written");
    let stored = sessions.show(&id("torn")).expect("a session");
    assert_eq!(stored.session.unread.len(), 1);
    assert_eq!(stored.session.unread[0].raw, r#"{"at":1,"type":"ans"#);
    let events: Vec<_> = stored.session.lines.iter().map(|line| &line.event).collect();
    assert!(matches!(events[1], TraceEvent::Answer { .. }));
    assert!(matches!(events[2], TraceEvent::Notice { kind, .. } if kind == "torn_line"));
}

#[cfg(unix)]
#[test]
fn a_session_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    let writer = open(&sessions, "own");
    let mode = fs::metadata(writer.file()).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let imported = sessions.import(ImportKind::Codex, &fixture("codex.jsonl")).expect("imported");
    let file = sessions.folder_of(&imported.id).join("trace.jsonl");
    assert_eq!(fs::metadata(file).expect("a file").permissions().mode() & 0o777, 0o600);
}

#[test]
fn sessions_are_found_by_the_beginning_of_their_id() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    assert!(matches!(sessions.find("last"), Err(SessionError::Unknown(_))));
    for name in ["Alpha", "alpine", "beta", "beta-2"] {
        open(&sessions, name);
    }
    age(&sessions, &["Alpha", "beta-2", "beta", "alpine"]);
    assert_eq!(sessions.find("alpi").expect("one").as_str(), "alpine");
    assert_eq!(sessions.find("ALPH").expect("one").as_str(), "Alpha");
    assert_eq!(sessions.find("beta").expect("the exact one").as_str(), "beta");
    assert_eq!(sessions.find("last").expect("one").as_str(), "alpine");
    let error = sessions.find("al").expect_err("two").to_string();
    assert!(error.starts_with("`al` is the beginning of 2 sessions: "), "{error}");
    for text in ["gamma", "../x", "ä", "\u{1b}[31m"] {
        assert!(matches!(sessions.find(text), Err(SessionError::Unknown(_))), "{text:?}");
    }
}

#[test]
fn the_list_shows_the_latest_first_and_hides_nothing() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    assert_eq!(sessions.list(&SessionFilter::default()), []);
    open(&sessions, "one");
    sessions.open(id("two"), "writer", "/project", clock()).expect("a writer");
    let newer = r#"{"at":1,"type":"session","format":99,"session":"x","agent":"a","workspace":"w"}"#;
    tree.write("home/.prowess/sessions/newer/trace.jsonl", newer);
    tree.write("home/.prowess/sessions/no-trace/other.txt", "");
    tree.write("home/.prowess/sessions/lone-file", "");
    age(&sessions, &["one", "two", "newer"]);
    let listed = sessions.list(&SessionFilter::default());
    let ids: Vec<&str> = listed.iter().map(|listing| listing.id.as_str()).collect();
    assert_eq!(ids, ["newer", "two", "one"]);
    let error = listed[0].error.as_deref().expect("an error");
    assert_eq!(error, "cannot read session `newer`: the session has format 99; this version reads up to 1");
    let limited = sessions.list(&SessionFilter { agent: Some("main".into()), limit: Some(5) });
    assert_eq!(limited.len(), 1);
    assert_eq!(sessions.list(&SessionFilter { agent: None, limit: Some(2) }).len(), 2);
}

#[test]
fn the_users_rating_counts_most() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    let writer = open(&sessions, "rated");
    let name = id("rated");
    assert!(matches!(sessions.rate(&name, None, Rating::Good, None, clock()), Err(SessionError::NoRun(_))));
    write_run(&writer, "r1", "one");
    write_run(&writer, "r2", "two");
    let rated = sessions.rate(&name, None, Rating::Bad, None, clock()).expect("rated");
    assert_eq!((rated.run.as_str(), rated.outcome.result), ("r2", OutcomeResult::DependencyMissing));
    assert_eq!(rated.outcome.by, OutcomeSource::User);
    let failed = Rating::Failed(OutcomeResult::TaskMismatch);
    sessions.rate(&name, Some("r2"), failed, Some("not what I meant".into()), clock()).expect("rated");
    sessions.rate(&name, Some("r1"), Rating::Good, None, clock()).expect("rated");
    let summary = sessions.show(&name).expect("a session").summary;
    let outcomes: Vec<_> = summary.runs.iter().map(|run| run.outcome.result).collect();
    assert_eq!(outcomes, [OutcomeResult::Success, OutcomeResult::TaskMismatch]);
    assert_eq!(summary.runs[1].note.as_deref(), Some("not what I meant"));
    let error = sessions.rate(&name, Some("r9"), Rating::Good, None, clock()).expect_err("no such run");
    assert_eq!(error.to_string(), "session `rated` has no run `r9`; it has `r1`, `r2`");
}

#[test]
fn a_foreign_log_is_imported_again_without_losing_ratings() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    let log = fs::read_to_string(fixture("codex.jsonl")).expect("a fixture");
    let start: String = log.split_inclusive('\n').take(16).collect();
    tree.write("rollout.jsonl", &start);
    let first = sessions.import(ImportKind::Codex, &tree.path("rollout.jsonl")).expect("imported");
    assert_eq!(
        (first.id.as_str(), first.runs, first.replaced),
        ("codex-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5", 1, false)
    );
    sessions.rate(&first.id, Some("r1"), Rating::Good, None, clock()).expect("rated");
    tree.write("rollout.jsonl", &log);
    let second = sessions.import(ImportKind::Codex, &tree.path("rollout.jsonl")).expect("imported");
    assert_eq!((second.id, second.runs, second.replaced), (first.id.clone(), 2, true));
    let stored = sessions.show(&first.id).expect("a session");
    assert_eq!(stored.run(Some("r1")).expect("a run").outcome.by, OutcomeSource::User);
    assert_eq!(stored.summary.imported_from.as_deref(), Some("codex"));
    assert_eq!(stored.summary.session, first.id.as_str());
}

#[test]
fn what_is_no_log_is_refused() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    let import = |text: &str| {
        tree.write("log", text);
        sessions.import(ImportKind::ClaudeCode, &tree.path("log"))
    };
    for text in ["", "hello\n", "{\"type\":\"mood\"}\n", "[]\n"] {
        let error = import(text).expect_err("refused").to_string();
        assert!(error.ends_with("holds no session of claude-code"), "{error}");
    }
    assert!(matches!(sessions.import(ImportKind::Codex, &tree.path("nothing")), Err(SessionError::Read(_))));
    assert_eq!(sessions.list(&SessionFilter::default()), []);
    // An id that cannot be a folder's name becomes a hash; one that is taken is not overwritten.
    let message = r#"{"type":"user","sessionId":"SESSION","message":{"content":"hi"}}"#;
    let odd = import(&message.replace("SESSION", "../../x")).expect("imported").id;
    assert!(odd.as_str().starts_with("claude-code-") && odd.as_str().len() == 28, "{odd}");
    open(&sessions, "claude-code-mine");
    assert!(matches!(import(&message.replace("SESSION", "mine")), Err(SessionError::Taken(_))));
}

#[test]
fn exports_hold_everything() {
    let tree = Tree::new();
    let sessions = engine(&tree).sessions();
    let writer = open(&sessions, "out");
    write_run(&writer, "r1", "sort this");
    let file = fs::read_to_string(writer.file()).expect("a file");
    assert_eq!(sessions.export(&id("out"), ExportFormat::Jsonl).expect("exported"), file);
    let json: Value =
        serde_json::from_str(&sessions.export(&id("out"), ExportFormat::Json).expect("exported"))
            .expect("JSON");
    assert_eq!(json["lines"].as_array().map(Vec::len), Some(5));
    assert_eq!(json["summary"]["runs"][0]["outcome"]["result"], "dependency_missing");
    let markdown = sessions.export(&id("out"), ExportFormat::Markdown).expect("exported");
    assert!(
        markdown.starts_with("# Session `out`\n") && markdown.contains("jq: command not found"),
        "{markdown}"
    );
    assert!(matches!(sessions.export(&id("none"), ExportFormat::Json), Err(SessionError::Unknown(_))));
}

#[test]
fn other_profiles_record_in_our_own_home() {
    let tree = Tree::new();
    let sessions = engine_with(&tree, ProfileName::Openclaw, &[], Caching::Off).sessions();
    assert_eq!(sessions.folder(), tree.path("home/.prowess/sessions"));
}
