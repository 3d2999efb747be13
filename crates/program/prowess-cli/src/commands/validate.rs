//! `prowess validate` and `prowess lint`

use std::path::{Path, PathBuf};

use prowess_inventory::{Examined, SkillFiles, lint_file, skill_files, validate_file};
use prowess_skill::{validate_openpocket, validate_skills_ref};
use prowess_text::printable;
use prowess_types::{Diagnostic, Severity, Skill};

use super::{count, shown};
use crate::answers::{
    LintAnswer, OpenpocketAnswer, OpenpocketFile, SkillsRefAnswer, SkillsRefFile, ValidateAnswer,
    ValidateFile, ValidateSummary,
};
use crate::args::{Compat, ValidateArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BAD, BOLD, GOOD, paint, print_diagnostics};

pub(crate) fn run(context: &Context, args: &ValidateArgs) -> Result<Outcome, Failure> {
    let found = find(context, &args.paths)?;
    match args.compat {
        Some(Compat::SkillsRef) => skills_ref(context, &found),
        Some(Compat::Openpocket) => openpocket(context, &found, args.strict),
        None => specification(context, found, args.strict),
    }
}

pub(crate) fn lint(context: &Context, paths: &[PathBuf]) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let found = find(context, paths)?;
    let examined: Vec<Examined> =
        found.files.iter().map(|file| lint_file(file, &options)).chain(found.refused).collect();
    if context.json {
        output::json(&LintAnswer { files: &examined })?;
    } else {
        let mut text = String::new();
        for one in &examined {
            text += &findings(one, &one.diagnostics);
        }
        let remarks = examined.iter().map(|one| one.diagnostics.len()).sum();
        text +=
            &format!("{}, {}\n", count(examined.len(), "file", "files"), count(remarks, "remark", "remarks"));
        output::out(&text)?;
    }
    let is_clean = examined.iter().all(|one| one.worst() < Some(Severity::Warning) && one.error.is_none());
    Ok(if is_clean { Outcome::Fine } else { Outcome::Findings })
}

/// What the paths stand for; without paths, the workspace's own skills.
fn find(context: &Context, paths: &[PathBuf]) -> Result<SkillFiles, Failure> {
    if paths.is_empty() {
        let folder = context.engine.workspace(context.agent.as_deref())?.join("skills");
        return Ok(skill_files(&folder).unwrap_or_default());
    }
    let mut all = SkillFiles::default();
    for path in paths {
        let found = skill_files(path).map_err(|_| {
            Failure::usage(format!("`{}` does not exist", shown(path)))
                .hint("name a skill's folder, its SKILL.md, or a folder of skills")
        })?;
        if found.files.is_empty() && found.refused.is_empty() {
            all.files.push(path.join("SKILL.md"));
        }
        all.files.extend(found.files);
        all.refused.extend(found.refused);
    }
    Ok(all)
}

