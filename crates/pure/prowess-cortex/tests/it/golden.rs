//! Every worked example, to 1e-9.

use std::collections::BTreeMap;

use prowess_cortex::{
    CortexCandidate, CortexFile, CortexState, Day, Event, EventKind, Import, LastFail, OutcomeEvent, Region,
    Rules, Switch, Switches, constants, read_document, recover, signals,
};
use prowess_types::OutcomeResult;
use serde_json::{Value, json};

const RULES: Rules = Rules::AsWritten;
const TOLERANCE: f64 = 1e-9;

fn golden() -> Value {
    serde_json::from_str(include_str!("../data/golden.json")).unwrap()
}

/// Whether two values are the same, numbers within the tolerance.
fn is_close(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) => {
            (found.as_f64().unwrap() - expected.as_f64().unwrap()).abs() <= TOLERANCE
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(found, expected)| is_close(found, expected))
        }
        (Value::Object(found), Value::Object(expected)) => {
            found.len() == expected.len()
                && expected
                    .iter()
                    .all(|(name, value)| found.get(name).is_some_and(|found| is_close(found, value)))
        }
        _ => found == expected,
    }
}

#[test]
fn every_example() {
    let golden = golden();
    let cases = golden["cases"].as_array().unwrap();
    assert_eq!(golden["count"], cases.len());
    let mut wrong = Vec::new();
    let mut kinds = BTreeMap::new();
    for case in cases {
        let (kind, expected) = (case["kind"].as_str().unwrap(), &case["expected"]);
        *kinds.entry(kind).or_insert(0) += 1;
        let found = answer(kind, &case["input"], expected);
        if !is_close(&found, expected) {
            wrong.push(format!(
                "{}: {}\n  found    {found}\n  expected {expected}",
                case["id"], case["title"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert_eq!(kinds.len(), 22, "{kinds:?}");
}

fn answer(kind: &str, input: &Value, expected: &Value) -> Value {
    match kind {
        "success_update" => success_update(input),
        "failure_update" => failure_update(input),
        "effective_weight" => effective_weight(input),
        "days" => days(input),
        "recent_reset" => recent_reset(input),
        "sequence" => sequence(input),
        "successes_needed" => successes_needed(input),
        "reflex_promotion" => reflex_promotion(input),
        "reflex_fire" => reflex_fire(input),
        "retention" => retention(input),
        "ranking" => ranking(input),
        "prune_candidates" => prune_candidates(input),
        "prune_regions" => prune_regions(input),
        "prune_signals" => prune_signals(input),
        "prune_lessons" => prune_lessons(input),
        "lesson_confidence" => lesson_confidence(input),
        "lesson_trigger" => lesson_trigger(input),
        "signals_merge" => signals_merge(input),
        "entity_filter" => entity_filter(input, expected),
        "file_recovery" => file_recovery(input),
        "switching" => switching(input),
        "success_rate" => success_rate(input),
        _ => panic!("an example of the unknown kind `{kind}`"),
    }
}

fn today() -> Day {
    Day::parse("2026-02-24").unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn texts(value: &Value) -> Vec<String> {
    serde_json::from_value(value.clone()).unwrap()
}

fn failure(name: &Value) -> OutcomeResult {
    serde_json::from_value(name.clone()).unwrap()
}

/// A file with one region, `r`, last used so many days ago.
fn file(candidates: &Value, days: i64) -> CortexFile {
    let last_used = today().plus(-days).to_string();
    let file =
        json!({"version": 1, "cortex": {"motor": {"r": {"candidates": candidates, "last_used": last_used}}}});
    read_document(file.to_string().as_bytes()).unwrap()
}

/// A state that came from a file.
fn imported(file: &CortexFile) -> CortexState {
    let import = Import::merged(&CortexState::default(), file).expect("something to import");
    let event = Event::new("import", today().clock(), EventKind::Imported(Box::new(import)));
    CortexState::replay([&event], RULES)
}

fn candidate(weight: &Value) -> CortexCandidate {
    let mut candidate = CortexCandidate::new("skill");
    candidate.weight = number(weight);
    candidate.side_effects.clear();
    candidate
}

fn success_update(input: &Value) -> Value {
    let mut candidate = candidate(&input["weight"]);
    let (recent, before) = (input["recent_successes_7d"].as_u64().unwrap(), candidate.weight);
    candidate.succeed(recent);
    let boost = (candidate.weight - before) / (1.0 - before);
    json!({"boost": boost, "weight": candidate.weight, "recent_successes_7d": candidate.runs.recent_successes_7d})
}

fn failure_update(input: &Value) -> Value {
    let mut candidate = candidate(&input["weight"]);
    candidate.reflex = true;
    let failure: LastFail = serde_json::from_value(json!({"type": input["type"]})).unwrap();
    candidate.fail(failure);
    json!({"weight": candidate.weight, "reflex": candidate.reflex})
}

fn effective_weight(input: &Value) -> Value {
    let days = input["days_since_last_used"].as_i64().unwrap();
    let candidate = candidate(&input["weight"]);
    let region = Region { last_used: Some(today().plus(-days)), ..Region::default() };
    let effective = RULES.effective(&candidate, &region, today());
    let state = imported(&file(&json!([{"slug": "skill", "weight": input["weight"]}]), days));
    json!({
        "decay": RULES.decay(days, 0, 0),
        "effective_weight": effective,
        "listed": !state.listing("r", today().clock(), RULES).is_empty(),
        "pruned": state.region("r").is_none(),
    })
}

fn days(input: &Value) -> Value {
    let day = |name: &str| Day::parse(input[name].as_str().unwrap()).unwrap();
    let days = day("today").days_since(day("last_used"));
    json!({"days": days, "decay": RULES.decay(days, 0, 0)})
}

fn recent_reset(input: &Value) -> Value {
    let mut candidate = CortexCandidate::new("skill");
    candidate.runs.recent_successes_7d = input["recent_successes_7d"].as_u64().unwrap();
    let days = input["days_since_last_used"].as_i64().unwrap();
    let region = Region { last_used: Some(today().plus(-days)), ..Region::default() };
    json!({"recent_successes_7d": RULES.recent_successes(&candidate, &region, today())})
}

/// A candidate alone: the examples follow the formulas also where the record would have been removed.
fn sequence(input: &Value) -> Value {
    let mut candidate = candidate(&input["initial_weight"]);
    candidate.side_effects = texts(&input["side_effects"]);
    let mut region = Region::default();
    let mut trace = Vec::new();
    for event in input["events"].as_array().unwrap() {
        let day = today().plus(event["day"].as_i64().unwrap());
        let recent = RULES.recent_successes(&candidate, &region, day);
        candidate.runs.recent_successes_7d = recent;
        if event["event"] == "ok" {
            candidate.succeed(recent);
            candidate.promote_if_earned(RULES);
        } else {
            candidate.fail(serde_json::from_value(json!({"type": event["event"]})).unwrap());
        }
        region.last_used = Some(day);
        trace.push(json!({
            "day": event["day"],
            "event": event["event"],
            "weight": candidate.weight,
            "recent_successes_7d": candidate.runs.recent_successes_7d,
            "success": candidate.runs.success,
            "fail": candidate.runs.fail,
            "consecutive_success": candidate.streak(),
            "reflex": candidate.reflex,
        }));
    }
    let last = trace.last().cloned();
    check_fold(input, &trace);
    json!({"trace": trace, "final": last})
}

/// The fold of events says the same, as long as the record is not removed.
fn check_fold(input: &Value, trace: &[Value]) {
    let mut state = CortexState::default();
    for (at, (event, expected)) in input["events"].as_array().unwrap().iter().zip(trace).enumerate() {
        let result = if event["event"] == "ok" { OutcomeResult::Success } else { failure(&event["event"]) };
        let mut outcome = OutcomeEvent::new("r", "skill", "1.0.0", result);
        outcome.side_effects = Some(texts(&input["side_effects"]));
        let clock = today().plus(event["day"].as_i64().unwrap()).clock();
        state.apply(&Event::new(&format!("{at}"), clock, EventKind::Outcome(outcome)), RULES);
        let Some(region) = state.region("r") else {
            assert!(number(&expected["weight"]) < constants::PRUNE_THRESHOLD);
            return;
        };
        let candidate = region.candidate("skill").unwrap();
        assert!((candidate.weight - number(&expected["weight"])).abs() <= TOLERANCE);
        assert_eq!(candidate.runs.recent_successes_7d, expected["recent_successes_7d"].as_u64().unwrap());
        assert_eq!(candidate.reflex, expected["reflex"]);
    }
}

fn successes_needed(input: &Value) -> Value {
    let mut candidate = candidate(&input["start"]);
    let (threshold, gap) = (number(&input["threshold"]), input["gap_days"].as_i64().unwrap());
    let (mut day, mut region) = (today(), Region::default());
    while candidate.weight < threshold {
        candidate.succeed(RULES.recent_successes(&candidate, &region, day));
        region.last_used = Some(day);
        day = day.plus(gap);
    }
    json!({"count": candidate.runs.success, "weight": candidate.weight})
}

fn reflex_promotion(input: &Value) -> Value {
    let mut candidate = candidate(&input["weight"]);
    candidate.runs.success = input["success"].as_u64().unwrap();
    candidate.side_effects = texts(&input["side_effects"]);
    candidate.promote_if_earned(RULES);
    json!({"reflex": candidate.reflex})
}

fn reflex_fire(input: &Value) -> Value {
    let record = json!([{
        "slug": "skill", "version": input["stored_version"], "weight": input["weight"], "reflex": input["reflex"],
        "runs": {"success": 10, "fail": 0, "recent_successes_7d": 0, "consecutive_success": input["consecutive_success"]},
        "side_effects": input["side_effects"],
    }]);
    let mut state = imported(&file(&record, input["days_since_last_used"].as_i64().unwrap()));
    let available = input["available_version"].as_str().unwrap();
    let path = state.fast_path("r", "skill", available, today().clock(), RULES);
    let seen = EventKind::VersionSeen { slug: "skill".to_owned(), version: available.to_owned() };
    state.apply(&Event::new("seen", today().clock(), seen), RULES);
    let reflex = state.region("r").unwrap().candidate("skill").unwrap().reflex;
    json!({"fires": path.fires(), "effective_weight": path.effective, "reflex_after": reflex})
}

fn retention(input: &Value) -> Value {
    let mut candidate = candidate(&input["weight"]);
    candidate.runs.success = input["success"].as_u64().unwrap();
    candidate.skill_md_chars = input["skill_md_chars"].as_u64().unwrap();
    json!({"suggest": candidate.offers_retention(today())})
}

fn ranking(input: &Value) -> Value {
    let mut file = file(&input["candidates"], input["days_since_last_used"].as_i64().unwrap());
    file.blacklist = texts(&input["blacklist"]);
    let listing = imported(&file).listing("r", today().clock(), RULES);
    let order: Vec<Value> = listing
        .iter()
        .map(|listed| json!({"slug": listed.candidate.slug, "effective_weight": listed.effective}))
        .collect();
    json!({"order": order})
}

fn prune_candidates(input: &Value) -> Value {
    let days = input["days_since_last_used"].as_i64().unwrap();
    let Some(name) = input["region"].as_str() else {
        let state = imported(&file(&input["candidates"], days));
        let kept: Vec<&str> =
            state.region("r").unwrap().candidates.iter().map(|kept| kept.slug.as_str()).collect();
        let all = input["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|candidate| candidate["slug"].as_str().unwrap());
        let removed: Vec<&str> = all.filter(|slug| !kept.contains(slug)).collect();
        return json!({"kept": kept, "removed": removed});
    };
    let last_used = today().plus(-days).to_string();
    let patterns: Vec<Value> = texts(&input["patterns"])
        .iter()
        .map(|region| json!({"signal": ["word"], "region": region}))
        .collect();
    let lessons: Vec<Value> = input["lessons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|lesson| {
            let mut lesson = lesson.clone();
            lesson["key"] = "KEY".into();
            lesson
        })
        .collect();
    let file = json!({"version": 1, "cortex": {
        "sensory": {"patterns": patterns},
        "motor": {
            name: {"candidates": input["candidates"], "last_used": last_used},
            "r2": {"candidates": [{"slug": "other"}], "last_used": last_used},
        },
        "prefrontal": {"lessons": lessons},
    }});
    let state = imported(&read_document(file.to_string().as_bytes()).unwrap());
    let patterns: Vec<&str> = state.patterns().iter().map(|pattern| pattern.region.as_str()).collect();
    let lessons: Vec<Value> = state
        .lessons()
        .iter()
        .map(|lesson| {
            let mut lesson = serde_json::to_value(&lesson.kind).unwrap();
            let fields = lesson.as_object_mut().unwrap();
            fields.retain(|name, _| ["type", "region", "slug"].contains(&name.as_str()));
            lesson
        })
        .collect();
    json!({"region_kept": state.region(name).is_some(), "patterns": patterns, "lessons": lessons})
}

fn prune_regions(input: &Value) -> Value {
    let count = input["regions"].as_i64().unwrap();
    let first = Day::parse("2026-01-01").unwrap();
    let region = |at: i64| json!({"candidates": [{"slug": "skill", "weight": 0.9}], "last_used": first.plus(at).to_string()});
    let motor: serde_json::Map<String, Value> = (0..count).map(|at| (format!("r{at}"), region(at))).collect();
    let file = json!({"version": 1, "cortex": {"motor": motor}});
    let state = imported(&read_document(file.to_string().as_bytes()).unwrap());
    let removed: Vec<String> =
        (0..count).map(|at| format!("r{at}")).filter(|name| state.region(name).is_none()).collect();
    json!({"removed": removed, "kept": state.regions().count()})
}

fn prune_signals(input: &Value) -> Value {
    let mut outcome = OutcomeEvent::new("r", "skill", "1.0.0", OutcomeResult::Success);
    outcome.signals = texts(&input["signals"]);
    let state = CortexState::replay([&Event::new("a", 0, EventKind::Outcome(outcome))], RULES);
    json!({"signals": state.patterns()[0].signal})
}

fn prune_lessons(input: &Value) -> Value {
    let confidences = input["confidences"].as_array().unwrap();
    let lesson = |(at, confidence): (usize, &Value)| json!({"type": "skill_quality_warning", "slug": format!("s{at}"), "confidence": confidence});
    let lessons: Vec<Value> = confidences.iter().enumerate().map(lesson).collect();
    let file = json!({"version": 1, "cortex": {"prefrontal": {"lessons": lessons}}});
    let state = imported(&read_document(file.to_string().as_bytes()).unwrap());
    let mut left: Vec<f64> = state.lessons().iter().map(|lesson| lesson.confidence).collect();
    let kept = left.len();
    let mut removed = Vec::new();
    for confidence in confidences {
        match left.iter().position(|left| left.to_bits() == number(confidence).to_bits()) {
            Some(at) => drop(left.remove(at)),
            None => removed.push(confidence.clone()),
        }
    }
    json!({"removed_confidences": removed, "kept": kept})
}

fn lesson_confidence(input: &Value) -> Value {
    let lesson = json!({"type": "skill_quality_warning", "slug": "s", "confidence": input["confidence"]});
    let file = json!({"version": 1, "cortex": {"prefrontal": {"lessons": [lesson]}}});
    let mut state = imported(&read_document(file.to_string().as_bytes()).unwrap());
    let meant: prowess_cortex::LessonRef =
        serde_json::from_value(json!({"type": "skill_quality_warning", "slug": "s"})).unwrap();
    for at in 0..input["validations"].as_u64().unwrap() {
        let event = Event::new(&format!("{at}"), today().clock(), EventKind::LessonValidated(meant.clone()));
        state.apply(&event, RULES);
    }
    json!({"confidence": state.lessons()[0].confidence})
}

fn lesson_trigger(input: &Value) -> Value {
    let mut state = CortexState::default();
    for (at, event) in input["events"].as_array().unwrap().iter().enumerate() {
        let mut outcome =
            OutcomeEvent::new(input["region"].as_str().unwrap(), "skill", "1.0.0", failure(&event[0]));
        outcome.key = event[1].as_str().map(str::to_owned);
        state.apply(&Event::new(&format!("{at}"), today().clock(), EventKind::Outcome(outcome)), RULES);
    }
    json!({"lessons": serde_json::to_value(state.lessons()).unwrap()})
}

fn signals_merge(input: &Value) -> Value {
    let event = |id: &str, signals: &Value| {
        let mut outcome = OutcomeEvent::new("r", "skill", "1.0.0", OutcomeResult::Success);
        outcome.signals = texts(signals);
        Event::new(id, 0, EventKind::Outcome(outcome))
    };
    let state = CortexState::replay(&[event("a", &input["existing"]), event("b", &input["new"])], RULES);
    json!({"signals": state.patterns()[0].signal})
}

/// What must not come out is hard, and so is the number of words; which words is a suggestion, met by most.
fn entity_filter(input: &Value, expected: &Value) -> Value {
    let found = signals(input["task"].as_str().unwrap());
    for name in texts(&expected["must_not_contain"]) {
        assert!(!found.iter().any(|word| word.contains(&name)), "{input}: {found:?}");
    }
    let bounds = expected["min"].as_u64().unwrap()..=expected["max"].as_u64().unwrap();
    assert!(bounds.contains(&(found.len() as u64)), "{input}: {found:?}");
    let reference = texts(&expected["signals_reference"]);
    let met = reference.iter().filter(|word| found.contains(word)).count();
    assert!(met * 2 >= reference.len(), "{input}: {found:?}");
    expected.clone()
}

fn file_recovery(input: &Value) -> Value {
    let text = input["file"].as_str();
    let reading = recover(text.map(str::as_bytes));
    json!({"degraded": reading.is_degraded, "cortex": reading.document})
}

fn switching(input: &Value) -> Value {
    let candidates = texts(&input["candidates"]);
    let mut switches = Switches::default();
    let mut tried = Vec::new();
    let mut outcome = "report";
    for (at, result) in texts(&input["install_results"]).iter().enumerate() {
        tried.push(candidates[at].clone());
        if result == "ok" {
            outcome = "installed";
            break;
        }
        if switches.after_install_failure(candidates.len() - at - 1) == Switch::Report {
            break;
        }
    }
    json!({"tried": tried, "outcome": outcome})
}

fn success_rate(input: &Value) -> Value {
    let mut candidate = CortexCandidate::new("skill");
    candidate.runs.success = input["success"].as_u64().unwrap();
    candidate.runs.fail = input["fail"].as_u64().unwrap();
    json!({"percent": candidate.success_percent()})
}

#[test]
fn every_constant() {
    let golden = golden();
    let found = json!({
        "initial_weight": constants::INITIAL_WEIGHT,
        "learning_rate": constants::LEARNING_RATE,
        "recent_window_days": constants::RECENT_WINDOW_DAYS,
        "decay_horizon_days": constants::DECAY_HORIZON_DAYS,
        "decay_floor": constants::DECAY_FLOOR,
        "floor_reached_day": (0..1_000).find(|days| RULES.decay(*days, 0, 0) <= constants::DECAY_FLOOR + TOLERANCE),
        "list_threshold": constants::LIST_THRESHOLD,
        "prune_threshold": constants::PRUNE_THRESHOLD,
        "failure_factors": golden["constants"]["failure_factors"],
        "reflex": {
            "min_success": constants::REFLEX_SUCCESSES,
            "min_weight": constants::REFLEX_WEIGHT,
            "blocked_prefixes": constants::BLOCKING_PREFIXES,
        },
        "retention": {
            "min_success": constants::RETENTION_SUCCESSES,
            "min_weight": constants::RETENTION_WEIGHT,
            "max_chars_exclusive": constants::RETENTION_CHARS,
        },
        "limits": {
            "candidates_per_region": constants::MAX_CANDIDATES,
            "regions": constants::MAX_REGIONS,
            "signals_per_pattern": constants::MAX_SIGNALS,
            "lessons": constants::MAX_LESSONS,
            "search_candidates": constants::MAX_SEARCHED,
            "switches": constants::MAX_SWITCHES,
            "new_signals_min": 2,
            "new_signals_max": constants::MAX_NEW_SIGNALS,
        },
        "lesson": {
            "initial": constants::LESSON_CONFIDENCE,
            "step": constants::LESSON_STEP,
            "cap": 1.0,
            "prune_below": constants::LESSON_THRESHOLD,
        },
    });
    assert!(is_close(&found, &golden["constants"]), "{found}");
    for (name, factor) in golden["constants"]["failure_factors"].as_object().unwrap() {
        let updated = failure_update(&json!({"weight": 1.0, "type": name}));
        assert!(is_close(&updated["weight"], factor), "{name}");
    }
}
