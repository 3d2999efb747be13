//! A task that no installed skill can do, with every answer a person could give and every way it can end.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prowess::{Engine, EngineOptions};
use prowess_acquire::{Plan, SupplyOptions};
use prowess_agent::RunReport;
use prowess_context::Clock;
use prowess_learn::cortex::{
    Attempt, Cortex, Desk, InstallAdmission, Learned, Offer, Perceived, TaskPlan, TaskReport, TaskRequest,
};
use prowess_testkit::Tree;
use prowess_testkit::web::{Answer, Web, WebRequest};
use prowess_types::{
    Bundle, BundleFile, InstallOption, Outcome, OutcomeResult, OutcomeSource, ProfileName, Requirements,
    Usage,
};
use serde_json::{Value, json};

use crate::choose::models;
use crate::support::options;

const TASK: &str = "show my open todos";
const ABOUT: &str = "Lists, adds and completes todos in a todo list.";
const DAY: u64 = 86_400_000;

/// A registry with three skills; what `broken` names cannot be downloaded.
fn shop(broken: &'static [&'static str]) -> Web {
    Web::start(move |request| answer(request, broken))
}

fn answer(request: &WebRequest, broken: &[&str]) -> Answer {
    let json = |value: Value| Answer::ok(value.to_string()).header("content-type", "application/json");
    let path = request.path.split('?').next().unwrap_or_default();
    let slugs = ["todo-a", "todo-b", "todo-c"];
    if path == "/api/v1/search" {
        let hits: Vec<Value> = slugs
            .iter()
            .map(|slug| json!({ "score": 1.0, "slug": slug, "displayName": slug, "summary": ABOUT, "version": "1.0.0" }))
            .collect();
        return json(json!({ "results": hits }));
    }
    let Some(slug) = slugs.iter().find(|slug| request.path.contains(**slug)) else {
        return Answer::status(404, "Skill not found");
    };
    if path == "/api/v1/download" {
        if broken.contains(slug) {
            return Answer::status(410, "It was removed");
        }
        let text = format!(
            "---\nname: {slug}\ndescription: {ABOUT}\n---\n# Todos\n\n1. Read the list.\n2. Say it.\n"
        );
        let file = BundleFile { path: "SKILL.md".to_owned(), bytes: text.into_bytes(), executable: false };
        let bytes = prowess_fs::archive::pack_zip(&Bundle { files: vec![file] });
        return Answer::ok(bytes).header("content-type", "application/zip");
    }
    if path.contains("/versions/") {
        return json(json!({
            "version": { "version": "1.0.0", "createdAt": 1, "changelog": "" },
            "skill": { "slug": slug, "displayName": slug },
        }));
    }
    json(json!({
        "skill": { "slug": slug, "displayName": slug, "summary": ABOUT, "tags": {}, "stats": {}, "createdAt": 1, "updatedAt": 2 },
        "latestVersion": { "version": "1.0.0", "createdAt": 1, "changelog": "" }, "owner": null,
    }))
}

/// A person whose answers are known beforehand.
#[derive(Default)]
struct Person {
    /// How the runs end, one after the other.
    ends: VecDeque<OutcomeResult>,
    switches: bool,
    keeps: bool,
    cancels: bool,
    refuses_plan: bool,
    /// The side effects of each run.
    effects: Vec<String>,
    /// What happened.
    said: Vec<String>,
}

impl Person {
    fn who(ends: &[OutcomeResult]) -> Self {
        Self { ends: ends.iter().copied().collect(), switches: true, ..Self::default() }
    }

    fn count(&self, what: &str) -> usize {
        self.said.iter().filter(|line| line.starts_with(what)).count()
    }
}

impl Desk for Person {
    fn is_ready(&mut self) -> bool {
        true
    }

    fn is_present(&self) -> bool {
        true
    }

    fn may_agree(&self) -> bool {
        true
    }

