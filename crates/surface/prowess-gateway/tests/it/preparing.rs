//! Skills that are still being read: the gateway answers meanwhile, and says how far it is.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::{Clock, Models};
use prowess_embed::{EncodeError, Encoder};
use prowess_gateway::GatewayOptions;
use prowess_match::{LiveOptions, PrepareAhead};
use prowess_testkit::Programs;
use prowess_types::Secret;
use serde_json::{Value, json};

use crate::client::Client;
use crate::support::{Home, Running, TOKEN, serve_live, skill};

/// Two parts.
const SKILLS: usize = 40;

/// An encoder that reads messages at once, and a part of the skills whenever it is let.
struct HeldEncoder(Mutex<Receiver<()>>);

impl Encoder for HeldEncoder {
    fn id(&self) -> &'static str {
        "held-1"
    }

    fn name(&self) -> &'static str {
        "held"
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn encode(&self, text: &str) -> Result<Vec<f32>, EncodeError> {
        Ok(if text.contains("weather") { vec![1.0, 0.0] } else { vec![0.0, 1.0] })
    }

    fn encode_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        // When the test is over nothing is held.
        let _ = self.0.lock().unwrap().recv();
        texts.iter().map(|text| self.encode(text)).collect()
    }
}

/// A gateway that prepares in the background, and what lets the next part be read.
async fn start(home: &Home) -> (Running, Sender<()>) {
    let (sender, receiver) = mpsc::channel();
    let engine = Engine::open(EngineOptions {
        env: Env::new(home.variables(Programs::System), home.workspace()),
        overrides: Overrides { workspace: Some(home.workspace()), ..Overrides::default() },
        models: Models::default().with_encoder(Arc::new(HeldEncoder(Mutex::new(receiver)))),
        ..EngineOptions::default()
    })
    .unwrap();
    let clock = Clock::new(crate::client::now_ms);
    let following = LiveOptions { prepare: PrepareAhead::AllLanguages, ..LiveOptions::new(clock.clone()) };
    let live = Arc::new(engine.watch(following).unwrap());
    let options = GatewayOptions::new(clock, Secret::new(TOKEN));
    (serve_live(live, options, std::future::pending()).await, sender)
}

/// Asks again until the progress is this.
async fn ask_until(client: &mut Client, expected: &Value) -> Value {
    let ask = json!({ "message": "what is the weather?", "wait": false });
    loop {
        let answer = client.get("skills.match", ask.clone()).await;
        if answer["preparing"] == *expected {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_does_not_wait_for_skills_that_are_being_read() {
    let home = Home::new();
    home.add(&skill("weather", "Tells the weather of a place"));
    for number in 1..SKILLS {
        // Longer than the first, which is read last for that.
        let description = format!("Looks after the notes and papers of collection {number} in the archive");
        home.add(&skill(&format!("archive-{number:02}"), &description));
    }
    let (gateway, next) = start(&home).await;
    let mut client = Client::program(&gateway).await;

    let early = ask_until(&mut client, &json!({ "done": 0, "total": SKILLS })).await;
    assert_eq!(early["results"][0]["name"], "weather", "by its words: {early}");
    let prompt = client.get("skills.prompt", json!({ "message": "weather", "wait": false })).await;
    assert!(prompt["text"].is_string(), "a prompt does not wait either");

    next.send(()).unwrap();
    let half = ask_until(&mut client, &json!({ "done": 32, "total": SKILLS })).await;
    let read = |answer: &Value| answer["results"][0]["signals"]["voices"][0]["cosine"].is_number();
    assert!(!read(&half), "the shortest comes last: {half}");

    next.send(()).unwrap();
    let late = ask_until(&mut client, &Value::Null).await;
    assert!(read(&late), "{late}");
    assert_eq!(late["results"][0]["reasons"][0]["kind"], "meaning");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_wants_to_wait_gets_the_whole_answer() {
    let home = Home::new();
    home.add(&skill("weather", "Tells the weather of a place"));
    let (gateway, next) = start(&home).await;
    let mut client = Client::program(&gateway).await;
    next.send(()).unwrap();
    let answer = client.get("skills.match", json!({ "message": "what is the weather?" })).await;
    assert_eq!(answer["preparing"], Value::Null);
    assert!(answer["results"][0]["signals"]["voices"][0]["cosine"].is_number(), "{answer}");
}
