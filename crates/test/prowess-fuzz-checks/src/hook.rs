//! Any bytes as the input of a hook, or as the settings of a harness.

use prowess_harness::hook::input::{HookEvent, HookInput};
use prowess_harness::hook::{HookHarness, answer, settings};

/// An input is understood or refused; settings get our entries and lose them again.
pub fn check(bytes: &[u8]) {
    if let Ok(input) = HookInput::parse(bytes) {
        let text = answer(&input.event, "words \" \n");
        let value: serde_json::Value = serde_json::from_str(&text).expect("an answer is JSON");
        assert_eq!(value["hookSpecificOutput"]["additionalContext"], "words \" \n");
        if let HookEvent::Prompt(prompt) = &input.event {
            let given: serde_json::Value = serde_json::from_slice(bytes).expect("an input is JSON");
            assert_eq!(given["prompt"], prompt.as_str(), "the message is what was said");
        }
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for harness in HookHarness::all() {
        let command = format!("prowess hook run {}", harness.name());
        let Ok(with) = settings::install(Some(text), harness, &command) else { continue };
        let commands = settings::installed(Some(&with), harness).expect("what was written can be read");
        assert!(commands.len() >= 2 && commands.iter().all(|other| *other == command), "every entry is ours");
        let again =
            settings::install(Some(&with), harness, &command).expect("what was written can be changed");
        assert_eq!(again, with, "twice is once");
        let without = settings::remove(&with, harness).expect("what was written can be changed");
        assert_eq!(
            settings::installed(Some(&without), harness).as_deref(),
            Ok(&[][..]),
            "nothing of ours is left"
        );
    }
}
