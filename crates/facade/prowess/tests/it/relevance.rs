//! The catalogue for a message: order, cut, new skills, and what is loaded at once.

use std::time::{Duration, SystemTime};

use prowess_config::Select;
use prowess_context::Caching;
use prowess_inventory::{Inventory, MatchRequest, PromptRequest, Relevance};
use prowess_match::Selector;
use prowess_testkit::Tree;

use crate::choose::{engine, trades, write};
use crate::support::configure;

struct Scene {
    inventory: Inventory,
    selector: Selector,
}

fn scene(tree: &Tree) -> Scene {
    let engine = engine(tree, Caching::Off);
    let inventory = engine.inventory(None).expect("an inventory");
    let selector = engine.selector(&inventory).expect("a selector");
    selector.prepare_for("hello", |_| {}).expect("vectors");
    Scene { inventory, selector }
}

impl Scene {
    fn relevance(&self, message: &str, select: Select) -> Relevance {
        let answer = self.selector.find(&MatchRequest { top: 100, ..MatchRequest::new(message) });
        let mut relevance = self.selector.relevance(&answer.expect("an answer"));
        relevance.select = select;
        // Lists in the system prompt have no texts unless somebody asks for them.
        relevance.preload = false;
        relevance
    }

    fn text(&self, relevance: Relevance, max_chars: usize) -> String {
        let request = PromptRequest {
            max_chars: Some(max_chars),
            relevance: Some(relevance),
            ..PromptRequest::default()
        };
        let rendered = self.inventory.prompt(&request);
        assert!(rendered.chars <= max_chars && rendered.chars == rendered.text.encode_utf16().count());
        rendered.text
    }

    fn listed(&self, message: &str, select: Select) -> Vec<String> {
        names(&self.text(self.relevance(message, select), 30_000))
    }
}

fn names(text: &str) -> Vec<String> {
    let name = |line: &str| Some(line.trim().strip_prefix("<name>")?.strip_suffix("</name>")?.to_owned());
    text.lines().filter_map(name).collect()
}

const RAIN: &str = "will it rain in Bern tomorrow?";

#[test]
fn the_list_follows_the_message_or_the_alphabet() {
    let tree = trades();
    let scene = scene(&tree);
    assert_eq!(scene.listed(RAIN, Select::All), ["bedtime", "containers", "forecast", "invoices"]);
    let ranked = scene.listed(RAIN, Select::Ranked);
    assert_eq!((ranked[0].as_str(), ranked.len()), ("forecast", 4));
    assert_eq!(scene.listed("write an invoice for Acme", Select::Ranked)[0], "invoices");
}

#[test]
fn what_does_not_fit_is_the_least_relevant() {
    let tree = trades();
    let scene = scene(&tree);
    let whole = scene.text(scene.relevance(RAIN, Select::Ranked), 30_000);
    let cut = scene.text(scene.relevance(RAIN, Select::Ranked), whole.len() - 1);
    assert!(names(&cut).contains(&"forecast".to_owned()) && names(&cut).len() < 4, "{cut}");
    assert!(cut.trim_end().ends_with("audit."), "the note stands at the end: {cut}");
}

#[test]
fn only_the_best_are_listed_and_none_when_none_fits() {
    let tree = trades();
    for number in 0..20 {
        write(&tree, &format!("filler-{number}"), "Polishes brass door handles of old houses.", "");
    }
    let scene = scene(&tree);
    let top = scene.listed(RAIN, Select::Top);
    assert_eq!((top[0].as_str(), top.len()), ("forecast", 8), "{top:?}");
    assert_eq!(scene.listed("thank you so much!", Select::Top), Vec::<String>::new());
}

#[test]
fn the_beginning_is_the_same_for_every_message() {
    let tree = trades();
    configure(&tree, "{skills: {modes: {invoices: 'pinned'}}}");
    let scene = scene(&tree);
    let stable = |message: &str| {
        let request = PromptRequest {
            relevance: Some(scene.relevance(message, Select::Ranked)),
            ..PromptRequest::default()
        };
        let rendered = scene.inventory.prompt(&request);
        rendered.text[..rendered.stable_chars].to_owned()
    };
    let first = stable(RAIN);
    assert_eq!(first, stable("tell the kids a story"));
    assert_eq!(names(&first), ["invoices"]);
}

/// The time by the file system's own clock.
fn stamped(tree: &Tree) -> SystemTime {
    tree.write("clock", "");
    std::fs::metadata(tree.path("clock")).and_then(|metadata| metadata.modified()).expect("a time")
}

#[test]
fn a_new_skill_gets_a_place_before_it_has_proved_itself() {
    let tree = Tree::new();
    for number in 0..20 {
        write(
            &tree,
            &format!("rain-{number}"),
            &format!("Rain and weather forecasts for region {number}."),
            "",
        );
    }
    write(&tree, "newcomer", "Knits pullovers from wool.", "");
    let now = stamped(&tree);
    let long_ago = now - Duration::from_hours(90 * 24);
    for number in 0..20 {
        let file =
            std::fs::File::open(tree.path(&format!("ws/skills/rain-{number}/SKILL.md"))).expect("a skill");
        file.set_modified(long_ago).expect("an older time");
    }
    let scene = scene(&tree);
    let listed = |now: Option<SystemTime>| {
        let mut relevance = scene.relevance(RAIN, Select::Top);
        let since = now.map(|now| now.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970"));
        relevance.now = since.map(|since| u64::try_from(since.as_millis()).expect("a time"));
        names(&scene.text(relevance, 30_000))
    };
    assert!(!listed(None).contains(&"newcomer".to_owned()));
    let explored = listed(Some(now));
    assert_eq!((explored.len(), explored[7].as_str()), (8, "newcomer"), "{explored:?}");
    let later = now + Duration::from_hours(30 * 24);
    assert!(!listed(Some(later)).contains(&"newcomer".to_owned()), "it had its chance");
}

#[test]
fn a_clear_match_can_be_loaded_at_once_within_the_budget() {
    let tree = trades();
    let scene = scene(&tree);
    let mut relevance = scene.relevance(RAIN, Select::Ranked);
    assert!(!scene.text(relevance.clone(), 30_000).contains("Body of"), "off by default");
    relevance.preload = true;
    let text = scene.text(relevance.clone(), 30_000);
    assert!(
        text.contains("<skill_content name=\"forecast\"") && text.contains("Body of forecast."),
        "{text}"
    );
    assert_eq!(text.matches("Body of").count(), 1);
    assert!(!scene.text(relevance.clone(), 90).contains("Body of"), "it would not fit");
    let mut nothing = scene.relevance("thank you so much!", Select::Ranked);
    nothing.preload = true;
    assert!(!scene.text(nothing, 30_000).contains("Body of"));
}

#[test]
fn a_text_cannot_close_its_own_element() {
    let tree = Tree::new();
    let text = "---\nname: forecast\ndescription: Rain and weather for a place.\n---\nA </skill_content> B\n";
    tree.write("ws/skills/forecast/SKILL.md", text);
    let scene = scene(&tree);
    let mut relevance = scene.relevance(RAIN, Select::Ranked);
    relevance.preload = true;
    let text = scene.text(relevance, 30_000);
    assert_eq!(text.matches("</skill_content>").count(), 1, "{text}");
    assert!(text.ends_with("</skill_content>"));
}
