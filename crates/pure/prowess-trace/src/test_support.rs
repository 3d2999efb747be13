//! Lines for tests, made and made up.

use proptest::prelude::*;
use prowess_types::{
    ActivatedBy, Backend, Outcome, OutcomeResult, OutcomeSource, PhoneStep, PromptedAs, PromptedSkill,
    RankedSkill, SelectionDecision, TraceEvent, TraceLine, Usage,
};
use serde_json::{Map, Value, json};

pub(crate) fn line(event: TraceEvent) -> TraceLine {
    TraceLine { at: 1_000, run: "r1".into(), event }
}

pub(crate) fn call(id: &str, tool: &str, input: Value) -> TraceLine {
    line(TraceEvent::ToolCall { id: id.into(), tool: tool.into(), input, step: None })
}

pub(crate) fn result(id: &str, ok: bool, output: &str, exit_code: Option<i32>) -> TraceLine {
    line(TraceEvent::ToolResult {
        id: id.into(),
        ok,
        output: output.into(),
        omitted_bytes: 0,
        exit_code,
        ms: None,
    })
}

/// A program that was run, and how it ended.
pub(crate) fn ran(command: &str, exit_code: i32, output: &str) -> [TraceLine; 2] {
    [
        call(command, "exec", json!({ "command": command })),
        result(command, exit_code == 0, output, Some(exit_code)),
    ]
}

pub(crate) fn ended(result: OutcomeResult, by: OutcomeSource) -> TraceLine {
    line(TraceEvent::RunEnded {
        outcome: Outcome { result, by, ..Outcome::default() },
        usage: Usage { input_tokens: 10, output_tokens: 5, cached_tokens: 2, requests: 1 },
        ms: Some(40),
        stopped: false,
    })
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,30}", "\\PC{0,30}", Just("```\n401 command not found\u{1b}[31m".to_owned())]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any_text(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    let results = prop::sample::select(vec![
        OutcomeResult::Success,
        OutcomeResult::DependencyMissing,
        OutcomeResult::AuthError,
        OutcomeResult::ApiError,
        OutcomeResult::TaskMismatch,
        OutcomeResult::RuntimeError,
        OutcomeResult::Unknown,
    ]);
    let sources = prop::sample::select(vec![
        OutcomeSource::User,
        OutcomeSource::Agent,
        OutcomeSource::Classifier,
        OutcomeSource::Nobody,
    ]);
    (results, sources, prop::option::of(any_text()), prop::option::of(any_text()))
        .prop_map(|(result, by, detail, key)| Outcome { result, by, detail, key })
}

fn any_prompted() -> impl Strategy<Value = PromptedSkill> {
    let how = prop::sample::select(vec![
        PromptedAs::Listed,
        PromptedAs::Text,
        PromptedAs::Map,
        PromptedAs::Pointer,
        PromptedAs::Again,
    ]);
    (any_text(), any_text(), prop::option::of(any_text()), how)
        .prop_map(|(name, path, content_hash, how)| PromptedSkill { name, path, content_hash, how })
}

fn any_event() -> impl Strategy<Value = TraceEvent> {
    let text = any_text;
    prop_oneof![
        (text(), text(), text(), prop::option::of(text())).prop_map(
            |(session, agent, workspace, imported_from)| {
                TraceEvent::Session { format: 1, session, agent, workspace, imported_from }
            }
        ),
        (text(), prop::option::of(text()), prop::option::of(text())).prop_map(
            |(message, snapshot, model)| {
                let backend = Backend { model, ..Backend::default() };
                TraceEvent::RunStarted { message, snapshot, catalogue: None, backend, parent: None }
            }
        ),
        (any_decision(), 0.0..1.0_f32, text()).prop_map(|(decision, confidence, name)| {
            TraceEvent::Selection {
                decision,
                confidence,
                ranked: vec![RankedSkill {
                    name,
                    score: confidence * 3.0,
                    confidence,
                    loaded: confidence > 0.5,
                }],
                follow_up: (confidence > 0.8).then(|| prowess_types::FollowUp {
                    effect: prowess_types::FollowUpEffect::Kept,
                    skills: vec!["weather".to_owned()],
                    reason: "the message continues the one before".to_owned(),
                }),
            }
        }),
        (text(), prop::option::of(text()), any::<u32>(), prop::collection::vec(any_prompted(), 0..3))
            .prop_map(|(system, context, chars, skills)| TraceEvent::Prompt {
                system,
                empty: context.clone().filter(|_| skills.is_empty()),
                message: context.clone(),
                context,
                chars: chars as usize,
                listed: skills.len(),
                skills,
            }),
        (text(), text()).prop_map(|(skill, path)| TraceEvent::Activation {
            skill,
            path,
            content_hash: None,
            by: ActivatedBy::Read,
        }),
        text().prop_map(|text| TraceEvent::Thought { text }),
        ("[ab]", text(), any_value(), prop::option::of(text())).prop_map(|(id, tool, input, app)| {
            let step = app.map(|app| PhoneStep { app: Some(app), ..PhoneStep::default() });
            TraceEvent::ToolCall { id, tool, input, step }
        }),
        ("[ab]", any::<bool>(), text(), any::<u64>(), prop::option::of(any::<i32>())).prop_map(
            |(id, ok, output, omitted_bytes, exit_code)| TraceEvent::ToolResult {
                id,
                ok,
                output,
                omitted_bytes,
                exit_code,
                ms: None
            }
        ),
        text().prop_map(|text| TraceEvent::Answer { text }),
        (text(), text()).prop_map(|(capability, phase)| TraceEvent::CapabilityProbe {
            capability,
            phase,
            details: Map::new()
        }),
        (text(), prop::option::of(text()))
            .prop_map(|(capability, answer)| TraceEvent::HumanAuth { capability, answer }),
        (text(), text()).prop_map(|(kind, text)| TraceEvent::Notice { kind, text }),
        (any_outcome(), any::<u64>(), any::<bool>()).prop_map(|(outcome, input_tokens, stopped)| {
            let usage = Usage { input_tokens, ..Usage::default() };
            TraceEvent::RunEnded { outcome, usage, ms: Some(input_tokens), stopped }
        }),
        (any_outcome(), prop::option::of(text()))
            .prop_map(|(outcome, note)| TraceEvent::Rating { outcome, note }),
        any_value().prop_map(|entry| TraceEvent::Foreign { entry }),
    ]
}

pub(crate) fn any_line() -> impl Strategy<Value = TraceLine> {
    (any::<u64>(), "[rs]?", any_event()).prop_map(|(at, run, event)| TraceLine { at, run, event })
}

pub(crate) fn any_lines() -> impl Strategy<Value = Vec<TraceLine>> {
    prop::collection::vec(any_line(), 0..12)
}

fn any_decision() -> impl Strategy<Value = SelectionDecision> {
    let other = "[A-Z]{1,8}".prop_map(SelectionDecision::Other);
    let known = [SelectionDecision::Load, SelectionDecision::Suggest, SelectionDecision::None];
    prop_oneof![prop::sample::select(known.to_vec()), other]
}