    fn agree(&mut self, covered: &[Offer]) -> bool {
        let names: Vec<&str> = covered.iter().map(|offer| offer.slug.as_str()).collect();
        self.said.push(format!("agree {}", names.join(" ")));
        true
    }

    fn choose(&mut self, _: &Perceived, left: &[Offer]) -> Option<usize> {
        self.said.push(format!("choose {}", left.len()));
        let first = left.iter().map(|offer| offer.slug.as_str()).min();
        left.iter().position(|offer| Some(offer.slug.as_str()) == first)
    }

    fn announce(&mut self, notice: &str) -> bool {
        self.said.push(format!("announce {notice}"));
        !self.cancels
    }

    fn admit(&mut self, plan: &Plan, _: bool) -> InstallAdmission {
        self.said.push(format!("admit {}", plan.name));
        plan.needs().map_or(InstallAdmission::Declined, InstallAdmission::Given)
    }

    fn confirm(&mut self, plan: &TaskPlan) -> bool {
        self.said.push(format!("confirm {}: {}", plan.skill, plan.steps.join(" ")));
        !self.refuses_plan
    }

    fn provide(&mut self, skill: &str, _: &Requirements, _: &[InstallOption]) -> bool {
        self.said.push(format!("provide {skill}"));
        false
    }

    fn execute(&mut self, skill: &str, message: &str) -> Result<RunReport, String> {
        self.said.push(format!("execute {skill}: {message}"));
        let result = self.ends.pop_front().unwrap_or(OutcomeResult::Success);
        Ok(RunReport {
            session: "s1".to_owned(),
            run: prowess_sessions::RunId::new(1),
            answer: "Two are open.".to_owned(),
            outcome: Outcome {
                result,
                by: OutcomeSource::Agent,
                detail: result.is_failure().then(|| "so it was".to_owned()),
                key: None,
            },
            error: None,
            stopped: false,
            prompt: None,
            loaded: Vec::new(),
            skills: vec![skill.to_owned()],
            effects: self.effects.clone(),
            usage: Usage::default(),
            ms: 1,
            notices: Vec::new(),
            draft: None,
        })
    }

    fn wait(&mut self, ms: u64) {
        self.said.push(format!("wait {ms}"));
    }

    fn switch(&mut self, failed: &Attempt, covered: &[Offer], _: &Plan, plan: &TaskPlan) -> bool {
        assert_eq!(covered[0].slug, plan.skill);
        self.said.push(format!("switch {} {}", failed.slug, covered[0].slug));
        self.switches
    }

    fn keep(&mut self, learned: &Learned) -> Option<bool> {
        self.said.push(format!("keep {}", learned.slug));
        Some(self.keeps)
    }

    fn tell(&mut self, text: &str) {
        self.said.push(format!("tell {text}"));
    }
}

struct Place {
    tree: Tree,
    web: Web,
    engine: Engine,
    now: Arc<AtomicU64>,
}

impl Place {
    fn new(broken: &'static [&'static str]) -> Self {
        let (tree, web) = (Tree::new(), shop(broken));
        let options = EngineOptions {
            models: models(),
            ..options(&tree, ProfileName::Prowess, &[("PROWESS_REGISTRY", &web.url(""))])
        };
        std::fs::create_dir_all(tree.path("ws")).expect("a workspace");
        let engine = Engine::open(options).expect("the engine opens");
        Self { tree, web, engine, now: Arc::new(AtomicU64::new(1_771_891_200_000)) }
    }

    fn clock(&self) -> Clock {
        let now = Arc::clone(&self.now);
        Clock::new(move || now.load(Ordering::Relaxed))
    }

    fn cortex(&self) -> Cortex<'_> {
        self.engine.cortex(self.clock()).expect("the cortex opens")
    }

    fn run(&self, person: &mut Person) -> TaskReport {
        let registry = self.web.url("");
        let supply = self
            .engine
            .supply(&SupplyOptions { registry: Some(registry.clone()), ..SupplyOptions::default() })
            .expect("a way to the registry");
        let request = TaskRequest {
            task: TASK,
            agent: None,
            nothing_fits: true,
            registry: Some(&registry),
            supply: &supply,
        };
        self.cortex().run(request, person).expect("a report")
    }

    fn is_installed(&self, slug: &str) -> bool {
        self.tree.path(&format!("ws/skills/{slug}")).exists()
    }

    fn wait_days(&self, days: u64) {
        self.now.fetch_add(days * DAY, Ordering::Relaxed);
    }
}

