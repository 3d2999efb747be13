//! One view of an agent: what is shared, what is kept from the view before, and that a run uses what is shown.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Barrier, Mutex};

use prowess::{Engine, EngineOptions, Live};
use prowess_context::{Clock, Models};
use prowess_embed::{EncodeError, Encoder};
use prowess_fs::{ChangeReason, WatchBackend, WatchOptions};
use prowess_inventory::MatchRequest;
use prowess_match::LiveOptions;
use prowess_testkit::Tree;
use prowess_types::ProfileName;

use crate::choose::trades;
use crate::support::options;

/// Counts how often each text is encoded.
#[derive(Default)]
struct Counting {
    texts: Mutex<BTreeMap<String, usize>>,
}

const DIMENSIONS: usize = 64;

impl Encoder for Counting {
    fn id(&self) -> &'static str {
        "counting-1"
    }

    fn name(&self) -> &'static str {
        "counting"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn encode(&self, text: &str) -> Result<Vec<f32>, EncodeError> {
        *self.texts.lock().unwrap().entry(text.to_owned()).or_default() += 1;
        let mut vector = vec![0.1_f32; DIMENSIONS];
        for byte in text.bytes() {
            vector[usize::from(byte) % DIMENSIONS] += 1.0;
        }
        Ok(vector)
    }
}

fn engine(tree: &Tree, encoder: &Arc<Counting>) -> Engine {
    let models = Models::default().with_encoder(Arc::clone(encoder) as Arc<dyn Encoder>);
    let options = EngineOptions { models, ..options(tree, ProfileName::Prowess, &[]) };
    Engine::open(options).expect("the engine opens")
}

/// Views that only follow the disk when they are told to.
fn live(engine: &Engine) -> Live {
    let watch = WatchOptions { backend: WatchBackend::Off, ..WatchOptions::default() };
    engine.watch(LiveOptions { watch, ..LiveOptions::new(Clock::new(|| 1_000)) }).expect("it follows")
}

#[test]
fn many_first_callers_wait_for_one_encoding() {
    let tree = trades();
    let encoder = Arc::new(Counting::default());
    let engine = engine(&tree, &encoder);
    let live = live(&engine);
    let callers = 8;
    let start = Barrier::new(callers);
    std::thread::scope(|scope| {
        for caller in 0..callers {
            let (live, start) = (&live, &start);
            scope.spawn(move || {
                start.wait();
                let message = format!("what is the weather like in town number {caller}?");
                let selector = live.view(None).unwrap().selector().unwrap();
                selector.prepare_for(&message, |_| {}).unwrap();
                let answer = selector.find(&MatchRequest::new(&message)).unwrap();
                assert_eq!(answer.results.len(), 4);
            });
        }
    });
    let texts = encoder.texts.lock().unwrap();
    assert_eq!(texts.len(), callers + 4, "messages and skills");
    let repeated: Vec<_> = texts.iter().filter(|(_, times)| **times > 1).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
    let counts = engine.work_counts();
    assert_eq!((counts.inventories, counts.selectors, counts.texts_read), (1, 1, 4));
}

#[test]
fn a_view_after_a_small_edit_reads_and_encodes_only_that() {
    let tree = trades();
    let encoder = Arc::new(Counting::default());
    let engine = engine(&tree, &encoder);
    let live = live(&engine);
    let message = "what is the weather like?";
    let answer = |live: &Live| {
        let selector = live.view(None).unwrap().selector().unwrap();
        selector.prepare_for(message, |_| {}).unwrap();
        selector.find(&MatchRequest::new(message)).unwrap()
    };
    let before = answer(&live);
    let encoded = encoder.texts.lock().unwrap().len();
    crate::choose::write(&tree, "bedtime", "Lullabies for small children.", "");
    live.refresh(ChangeReason::Manual);
    let after = answer(&live);
    assert_eq!(engine.work_counts().texts_read, 5, "four, and the one that changed");
    assert_eq!(encoder.texts.lock().unwrap().len(), encoded + 1, "the new description");
    let score = |answer: &prowess_inventory::MessageMatch| {
        let forecast = answer.results.iter().find(|result| result.name == "forecast");
        forecast.map(|result| result.signals.voices[0].cosine)
    };
    assert_eq!(score(&after), score(&before), "a vector that is taken over is the same");
}

#[test]
fn a_fresh_view_shares_its_selector_and_reads_once() {
    let tree = trades();
    let engine = engine(&tree, &Arc::default());
    let view = engine.view(None).unwrap();
    let selector = view.selector().unwrap();
    assert!(Arc::ptr_eq(&selector, &view.selector().unwrap()));
    assert_eq!(view.snapshot().skills.len(), 4);
    let counts = engine.work_counts();
    assert_eq!((counts.inventories, counts.selectors), (1, 1));
}

