use std::collections::HashSet;

use super::*;

#[test]
fn the_table_can_be_read() {
    let value = prowess_json5::to_value(include_str!("../data/harnesses.json5")).unwrap();
    let table: Table = serde_json::from_value(value).unwrap();
    assert_eq!(table.harnesses.len(), harnesses().len());
    assert!(harnesses().len() >= 40, "{}", harnesses().len());
    for harness in harnesses() {
        assert!(table.fields.contains_key(&harness.set), "{}: {}", harness.id, harness.set);
    }
    for (set, fields) in &table.fields {
        assert!(["name", "description"].iter().all(|field| fields.contains(&(*field).to_owned())), "{set}");
        let distinct: HashSet<&String> = fields.iter().collect();
        assert_eq!(distinct.len(), fields.len(), "{set}");
    }
}

#[test]
fn every_row_makes_sense() {
    let ids: HashSet<&str> = harnesses().iter().map(|harness| harness.id.as_str()).collect();
    assert_eq!(ids.len(), harnesses().len());
    for harness in harnesses() {
        let id = &harness.id;
        let is_id = |letter: char| letter.is_ascii_lowercase() || letter == '-';
        assert!(!id.is_empty() && id.chars().all(is_id), "{id}");
        assert!(!harness.name.is_empty() && !harness.project.is_empty() && harness.depth > 0, "{id}");
        for place in &harness.project {
            assert!(!place.starts_with(['/', '~', '$']) && !place.contains(".."), "{id}: {place}");
        }
        for place in &harness.user {
            assert!(place.starts_with(['~', '$']) && !place.contains(".."), "{id}: {place}");
        }
        assert!(harness.format != Format::Skills || !harness.detect.is_empty(), "{id}");
        assert!(!harness.links || harness.format == Format::Skills, "{id}");
    }
}

/// Every row of the table that the specification gives.
#[test]
fn the_folders_of_the_specification_are_there() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("claude-code", &[".claude/skills"], &["~/.claude"]),
        ("codex", &[".agents/skills", ".codex/skills"], &["~/.agents/skills", "~/.codex"]),
        ("openclaw", &["skills", ".agents/skills"], &["~/.agents/skills", "~/.openclaw"]),
        ("hermes", &[".hermes/skills", ".agents/skills"], &["~/.hermes"]),
        (
            "goose",
            &[".goose/skills", ".claude/skills", ".agents/skills"],
            &["~/.agents/skills", "/goose/skills", "~/.claude/skills", "/agents/skills"],
        ),
        (
            "cursor",
            &[".cursor/skills", ".claude/skills", ".codex/skills", ".agents/skills"],
            &["~/.cursor/skills", "~/.claude/skills", "~/.codex/skills"],
        ),
        ("windsurf", &[".windsurf/skills"], &["~/.codeium/windsurf/skills"]),
        ("copilot", &[".github/skills", ".agents/skills"], &["~/.copilot/skills"]),
        ("gemini-cli", &[".agents/skills", ".gemini/skills"], &["~/.gemini/skills"]),
        ("antigravity", &[".agent/skills"], &["~/.gemini/antigravity/skills"]),
        ("opencode", &[".agents/skills", ".opencode/skills"], &["/opencode/skills"]),
        ("amp", &[".agents/skills"], &["/agents/skills"]),
        ("kimi", &[".agents/skills"], &["/agents/skills"]),
        ("replit", &[".agents/skills"], &["/agents/skills"]),
        ("cline", &[".cline/skills"], &["~/.cline/skills"]),
        ("roo", &[".roo/skills"], &["~/.roo/skills"]),
        ("kilo", &[".kilocode/skills"], &["~/.kilocode/skills"]),
        ("qwen-code", &[".qwen/skills"], &["~/.qwen/skills"]),
        ("kiro", &[".kiro/skills"], &["~/.kiro/skills"]),
        ("junie", &[".junie/skills"], &["~/.junie/skills"]),
        ("trae", &[".trae/skills"], &["~/.trae/skills"]),
        ("factory", &[".factory/skills"], &["~/.factory/skills"]),
        ("augment", &[".augment/skills"], &["~/.augment/skills"]),
        ("continue", &[".continue/skills"], &["~/.continue/skills"]),
        ("crush", &[".crush/skills"], &["/crush/skills"]),
        ("openhands", &[".openhands/skills"], &["~/.openhands/skills"]),
        ("pi", &[".pi/skills"], &["~/.pi/agent/skills"]),
        ("mistral-vibe", &[".vibe/skills"], &["~/.vibe"]),
        ("mux", &[".mux/skills"], &["~/.mux/skills"]),
        ("zencoder", &[".zencoder/skills"], &["~/.zencoder/skills"]),
        ("openpocket", &["skills"], &["~/.openpocket"]),
        ("zeph", &[".zeph/skills"], &[]),
    ];
    for (id, project, user) in rows {
        let harness = find(id).unwrap();
        for place in *project {
            assert!(harness.project.iter().any(|known| known == place), "{id}: {place}");
        }
        for place in *user {
            assert!(harness.user.iter().any(|known| known.contains(place)), "{id}: {place}");
        }
    }
}

#[test]
fn a_name_that_is_not_there_is_not_guessed() {
    let error = find("xyz").unwrap_err().to_string();
    assert_eq!(error, "there is no harness `xyz`");
    let error = find("codexx").unwrap_err().to_string();
    assert_eq!(error, "there is no harness `codexx`; did you mean `codex`?");
}
