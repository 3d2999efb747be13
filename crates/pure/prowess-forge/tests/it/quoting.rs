//! Whatever was typed or given as an argument, the script runs the same programs with the same words.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::Command;

use proptest::prelude::*;
use prowess_forge::{DraftOptions, Episode, EpisodeStep, Forged, MaterialLayout, Values, draft};
use serde_json::{Value, json};

/// Ends a word in what the recorder prints.
const END: char = '\u{1}';
/// What shells read, and a command that would show.
const HOSTILE: &str =
    "([a-zA-Z%~ '\"`$(){};|&<>*?!#\\\\\n\t\r=:/.-]|\\$\\(record pwned\\)|`record pwned`|é|字){1,24}";

/// Lets everything through, so that texts stand in the script itself.
fn everything(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// Lets nothing through, so that every text is a parameter.
fn nothing(_: &str) -> Vec<String> {
    Vec::new()
}

/// A folder with the two programs that a script itself needs, and nothing that could do harm.
fn programs() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("quoting");
    std::fs::create_dir_all(&folder).expect("a folder");
    for program in ["sed", "tr", "sh"] {
        let found = ["/bin", "/usr/bin"].map(|place| PathBuf::from(place).join(program));
        let found = found.iter().find(|path| path.exists()).expect("a usual program");
        let _ = std::os::unix::fs::symlink(found, folder.join(program));
    }
    folder
}

/// Runs the script of some steps, with parameters and with the values in place, and gives what the recorded program was
/// called with, word for word.
fn recorded(steps: Vec<EpisodeStep>, filter: fn(&str) -> Vec<String>) -> Vec<String> {
    let episode = Episode { task: "x".into(), steps, ..Episode::default() };
    let options = DraftOptions {
        filter: &filter,
        layout: MaterialLayout::Folder,
        now: 0,
        name: Some("x"),
        words: &[],
        others: &[],
        description: None,
        wording: None,
        session_file: None,
    };
    let Forged { draft, values, expanded } = draft(&episode, &options);
    let with_values = run(&expanded.expect("a script"), &Values::default());
    let with_parameters = run(&draft.script.expect("a script"), &values);
    assert_eq!(with_values, with_parameters);
    with_parameters
}

fn run(script: &str, values: &Values) -> Vec<String> {
    // The phone joins what it is given with blanks, and its shell reads that again.
    let record = "record() { for word; do printf '%s\\001' \"$word\"; done; }";
    let prelude = format!(
        "{record}\nadb() {{ shift; sh -c '{}\ninput() {{ record input \"$@\"; }}\ncmd() {{ record cmd \"$@\"; }}\n'\"$*\"; }}\n",
        record.replace('\'', "'\\''")
    );
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("{prelude}{script}")]).env_clear().env("PATH", programs());
    command.envs(values.iter());
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.split_terminator(END).map(str::to_owned).collect()
}

fn step(kind: &str, input: Value, is_phone: bool) -> EpisodeStep {
    EpisodeStep { number: 1, kind: kind.to_owned(), input, is_phone, ..EpisodeStep::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn arguments_stay_words(words in proptest::collection::vec(HOSTILE, 1..4)) {
        let mut called = vec!["record".to_owned()];
        called.extend(words.iter().cloned());
        for filter in [everything as fn(&str) -> Vec<String>, nothing] {
            let as_list = step("shell", json!({ "command": called }), false);
            prop_assert_eq!(&recorded(vec![as_list], filter), &words);
            let line = called.iter().map(|word| prowess_text::posix_word(word)).collect::<Vec<_>>().join(" ");
            let as_line = step("exec", json!({ "command": line }), false);
            prop_assert_eq!(&recorded(vec![as_line], filter), &words);
        }
    }

    #[test]
    fn typed_text_reaches_the_phone_as_it_was_typed(text in HOSTILE) {
        let line = text.replace(['\n', '\r'], " ");
        let expected = if text.is_ascii() {
            vec!["input".to_owned(), "text".to_owned(), line.replace(' ', "%s")]
        } else {
            let pasted = ["input", "keyevent", "279"].map(str::to_owned);
            [["cmd", "clipboard", "set-text"].map(str::to_owned).to_vec(), vec![line], pasted.to_vec()].concat()
        };
        for filter in [everything as fn(&str) -> Vec<String>, nothing] {
            let typed = step("type", json!({ "text": text }), true);
            prop_assert_eq!(&recorded(vec![typed], filter), &expected);
        }
    }

    #[test]
    fn nothing_in_a_step_panics(kind in "[a-z_]{0,12}|type|exec|write|tap", text in "\\PC{0,30}", is_phone: bool) {
        let input = json!({"command": text, "text": text, "path": text, "content": text, "x": 1e300, "y": -1});
        let steps = vec![step(&kind, input, is_phone)];
        let episode = Episode { task: text.clone(), answer: text, steps, ..Episode::default() };
        for layout in [MaterialLayout::Folder, MaterialLayout::LoneFile, MaterialLayout::StrictFolder] {
            let options =
                DraftOptions { filter: &everything, layout, now: u64::MAX, name: None, words: &[], others: &[], description: None, wording: None, session_file: None };
            prop_assert!(!draft(&episode, &options).draft.skill_md.is_empty());
        }
    }
}