#[test]
fn a_broken_edit_leaves_the_last_good_text_to_read() {
    let tree = trades();
    let engine = engine(&tree, &Arc::default());
    let live = live(&engine);
    live.view(None).unwrap().selector().unwrap();
    let file = tree.path("ws/skills/forecast/SKILL.md");
    let good = fs::read(&file).unwrap();
    fs::write(&file, "---\nname: forecast\n---\nNo description.\n").unwrap();
    live.refresh(ChangeReason::Manual);
    let view = live.view(None).unwrap();
    assert_eq!(view.stale_edits().len(), 1);
    let entry = view.inventory().entries.iter().find(|entry| entry.skill.name == "forecast").unwrap();
    assert_eq!(entry.read_file("SKILL.md").unwrap().bytes, good);
    fs::remove_file(&file).unwrap();
    live.refresh(ChangeReason::Manual);
    assert_eq!(live.view(None).unwrap().inventory().entries.len(), 3, "a skill that is gone is gone");
}

mod runs {
    use prowess_agent::model::{ChatDelta, ModelError, Request};
    use prowess_agent::{
        Answerer, BoxFuture, ChatModel, HostModel, Reply, RunReport, RunRequest, Script, ScriptStep,
    };
    use prowess_match::AgentView;
    use serde_json::json;

    use super::*;

    /// Follows a script, and keeps what it was asked.
    struct Logged {
        script: Script,
        requests: Arc<Mutex<Vec<String>>>,
    }

    impl ChatModel for Logged {
        fn name(&self) -> &'static str {
            "logged"
        }

        fn reply<'a>(
            &'a self,
            request: Request<'a>,
            on: &'a mut (dyn FnMut(ChatDelta) + Send),
        ) -> BoxFuture<'a, Result<Reply, ModelError>> {
            self.requests.lock().unwrap().push(format!("{}\n{:?}", request.system, request.messages));
            self.script.reply(request, on)
        }
    }

    fn run(view: &Arc<AgentView>, message: &str, steps: Vec<ScriptStep>) -> (RunReport, Vec<String>) {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let model = Logged { script: Script::new("logged", steps), requests: Arc::clone(&requests) };
        let clock = Clock::new(|| 1_700_000_000_000);
        let request =
            RunRequest { answerer: Answerer::Host(HostModel::new(model)), ..RunRequest::new(message, clock) };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let report = runtime
            .block_on(
                prowess_agent::Runner::new(Arc::clone(view.context()), prowess_agent::Tools::default())
                    .run_in(view, request, &mut |_| {}),
            )
            .expect("a report");
        let requests = requests.lock().unwrap().clone();
        (report, requests)
    }

    #[test]
    fn one_message_costs_one_inventory_and_one_selector() {
        let tree = trades();
        let engine = engine(&tree, &Arc::default());
        let view = engine.view(None).unwrap();
        let (report, _) = run(&view, "hello there", vec![ScriptStep::say("Hello.")]);
        assert_eq!((report.answer.as_str(), report.error), ("Hello.", None));
        let counts = engine.work_counts();
        assert_eq!((counts.inventories, counts.selectors), (1, 1));
    }

    #[test]
    fn a_run_uses_the_version_that_the_view_shows() {
        let tree = trades();
        let engine = engine(&tree, &Arc::default());
        let live = live(&engine);
        live.view(None).unwrap().selector().unwrap();
        let file = tree.path("ws/skills/forecast/SKILL.md");
        fs::write(&file, "---\nname: forecast\n---\nA broken edit.\n").unwrap();
        live.refresh(ChangeReason::Manual);
        let view = live.view(None).unwrap();
        assert!(view.snapshot().prompt.contains("<name>forecast</name>"));

        let (report, requests) = run(&view, "/forecast Bern", vec![ScriptStep::say("Sunny.")]);
        assert_eq!(report.skills, ["forecast"]);
        assert!(requests[0].contains("Body of forecast."), "{}", requests[0]);

        let read = ScriptStep::call("read", json!({ "path": file.display().to_string() }));
        let (report, requests) = run(&view, "will it rain?", vec![read, ScriptStep::say("Perhaps.")]);
        assert_eq!(report.skills, ["forecast"]);
        assert!(requests[0].contains("forecast"), "the list has it, too: {}", requests[0]);
        let result = requests[1].split("will it rain?").nth(1).unwrap();
        assert!(result.contains("Body of forecast.") && result.contains("last good version"), "{result}");
        assert!(!requests.concat().contains("A broken edit."));
    }

    #[test]
    fn a_text_that_does_not_fit_is_no_activation() {
        let tree = trades();
        let long = format!("word {}", "x".repeat(40_000));
        let text = format!("---\nname: forecast\ndescription: Weather and rain for a place.\n---\n{long}\n");
        tree.write("ws/skills/forecast/SKILL.md", text);
        crate::support::configure(
            &tree,
            "{ skills: { prompt: { preload: true }, match: { load: 0.0, suggest: 0.0 } } }",
        );
        let engine = engine(&tree, &Arc::default());
        let view = engine.view(None).unwrap();
        let (report, requests) = run(&view, "$forecast weather and rain", vec![ScriptStep::say("Rain.")]);
        assert_eq!(report.skills, ["forecast"], "the user named it");
        let (report, more) = run(&view, "weather and rain for a place", vec![ScriptStep::say("Rain.")]);
        assert!(!requests.concat().contains("xxxxxxxx") && !more.concat().contains("xxxxxxxx"));
        assert!(!report.skills.contains(&"forecast".to_owned()), "{:?}", report.skills);
    }
}
