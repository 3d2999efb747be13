//! Any bytes are a `cortex.json` or are not, and one that is can be imported without harm.

use prowess_cortex::{
    CortexFile, CortexState, Event, EventKind, Import, Rules, constants, read_document, signals,
    write_document,
};

const CLOCK: i64 = 1_771_891_200_000;

/// Reads the bytes, imports what was read twice, and looks at what came out.
pub fn check(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check_words(text);
    }
    let Ok(file) = read_document(bytes) else { return };
    let written = write_document(&file);
    assert_eq!(read_document(written.as_bytes()).expect("what was written can be read"), file);
    for rules in Rules::ALL {
        let Some(import) = Import::merged(&CortexState::default(), &file) else { continue };
        let event = Event::new("1", CLOCK, EventKind::Imported(Box::new(import)));
        assert_eq!(Event::from_json(&event.to_json()).expect("an event can be read"), event);
        let mut state = CortexState::replay([&event], rules);
        check_limits(&state);
        let once = CortexFile { events: None, ..state.export() };
        state.apply(&event, rules);
        assert_eq!(CortexFile { events: None, ..state.export() }, once, "twice is once");
        assert_eq!(Import::edited(&state.export(), &state.export()), None, "nothing was edited");
    }
}

fn check_limits(state: &CortexState) {
    assert!(state.regions().count() <= constants::MAX_REGIONS);
    for (_, region) in state.regions() {
        assert!((1..=constants::MAX_CANDIDATES).contains(&region.candidates.len()));
        assert!(region.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.weight)));
    }
    assert!(state.patterns().iter().all(|pattern| pattern.signal.len() <= constants::MAX_SIGNALS));
    assert!(state.lessons().len() <= constants::MAX_LESSONS);
    assert!(state.ledger().len() <= constants::MAX_LEDGER, "the ledger is bounded");
}

fn check_words(text: &str) {
    let found = signals(text);
    assert!(found.len() <= constants::MAX_NEW_SIGNALS);
    assert!(found.iter().all(|word| *word == word.to_lowercase() && !word.contains(char::is_whitespace)));
}
