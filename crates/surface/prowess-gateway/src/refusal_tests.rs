use prowess_acquire::AcquireError;
use prowess_acquire::DepsError;
use prowess_config::Loosening;
use prowess_config::UnknownAgent;
use prowess_context::{ApprovalsError, ConfigWriteError, ContextError as EngineError};
use prowess_learn::forge::ForgeError;
use prowess_sessions::SessionError;

use super::*;

fn unknown_agent() -> EngineError {
    EngineError::Agent(UnknownAgent { id: "ghost".to_owned(), known: vec!["main".to_owned()] })
}

#[test]
fn every_refusal_has_a_code_for_programs() {
    for kind in ErrorKind::ALL {
        let wire = serde_json::to_value(Refusal::new(kind, "no")).unwrap();
        assert_eq!(wire["details"], json!({ "code": kind.code() }));
        assert_eq!(wire["code"], Code::of(kind).as_str());
    }
    let finer = Refusal::missing_scope(Scope::Admin);
    assert_eq!(finer.details["code"], "MISSING_SCOPE");
    let more = Refusal::invalid("no").with_details(json!({ "issues": [] }));
    assert_eq!(*more.details, json!({ "code": "invalid-value", "issues": [] }));
}

#[test]
fn errors_of_the_engine_are_classified_by_their_kind() {
    let cases: [(Refusal, Code, &str); 8] = [
        (SessionError::Unknown("a".to_owned()).into(), Code::InvalidRequest, "not-found"),
        (DepsError::NoSkill("a".to_owned()).into(), Code::InvalidRequest, "not-found"),
        (ConfigWriteError::Stale.into(), Code::InvalidRequest, "stale"),
        (ConfigWriteError::File("no".to_owned()).into(), Code::Unavailable, "files"),
        (ForgeError::SwitchedOff.into(), Code::InvalidRequest, "refused"),
        (unknown_agent().into(), Code::InvalidRequest, "unknown-agent"),
        (DepsError::Context(unknown_agent()).into(), Code::InvalidRequest, "unknown-agent"),
        (
            ApprovalsError::NeedsConfirmation(Loosening::default()).into(),
            Code::Forbidden,
            "needs-confirmation",
        ),
    ];
    for (refusal, code, detail) in cases {
        assert_eq!((refusal.code, &refusal.details["code"]), (code, &json!(detail)), "{}", refusal.message);
    }
}

#[test]
fn a_wrapped_unknown_agent_is_told_in_the_words_of_the_protocol() {
    let refusal = Refusal::from(DepsError::Context(unknown_agent()));
    assert_eq!(refusal.message, "unknown agent id \"ghost\"");
}

#[test]
fn an_install_that_fails_is_unavailable_and_keeps_its_kind() {
    let refused = AcquireError::Blocked { name: "a".to_owned(), reasons: vec!["it steals".to_owned()] };
    let refusal = Refusal::from(refused);
    assert_eq!((refusal.code, &refusal.details["code"]), (Code::Unavailable, &json!("refused")));
    let taken = AcquireError::AlreadyThere { path: "/a".into(), is_installed: false };
    let refusal = Refusal::from(taken);
    assert_eq!((refusal.code, &refusal.details["code"]), (Code::InvalidRequest, &json!("already-there")));
    let asked = Refusal::from(DepsError::NoConsent("a".to_owned()));
    assert_eq!(asked.code, Code::Unavailable);
}

#[test]
fn the_advice_of_the_protocol_is_added() {
    let refusal = Refusal::from(ForgeError::NotTested("a".to_owned()));
    assert!(refusal.message.ends_with("; forge.test measures it"), "{}", refusal.message);
    assert_eq!(refusal.details["code"], "not-ready");
}
