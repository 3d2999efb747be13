//! Reasons add up, and say what they mean.

use super::*;
use crate::gate::Gate;
use crate::signals::{LexicalSignal, ReaderSignal, TriggerSignal};

fn voice(share: f32) -> VoiceSignal {
    VoiceSignal { encoder: "one".to_owned(), cosine: Some(0.1), value: share, share }
}

fn term(word: &str, field: Field) -> TermSignal {
    TermSignal { word: word.to_owned(), field, share: 0.1 }
}

/// Signals that leave nothing out.
fn signals() -> Signals {
    Signals {
        voices: vec![voice(4.0)],
        lexical: LexicalSignal {
            value: 1.0,
            share: 1.0,
            terms: vec![
                term("rain", Field::Name),
                term("rain", Field::Body),
                term("oslo", Field::Description),
                term("hot", Field::Triggers),
                term("cold", Field::Body),
                term("dry", Field::Body),
            ],
        },
        triggers: Some(TriggerSignal { phrases: vec!["will it rain".to_owned()], share: 0.5 }),
        prior: Some(-0.5),
        reader: Some(ReaderSignal { reader: "second".to_owned(), value: -3.0, share: -1.5 }),
        action: None,
    }
}

fn gate() -> Gate {
    let weights = vec![
        (Feature::Score, 0.5),
        (Feature::Null, -0.5),
        (Feature::NullMean, -0.25),
        (Feature::Request, 1.0),
        (Feature::Reader, 1.0),
    ];
    Gate { intercept: -3.0, weights, request: Vec::new() }
}

fn shown(reasons: &[SelectReason]) -> String {
    let line = |reason: &SelectReason| format!("{:+.2} {}", reason.share, reason.text);
    reasons.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn sum(reasons: &[SelectReason]) -> f32 {
    reasons.iter().map(|reason| reason.share).sum()
}

#[test]
fn every_reader_has_its_part_and_the_parts_add_up() {
    // Half a point of the score is not supported by the meaning.
    let report = gate().judge(&[4.5, 1.0, 2.0, -0.5, -3.0, 0.0]);
    let reasons = SelectReason::all(&signals(), &report);
    insta::assert_snapshot!(shown(&reasons), @"
    +2.00 its meaning is close to the message
    +0.50 shared words: “rain” in its name, “oslo” in its description, “hot” in its trigger phrases, “cold” in its text and 1 more
    +0.25 the message has its trigger phrase “will it rain”
    -0.25 earlier runs count against it
    -0.25 shared words count only as far as the meaning supports them
    -3.00 read together with the message, it does not fit
    -1.50 the message alone does not tell whether it asks for anything
    -3.00 every skill starts here, because most messages ask for none
    ");
    assert!((sum(&reasons) - log_odds(report.confidence)).abs() < 1e-3);
}

#[test]
fn a_skill_without_anything_says_so() {
    let plain = Signals { voices: vec![voice(-0.5)], ..Signals::default() };
    let report = gate().judge(&[-0.5, -1.0, 0.0, 0.5, 0.0, 0.0]);
    let reasons = SelectReason::all(&plain, &report);
    insta::assert_snapshot!(shown(&reasons), @"
    -0.25 its meaning is further from the message than that of an unrelated skill
    +0.00 no word in common
    +1.00 the message sounds like a request
    -3.00 every skill starts here, because most messages ask for none
    ");
    let unknown = VoiceSignal { cosine: None, ..voice(0.0) };
    let reasons = SelectReason::all(&Signals { voices: vec![unknown], ..plain }, &report);
    assert_eq!(reasons[0].text, "its meaning has not been read yet");
    assert!(SelectReason::all(&Signals::default(), &GateReport::default()).is_empty());
}

#[test]
fn the_words_for_a_meaning_follow_its_strength() {
    let said = |share: f32| meaning(&[voice(share)], 1.0).text;
    let texts: Vec<String> = [6.0, 4.0, 2.0, 0.5, -1.0].into_iter().map(said).collect();
    insta::assert_snapshot!(texts.join("\n"), @"
    its meaning is very close to the message
    its meaning is close to the message
    its meaning is somewhat close to the message
    its meaning is hardly closer to the message than that of an unrelated skill
    its meaning is further from the message than that of an unrelated skill
    ");
}

#[test]
fn a_message_is_called_a_remark_only_where_that_is_clear() {
    let texts: Vec<String> = [0.5, -2.0, -4.0].into_iter().map(|share| sound(share).text).collect();
    insta::assert_snapshot!(texts.join("\n"), @"
    the message sounds like a request
    the message alone does not tell whether it asks for anything
    the message sounds like a remark, not like a request
    ");
}

#[test]
fn a_row_that_was_not_read_is_held_down_by_those_before_it() {
    let mut report = gate().judge(&[6.0, 0.0, 0.0, 0.5, 0.0, 0.0]);
    report.confidence = 0.1;
    let unread = Signals { voices: vec![voice(6.0)], ..Signals::default() };
    let reasons = SelectReason::all(&unread, &report);
    let last = reasons.last().expect("a reason");
    assert_eq!(last.kind, ReasonKind::Unread);
    assert!((sum(&reasons) - log_odds(0.1)).abs() < 1e-3);
}

#[test]
fn a_decision_names_what_spoke_against_it() {
    let report = gate().judge(&[4.5, 1.0, 2.0, -0.5, -3.0, 0.0]);
    let reasons = SelectReason::all(&signals(), &report);
    let against = |decision: SelectDecision| shown(&SelectReason::against(&reasons, &decision, 0.5, 0.3));
    insta::assert_snapshot!(against(SelectDecision::Nothing), @"
    -3.00 read together with the message, it does not fit
    -1.50 the message alone does not tell whether it asks for anything
    -0.25 earlier runs count against it
    ");
    insta::assert_snapshot!(against(SelectDecision::Suggest { rows: vec![0] }), @"
    -3.00 read together with the message, it does not fit
    -1.50 the message alone does not tell whether it asks for anything
    -0.25 earlier runs count against it
    -0.25 too little speaks for it: 2.8 of the 3.0 it takes to be loaded
    ");
    insta::assert_snapshot!(against(SelectDecision::Load { rows: vec![0] }), @"
    -3.00 read together with the message, it does not fit
    -1.50 the message alone does not tell whether it asks for anything
    -0.25 earlier runs count against it
    ");
}
