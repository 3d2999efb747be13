//! What the constants are worth, set by set.

use prowess_select::Route;
use prowess_select::metrics::{GateScores, RankingScores, auroc};

use super::data::Message;
use super::gate::{HANDFULS, Shown};
use super::world::World;

/// The share of the messages that must not be lost.
const KEPT: f64 = 0.9;

/// A language or all others.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) label: &'static str,
    pub(super) is_english: bool,
}

/// Both parts of a set.
pub(super) const PARTS: [Part; 2] =
    [Part { label: "English", is_english: true }, Part { label: "other", is_english: false }];

/// Prints how well a route ranks the messages of a part that ask for one skill.
pub(super) fn ranking(world: &World, route: &Route, part: Part) {
    let messages = world.set.messages.iter().enumerate();
    let judged: Vec<(Vec<usize>, &Message)> = messages
        .filter(|(_, message)| message.is_single && message.is_english == part.is_english)
        .map(|(number, message)| {
            let selection = world.ask(route, number, None);
            (selection.ranked.iter().map(|ranked| ranked.row).collect(), message)
        })
        .collect();
    for (label, gold) in [("any gold", gold as fn(&Message) -> &[usize]), ("intended", primary)] {
        let scores = RankingScores::of(judged.iter().map(|(rows, message)| (&rows[..], gold(message))));
        if scores.count > 0 {
            let RankingScores { count, recall_at_1, recall_at_5, mrr, ndcg_at_10 } = scores;
            let (name, part) = (world.set.name, part.label);
            println!(
                "  {name:<10} {part:<7} {label:<8} n {count:>4}  R@1 {recall_at_1:.3}  R@5 {recall_at_5:.3}  MRR {mrr:.3}  nDCG@10 {ndcg_at_10:.3}"
            );
        }
    }
}

fn gold(message: &Message) -> &[usize] {
    &message.gold
}

fn primary(message: &Message) -> &[usize] {
    &message.primary
}

/// Prints how well probabilities tell the messages of a part that want a skill from those that want none.
pub(super) fn gate(world: &World, part: Part, shown: &[Shown], probabilities: &[f32], load: f32) {
    for kind in ["near-miss", "adjacent", "none"] {
        let of_kind = shown.iter().zip(probabilities).filter(|(shown, _)| {
            let message = &world.set.messages[shown.message];
            shown.handful.is_none() && message.kind == kind && message.is_english == part.is_english
        });
        let found: Vec<f32> = of_kind.map(|(_, probability)| *probability).collect();
        if !found.is_empty() {
            let loaded = found.iter().filter(|probability| **probability >= load).count();
            let share = loaded as f64 / found.len() as f64;
            println!(
                "  {:<10} {:<7} {kind:<10} n {:>4}  loaded {share:.3}",
                world.set.name,
                part.label,
                found.len()
            );
        }
    }
    for handful in [None].into_iter().chain(HANDFULS.map(Some)) {
        let of = |label: bool| -> Vec<f32> {
            let pairs = shown.iter().zip(probabilities).filter(|(shown, _)| {
                let message = &world.set.messages[shown.message];
                shown.handful == handful
                    && shown.example.label == label
                    && message.is_english == part.is_english
            });
            pairs.map(|(_, probability)| *probability).collect()
        };
        let (wanted, unwanted) = (of(true), of(false));
        if wanted.is_empty() {
            continue;
        }
        let at = GateScores::at(load, &wanted, &unwanted);
        let pool = handful.map_or("whole pool".to_owned(), |size| format!("about {size}"));
        let beside = auroc(&wanted, &unwanted).map_or(String::new(), |auroc| {
            let keeping = GateScores::keeping(KEPT, &wanted, &unwanted).false_loads;
            format!("  false {:.3}  AUROC {auroc:.3}  false while keeping 90 % {keeping:.3}", at.false_loads)
        });
        println!(
            "  {:<10} {:<7} {pool:<10} n {:>4}+{:<4}  kept {:.3}{beside}",
            world.set.name,
            part.label,
            wanted.len(),
            unwanted.len(),
            at.kept
        );
    }
}
