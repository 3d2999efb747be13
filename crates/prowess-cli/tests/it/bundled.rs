//! The bundled skills: complete, well formed, harmless, and found by the words of those who need them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Home, files_below, texts};

/// The skills that must be there.
const SKILLS: &str = "1password apple-notes apple-reminders bear-notes blogwatcher blucli bluebubbles camsnap canvas \
    clawhub coding-agent discord eightctl gemini gh-issues gifgrep github gog goplaces healthcheck himalaya imsg \
    mcporter model-usage nano-banana-pro nano-pdf notion obsidian openai-image-gen openai-whisper openai-whisper-api \
    openhue oracle ordercli peekaboo sag session-logs sherpa-onnx-tts skill-cortex skill-creator slack songsee sonoscli \
    spotify-player summarize things-mac tmux trello video-frames voice-call wacli weather xurl";

/// How many lines and bytes of text an agent is given at once. Four bytes of English make about one token.
const MAX_LINES: usize = 500;
const MAX_BYTES: usize = 4 * 5_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills").canonicalize().expect("the bundled skills")
}

fn names() -> Vec<&'static str> {
    SKILLS.split_whitespace().collect()
}

fn text(skill: &str) -> String {
    std::fs::read_to_string(folder().join(skill).join("SKILL.md")).expect("SKILL.md")
}

fn over_all(command: &str) -> Value {
    let folder = folder();
    let ran = Home::empty().run(&[command, "--json", folder.to_str().expect("a path")]);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// The declared metadata of every skill, as the engine reads it.
fn cases(skill: &str) -> Value {
    let file = folder().join(skill).join("evals/triggers.json");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_skill_is_there_and_no_other() {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    assert_eq!(found, names());
}

#[test]
fn every_skill_is_portable_but_for_known_fields_and_free_of_remarks() {
    let mut objections = Vec::new();
    for (command, allowed) in [("validate", "note"), ("lint", "note")] {
        let report = over_all(command);
        for file in report["files"].as_array().expect("files") {
            let path = file["path"].as_str().unwrap_or_default();
            if let Some(level) = file["level"].as_str()
                && !["portable", "extended"].contains(&level)
            {
                objections.push(format!("{path}: {level}"));
            }
            for diagnostic in file["diagnostics"].as_array().into_iter().flatten() {
                if diagnostic["severity"] != allowed {
                    objections.push(format!("{path}: {} {}", diagnostic["rule"], diagnostic["message"]));
                }
            }
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

#[test]
fn every_skill_is_clean() {
    let report = over_all("scan");
    let scanned = report["skills"].as_array().expect("skills");
    assert_eq!(scanned.len(), names().len());
    let dirty: Vec<String> = scanned
        .iter()
        .filter(|skill| skill["verdict"] != "clean")
        .map(|skill| format!("{}: {}", skill["name"], skill["findings"]))
        .collect();
    assert!(dirty.is_empty(), "{}", dirty.join("\n"));
}

#[test]
fn bodies_are_short_and_their_links_lead_somewhere() {
    let mut objections = Vec::new();
    for name in names() {
        let text = text(name);
        let body = text.splitn(3, "---\n").nth(2).expect("a body");
        if body.lines().count() > MAX_LINES || body.len() > MAX_BYTES {
            objections.push(format!("{name}: {} lines, {} bytes", body.lines().count(), body.len()));
        }
        let root = folder().join(name);
        for file in files_below(&root).iter().filter(|file| file.ends_with(".md")) {
            let text = std::fs::read_to_string(root.join(file)).expect("UTF-8");
            for target in links(&text) {
                let place = root.join(file).parent().expect("a folder").join(target);
                if !target.contains("://") && !target.starts_with('#') && !place.exists() {
                    objections.push(format!("{name}/{file}: `{target}` is not there"));
                }
            }
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

/// The targets of `[text](target)`, outside of code.
fn links(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let parts = line.split("](").skip(1);
            found.extend(parts.filter_map(|part| part.split_once(')').map(|(target, _)| target)));
        }
    }
    found
}

#[test]
fn every_way_to_install_is_one() {
    let home = Home::empty();
    let mut command = home.command();
    command.env("PROWESS_BUNDLED_SKILLS_DIR", folder()).args(["list", "--all", "--json"]);
    let ran = home.finish(&mut command);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let listed: BTreeSet<&str> = texts(&report["skills"], "name").into_iter().collect();
    assert_eq!(listed, names().into_iter().collect());
    // A way that is not well formed is dropped with a remark, which `lint` tells; here: programs can be had.
    for name in names() {
        let text = text(name);
        let head = text.splitn(3, "---\n").nth(1).expect("frontmatter");
        if head.contains("bins:") || head.contains("anyBins:") {
            assert!(
                head.contains("install:"),
                "`{name}` asks for programs and does not say where they come from"
            );
        }
    }
}

#[test]
fn every_skill_has_cases_in_the_words_of_its_users() {
    let mut objections = Vec::new();
    for name in names() {
        let cases = cases(name);
        let list = |key: &str| -> Vec<String> {
            let list = cases[key].as_array().cloned().unwrap_or_default();
            list.iter().filter_map(|case| case.as_str().map(str::to_lowercase)).collect()
        };
        let (should, should_not) = (list("should"), list("shouldNot"));
        if should.len() < 6 || should_not.len() < 4 {
            objections.push(format!("{name}: {} and {} cases", should.len(), should_not.len()));
        }
        let text = text(name).to_lowercase();
        let head = text.splitn(3, "---\n").nth(1).expect("frontmatter");
        if !head.contains("triggers:") {
            objections.push(format!("{name}: no triggers"));
        }
        for case in should.iter().chain(&should_not).filter(|case| head.contains(case.as_str())) {
            objections.push(format!("{name}: the case `{case}` is also in the frontmatter"));
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

#[test]
fn the_words_of_users_find_the_right_skill() {
    let report = over_all("eval");
    let failures: Vec<String> = report["bySkill"]
        .as_array()
        .expect("skills")
        .iter()
        .flat_map(|skill| skill["failures"].as_array().into_iter().flatten().map(move |case| (skill, case)))
        .map(|(skill, case)| format!("{}: {case}", skill["name"]))
        .collect();
    let told = format!("{} {}\n{}", report["recallAt1"], report["falseLoads"], failures.join("\n"));
    assert!(report["recallAt1"].as_f64().is_some_and(|recall| recall >= 0.92), "{told}");
    assert!(report["falseLoads"].as_f64().is_some_and(|share| share <= 0.03), "{told}");
}
