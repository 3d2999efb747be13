//! `prowess validate` and `prowess lint`

use std::path::{Path, PathBuf};

use prowess::types::{Diagnostic, Level, Severity};
use prowess::{Examined, lint_file, skill_files, validate_file, validate_openpocket, validate_skills_ref};

use crate::args::{Compat, ValidateArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, GOOD, paint, print_diagnostics};

pub(crate) fn run(context: &Context, args: &ValidateArgs) -> Result<Outcome, Failure> {
    let files = files(context, &args.paths)?;
    match args.compat {
        Some(Compat::SkillsRef) => skills_ref(context, &files),
        Some(Compat::Openpocket) => openpocket(context, &files, args.strict),
        None => specification(context, &files, args.strict),
    }
}

pub(crate) fn lint(context: &Context, paths: &[PathBuf]) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let examined: Vec<Examined> =
        files(context, paths)?.iter().map(|file| lint_file(file, &options)).collect();
    if context.json {
        output::json(&serde_json::json!({ "files": examined }))?;
    } else {
        let mut text = String::new();
        for one in &examined {
            text += &findings(one, &one.diagnostics);
        }
        let count: usize = examined.iter().map(|one| one.diagnostics.len()).sum();
        text += &format!("{} files, {count} remarks\n", examined.len());
        output::out(&text)?;
    }
    let is_clean = examined.iter().all(|one| one.worst() < Some(Severity::Warning) && one.error.is_none());
    Ok(if is_clean { Outcome::Fine } else { Outcome::Findings })
}

/// The files that the paths stand for; without paths, the workspace's own skills.
fn files(context: &Context, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if paths.is_empty() {
        let folder = context.engine.workspace(context.agent.as_deref())?.join("skills");
        return Ok(skill_files(&folder).unwrap_or_default());
    }
    let mut files = Vec::new();
    for path in paths {
        let found = skill_files(path).map_err(|_| {
            Failure::usage(format!("`{}` does not exist", path.display()))
                .hint("name a skill's folder, its SKILL.md, or a folder of skills")
        })?;
        if found.is_empty() {
            files.push(path.join("SKILL.md"));
        }
        files.extend(found);
    }
    Ok(files)
}

fn specification(context: &Context, files: &[PathBuf], strict: bool) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let examined: Vec<Examined> = files.iter().map(|file| validate_file(file, &options)).collect();
    let is_valid = |one: &Examined| {
        let level = one.skill.as_ref().map(|skill| skill.level);
        if strict { level == Some(Level::Portable) } else { level > Some(Level::Rejected) }
    };
    let invalid = examined.iter().filter(|one| !is_valid(one)).count();
    if context.json {
        let rows: Vec<_> = examined
            .iter()
            .map(|one| {
                serde_json::json!({
                    "path": one.path,
                    "valid": is_valid(one),
                    "level": one.skill.as_ref().map(|skill| skill.level),
                    "name": one.skill.as_ref().map(|skill| &skill.name),
                    "error": one.error,
                    "diagnostics": one.diagnostics,
                })
            })
            .collect();
        let summary = serde_json::json!({ "valid": examined.len() - invalid, "invalid": invalid });
        output::json(&serde_json::json!({ "files": rows, "summary": summary }))?;
    } else {
        let mut text = String::new();
        for one in &examined {
            let shown: Vec<Diagnostic> = one
                .diagnostics
                .iter()
                .filter(|diagnostic| strict || diagnostic.severity > Severity::Note)
                .map(|diagnostic| in_strict(diagnostic, strict))
                .collect();
            text += &findings(one, &shown);
            let level = match &one.skill {
                Some(skill) => format!("{:?}", skill.level).to_lowercase(),
                None => "unreadable".to_owned(),
            };
            let mark = if is_valid(one) { paint(GOOD, "✓") } else { paint(BAD, "✗") };
            text += &format!("{mark} {} {}\n", one.path.display(), paint(BOLD, level));
        }
        if examined.is_empty() {
            text += "There are no skills here.\n";
        }
        if examined.len() > 1 {
            text += &format!("\n{} valid, {invalid} invalid\n", examined.len() - invalid);
        }
        output::out(&text)?;
    }
    Ok(if invalid == 0 { Outcome::Fine } else { Outcome::Findings })
}

/// In strict mode, whatever breaks the specification is an error.
fn in_strict(diagnostic: &Diagnostic, strict: bool) -> Diagnostic {
    let mut diagnostic = diagnostic.clone();
    let breaks = prowess::RULES.iter().any(|rule| rule.id == diagnostic.rule && rule.breaks_portability);
    if strict && breaks {
        diagnostic.severity = Severity::Error;
    }
    diagnostic
}

fn findings(one: &Examined, diagnostics: &[Diagnostic]) -> String {
    match &one.error {
        Some(error) => format!("{}: {error}\n\n", paint(BAD.bold(), "error")),
        None => print_diagnostics(&one.path.display().to_string(), &one.text, diagnostics),
    }
}

fn skills_ref(context: &Context, files: &[PathBuf]) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let mut outcome = Outcome::Fine;
    let mut rows = Vec::new();
    for file in files {
        let examined = validate_file(file, &options);
        let folder = file.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        let messages = match &examined.error {
            Some(_) => vec!["Missing required file: SKILL.md".to_owned()],
            None => validate_skills_ref(&examined.bytes, &examined.folder()),
        };
        if messages.is_empty() {
            rows.push(serde_json::json!({ "path": folder, "valid": true, "errors": messages }));
            if !context.json {
                output::out(&format!("Valid skill: {}\n", folder.display()))?;
            }
            continue;
        }
        outcome = Outcome::Findings;
        rows.push(serde_json::json!({ "path": folder, "valid": false, "errors": messages }));
        if !context.json {
            let list = messages.join("\n  - ");
            output::err(&format!("Validation failed for {}:\n  - {list}\n", folder.display()));
        }
    }
    if context.json {
        output::json(&serde_json::json!({ "files": rows }))?;
    }
    Ok(outcome)
}

fn openpocket(context: &Context, files: &[PathBuf], strict: bool) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let mut invalid = 0;
    let mut rows = Vec::new();
    let mut text = String::new();
    for file in files {
        let examined = validate_file(file, &options);
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let issues = validate_openpocket(&examined.bytes, &examined.folder(), &name, strict);
        let ok = issues.is_empty() && examined.error.is_none();
        invalid += usize::from(!ok);
        text += &format!("{} {}\n", if ok { "PASS" } else { "FAIL" }, file.display());
        for issue in &issues {
            text += &format!("  - [{}] {}: {}\n", issue.severity, issue.code, issue.message);
        }
        rows.push(serde_json::json!({ "path": file, "ok": ok, "issues": issues }));
    }
    let valid = files.len() - invalid;
    text += &format!("\nValidation summary: valid={valid} invalid={invalid} total={}\n", files.len());
    if context.json {
        output::json(&serde_json::json!({ "files": rows, "valid": valid, "invalid": invalid }))?;
    } else {
        output::out(&text)?;
    }
    Ok(if invalid == 0 { Outcome::Fine } else { Outcome::Findings })
}
