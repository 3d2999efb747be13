//! The user's answers about skills of cloned repositories: shown, given and taken back.

use std::collections::BTreeMap;
use std::path::PathBuf;

use prowess_context::Context;
use prowess_fs::FileUpdate;
use prowess_gate::Trust;

use crate::inventory::Inventory;
use crate::trust::{self, Answer, ForeignSkill, TrustDecision, TrustError};

/// Lists, records and revokes the user's answers.
#[derive(Clone, Copy, Debug)]
pub struct TrustDesk<'e> {
    context: &'e Context,
}

impl<'e> TrustDesk<'e> {
    /// The desk of a context.
    pub fn of(context: &'e Context) -> Self {
        Self { context }
    }

    /// The file of the user's answers.
    pub fn file(&self) -> PathBuf {
        trust::answers_file(self.context)
    }

    /// Returns true if there is no person to agree: `CI` is set, and neither `false` nor `0`.
    pub fn is_ci(&self) -> bool {
        let off = |value: &str| value == "0" || value.eq_ignore_ascii_case("false");
        self.context.env().trimmed("CI").is_some_and(|value| !off(value))
    }

    /// The skills of an agent's workspace that came with a repository, each with its digest if it has one.
    pub fn foreign(&self, inventory: &Inventory) -> Vec<ForeignSkill> {
        let mut skills = inventory.foreign.clone();
        for skill in
            skills.iter_mut().filter(|skill| skill.digest.is_none() && skill.trust == Trust::Undecided)
        {
            skill.look(&[]);
        }
        skills
    }

    /// Those of them that the user must be asked about.
    pub fn undecided(&self, inventory: &Inventory) -> Vec<ForeignSkill> {
        let mut skills = self.foreign(inventory);
        skills.retain(|skill| skill.trust == Trust::Undecided);
        skills
    }

    /// Returns the user's answers so far, by digest.
    pub fn answers(&self) -> Result<BTreeMap<String, Answer>, TrustError> {
        let read = trust::Answers::read(&self.file());
        read.issue.map_or_else(|| Ok(read.by_digest), |issue| Err(TrustError::Read(issue)))
    }

    /// Writes a decision about skills as they were when they were listed, with the time in the caller's words.
    pub fn decide(
        &self,
        skills: &[&ForeignSkill],
        decision: TrustDecision,
        at: Option<&str>,
    ) -> Result<FileUpdate, TrustError> {
        if decision == TrustDecision::Trusted && self.is_ci() {
            return Err(TrustError::Ci);
        }
        let mut changes = Vec::with_capacity(skills.len());
        for skill in skills {
            let Some(digest) = &skill.digest else {
                let reason = match &skill.trust {
                    Trust::Unknowable(reason) => reason.clone(),
                    _ => "its folder was not read".to_owned(),
                };
                return Err(TrustError::Unknowable { skill: skill.name.clone(), reason });
            };
            let answer = Answer {
                name: skill.name.clone(),
                repository: skill.repository.clone(),
                decision,
                at: at.map(str::to_owned),
            };
            changes.push((digest.to_string(), Some(answer)));
        }
        Ok(trust::change_answers(&self.file(), &changes)?)
    }

    /// Takes every answer about skills of these names back. Returns how many there were.
    pub fn forget(&self, names: &[String]) -> Result<usize, TrustError> {
        let digests = self.answers()?.into_iter().filter(|(_, answer)| names.contains(&answer.name));
        let changes: Vec<(String, Option<Answer>)> = digests.map(|(digest, _)| (digest, None)).collect();
        if !changes.is_empty() {
            trust::change_answers(&self.file(), &changes)?;
        }
        Ok(changes.len())
    }
}
