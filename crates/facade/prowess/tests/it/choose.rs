//! Which skill a message asks for: the selector of an engine, with the real encoders.

use std::path::Path;

use prowess::{Engine, EngineOptions};
use prowess_context::{Caching, Models};
use prowess_inventory::{MatchDecision, MatchRequest, MessageMatch};
use prowess_match::{Progress, Selector};
use prowess_testkit::{SkillFile, Tree};
use prowess_types::ProfileName;

use crate::support::{configure, options};

pub(crate) fn models() -> Models {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
    Models::in_folder(&folder).expect("the packs of the repository")
}

pub(crate) fn engine(tree: &Tree, cache: Caching) -> Engine {
    let options = EngineOptions { models: models(), cache, ..options(tree, ProfileName::Prowess, &[]) };
    Engine::open(options).expect("the engine opens")
}

pub(crate) fn write(tree: &Tree, name: &str, description: &str, fields: &str) {
    let text = SkillFile::new(name)
        .description(description)
        .fields(fields)
        .body(&format!("# {name}\n\nBody of {name}.\n"))
        .text();
    tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
}

/// Four skills of different trades.
pub(crate) fn trades() -> Tree {
    let tree = Tree::new();
    write(&tree, "forecast", "Weather, rain and temperature for a place, now and for the coming days.", "");
    write(&tree, "invoices", "Write, number and send invoices to customers and remind them of payments.", "");
    write(&tree, "containers", "Start, stop and inspect Docker containers and read their logs.", "");
    write(&tree, "bedtime", "Tell children a story before they go to sleep.", "");
    tree
}

fn ready(engine: &Engine, message: &str) -> Selector {
    let inventory = engine.inventory(None).expect("an inventory");
    let selector = engine.selector(&inventory).expect("a selector");
    selector.prepare_for(message, |_| {}).expect("vectors");
    selector
}

fn ask(tree: &Tree, message: &str) -> MessageMatch {
    let engine = engine(tree, Caching::Off);
    ready(&engine, message).find(&MatchRequest::new(message)).expect("an answer")
}

#[test]
fn a_message_without_a_word_in_common_finds_its_skill() {
    let tree = trades();
    for (message, skill) in [
        ("do I need an umbrella tomorrow?", "forecast"),
        ("bill Acme for last month's work", "invoices"),
        ("why does my nginx image keep restarting", "containers"),
        ("brauche ich morgen einen Regenschirm?", "forecast"),
        ("明日は傘が必要ですか", "forecast"),
    ] {
        let answer = ask(&tree, message);
        assert_eq!(answer.results[0].name, skill, "{message}: {answer:#?}");
    }
}

#[test]
fn nothing_loads_when_nothing_fits() {
    let tree = trades();
    for message in ["hello", "thanks, that was great!", "what is the capital of France?", "lol", ""] {
        let answer = ask(&tree, message);
        assert_eq!(answer.decision, MatchDecision::Nothing, "{message}: {answer:#?}");
        assert!(answer.abstained && answer.loaded().is_empty());
    }
}

#[test]
fn a_skill_alone_is_judged_like_any_other() {
    let tree = Tree::new();
    write(&tree, "forecast", "Weather, rain and temperature for a place, now and for the coming days.", "");
    assert_eq!(ask(&tree, "will it rain in Bern on Friday?").loaded(), ["forecast"]);
    assert_eq!(ask(&tree, "tell me a joke").loaded(), Vec::<&str>::new());
}

#[test]
fn a_name_is_certain_even_for_a_skill_that_is_kept_from_the_model() {
    let tree = trades();
    write(&tree, "secret-plan", "Nobody needs to know.", "disable-model-invocation: true\n");
    let answer = ask(&tree, "/secret-plan for Friday");
    assert_eq!(answer.loaded(), ["secret-plan"], "{answer:#?}");
    assert_eq!(ask(&tree, "use $bedtime please").loaded(), ["bedtime"]);
    let unasked = ask(&tree, "nobody needs to know about this");
    assert!(unasked.loaded().is_empty(), "{unasked:#?}");
}

