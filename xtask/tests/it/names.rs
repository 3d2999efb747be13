//! The names of public types: each is unique in the workspace, so that a search for it finds one thing.

use std::collections::BTreeMap;

use crate::source;

#[test]
fn public_types_have_unique_names() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, folder) in source::crates() {
        if source::layer(&folder) == "test" {
            continue;
        }
        for file in source::files(&folder) {
            let place = file.path.strip_prefix(crate::root()).unwrap_or(&file.path).display().to_string();
            for name in public_types(&file.tokens) {
                places.entry(name.to_owned()).or_default().push(place.clone());
            }
        }
    }
    assert!(
        places.len() > 500,
        "only {} types were found; has the layout of the sources changed?",
        places.len()
    );
    let twice: Vec<_> = places
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| format!("`{name}` is defined in {}", places.join(", ")))
        .collect();
    assert!(twice.is_empty(), "{}", twice.join("\n"));
}

/// The names of the public types that a file defines.
fn public_types(tokens: &[String]) -> impl Iterator<Item = &str> {
    tokens.windows(3).filter_map(|words| match [words[0].as_str(), words[1].as_str(), words[2].as_str()] {
        ["pub", "struct" | "enum" | "trait" | "type" | "union", name] => Some(name),
        _ => None,
    })
}
