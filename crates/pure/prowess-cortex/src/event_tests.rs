use super::*;
use crate::ValueDelta;

fn every_kind() -> Vec<EventKind> {
    let text = |text: &str| text.to_owned();
    let answer = RetentionEvent { region: text("todo"), slug: text("todoist-cli") };
    let lesson = LessonRef::EnvReady { region: text("todo"), key: text("TODOIST_API_KEY") };
    let mut outcome = OutcomeEvent::new("todo", "todoist-cli", "1.2.0", OutcomeResult::DependencyMissing);
    outcome.key = Some(text("jq"));
    outcome.side_effects = Some(Vec::new());
    outcome.tenure = Tenure::LongTerm;
    vec![
        EventKind::Outcome(outcome),
        EventKind::Searched {},
        EventKind::Installed { slug: text("a"), version: text("1.0.0") },
        EventKind::InstallFailed { slug: text("a") },
        EventKind::CacheHit { region: text("todo") },
        EventKind::ReflexFired { region: text("todo"), slug: text("a") },
        EventKind::ReflexCancelled { region: text("todo"), slug: text("a") },
        EventKind::RetentionAccepted(answer.clone()),
        EventKind::RetentionDeclined(answer),
        EventKind::BlacklistAdded { slug: text("a@1.0.0") },
        EventKind::BlacklistRemoved { slug: text("a@1.0.0") },
        EventKind::LessonValidated(lesson.clone()),
        EventKind::LessonContradicted(lesson.clone()),
        EventKind::Forgotten(Forgotten::Everything),
        EventKind::Forgotten(Forgotten::Skill { slug: text("a"), region: None }),
        EventKind::Forgotten(Forgotten::Lesson { lesson }),
        EventKind::Imported(Box::new(Import {
            digest: text("00"),
            delta: ValueDelta::Within(vec![
                (text("a"), ValueDelta::Add(-3)),
                (text("b"), ValueDelta::Remove),
                (text("c"), ValueDelta::Set(Value::Null)),
            ]),
            long_term: Vec::new(),
        })),
        EventKind::ReflexWithdrawn { slug: text("a"), why: ReflexWithdrawal::Refused },
        EventKind::VersionSeen { slug: text("a"), version: text("2.0.0") },
    ]
}

#[test]
fn every_kind_is_written_and_read() {
    for kind in every_kind() {
        let event =
            Event { snapshot: Some("s1".to_owned()), ..Event::new("01JD0000000000000000000000", -5, kind) };
        let text = event.to_json();
        assert_eq!(Event::from_json(&text).unwrap(), event, "{text}");
        assert!(text.contains(&format!("\"kind\":\"{}\"", event.kind.name())), "{text}");
    }
}

#[test]
fn what_is_not_known_is_kept_as_it_was() {
    for text in [
        r#"{"v":1,"id":"a","clock":1,"kind":"dreamt","of":{"sheep":[1,2.5]}}"#,
        r#"{"v":2,"id":"a","clock":1,"session":"s","kind":"outcome","region":"todo","slug":"a","result":"success"}"#,
        r#"{"v":1,"id":"a","clock":1,"kind":"outcome","region":7}"#,
        r#"{"v":1,"id":"a","clock":1}"#,
    ] {
        let event = Event::from_json(text).unwrap();
        assert!(matches!(event.kind, EventKind::Unknown { .. }), "{text}");
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(&event.to_json()), value(text));
        assert_eq!(Event::from_json(&event.to_json()).unwrap(), event);
    }
}

#[test]
fn what_has_no_name_is_no_event() {
    for text in ["", "[]", "{}", r#"{"id":"a","clock":"now"}"#, r#"{"id":1,"clock":1}"#] {
        assert!(Event::from_json(text).is_err(), "{text}");
    }
}