fn specification(context: &Context, found: SkillFiles, strict: bool) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let examined: Vec<Examined> =
        found.files.iter().map(|file| validate_file(file, &options)).chain(found.refused).collect();
    let is_valid = |one: &Examined| {
        let is_loadable = one.skill.as_ref().is_some_and(Skill::is_loadable);
        is_loadable && !(strict && one.diagnostics.iter().any(is_error_in_strict))
    };
    let invalid = examined.iter().filter(|one| !is_valid(one)).count();
    if context.json {
        let files = examined.iter().map(|one| ValidateFile {
            path: shown(&one.path),
            valid: is_valid(one),
            level: one.skill.as_ref().map(|skill| skill.level),
            name: one.skill.as_ref().map(|skill| skill.name.as_str()),
            error: one.error.as_deref(),
            diagnostics: &one.diagnostics,
        });
        let summary = ValidateSummary { valid: examined.len() - invalid, invalid };
        output::json(&ValidateAnswer { files: files.collect(), summary })?;
    } else {
        let mut text = String::new();
        for one in &examined {
            let reported: Vec<Diagnostic> = one
                .diagnostics
                .iter()
                .filter(|diagnostic| strict || diagnostic.severity > Severity::Note)
                .map(|diagnostic| if strict { in_strict(diagnostic) } else { diagnostic.clone() })
                .collect();
            text += &findings(one, &reported);
            let level = match &one.skill {
                Some(skill) => format!("{:?}", skill.level).to_lowercase(),
                None => "unreadable".to_owned(),
            };
            let mark = if is_valid(one) { paint(GOOD, "✓") } else { paint(BAD, "✗") };
            text += &format!("{mark} {} {}\n", shown(&one.path), paint(BOLD, level));
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

/// The bare specification knows neither what breaks it nor other engines' fields. Nested metadata is what every
/// engine writes, so it is tolerated.
fn is_error_in_strict(diagnostic: &Diagnostic) -> bool {
    let breaks =
        prowess_skill::RULES.iter().any(|rule| rule.id == diagnostic.rule && rule.breaks_portability);
    breaks || diagnostic.rule == "field/extension"
}

fn in_strict(diagnostic: &Diagnostic) -> Diagnostic {
    let severity = if is_error_in_strict(diagnostic) { Severity::Error } else { diagnostic.severity };
    Diagnostic { severity, ..diagnostic.clone() }
}

fn findings(one: &Examined, diagnostics: &[Diagnostic]) -> String {
    match &one.error {
        Some(error) => {
            format!("{}: {}: {}\n\n", paint(BAD.bold(), "error"), shown(&one.path), printable(error))
        }
        None => print_diagnostics(&shown(&one.path), &one.text, diagnostics),
    }
}

fn skills_ref(context: &Context, found: &SkillFiles) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let examined = found.files.iter().map(|file| validate_file(file, &options));
    let mut outcome = Outcome::Fine;
    let mut files = Vec::new();
    for one in examined.chain(found.refused.iter().cloned()) {
        let folder = one.path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        let messages = match &one.error {
            Some(_) => vec!["Missing required file: SKILL.md".to_owned()],
            None => validate_skills_ref(&one.bytes, &one.folder()),
        };
        let is_valid = messages.is_empty();
        if !is_valid {
            outcome = Outcome::Findings;
        }
        if context.json {
            files.push(SkillsRefFile { path: shown(folder), valid: is_valid, errors: messages });
        } else if is_valid {
            output::out(&format!("Valid skill: {}\n", shown(folder)))?;
        } else {
            let list = printable(&messages.join("\n  - "));
            output::err(&format!("Validation failed for {}:\n  - {list}\n", shown(folder)));
        }
    }
    if context.json {
        output::json(&SkillsRefAnswer { files })?;
    }
    Ok(outcome)
}

fn openpocket(context: &Context, found: &SkillFiles, strict: bool) -> Result<Outcome, Failure> {
    let options = context.engine.parse_options();
    let examined = found.files.iter().map(|file| validate_file(file, &options));
    let mut invalid = 0;
    let mut files = Vec::new();
    let mut text = String::new();
    for one in examined.chain(found.refused.iter().cloned()) {
        let name = one.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let issues = validate_openpocket(&one.bytes, &one.folder(), &name, strict);
        let ok = issues.is_empty() && one.error.is_none();
        invalid += usize::from(!ok);
        text += &format!("{} {}\n", if ok { "PASS" } else { "FAIL" }, shown(&one.path));
        for issue in &issues {
            text += &format!("  - [{}] {}: {}\n", issue.severity, issue.code, issue.message);
        }
        files.push(OpenpocketFile { path: shown(&one.path), ok, issues });
    }
    let total = files.len();
    let valid = total - invalid;
    text += &format!("\nValidation summary: valid={valid} invalid={invalid} total={total}\n");
    if context.json {
        output::json(&OpenpocketAnswer { files, valid, invalid })?;
    } else {
        output::out(&text)?;
    }
    Ok(if invalid == 0 { Outcome::Fine } else { Outcome::Findings })
}
