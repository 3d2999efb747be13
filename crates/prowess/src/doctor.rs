//! Common problems, each with what to do about it.

use std::path::Path;

use prowess_config::ConfigIssue;
use prowess_types::{LossReason, Severity};
use serde::Serialize;

use crate::bundled::BundledFrom;
use crate::engine::{Engine, EngineError};
use crate::inventory::Inventory;

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Stable id.
    pub check: &'static str,
    /// How bad it is; a note means that all is well.
    pub severity: Severity,
    /// What was found.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Engine {
    /// Looks for common problems.
    pub fn doctor(&self, agent: Option<&str>) -> Result<Vec<Finding>, EngineError> {
        let mut findings = Vec::new();
        self.check_config(&mut findings);
        self.check_secrets_file(&mut findings);
        self.check_path(&mut findings);
        self.check_bundled(&mut findings)?;
        let inventory = self.inventory(agent)?;
        let (_, project_issues) = self.config_in(&inventory.workspace)?;
        findings.extend(project_issues.iter().map(config_finding));
        check_skills(&inventory, &mut findings);
        Ok(findings)
    }

    fn check_config(&self, findings: &mut Vec<Finding>) {
        if self.issues().is_empty() {
            let file = self.places().config_file.display();
            let state = match prowess_fs::stamp(&self.places().config_file) {
                Ok(Some(_)) => "is fine",
                _ => "does not exist; defaults are used",
            };
            findings.push(note("config", format!("`{file}` {state}")));
        }
        findings.extend(self.issues().iter().map(config_finding));
    }

    /// A config with keys in it should be readable by its owner only.
    fn check_secrets_file(&self, findings: &mut Vec<Finding>) {
        let file = &self.places().config_file;
        if self.config().has_plain_secrets() && prowess_fs::is_readable_by_others(file) {
            findings.push(Finding {
                check: "secrets",
                severity: Severity::Warning,
                message: format!("`{}` contains keys, and other users can read it", file.display()),
                help: Some(format!("chmod 600 {}", file.display())),
            });
        }
    }

    fn check_path(&self, findings: &mut Vec<Finding>) {
        let path = self.env().get("PATH").unwrap_or_default();
        let folders: Vec<&Path> = path.split(':').filter(|part| !part.is_empty()).map(Path::new).collect();
        if folders.is_empty() {
            findings.push(Finding {
                check: "path",
                severity: Severity::Error,
                message: "`PATH` is empty, so no program can be found".to_owned(),
                help: None,
            });
        }
        for folder in folders.iter().filter(|folder| folder.is_relative()) {
            findings.push(Finding {
                check: "path",
                severity: Severity::Warning,
                message: format!("`PATH` has the relative folder `{}`", folder.display()),
                help: Some("what counts as installed then depends on the current folder".to_owned()),
            });
        }
    }

    fn check_bundled(&self, findings: &mut Vec<Finding>) -> Result<(), EngineError> {
        findings.push(match self.bundled()? {
            None => Finding {
                check: "bundled",
                severity: Severity::Warning,
                message: "there are no bundled skills".to_owned(),
                help: None,
            },
            Some((folder, BundledFrom::Override)) if !matches!(prowess_fs::is_folder(&folder), Ok(true)) => {
                Finding {
                    check: "bundled",
                    severity: Severity::Warning,
                    message: format!("the bundled folder `{}` does not exist", folder.display()),
                    help: Some("correct the variable or flag that names it".to_owned()),
                }
            }
            Some((folder, from)) => {
                let how = match from {
                    BundledFrom::Override => "named by the environment",
                    BundledFrom::Executable => "beside the program",
                    BundledFrom::Embedded => "unpacked from the program",
                };
                note("bundled", format!("`{}`, {how}", folder.display()))
            }
        });
        Ok(())
    }
}

fn check_skills(inventory: &Inventory, findings: &mut Vec<Finding>) {
    let ready = inventory.entries.iter().filter(|entry| entry.is_usable()).count();
    findings.push(note("skills", format!("{ready} of {} skills are ready", inventory.entries.len())));
    for loss in &inventory.losses {
        let help = match loss.reason {
            LossReason::Shadowed => {
                // A copy with the same text harms nobody.
                if loss.message.starts_with("Identical") {
                    continue;
                }
                "rename one of them, or remove the copy you do not want"
            }
            LossReason::Invalid => "run `prowess validate` on it",
            LossReason::Unreadable => "check its permissions",
            LossReason::OverCandidateLimit | LossReason::OverSourceLimit | LossReason::Oversize => {
                "raise the limit under `skills.limits`"
            }
            LossReason::Gated => continue,
            _ => "see `prowess list --all`",
        };
        findings.push(Finding {
            check: "skills",
            severity: Severity::Warning,
            message: format!("`{}`: {}", loss.path.display(), loss.message),
            help: Some(help.to_owned()),
        });
    }
}

fn config_finding(issue: &ConfigIssue) -> Finding {
    Finding {
        check: "config",
        severity: if issue.is_fatal() { Severity::Error } else { Severity::Warning },
        message: issue.to_string(),
        help: None,
    }
}

fn note(check: &'static str, message: String) -> Finding {
    Finding { check, severity: Severity::Note, message, help: None }
}
