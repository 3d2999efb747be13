//! Any text is a reference or an error, and any text is a lockfile or an error.

use prowess_registry::{ClawhubLock, ClawhubOrigin, ForeignLock, SourceReference};

/// A reference is written as what it was read from means, and an error helps.
pub fn check_reference(text: &str) {
    match SourceReference::parse(text) {
        Ok(reference) => {
            let written = reference.to_string();
            assert_eq!(
                SourceReference::parse(&written).as_ref(),
                Ok(&reference),
                "the text of a reference means it"
            );
            if let SourceReference::Git(git) = &reference {
                assert!(!git.repository.url().starts_with('-'), "an address is no option");
                assert!(
                    !git.revision.as_deref().unwrap_or_default().starts_with('-'),
                    "a revision is no option"
                );
                let path = git.path.as_deref().unwrap_or_default();
                assert!(path.split('/').all(|part| part != ".."), "a folder is inside its repository");
            }
        }
        Err(error) => {
            assert!(!error.to_string().contains(char::is_control), "a message is one harmless line");
            if let Some(suggestion) = &error.suggestion {
                assert!(SourceReference::parse(suggestion).is_ok(), "a suggestion is a reference");
            }
        }
    }
}

/// A lockfile that can be read keeps what it says when it is written.
pub fn check_lockfile(text: &str) {
    if let Ok(lock) = ClawhubLock::parse(text) {
        let written = lock.to_text();
        assert_eq!(ClawhubLock::parse(&written).expect("what is written can be read"), lock);
    }
    if let Ok(origin) = ClawhubOrigin::parse(text) {
        let written = origin.to_text();
        assert_eq!(ClawhubOrigin::parse(&written).expect("what is written can be read"), origin);
    }
    for file in ["skills-lock.json", ".skill-lock.json", "skills.lock", "vskill.lock", "lock.json"] {
        let Ok(lock) = ForeignLock::parse(file, text) else { continue };
        for reference in lock.entries.iter().filter_map(|entry| entry.reference.as_ref()) {
            assert_eq!(SourceReference::parse(&reference.to_string()).as_ref(), Ok(reference));
        }
    }
}