#[test]
fn a_skill_that_cannot_run_is_named_with_what_it_lacks() {
    let tree = trades();
    let needs = "metadata: {\"prowess\":{\"requires\":{\"bins\":[\"tides-cli\"]}}}\n";
    write(&tree, "tides", "High and low tide, currents and waves at the coast.", needs);
    let answer = ask(&tree, "when is high tide in Brest tomorrow?");
    assert!(!answer.loaded().contains(&"tides"));
    let blocked = answer.blocked.iter().find(|blocked| blocked.name == "tides").expect("it would have won");
    assert!(blocked.missing.iter().any(|missing| missing.contains("tides-cli")), "{blocked:?}");
    let row = answer.results.iter().find(|result| result.name == "tides").expect("it is ranked");
    assert!(!row.eligible && !row.missing.is_empty());
}

#[test]
fn files_call_for_skills_with_globs_and_phrases_rule_skills_out() {
    let tree = trades();
    write(&tree, "rust-style", "House rules for code.", "paths: ['**/*.rs']\n");
    write(&tree, "python-style", "House rules for code.", "globs: '*.py, scripts/**'\n");
    let engine = engine(&tree, Caching::Off);
    let message = "clean this up";
    let selector = ready(&engine, message);
    let with = |files: &[&str]| {
        let answer = selector.find(&MatchRequest { files, ..MatchRequest::new(message) }).expect("an answer");
        answer.loaded().join(",")
    };
    assert_eq!(with(&["src/main.rs"]), "rust-style");
    assert_eq!(with(&["scripts/x.sh"]), "python-style");
    assert_eq!(with(&[]), "");
}

#[test]
fn triggers_help_and_rule_out() {
    let tree = trades();
    let triggers = "metadata: {\"triggers\": {\"any\": [\"ship it\"], \"none\": [\"dry run\"]}}\n";
    write(&tree, "release", "Tag a version and publish the packages.", triggers);
    assert_eq!(ask(&tree, "ship it").loaded(), ["release"]);
    assert!(ask(&tree, "publish the packages as a dry run").loaded().is_empty());
}

#[test]
fn shares_add_up_and_the_answer_is_always_the_same() {
    let tree = trades();
    let answer = ask(&tree, "will it rain tomorrow?");
    for result in &answer.results {
        let total = result.signals.total();
        assert!((total - result.score).abs() < 1e-3, "{total} {}", result.score);
    }
    let same = ask(&tree, "will it rain tomorrow?");
    let facts = |answer: &MessageMatch| -> Vec<(String, u32)> {
        answer.results.iter().map(|result| (result.name.clone(), result.score.to_bits())).collect()
    };
    assert_eq!(facts(&answer), facts(&same));
}

#[test]
fn a_new_skill_does_not_reorder_the_others() {
    let tree = trades();
    let message = "send the customer a reminder about the rain insurance";
    let order = |tree: &Tree| -> Vec<(String, u32)> {
        let answer = ask(tree, message);
        let known = answer.results.iter().filter(|result| result.name != "added");
        known.map(|result| (result.name.clone(), result.score.to_bits())).collect()
    };
    let before = order(&tree);
    write(&tree, "added", "Reminders for customers about insurance and rain.", "");
    assert_eq!(order(&tree), before);
}

#[test]
fn the_host_can_bring_its_own_vector() {
    let tree = trades();
    let engine = engine(&tree, Caching::Off);
    let selector = ready(&engine, "rain");
    let own = selector.find(&MatchRequest::new("will it rain tomorrow?")).expect("an answer");
    let vectors = selector.encode("will it rain tomorrow?").expect("vectors");
    let borrowed: Vec<(&str, &[f32])> =
        vectors.iter().map(|(name, vector)| (name.as_str(), vector.as_slice())).collect();
    // The text is another one; the meaning is the vector's.
    let request = MatchRequest { vectors: &borrowed, ..MatchRequest::new("zzz") };
    let given = selector.find(&request).expect("an answer");
    let meaning = |answer: &MessageMatch| answer.results[0].signals.voices[0].cosine;
    assert_eq!(own.results[0].name, "forecast");
    assert_eq!((&given.results[0].name, meaning(&given)), (&own.results[0].name, meaning(&own)));
}

#[test]
fn vectors_are_kept_and_a_changed_description_gets_a_new_one() {
    let tree = trades();
    let count = |message: &str| {
        let engine = engine(&tree, Caching::On);
        let inventory = engine.inventory(None).expect("an inventory");
        let selector = engine.selector(&inventory).expect("a selector");
        let mut encoded = 0;
        selector
            .prepare_for(message, |progress| encoded += usize::from(progress.done < progress.total))
            .expect("vectors");
        encoded
    };
    assert!(count("hello") > 0);
    assert_eq!(count("hello"), 0, "everything is in the cache");
    write(&tree, "bedtime", "Lullabies and good-night stories for small children.", "");
    assert!(count("hello") > 0);
}

