//! Precision and recall as a ratchet: the figures may rise, never fall.
//!
//! `cargo test -p prowess-scan --test it labelled -- --nocapture` prints them per category.

use std::collections::{BTreeMap, BTreeSet};

use prowess_scan::{ScanSeverity, Verdict};

use crate::fixtures::{Set, labelled, variants};

/// What came out for one truth and category.
#[derive(Clone, Copy, Default)]
struct Count {
    all: usize,
    warned: usize,
    blocked: usize,
}

impl Count {
    fn flagged(self) -> usize {
        self.warned + self.blocked
    }
}

struct Outcome {
    malicious: BTreeMap<String, Count>,
    benign: BTreeMap<String, Count>,
    /// Skills that a family of rules warned about, and how many of them are malicious.
    families: BTreeMap<&'static str, (usize, usize)>,
    /// Skills that came out wrong.
    wrong: Vec<String>,
}

impl Outcome {
    fn of(set: &Set) -> Self {
        let mut outcome = Self {
            malicious: BTreeMap::new(),
            benign: BTreeMap::new(),
            families: BTreeMap::new(),
            wrong: Vec::new(),
        };
        for item in &set.items {
            let counts = match item.truth.as_str() {
                "malicious" => &mut outcome.malicious,
                "benign" => &mut outcome.benign,
                _ => continue,
            };
            let report = item.scan();
            let verdict = report.verdict;
            let families: BTreeSet<_> =
                report.at_least(ScanSeverity::Warn).map(|finding| finding.category.as_str()).collect();
            for family in families {
                let (flagged, malicious) = outcome.families.entry(family).or_default();
                *flagged += 1;
                *malicious += usize::from(item.truth == "malicious");
            }
            let count = counts.entry(item.category.clone()).or_default();
            count.all += 1;
            count.warned += usize::from(verdict == Verdict::Suspicious);
            count.blocked += usize::from(verdict == Verdict::Malicious);
            if (item.truth == "malicious") != (verdict > Verdict::Clean) {
                outcome.wrong.push(format!("{} ({}): {verdict}", item.skill, item.category));
            }
        }
        outcome
    }

    fn total(counts: &BTreeMap<String, Count>) -> Count {
        counts.values().fold(Count::default(), |sum, count| Count {
            all: sum.all + count.all,
            warned: sum.warned + count.warned,
            blocked: sum.blocked + count.blocked,
        })
    }

    #[expect(clippy::print_stdout, reason = "the table of the documents is copied from here")]
    fn print(&self, title: &str) {
        println!(
            "{title}\n| truth | category | skills | flagged | blocked | recall |\n|---|---|---|---|---|---|"
        );
        for (truth, counts) in [("malicious", &self.malicious), ("benign", &self.benign)] {
            for (category, count) in counts {
                let Count { all, blocked, .. } = *count;
                let recall = if truth == "malicious" {
                    format!("{:.2}", count.flagged() as f64 / all as f64)
                } else {
                    "–".to_owned()
                };
                println!("| {truth} | {category} | {all} | {} | {blocked} | {recall} |", count.flagged());
            }
        }
        println!("| family of rules | skills flagged | of them malicious | precision |\n|---|---|---|---|");
        for (family, (flagged, malicious)) in &self.families {
            let precision = *malicious as f64 / *flagged as f64;
            println!("| {family} | {flagged} | {malicious} | {precision:.2} |");
        }
        let (bad, good) = (Self::total(&self.malicious), Self::total(&self.benign));
        let recall = bad.flagged() as f64 / bad.all as f64;
        let precision = bad.flagged() as f64 / (bad.flagged() + good.flagged()) as f64;
        println!(
            "recall {recall:.3}, precision {precision:.3}, blocked {} of {}; wrong: {:?}\n",
            bad.blocked, bad.all, self.wrong
        );
    }
}

#[test]
fn the_labelled_set_keeps_its_figures() {
    let outcome = Outcome::of(&labelled());
    outcome.print("labelled development set");
    let (bad, good) = (Outcome::total(&outcome.malicious), Outcome::total(&outcome.benign));
    assert_eq!((bad.all, good.all), (66, 42));
    assert!(bad.flagged() >= 66, "missed: {:?}", outcome.wrong);
    assert!(bad.blocked >= 66, "only {} are blocked", bad.blocked);
    assert_eq!(good.flagged(), 0, "false alarms: {:?}", outcome.wrong);
}

#[test]
fn the_variants_keep_their_figures() {
    let outcome = Outcome::of(&variants());
    outcome.print("variants");
    let (bad, good) = (Outcome::total(&outcome.malicious), Outcome::total(&outcome.benign));
    assert!(bad.flagged() >= VARIANTS_FLAGGED, "missed: {:?}", outcome.wrong);
    assert_eq!(good.flagged(), 0, "false alarms: {:?}", outcome.wrong);
}

/// Of 298 malicious variants.
const VARIANTS_FLAGGED: usize = 298;
