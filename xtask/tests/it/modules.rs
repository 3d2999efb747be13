//! The arrows between the top-level modules of a crate: they form no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::source::{self, SourceFile, stem};

/// Per pair of modules, the first use that makes the arrow, as `file: path`.
type Arrows = BTreeMap<(String, String), String>;

#[test]
fn modules_form_no_cycle() {
    let mut objections = Vec::new();
    for (name, folder) in source::crates() {
        let arrows = arrows(&folder);
        let cycles = cycles(&arrows);
        if !cycles.is_empty() {
            objections.push(report(&name, &cycles, &arrows));
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

fn report(name: &str, cycles: &[BTreeSet<String>], arrows: &Arrows) -> String {
    let mut lines = Vec::new();
    for cycle in cycles {
        lines.push(format!("`{name}` has a cycle of modules: {cycle:?}"));
        let inside = arrows.iter().filter(|((from, to), _)| cycle.contains(from) && cycle.contains(to));
        lines.extend(inside.map(|((from, to), place)| format!("  {from} -> {to} ({place})")));
    }
    lines.join("\n")
}

/// The arrows between the modules directly below a source folder.
fn arrows(folder: &Path) -> Arrows {
    let files = source::files(folder);
    let (roots, files): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.path.parent() == Some(folder) && is_root(&stem(&file.path)));
    let modules: BTreeSet<_> =
        files.iter().filter_map(|file| module_path(folder, file).into_iter().next()).collect();
    let exports: BTreeMap<_, _> = roots.iter().flat_map(|file| exports(file, &modules)).collect();
    let mut arrows = Arrows::new();
    for file in &files {
        let own = module_path(folder, file);
        for path in paths(&own, &file.tokens) {
            let target = if modules.contains(&path) { Some(&path) } else { exports.get(&path) };
            let (Some(from), Some(to)) = (own.first(), target) else { continue };
            if from != to {
                let place = file.path.strip_prefix(folder).unwrap_or(&file.path).display();
                arrows.entry((from.clone(), to.clone())).or_insert_with(|| format!("{place}: crate::{path}"));
            }
        }
    }
    arrows
}

fn is_root(stem: &str) -> bool {
    ["lib", "main"].contains(&stem)
}

/// The module path of a file: `a/b.rs` and `a/b/mod.rs` are `[a, b]`.
fn module_path(folder: &Path, file: &SourceFile) -> Vec<String> {
    let relative = file.path.strip_prefix(folder).unwrap_or(&file.path).with_extension("");
    let mut path: Vec<_> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| last == "mod") {
        path.pop();
    }
    path
}

/// The names that the root of a crate takes out of its modules, with the module.
fn exports(root: &SourceFile, modules: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut exports = Vec::new();
    let mut tokens = root.tokens.iter().map(String::as_str);
    while let Some(token) = tokens.next() {
        if token == "use" {
            let tree: Vec<_> = tokens.by_ref().take_while(|token| *token != ";").collect();
            let module = tree.iter().find(|token| !["crate", "self", "::"].contains(*token));
            let Some(module) = module.filter(|module| modules.contains(**module)) else { continue };
            let is_name =
                |token: &&&str| token.starts_with(|first: char| first == '_' || first.is_alphanumeric());
            exports
                .extend(tree.iter().filter(is_name).map(|name| ((*name).to_owned(), (*module).to_owned())));
        }
    }
    exports.retain(|(name, _)| !modules.contains(name));
    exports
}

/// The first names of all paths that begin at the root of the crate, by `crate::` or by enough `super::`.
fn paths(own: &[String], tokens: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    // The depth of braces at which each inline module ends.
    let mut inline: Vec<usize> = Vec::new();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < tokens.len() {
        let is_continued = at > 0 && tokens[at - 1] == "::";
        match tokens[at].as_str() {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inline.retain(|end| *end < depth + 1);
            }
            "mod" if tokens.get(at + 2).is_some_and(|next| next == "{") => inline.push(depth + 1),
            "crate" if !is_continued => found.extend(first_names(tokens, at + 1)),
            "super" if !is_continued => {
                let mut level = own.len() + inline.len();
                while tokens.get(at).is_some_and(|token| token == "super") {
                    level = level.saturating_sub(1);
                    at += 2;
                }
                at -= 2;
                if level == 0 {
                    found.extend(first_names(tokens, at + 1));
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The names after a `::` at `at`: one, or those at the top of a group in braces.
fn first_names(tokens: &[String], at: usize) -> Vec<String> {
    if tokens.get(at).is_none_or(|token| token != "::") {
        return Vec::new();
    }
    if tokens.get(at + 1).is_none_or(|token| token != "{") {
        return tokens.get(at + 1).cloned().into_iter().collect();
    }
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut is_first = false;
    for token in &tokens[at + 1..] {
        match token.as_str() {
            "{" => {
                depth += 1;
                is_first = depth == 1;
            }
            "}" if depth == 1 => break,
            "}" => depth -= 1,
            "," => is_first = depth == 1,
            name if is_first => {
                names.push(name.to_owned());
                is_first = false;
            }
            _ => {}
        }
    }
    names
}

/// The sets of modules that reach each other.
fn cycles(arrows: &Arrows) -> Vec<BTreeSet<String>> {
    let modules: BTreeSet<_> = arrows.keys().map(|(from, _)| from.clone()).collect();
    let reached: BTreeMap<_, _> = modules.iter().map(|module| (module, reachable(module, arrows))).collect();
    let mut cycles = BTreeSet::new();
    for (module, targets) in &reached {
        let cycle: BTreeSet<String> = targets
            .iter()
            .filter(|target| reached.get(target).is_some_and(|back| back.contains(*module)))
            .cloned()
            .collect();
        if cycle.len() > 1 {
            cycles.insert(cycle);
        }
    }
    cycles.into_iter().collect()
}

fn reachable(start: &str, arrows: &Arrows) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start.to_owned()];
    while let Some(module) = open.pop() {
        for (_, to) in arrows.keys().filter(|(from, _)| *from == module) {
            if reached.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    reached
}

#[test]
fn paths_to_other_modules_are_found() {
    let own = ["a".to_owned(), "b".to_owned()];
    for (text, expected) in [
        ("use crate::c::D;", &["c"][..]),
        ("use crate::{c::{D, e}, F};", &["c", "F"]),
        ("fn f() { crate::c::g(); }", &["c"]),
        ("use super::x;", &[]),
        ("use super::super::c;", &["c"]),
        ("mod i { use super::super::c; use super::super::super::d; } use super::super::e;", &["d", "e"]),
        ("use other::crate_like;", &[]),
    ] {
        assert_eq!(paths(&own, &source::tokens(text)), expected, "{text}");
    }
}

#[test]
fn a_cycle_is_found() {
    let arrow = |from: &str, to: &str| ((from.to_owned(), to.to_owned()), String::new());
    let arrows = Arrows::from([arrow("a", "b"), arrow("b", "c"), arrow("c", "b"), arrow("c", "d")]);
    assert_eq!(cycles(&arrows), [BTreeSet::from(["b".to_owned(), "c".to_owned()])]);
}