#[test]
fn success_is_learned_and_the_skill_goes_again() {
    let place = Place::new(&[]);
    let mut person = Person::who(&[OutcomeResult::Success]);
    let report = place.run(&mut person);
    assert!(report.is_done() && report.answer.as_deref() == Some("Two are open."), "{report:?}");
    assert_eq!(
        person.said[..4],
        ["choose 3", "agree todo-a todo-b todo-c", "admit todo-a", "confirm todo-a: Read the list. Say it."]
    );
    assert!(person.said[4].starts_with("execute todo-a: $todo-a show my open todos"), "{:?}", person.said);
    assert!(!place.is_installed("todo-a"));
    assert_eq!(place.cortex().state().expect("a state").stats().installs, 1);
}

#[test]
fn a_plan_that_nobody_wants_is_not_carried_out() {
    let place = Place::new(&[]);
    let mut person = Person { refuses_plan: true, ..Person::who(&[]) };
    let report = place.run(&mut person);
    assert!(!report.is_done() && person.count("execute") == 0);
    assert!(!place.is_installed("todo-a"));
    // It was not run, so there is nothing to learn from.
    assert_eq!(place.cortex().state().expect("a state").regions().count(), 0);
}

#[test]
fn a_failed_install_goes_on_with_the_next_by_itself() {
    let place = Place::new(&["todo-a"]);
    let mut person = Person::who(&[OutcomeResult::Success]);
    let report = place.run(&mut person);
    let slugs: Vec<&str> = report.attempts.iter().map(|attempt| attempt.slug.as_str()).collect();
    assert_eq!((slugs, report.is_done()), (vec!["todo-a", "todo-b"], true));
    assert_eq!((person.count("switch"), person.count("choose"), person.count("agree")), (0, 1, 1));
    assert!(report.attempts[0].reason.is_some() && report.attempts[0].learned.is_none());
}

#[test]
fn a_failed_run_needs_consent_for_the_next_and_two_switches_are_all() {
    let mismatch = OutcomeResult::TaskMismatch;
    let place = Place::new(&[]);
    let mut person = Person::who(&[mismatch, OutcomeResult::RuntimeError, mismatch, OutcomeResult::Success]);
    let report = place.run(&mut person);
    assert_eq!(
        (report.attempts.len(), person.count("switch"), report.is_done()),
        (3, 2, false),
        "{:?}",
        person.said
    );
    assert!(
        report.attempts.iter().all(|attempt| attempt.reason.is_some() && attempt.remedy.is_some()),
        "{report:?}"
    );
    for slug in ["todo-a", "todo-b", "todo-c"] {
        assert!(!place.is_installed(slug));
    }
    let weights: Vec<Option<f64>> = report
        .attempts
        .iter()
        .map(|attempt| attempt.learned.as_ref().and_then(|learned| learned.weight))
        .collect();
    assert_eq!(weights, [Some(0.2), Some(0.3), Some(0.2)]);

    let place = Place::new(&[]);
    let mut person = Person { switches: false, ..Person::who(&[mismatch]) };
    assert_eq!(place.run(&mut person).attempts.len(), 1);
}

