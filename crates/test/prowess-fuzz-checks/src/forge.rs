//! Any bytes as a session, a log of another agent or a command line: a draft of it is a skill that every agent reads.

use prowess_forge::{DraftOptions, Episode, EpisodeStep, MaterialLayout, draft, episode};
use prowess_skill::{SkillInput, parse, validate_openpocket};
use prowess_trace::{ImportKind, import, read, summary};
use prowess_types::{SpecLevel, TraceLine};
use serde_json::json;

use crate::Choice;

/// Every run of a session and of a foreign log, and the text as a task with one command.
pub fn check(bytes: &[u8]) {
    if let Ok(session) = read(bytes) {
        check_runs(&session.lines);
    }
    let kind = *Choice::of(bytes).one(&ImportKind::ALL);
    check_runs(&import(kind, bytes).lines);
    let text = String::from_utf8_lossy(bytes);
    let step = |kind: &str, is_phone: bool| EpisodeStep {
        number: 1,
        kind: kind.to_owned(),
        input: json!({"command": text, "text": text, "path": text, "content": text}),
        is_phone,
        thought: Some(text.to_string()),
        result: text.to_string(),
        ..EpisodeStep::default()
    };
    let steps = vec![step("exec", false), step("write", false), step("type", true), step("shell", true)];
    let task = text.to_string();
    check_draft(&Episode {
        session: "s".to_owned(),
        task: task.clone(),
        answer: task,
        steps,
        ..Episode::default()
    });
}

fn check_runs(lines: &[TraceLine]) {
    for run in summary(lines).runs.iter().take(4) {
        if let Some(found) = episode(lines, &run.run) {
            check_draft(&found);
        }
    }
}

fn check_draft(found: &Episode) {
    for layout in [MaterialLayout::Folder, MaterialLayout::LoneFile, MaterialLayout::StrictFolder] {
        let options = DraftOptions {
            filter: &prowess_cortex::signals,
            layout,
            now: 0,
            name: None,
            words: &[],
            others: &[],
            description: None,
            wording: None,
            session_file: None,
        };
        let forged = draft(found, &options);
        let (name, text) = (&forged.draft.name, forged.draft.skill_md.as_bytes());
        assert_eq!(forged.values.parameters(), forged.draft.parameters);
        match layout {
            MaterialLayout::Folder => {
                let skill = parse(&SkillInput::folder(text, name), &prowess_skill::ParseOptions::default());
                assert_eq!(
                    skill.level,
                    SpecLevel::Portable,
                    "{:?}\n{}",
                    skill.diagnostics,
                    forged.draft.skill_md
                );
            }
            MaterialLayout::LoneFile => {
                assert_eq!(validate_openpocket(text, "auto", &format!("{name}.md"), false), []);
            }
            MaterialLayout::StrictFolder => assert_eq!(validate_openpocket(text, name, "SKILL.md", true), []),
        }
    }
}
