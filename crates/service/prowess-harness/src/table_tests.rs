use std::collections::HashSet;

use super::*;
use crate::command::PromptBy;

#[test]
fn the_table_can_be_read() {
    let value = prowess_json5::to_value(include_str!("../data/harnesses.json5")).unwrap();
    let table: Table = serde_json::from_value(value).unwrap();
    assert_eq!(table.harnesses.len(), programs().len());
    assert!(harnesses().count() >= 40, "{}", harnesses().count());
    for harness in harnesses() {
        assert!(table.fields.contains_key(&harness.set), "{}: {}", harness.id, harness.set);
    }
    for (set, fields) in &table.fields {
        assert!(["name", "description"].iter().all(|field| fields.contains(&(*field).to_owned())), "{set}");
        let distinct: HashSet<&String> = fields.iter().collect();
        assert_eq!(distinct.len(), fields.len(), "{set}");
    }
    for command in commands() {
        assert!(command.inherit.len() > table.inherit.len(), "{}", command.id);
    }
}

#[test]
fn a_name_means_one_program() {
    let mut names = HashSet::new();
    for program in programs() {
        let is_id = |letter: char| letter.is_ascii_lowercase() || letter == '-';
        for name in std::iter::once(&program.id).chain(&program.aliases) {
            assert!(!name.is_empty() && name.chars().all(is_id), "{name}");
            assert!(names.insert(name), "{name} is there twice");
        }
        assert!(!program.name.is_empty(), "{}", program.id);
        let sections = [program.folders.is_some(), program.run.is_some(), program.hook.is_some()];
        assert!(sections.contains(&true) || program.logs.is_some(), "{}", program.id);
    }
}

/// Ids of version 0.1, which had other ones for `--with` than for folders and hooks, and the names of the programs.
#[test]
fn earlier_ids_and_names_of_programs_are_accepted() {
    let id = |name: &str| program(name).map(|program| program.id.as_str());
    for (old, new) in [("claude", "claude-code"), ("gemini", "gemini-cli"), ("qwen", "qwen-code")] {
        assert_eq!(id(old), Some(new));
        assert_eq!(id(&old.to_uppercase()), Some(new));
        assert_eq!(id(new), Some(new));
        assert_eq!(find(old).unwrap().id, new);
    }
    for command in commands() {
        for name in &command.programs {
            assert_eq!(id(name), Some(command.id.as_str()), "{name}");
        }
    }
    assert_eq!(id("xyz"), None);
}

#[test]
fn every_section_of_folders_makes_sense() {
    for harness in harnesses() {
        let id = &harness.id;
        assert!(!harness.project.is_empty() && harness.depth > 0, "{id}");
        for place in &harness.project {
            assert!(!place.starts_with(['/', '~', '$']) && !place.contains(".."), "{id}: {place}");
        }
        for place in &harness.user {
            assert!(place.starts_with(['~', '$']) && !place.contains(".."), "{id}: {place}");
        }
        assert!(harness.format != SkillFormat::Skills || !harness.detect.is_empty(), "{id}");
        assert!(!harness.links || harness.format == SkillFormat::Skills, "{id}");
    }
}

#[test]
fn every_command_line_makes_sense() {
    for command in commands() {
        let id = &command.id;
        assert!(!command.programs.is_empty(), "{id}");
        let resume = command.resume.iter().flatten();
        assert!(resume.clone().count() == 0 || resume.clone().any(|part| part.contains("{session}")), "{id}");
        let placeholder = match &command.prompt {
            PromptBy::Stdin { .. } => continue,
            PromptBy::Argument { args } => ("{prompt}", args),
            PromptBy::File { args } => ("{file}", args),
        };
        assert!(placeholder.1.iter().any(|arg| arg == placeholder.0), "{id}");
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
    assert_eq!(error, "there is no agent program `xyz`");
    let error = find("codexx").unwrap_err().to_string();
    assert_eq!(error, "there is no agent program `codexx`; did you mean `codex`?");
}

#[test]
fn a_program_without_folders_cannot_be_filled() {
    assert!(find("aider").unwrap_err().to_string().starts_with("there is no agent program `aider`"));
}
