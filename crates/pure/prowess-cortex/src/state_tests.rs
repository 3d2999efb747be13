use prowess_types::OutcomeResult;
use prowess_types::OutcomeResult::{ApiError, DependencyMissing, RuntimeError, Success, TaskMismatch};

use super::*;
use crate::{OutcomeEvent, Tenure, WhyHidden, WhyNot};

/// Writes events one after the other, each on a day.
struct Log {
    state: CortexState,
    rules: Rules,
    day: i64,
    count: usize,
}

impl Log {
    fn new(rules: Rules) -> Self {
        Self { state: CortexState::default(), rules, day: 0, count: 0 }
    }

    fn add(&mut self, kind: EventKind) -> &mut Self {
        self.count += 1;
        let event = Event::new(&format!("{:026}", self.count), self.clock(), kind);
        self.state.apply(&event, self.rules);
        self
    }

    fn clock(&self) -> i64 {
        Day::parse("2026-01-01").unwrap().plus(self.day).clock()
    }

    fn outcome(&mut self, slug: &str, result: OutcomeResult) -> &mut Self {
        self.outcome_of(slug, "1.0.0", result)
    }

    fn outcome_of(&mut self, slug: &str, version: &str, result: OutcomeResult) -> &mut Self {
        let mut outcome = OutcomeEvent::new("todo", slug, version, result);
        outcome.side_effects = Some(vec!["network:api.example.test".to_owned()]);
        outcome.signals = vec!["manage".to_owned(), "todo".to_owned()];
        self.add(EventKind::Outcome(outcome))
    }

    /// So many successes, so many days apart.
    fn successes(&mut self, slug: &str, count: usize, gap: i64) -> &mut Self {
        for _ in 0..count {
            self.outcome(slug, Success);
            self.day += gap;
        }
        self
    }

    fn candidate(&self, slug: &str) -> &CortexCandidate {
        self.state.region("todo").unwrap().candidate(slug).unwrap()
    }

    fn listed(&self) -> Vec<String> {
        let listing = self.state.listing("todo", self.clock(), self.rules);
        listing.into_iter().map(|listed| listed.candidate.slug).collect()
    }
}

#[test]
fn frequent_use_is_not_punished() {
    // As written, daily use would need thousands of successes; repaired, any rhythm gets there in about ten weeks.
    for (gap, most_days) in [(1, 80), (7, 80), (14, 150)] {
        let mut log = Log::new(Rules::Prowess);
        while log.state.region("todo").is_none() || !log.candidate("a").reflex {
            log.successes("a", 1, gap);
            assert!(log.day <= most_days, "every {gap} days: {}", log.candidate("a").weight);
        }
    }
    let mut log = Log::new(Rules::AsWritten);
    log.successes("a", 500, 1);
    assert!(!log.candidate("a").reflex);
}

#[test]
fn a_proven_skill_stays_listed() {
    for (rules, is_listed) in [(Rules::AsWritten, false), (Rules::Prowess, true)] {
        let mut log = Log::new(rules);
        log.successes("a", 4, 8);
        log.day += 2_000;
        assert_eq!(!log.listed().is_empty(), is_listed, "{rules:?}");
    }
    // Once is no proof.
    let mut log = Log::new(Rules::Prowess);
    log.successes("a", 1, 8).day += 2_000;
    let unlisted = log.state.unlisted("todo", log.clock(), log.rules);
    assert_eq!(unlisted[0].why, WhyHidden::Weak);
}

#[test]
fn a_reflex_holds_until_the_next_use() {
    for (rules, fires) in [(Rules::AsWritten, false), (Rules::Prowess, true)] {
        let mut log = Log::new(rules);
        log.successes("a", 10, 8);
        assert!(log.candidate("a").reflex);
        let path = log.state.fast_path("todo", "a", "1.0.0", log.clock(), rules);
        assert_eq!(path.fires(), fires, "{rules:?}: {path:?}");
    }
}

