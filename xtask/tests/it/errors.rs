//! The errors of the engine: each public error type names the kind of its variants, beside its definition.

use crate::source;

/// The layers whose errors reach a surface.
const LAYERS: [&str; 2] = ["domain", "facade"];

#[test]
fn every_public_error_has_a_kind() {
    let mut missing = Vec::new();
    let mut found = 0;
    for (_, folder) in source::crates() {
        if !LAYERS.contains(&source::layer(&folder).as_str()) {
            continue;
        }
        for file in source::files(&folder) {
            let has = |words: [&str; 3]| file.tokens.windows(3).any(|found| found == words);
            for error in errors(&file.tokens) {
                found += 1;
                if !has(["Classify", "for", error]) {
                    missing.push(format!("`{error}` in {} has no `impl Classify`", file.path.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(found > 30, "only {found} errors were found; has the layout of the sources changed?");
}

/// The public types of a file whose name ends with `Error`.
fn errors(tokens: &[String]) -> impl Iterator<Item = &str> {
    tokens.windows(3).filter_map(|words| match [words[0].as_str(), words[1].as_str(), words[2].as_str()] {
        ["pub", "enum" | "struct", name] if name.ends_with("Error") => Some(name),
        _ => None,
    })
}
