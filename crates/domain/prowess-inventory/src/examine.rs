//! Looking at files one by one: `validate` and `lint`.

use std::path::{Path, PathBuf};

use prowess_fs::WalkRules;
use prowess_skill::{ParseOptions, SkillInput};
use prowess_text::describe_error;
use prowess_types::{Diagnostic, Severity, Skill, SkillLayout};
use serde::Serialize;

/// Larger files are not examined.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// More skills than this under one folder are not examined.
const MAX_SKILLS: usize = 100_000;

/// One file that was examined.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Examined {
    /// The file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// What was read, unless the file could not be.
    #[serde(skip)]
    pub skill: Option<Skill>,
    /// Its bytes, for tools that judge them another way.
    #[serde(skip)]
    pub bytes: Vec<u8>,
    /// Its text, which the spans point into.
    #[serde(skip)]
    pub text: String,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Examined {
    /// The name of the folder it is in.
    pub fn folder(&self) -> String {
        let folder = prowess_fs::absolute(&self.path);
        let name = folder.parent().and_then(Path::file_name);
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The worst severity.
    pub fn worst(&self) -> Option<Severity> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.severity).max()
    }
}

/// The skills that a path stands for: itself, its `SKILL.md`, or every skill below it.
#[derive(Clone, Debug, Default)]
pub struct SkillFiles {
    /// Files to examine.
    pub files: Vec<PathBuf>,
    /// Entries that cannot be examined, with the reason.
    pub refused: Vec<Examined>,
}

/// Finds out what a path stands for.
pub fn skill_files(path: &Path) -> Result<SkillFiles, prowess_fs::FileReadError> {
    if !prowess_fs::is_folder(path)? {
        return Ok(SkillFiles { files: vec![path.to_owned()], ..SkillFiles::default() });
    }
    for name in ["SKILL.md", "skill.md"] {
        let file = path.join(name);
        if prowess_fs::is_taken(&file) {
            return Ok(SkillFiles { files: vec![file], ..SkillFiles::default() });
        }
    }
    let rules = WalkRules { lone_files: true, ..WalkRules::stop_at_skill(MAX_SKILLS) };
    let walk = prowess_fs::walk(path, &rules);
    Ok(SkillFiles {
        files: walk.outer.into_iter().chain(walk.found).map(|found| found.file).collect(),
        refused: walk.skipped.into_iter().map(|skipped| refused(skipped.path, skipped.message)).collect(),
    })
}

fn refused(path: PathBuf, error: String) -> Examined {
    Examined {
        path,
        skill: None,
        bytes: Vec::new(),
        text: String::new(),
        diagnostics: Vec::new(),
        error: Some(error),
    }
}

/// Parses one file.
pub fn validate_file(path: &Path, options: &ParseOptions) -> Examined {
    let absolute = prowess_fs::absolute(path);
    match prowess_fs::read_file(&absolute, MAX_BYTES) {
        Ok(bytes) => {
            let id = id_of(&absolute);
            let layout = if is_skill_file(&absolute) { SkillLayout::Folder } else { SkillLayout::LoneFile };
            let skill = prowess_skill::parse(&SkillInput { bytes: &bytes, id: &id, layout }, options);
            Examined {
                path: path.to_owned(),
                text: prowess_skill::decode(&bytes, options.dialect).text.into_owned(),
                diagnostics: skill.diagnostics.to_vec(),
                skill: Some(skill),
                bytes,
                error: None,
            }
        }
        Err(error) => refused(path.to_owned(), describe_error(&error)),
    }
}

/// Parses one file and adds advice; linked files must exist, scripts should be ready to run.
pub fn lint_file(path: &Path, options: &ParseOptions) -> Examined {
    let mut examined = validate_file(path, options);
    let Some(skill) = &examined.skill else {
        return examined;
    };
    let references = prowess_skill::references(&examined.text, skill.body_start);
    let mut findings = prowess_skill::lint(skill, &examined.text);
    if let Some(base) = prowess_fs::absolute(path).parent() {
        for reference in references {
            let is_inside = !Path::new(&reference.target).components().any(|part| part.as_os_str() == "..");
            if is_inside && matches!(prowess_fs::stamp(&base.join(&reference.target)), Ok(None)) {
                let message = format!("`{}` does not exist", reference.target);
                findings.extend(breach("lint/reference-missing", Some(reference.span), message));
            }
        }
        for script in prowess_fs::scripts(&base.join("scripts")) {
            let name = script.path.strip_prefix(base).unwrap_or(&script.path).display().to_string();
            if !script.has_shebang {
                findings.extend(breach("lint/script-shebang", None, format!("`{name}` has no `#!` line")));
            }
            if !script.is_executable {
                let message = format!("`{name}` is not executable");
                findings.extend(breach("lint/script-not-executable", None, message));
            }
        }
    }
    examined.diagnostics.extend(findings);
    examined
}

fn breach(rule: &str, span: Option<prowess_types::Span>, message: String) -> Option<Diagnostic> {
    prowess_skill::rule(rule).map(|rule| rule.diagnostic(span, message))
}

fn is_skill_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("skill.md"))
}

fn id_of(path: &Path) -> String {
    let named = if is_skill_file(path) { path.parent().and_then(Path::file_name) } else { path.file_stem() };
    named.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