#[test]
fn every_candidate_has_its_own_date() {
    for (rules, is_same) in [(Rules::AsWritten, true), (Rules::Prowess, false)] {
        let mut log = Log::new(rules);
        log.outcome("idle", Success).outcome("busy", Success);
        log.day += 100;
        log.outcome("busy", ApiError);
        let effective = |slug: &str| {
            let listing = log.state.listing("todo", log.clock(), rules);
            listing.into_iter().find(|listed| listed.candidate.slug == slug).unwrap().effective
        };
        let decayed = effective("idle") < log.candidate("idle").weight;
        assert_eq!(!decayed, is_same, "{rules:?}");
    }
}

#[test]
fn flag_and_streak_agree() {
    for (rules, is_reflex) in [(Rules::AsWritten, true), (Rules::Prowess, false)] {
        let mut log = Log::new(rules);
        log.successes("a", 26, 8).outcome("a", ApiError);
        log.day += 9;
        log.outcome("a", Success);
        assert_eq!(log.candidate("a").reflex, is_reflex, "{rules:?}");
        log.day += 9;
        log.successes("a", 4, 9);
        assert!(log.candidate("a").reflex);
    }
}

#[test]
fn a_new_version_ends_the_reflex_everywhere() {
    let mut log = Log::new(Rules::Prowess);
    log.successes("a", 11, 8);
    let weight = log.candidate("a").weight;
    let path = log.state.fast_path("todo", "a", "2.0.0", log.clock(), log.rules);
    assert!(matches!(path.why_not[..], [WhyNot::OtherVersion { .. }]), "{path:?}");
    let mut elsewhere = OutcomeEvent::new("notes", "a", "1.0.0", Success);
    elsewhere.side_effects = Some(Vec::new());
    log.add(EventKind::Outcome(elsewhere));
    log.add(EventKind::VersionSeen { slug: "a".to_owned(), version: "2.0.0".to_owned() });
    let candidate = log.candidate("a");
    assert_eq!((candidate.reflex, candidate.streak(), candidate.version.as_str()), (false, 0, "1.0.0"));
    assert_eq!(log.state.region("notes").unwrap().candidates[0].streak(), 0);
    assert!((candidate.weight - weight).abs() < f64::EPSILON);
    log.outcome_of("a", "2.0.0", Success);
    assert_eq!((log.candidate("a").streak(), log.candidate("a").version.as_str()), (1, "2.0.0"));
}

#[test]
fn side_effects_grow_and_take_the_reflex_back() {
    let mut log = Log::new(Rules::Prowess);
    log.successes("a", 11, 8);
    let mut writes = OutcomeEvent::new("todo", "a", "1.0.0", Success);
    writes.side_effects = Some(vec!["write:calendar".to_owned()]);
    log.add(EventKind::Outcome(writes)).outcome("a", Success);
    assert_eq!(log.candidate("a").side_effects, ["network:api.example.test", "write:calendar"]);
    assert!(!log.candidate("a").reflex);
}

#[test]
fn what_nobody_looked_at_is_no_reflex() {
    let mut log = Log::new(Rules::AsWritten);
    for _ in 0..12 {
        log.add(EventKind::Outcome(OutcomeEvent::new("todo", "a", "1.0.0", Success)));
        log.day += 8;
    }
    assert!(!log.candidate("a").reflex);
    assert_eq!(log.candidate("a").side_effects, [crate::UNKNOWN_SIDE_EFFECT]);
}

#[test]
fn a_bad_candidate_is_gone_within_three_failures() {
    for (failure, most) in [(TaskMismatch, 2), (RuntimeError, 2)] {
        let mut log = Log::new(Rules::Prowess);
        log.outcome("good", Success);
        for _ in 0..most {
            log.outcome("poisoned", failure);
        }
        assert_eq!(log.listed(), ["good"], "{failure:?}");
    }
}

