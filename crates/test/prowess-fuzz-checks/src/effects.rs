//! Any text is read in any language, always with the same tags.

use prowess_effects::{CodeLanguage, EffectReader, EffectTags, read_shell};

use crate::Choice;

const LANGUAGES: [CodeLanguage; 8] = [
    CodeLanguage::Shell,
    CodeLanguage::Console,
    CodeLanguage::Python,
    CodeLanguage::JavaScript,
    CodeLanguage::PowerShell,
    CodeLanguage::Unlabelled,
    CodeLanguage::Sql,
    CodeLanguage::Http,
];

/// Reads the text as code of some language, and as a document.
pub fn check(text: &str) {
    let mut choice = Choice::of(text.as_bytes());
    let language = *choice.one(&LANGUAGES);
    let reader = EffectReader::new(["todoist"]);
    let tags = reader.code(text, language);
    check_tags(&tags);
    assert_eq!(tags, reader.code(text, language), "the same text has the same tags");
    match choice.one(&[0, 1, 2]) {
        0 => check_tags(&reader.document(text)),
        1 => {
            // A command in front takes nothing away from a script that is whole.
            let script = read_shell(text);
            if !script.is_partial && language == CodeLanguage::Shell {
                assert!(reader.script(&script).iter().all(|tag| tags.contains(tag)));
            }
        }
        _ => {}
    }
}

fn check_tags(tags: &EffectTags) {
    for tag in tags.iter() {
        let (verb, target) = tag.split_once(':').expect("a tag has a verb and a target");
        assert!(["read", "env", "network", "write", "delete", "shell"].contains(&verb), "{tag}");
        assert!(!target.is_empty() && !target.contains(char::is_control), "{tag:?}");
    }
}
