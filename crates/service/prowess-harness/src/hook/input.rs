//! What a hook is told.

use std::path::PathBuf;

use serde_json::Value;

use super::{COMPACTED, PROMPT, SESSION_START};

/// A longer input is not read.
pub const MAX_INPUT_BYTES: usize = 8 * 1024 * 1024;

/// The event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// The user said something.
    Prompt(String),
    /// The context was compacted.
    Compacted,
    /// Something else, by its name.
    Other(String),
}

/// The input of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookInput {
    /// The event.
    pub event: HookEvent,
    /// The harness's own id of the session; empty if it says none.
    pub session: String,
    /// The folder the user works in.
    pub cwd: Option<PathBuf>,
    /// The harness's log of the session.
    pub transcript: Option<PathBuf>,
}

/// The reason an input is not valid. Its content is not repeated: it may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is too long.
    #[error("the input of the hook has more than {MAX_INPUT_BYTES} bytes")]
    TooLong,
    /// It is not a JSON object.
    #[error("the input of the hook is not a JSON object")]
    NotAnObject,
    /// It does not say what happened.
    #[error("the input of the hook does not say which event it is for (`hook_event_name`)")]
    NoEvent,
    /// The message is missing.
    #[error("the input of the hook has no `prompt`")]
    NoPrompt,
}

impl HookInput {
    /// Reads the input of a hook. Unknown members are left alone.
    ///
    /// ```
    /// use prowess_harness::hook::input::{HookEvent, HookInput};
    /// let input = HookInput::parse(br#"{"hook_event_name":"UserPromptSubmit","prompt":"hi","session_id":"s1"}"#)?;
    /// assert_eq!(input.event, HookEvent::Prompt("hi".into()));
    /// # Ok::<(), prowess_harness::hook::input::InputError>(())
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self, InputError> {
        if bytes.len() > MAX_INPUT_BYTES {
            return Err(InputError::TooLong);
        }
        let value: Value = serde_json::from_slice(bytes).map_err(|_| InputError::NotAnObject)?;
        if !value.is_object() {
            return Err(InputError::NotAnObject);
        }
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let path = |key: &str| text(key).filter(|path| !path.trim().is_empty()).map(PathBuf::from);
        let event = match text("hook_event_name").ok_or(InputError::NoEvent)? {
            name if name == PROMPT => HookEvent::Prompt(text("prompt").ok_or(InputError::NoPrompt)?),
            name if name == SESSION_START && text("source").as_deref() == Some(COMPACTED) => {
                HookEvent::Compacted
            }
            name => HookEvent::Other(name),
        };
        Ok(Self {
            event,
            session: text("session_id").unwrap_or_default(),
            cwd: path("cwd").filter(|path| path.is_absolute()),
            transcript: path("transcript_path"),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_harnesses_are_understood() {
        let prompt =
            br#"{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/repo","permission_mode":"default",
            "hook_event_name":"UserPromptSubmit","prompt":"will it rain?"}"#;
        let input = HookInput::parse(prompt).expect("an input");
        assert_eq!(input.event, HookEvent::Prompt("will it rain?".to_owned()));
        assert_eq!((input.session.as_str(), input.cwd), ("s", Some(PathBuf::from("/repo"))));
        assert_eq!(input.transcript, Some(PathBuf::from("/t.jsonl")));
        let compact = br#"{"session_id":"s","transcript_path":null,"cwd":"/repo","model":"gpt-5.2",
            "hook_event_name":"SessionStart","source":"compact"}"#;
        let input = HookInput::parse(compact).expect("an input");
        assert_eq!((input.event, input.transcript), (HookEvent::Compacted, None));
        let other = br#"{"hook_event_name":"SessionStart","source":"startup"}"#;
        let input = HookInput::parse(other).expect("an input");
        assert_eq!(input.event, HookEvent::Other("SessionStart".to_owned()));
    }

    #[test]
    fn what_is_no_input_is_told_apart() {
        for (text, error) in [
            ("", InputError::NotAnObject),
            ("[]", InputError::NotAnObject),
            ("{", InputError::NotAnObject),
            ("{}", InputError::NoEvent),
            (r#"{"hook_event_name":1}"#, InputError::NoEvent),
            (r#"{"hook_event_name":"UserPromptSubmit"}"#, InputError::NoPrompt),
            (r#"{"hook_event_name":"UserPromptSubmit","prompt":["x"]}"#, InputError::NoPrompt),
        ] {
            assert_eq!(HookInput::parse(text.as_bytes()), Err(error), "{text}");
        }
        assert_eq!(HookInput::parse(&vec![b' '; MAX_INPUT_BYTES + 1]), Err(InputError::TooLong));
        assert_eq!(HookInput::parse("[".repeat(100_000).as_bytes()), Err(InputError::NotAnObject));
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_much(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = HookInput::parse(&bytes);
        }

        #[test]
        fn a_prompt_is_never_changed(prompt in "\\PC{0,80}") {
            let text = serde_json::json!({ "hook_event_name": "UserPromptSubmit", "prompt": prompt }).to_string();
            let input = HookInput::parse(text.as_bytes()).expect("an input");
            prop_assert_eq!(input.event, HookEvent::Prompt(prompt));
        }
    }
}