#[test]
fn what_is_kept_leaves_the_candidates_but_not_the_mind() {
    let mut log = Log::new(Rules::Prowess);
    log.successes("a", 8, 8);
    let clock = log.clock();
    assert!(log.state.offers_retention("todo", "a", clock));
    let answer = RetentionEvent { region: "todo".to_owned(), slug: "a".to_owned() };
    log.add(EventKind::RetentionDeclined(answer.clone()));
    assert!(!log.state.offers_retention("todo", "a", clock));
    log.day += 30;
    assert!(log.state.offers_retention("todo", "a", log.clock()));
    let record = log.candidate("a").clone();
    log.add(EventKind::RetentionAccepted(answer));
    assert!(log.state.region("todo").is_none() && log.state.patterns().is_empty());
    assert_eq!(log.state.long_term().next().unwrap().1.runs, record.runs);
    assert_eq!(log.state.task_patterns()[0].signal, ["manage", "todo"]);
    // Its next outcomes are learned there; when it has to be installed again, it is a candidate again.
    log.outcome("a", Success);
    assert!(log.state.region("todo").is_none());
    log.add(EventKind::Installed { slug: "a".to_owned(), version: "1.0.0".to_owned() });
    assert_eq!(log.candidate("a").runs.success, 9);
    assert_eq!(log.state.patterns()[0].signal, ["manage", "todo"]);
}

#[test]
fn long_term_skills_are_never_candidates() {
    let mut log = Log::new(Rules::Prowess);
    let mut outcome = OutcomeEvent::new("todo", "own", "1.0.0", Success);
    outcome.tenure = Tenure::LongTerm;
    log.add(EventKind::Outcome(outcome));
    assert_eq!(log.state.export().cortex, Memory::default());
    assert_eq!(log.state.long_term().count(), 1);
}

#[test]
fn the_blacklist_hides() {
    let mut log = Log::new(Rules::Prowess);
    log.outcome("a", Success).outcome("b", Success);
    log.add(EventKind::BlacklistAdded { slug: "a@1.0.0".to_owned() });
    assert_eq!(log.listed(), ["b"]);
    log.outcome_of("a", "1.1.0", Success);
    assert_eq!(log.listed(), ["a", "b"]);
    log.add(EventKind::BlacklistAdded { slug: "b".to_owned() });
    assert_eq!(log.state.unlisted("todo", log.clock(), log.rules)[0].why, WhyHidden::Blacklisted);
    log.add(EventKind::BlacklistRemoved { slug: "b".to_owned() });
    assert_eq!(log.listed(), ["a", "b"]);
}

#[test]
fn lessons_need_two_observations_of_the_same_thing() {
    let missing = |region: &str, key: &str| {
        let mut outcome = OutcomeEvent::new(region, "a", "1.0.0", DependencyMissing);
        outcome.key = Some(key.to_owned());
        EventKind::Outcome(outcome)
    };
    let mut log = Log::new(Rules::Prowess);
    log.add(missing("todo", "jq")).add(missing("notes", "jq")).add(missing("todo", "curl"));
    assert!(log.state.lessons().is_empty());
    log.add(missing("todo", "jq"));
    assert_eq!(log.state.lessons().len(), 1);
    assert!((log.state.lessons()[0].confidence - 0.6).abs() < 1e-9);
    log.add(missing("todo", "jq"));
    assert!((log.state.lessons()[0].confidence - 0.7).abs() < 1e-9);
    let lesson = LessonRef::DependencyWarning { region: "todo".to_owned(), key: "jq".to_owned() };
    for _ in 0..3 {
        log.add(EventKind::LessonContradicted(lesson.clone()));
    }
    assert!(log.state.lessons().is_empty());
    log.add(missing("todo", "jq"));
    assert!(log.state.lessons().is_empty(), "the count starts anew");
}

#[test]
fn a_variable_is_ready_when_it_was_twice_in_a_row() {
    let used = |is_set: bool| {
        let mut outcome = OutcomeEvent::new("todo", "a", "1.0.0", Success);
        let names = if is_set { &mut outcome.env_ready } else { &mut outcome.env_missing };
        names.push("TODOIST_API_KEY".to_owned());
        EventKind::Outcome(outcome)
    };
    let mut log = Log::new(Rules::Prowess);
    log.add(used(true)).add(used(false)).add(used(true));
    assert!(log.state.lessons().is_empty());
    log.add(used(true));
    assert_eq!(log.state.lessons_for("todo", "a").count(), 1);
    log.add(used(false));
    assert!((log.state.lessons()[0].confidence - 0.4).abs() < 1e-9);
}