#[test]
fn an_index_answers_while_it_grows() {
    let tree = trades();
    let engine = engine(&tree, Caching::Off);
    let inventory = engine.inventory(None).expect("an inventory");
    let selector = engine.selector(&inventory).expect("a selector");
    let early = selector.find(&MatchRequest::new("weather and temperature, please")).expect("an answer");
    assert_eq!(early.results[0].name, "forecast", "by its words alone");
    assert!(early.results[0].signals.voices.iter().all(|voice| voice.cosine.is_none()));
    assert_eq!(early.preparing, Some(Progress { done: 0, total: 4 }));
    selector.prepare_in_background();
    while selector.progress().done < selector.progress().total {
        std::thread::yield_now();
    }
    let late = selector.find(&MatchRequest::new("do I need an umbrella tomorrow?")).expect("an answer");
    assert_eq!(late.results[0].name, "forecast");
    assert!(late.results[0].signals.voices[0].cosine.is_some());
    assert_eq!(late.preparing, None);
    // Other languages follow, without being asked for.
    let german = MatchRequest::new("Brauche ich morgen einen Regenschirm?");
    while selector.find(&german).expect("an answer").preparing.is_some() {
        std::thread::yield_now();
    }
}

#[test]
fn without_models_words_are_compared_and_a_damaged_pack_is_a_clear_error() {
    let tree = trades();
    let plain = Engine::open(options(&tree, ProfileName::Prowess, &[])).expect("the engine opens");
    let answer = ready(&plain, "").find(&MatchRequest::new("weather for Bern")).expect("an answer");
    assert_eq!(answer.results[0].name, "forecast");

    configure(&tree, "{skills: {match: {encoder: '$ROOT/broken.pack'}}}");
    tree.write("broken.pack", "not a pack");
    let engine = engine(&tree, Caching::Off);
    let inventory = engine.inventory(None).expect("an inventory");
    let error = engine.selector(&inventory).err().expect("the pack is refused");
    assert!(
        prowess_text::describe_error(&error).contains("broken.pack"),
        "{}",
        prowess_text::describe_error(&error)
    );
}

#[test]
fn thresholds_come_from_the_request_then_the_config() {
    let tree = trades();
    let message = "will it rain tomorrow?";
    configure(&tree, "{skills: {match: {load: 1, suggest: 0.9999}}}");
    let engine = engine(&tree, Caching::Off);
    let selector = ready(&engine, message);
    let answer = selector.find(&MatchRequest::new(message)).expect("an answer");
    assert_ne!(answer.decision, MatchDecision::Load);
    let request = MatchRequest { load: Some(0.0), ..MatchRequest::new(message) };
    assert_eq!(selector.find(&request).expect("an answer").decision, MatchDecision::Load);
}

#[test]
fn when_to_use_and_cursor_rules_need_no_metadata_of_ours() {
    let tree = trades();
    write(
        &tree,
        "claude",
        "Answers with sources.",
        "when_to_use: the user asks what the tax office wants to know\n",
    );
    write(
        &tree,
        "cursor-rule",
        "Conventions for database migrations and schema changes",
        "alwaysApply: false\n",
    );
    assert_eq!(ask(&tree, "what does the tax office want from me?").results[0].name, "claude");
    assert_eq!(ask(&tree, "add a column to the users table").results[0].name, "cursor-rule");
}

#[test]
fn a_body_alone_does_not_load_a_skill() {
    let tree = trades();
    let steps = "quarterly revenue quarterly revenue dashboard revenue";
    tree.write(
        "ws/skills/knitting/SKILL.md",
        format!("---\nname: knitting\ndescription: Knits pullovers from wool.\n---\n{steps}\n"),
    );
    let answer = ask(&tree, "show the quarterly revenue dashboard");
    assert!(!answer.loaded().contains(&"knitting"), "{answer:#?}");
    assert!(ask(&tree, "please make me a warm woollen jumper").results[0].name == "knitting");
}

#[test]
fn several_skills_load_when_several_things_are_asked_for() {
    let tree = trades();
    let answer = ask(
        &tree,
        "Check whether it will rain in Bern tomorrow and then stop the Docker container that runs nginx.",
    );
    let mut loaded = answer.loaded();
    loaded.sort_unstable();
    assert_eq!(loaded, ["containers", "forecast"], "{answer:#?}");
}
