//! A live engine over a throw-away tree.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use prowess::{Engine, EngineOptions, Live};
use prowess_catalog::Snapshot;
use prowess_context::Clock;
use prowess_fs::{WatchBackend, WatchOptions};
use prowess_match::{LiveEvent, LiveOptions, Subscription};
use prowess_testkit::Tree;
use prowess_types::ProfileName;

use crate::support::{configure, options, skill};

/// Nothing takes this long on any machine.
pub(crate) const LONG: Duration = Duration::from_mins(2);
/// Longer than the debounce, for showing that nothing comes.
pub(crate) const QUIET: Duration = Duration::from_millis(500);

/// A tree, what follows it, and a clock that only the test moves.
pub(crate) struct Followed {
    pub(crate) live: Live,
    pub(crate) events: Subscription,
    pub(crate) clock: Arc<AtomicU64>,
    pub(crate) tree: Tree,
}

pub(crate) const QUICK: &str = "skills: { load: { debounceMs: 30 } }";

pub(crate) fn tree() -> Tree {
    let tree = Tree::new();
    for folder in ["ws/skills", "bundled", "bin"] {
        std::fs::create_dir_all(tree.path(folder)).unwrap();
    }
    configure(&tree, &format!("{{ {QUICK} }}"));
    tree
}

pub(crate) fn follow(tree: Tree, backend: WatchBackend) -> Followed {
    let engine = Engine::open(options(&tree, ProfileName::Prowess, &[])).unwrap();
    follow_engine(tree, engine, backend)
}

pub(crate) fn follow_engine(tree: Tree, engine: Engine, backend: WatchBackend) -> Followed {
    let clock = Arc::new(AtomicU64::new(1_000));
    let watch = WatchOptions {
        backend,
        poll_interval: Duration::from_millis(40),
        check_interval: Duration::from_millis(200),
        ..WatchOptions::default()
    };
    let now = Arc::clone(&clock);
    let options = LiveOptions { watch, ..LiveOptions::new(Clock::new(move || now.load(Ordering::Relaxed))) };
    let live = engine.watch(options).unwrap();
    let events = live.subscribe();
    live.snapshot(None).unwrap();
    Followed { live, events, clock, tree }
}

pub(crate) fn each_backend(test: impl Fn(Followed)) {
    for backend in [WatchBackend::Native, WatchBackend::Polling] {
        test(follow(tree(), backend));
    }
}

impl Followed {
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.live.snapshot(None).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.snapshot().skills.iter().map(|skill| skill.name.clone()).collect()
    }

    /// What a new engine would say now.
    pub(crate) fn fresh_id(&self) -> String {
        let options = EngineOptions { ..options(&self.tree, ProfileName::Prowess, &[]) };
        let inventory = Engine::open(options).unwrap().inventory(None).unwrap();
        inventory.snapshot(&prowess_inventory::PromptRequest::default(), 1).id().to_owned()
    }

    pub(crate) fn write(&self, name: &str, body: &str) {
        self.tree.write(&format!("ws/skills/{name}/SKILL.md"), skill(name, "") + body);
    }

    /// Waits for an event that fits.
    pub(crate) fn expect(&self, what: &str, is_it: impl Fn(&LiveEvent) -> bool) -> LiveEvent {
        let deadline = Instant::now() + LONG;
        while Instant::now() < deadline {
            if let Some(event) = self.events.next(Duration::from_secs(1))
                && is_it(&event)
            {
                return event;
            }
        }
        panic!("{what}: nothing came; {:#?}", self.live.status());
    }

    pub(crate) fn expect_published(&self, what: &str) -> LiveEvent {
        self.expect(what, |event| event.published)
    }

    /// Waits until the published state fits.
    pub(crate) fn expect_state(&self, what: &str, is_it: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + LONG;
        while !is_it(self) {
            assert!(Instant::now() < deadline, "{what}: {:#?} {:?}", self.live.status(), self.names());
            self.events.next(Duration::from_millis(100));
        }
    }

    /// Waits until what is published is what a new engine would say.
    pub(crate) fn expect_fresh(&self, what: &str) {
        self.expect_state(what, |followed| followed.snapshot().id() == followed.fresh_id());
    }

    pub(crate) fn settle(&self) {
        while self.events.next(QUIET).is_some() {}
    }

    pub(crate) fn expect_nothing(&self, what: &str) {
        let before = self.snapshot();
        let event = self.events.next(QUIET);
        assert!(event.is_none(), "{what}: {event:#?}");
        assert_eq!(
            (before.id(), before.version()),
            (self.snapshot().id(), self.snapshot().version()),
            "{what}"
        );
    }

    pub(crate) fn mode(&self) -> prowess_fs::WatchMode {
        self.live.health().mode
    }
}