#[test]
fn a_quality_warning_lowers_the_place_not_the_weight() {
    let mut log = Log::new(Rules::AsWritten);
    let mut mismatch = OutcomeEvent::new("other", "a", "1.0.0", TaskMismatch);
    mismatch.key = Some("batch".to_owned());
    log.outcome("a", Success).outcome("b", ApiError).outcome("b", Success);
    assert_eq!(log.listed(), ["a", "b"]);
    let weight = log.candidate("a").weight;
    log.add(EventKind::Outcome(mismatch));
    assert_eq!(log.listed(), ["b", "a"], "0.575 - 0.06 is behind 0.5325");
    assert!((log.candidate("a").weight - weight).abs() < f64::EPSILON);
    log.add(EventKind::Forgotten(Forgotten::Skill { slug: "a".to_owned(), region: None }));
    assert!(log.state.lessons().is_empty());
}

#[test]
fn a_warning_about_a_skill_nobody_has_lasts_half_a_year() {
    let mut log = Log::new(Rules::Prowess);
    let mut mismatch = OutcomeEvent::new("todo", "a", "1.0.0", TaskMismatch);
    mismatch.key = Some("batch".to_owned());
    log.add(EventKind::Outcome(mismatch.clone())).add(EventKind::Outcome(mismatch));
    assert!(log.state.region("todo").is_none());
    log.day += 1;
    log.add(EventKind::Searched {});
    log.day += 180;
    log.add(EventKind::Searched {});
    assert_eq!(log.state.lessons().len(), 1);
    log.day += 1;
    log.add(EventKind::Searched {});
    assert!(log.state.lessons().is_empty());
}

#[test]
fn forgetting_has_a_size() {
    let mut log = Log::new(Rules::Prowess);
    log.outcome("a", Success).outcome("b", Success).add(EventKind::Searched {});
    log.add(EventKind::Forgotten(Forgotten::Signal {
        region: "todo".to_owned(),
        signal: "manage".to_owned(),
    }));
    assert_eq!(log.state.patterns()[0].signal, ["todo"]);
    log.add(EventKind::Forgotten(Forgotten::Skill { slug: "a".to_owned(), region: None }));
    assert_eq!(log.listed(), ["b"]);
    log.add(EventKind::Forgotten(Forgotten::Region { region: "todo".to_owned() }));
    assert!(log.state.patterns().is_empty() && log.listed().is_empty());
    assert_eq!(log.state.stats().searches, 1);
    log.add(EventKind::BlacklistAdded { slug: "x".to_owned() });
    log.add(EventKind::Forgotten(Forgotten::Everything));
    assert_eq!((log.state.stats().searches, log.state.blacklist().len()), (0, 1));
}

#[test]
fn counts_are_counted() {
    let mut log = Log::new(Rules::Prowess);
    let (region, slug) = ("todo".to_owned(), "a".to_owned());
    log.add(EventKind::Searched {})
        .add(EventKind::Installed { slug: slug.clone(), version: String::new() })
        .add(EventKind::InstallFailed { slug: slug.clone() })
        .add(EventKind::CacheHit { region: region.clone() })
        .add(EventKind::ReflexFired { region: region.clone(), slug: slug.clone() })
        .add(EventKind::ReflexCancelled { region, slug });
    let stats = log.state.stats();
    assert_eq!((stats.searches, stats.installs, stats.cache_hits, stats.reflexes_fired), (1, 1, 1, 1));
    assert_eq!(log.state.events(), 6);
}

#[test]
fn the_notice_says_what_the_document_says() {
    let mut candidate = CortexCandidate::new("todoist-cli");
    "1.2.0".clone_into(&mut candidate.version);
    (candidate.runs.success, candidate.runs.fail) = (24, 1);
    assert_eq!(
        candidate.notice("query today's todos"),
        "⚡ Skill Cortex reflex: todoist-cli v1.2.0 (96% success rate)\n   Task: query today's todos (read-only) | Will \
         install and execute. Say cancel to abort."
    );
}