#[test]
fn a_service_that_fails_is_asked_once_more_after_three_seconds() {
    let place = Place::new(&[]);
    let mut person = Person::who(&[OutcomeResult::ApiError, OutcomeResult::Success]);
    let report = place.run(&mut person);
    assert!(report.is_done());
    assert_eq!((person.count("wait 3000"), person.count("execute")), (1, 2));
    // One outcome a task: the retry worked.
    assert_eq!(report.attempts[0].learned.as_ref().and_then(|learned| learned.weight), Some(0.575));

    let mut person =
        Person { switches: false, ..Person::who(&[OutcomeResult::ApiError, OutcomeResult::ApiError]) };
    let report = Place::new(&[]).run(&mut person);
    assert_eq!((person.count("wait"), person.count("execute")), (1, 2));
    assert_eq!(report.attempts[0].learned.as_ref().and_then(|learned| learned.weight), Some(0.45));
}

#[test]
fn a_key_that_is_refused_is_not_tried_again_and_a_missing_program_is_asked_about() {
    let mut person = Person { switches: false, ..Person::who(&[OutcomeResult::AuthError]) };
    let report = Place::new(&[]).run(&mut person);
    assert_eq!((person.count("execute"), person.count("wait"), person.count("provide")), (1, 0, 0));
    assert!(report.attempts[0].remedy.as_deref().is_some_and(|remedy| remedy.contains("prowess secret set")));

    let mut person = Person { switches: false, ..Person::who(&[OutcomeResult::DependencyMissing]) };
    Place::new(&[]).run(&mut person);
    // Nothing says what is missing, so there is nothing to provide.
    assert_eq!((person.count("execute"), person.count("provide")), (1, 0));
    assert_eq!(person.count("tell `todo-a` reports that something is missing"), 1, "{:?}", person.said);
}

#[test]
fn a_proven_skill_may_stay_and_one_that_may_not_goes() {
    for keeps in [true, false] {
        let place = Place::new(&[]);
        let mut asked = 0;
        let mut kept = false;
        for _ in 0..12 {
            let mut person = Person { keeps, ..Person::who(&[OutcomeResult::Success]) };
            let report = place.run(&mut person);
            asked += person.count("keep");
            if asked > 0 {
                kept = report.attempts[0].kept;
                break;
            }
            place.wait_days(8);
        }
        assert_eq!((asked, kept, place.is_installed("todo-a")), (1, keeps, keeps));
        let state = place.cortex().state().expect("a state");
        let is_candidate = state.regions().any(|(_, region)| region.candidate("todo-a").is_some());
        assert_eq!(is_candidate, !keeps);
    }
}

#[test]
fn a_reflex_is_announced_skips_the_plan_and_can_be_cancelled() {
    let place = Place::new(&[]);
    let mut last = None;
    for _ in 0..14 {
        let mut person = Person::who(&[OutcomeResult::Success]);
        let report = place.run(&mut person);
        last = report.attempts[0].learned.clone();
        if last.as_ref().is_some_and(|learned| learned.reflex) {
            break;
        }
        place.wait_days(8);
    }
    assert!(last.is_some_and(|learned| learned.reflex), "ten spaced successes earn it");
    place.wait_days(1);
    let mut person = Person { cancels: true, ..Person::who(&[]) };
    let report = place.run(&mut person);
    assert!(
        report.attempts.is_empty()
            && person.said[0].starts_with("announce ⚡ Skill Cortex reflex: todo-a v1.0.0 (100%")
    );
    let mut person = Person::who(&[OutcomeResult::Success]);
    let report = place.run(&mut person);
    assert!(report.is_done(), "{:?}", person.said);
    assert_eq!(
        (person.count("announce"), person.count("admit"), person.count("confirm"), person.count("choose")),
        (1, 0, 0, 0)
    );
    let mut person = Person::who(&[OutcomeResult::ApiError, OutcomeResult::ApiError]);
    person.switches = false;
    let report = place.run(&mut person);
    assert!(
        report.attempts[0].learned.as_ref().is_some_and(|learned| learned.reflex_changed && !learned.reflex)
    );
    let state = place.cortex().state().expect("a state");
    assert_eq!(state.stats().reflexes_fired, 2);
}
