//! The scan of a version in the terms of clients: marks, evidence, verification.

use prowess_registry::protocol::{
    Evidence, Millis, Moderation, ModerationAnswer, ModerationDetail, ScanAnswer, SecurityVerdict,
    SecurityVerdicts, SecurityVerdictsRequest, VERDICTS_SCHEMA, VERIFY_SCHEMA, VerifyAnswer,
};
use prowess_scan::{ScanFinding, ScanSeverity};
use prowess_store::registry::{SkillRecord, VersionRecord};
use prowess_types::ScanVerdict;
use serde_json::{Value, json};

use crate::card::{self, report_of};
use crate::hub::{Hub, Pick, Wanted, page_of};
use crate::refusal::Refusal;

/// The name of the scanner.
pub(crate) const ENGINE: &str = concat!("prowess/", env!("CARGO_PKG_VERSION"));
/// Findings that an overview names.
const MAX_TOLD: usize = 5;
/// Questions in one request.
const MAX_QUESTIONS: usize = 100;

/// The marks of a version.
pub(crate) fn moderation(version: &VersionRecord) -> Moderation {
    let report = report_of(version);
    let mut reasons: Vec<String> =
        report.at_least(ScanSeverity::Warn).map(|finding| finding.rule.to_string()).collect();
    reasons.dedup();
    Moderation {
        is_suspicious: version.verdict.verdict() == ScanVerdict::Suspicious,
        is_malware_blocked: version.verdict.verdict() == ScanVerdict::Malicious,
        verdict: Some(version.verdict.to_string()),
        reason_codes: Some(reasons),
        updated_at: Some(Millis(version.created_at)),
        engine_version: Some(ENGINE.to_owned()),
        summary: report.at_least(ScanSeverity::Warn).next().map(|finding| finding.reason.clone()),
    }
}

/// The part of the scan that clients show beside a version.
pub(crate) fn security(version: &VersionRecord) -> Value {
    json!({
        "status": version.verdict,
        "passed": version.verdict.verdict() == ScanVerdict::Clean,
        "hasWarnings": version.verdict.verdict() != ScanVerdict::Clean,
        "checkedAt": version.created_at,
        "engine": ENGINE,
        "capabilities": version.report.get("capabilities"),
    })
}

/// The scan in a few lines; never empty, because OpenClaw installs nothing without it.
fn overview(version: &VersionRecord) -> String {
    let report = report_of(version);
    let count = report.findings.len();
    let head = match count {
        0 => format!("{}: the scan by {ENGINE} found nothing.", version.verdict),
        1 => format!("{}: the scan by {ENGINE} has 1 finding.", version.verdict),
        _ => format!("{}: the scan by {ENGINE} has {count} findings.", version.verdict),
    };
    let told = report.findings.iter().take(MAX_TOLD).map(|finding| {
        let place = format!("{}:{}", prowess_text::printable(&finding.file), finding.line);
        format!(
            "{} {} in {place}: {}",
            finding.severity,
            finding.rule,
            prowess_text::printable(&finding.reason)
        )
    });
    std::iter::once(head).chain(told).collect::<Vec<_>>().join("\n")
}

/// Fails with the reason if a version cannot be fetched.
pub(crate) fn check_fetch(version: &VersionRecord) -> Result<(), Refusal> {
    if version.deleted_at.is_some() {
        return Err(Refusal::gone("This version was withdrawn by its publisher"));
    }
    if version.verdict.verdict() == ScanVerdict::Malicious {
        let reason = moderation(version).summary.map(|reason| format!(": {reason}")).unwrap_or_default();
        return Err(Refusal::forbidden(format!(
            "This version is blocked, it was found to be malicious{reason}"
        )));
    }
    Ok(())
}

fn evidence(finding: &ScanFinding) -> Evidence {
    Evidence {
        code: finding.rule.to_string(),
        severity: finding.severity.to_string(),
        file: finding.file.clone(),
        line: u64::from(finding.line),
        message: finding.reason.clone(),
        evidence: finding.evidence.clone(),
    }
}

fn decision(version: &VersionRecord) -> (&'static str, Vec<String>) {
    let reasons = moderation(version).reason_codes.unwrap_or_default();
    if version.verdict.verdict() == ScanVerdict::Clean { ("pass", Vec::new()) } else { ("fail", reasons) }
}

impl Hub {
    pub(crate) fn moderation_of(&self, wanted: &Wanted, base: &str) -> Result<ModerationAnswer, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick(&skill, &Pick::Latest)?;
        let evidence = report_of(&version).findings.iter().map(evidence).collect();
        let detail = ModerationDetail { moderation: moderation(&version), evidence };
        Ok(ModerationAnswer { moderation: Some(detail) })
    }

    /// The scan in our own words.
    pub(crate) fn scan_of(&self, wanted: &Wanted, pick: &Pick, base: &str) -> Result<Value, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick_there(&skill, pick)?;
        Ok(json!({
            "slug": skill.slug,
            "version": version.number,
            "security": security(&version),
            "moderation": moderation(&version),
            "report": version.report,
        }))
    }

    pub(crate) fn card_of(&self, wanted: &Wanted, pick: &Pick, base: &str) -> Result<String, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick_there(&skill, pick)?;
        Ok(card::write(&skill, &version, &self.store.files(&version.id)?))
    }

    pub(crate) fn verify(&self, wanted: &Wanted, pick: &Pick, base: &str) -> Result<VerifyAnswer, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick_there(&skill, pick)?;
        let files = self.store.files(&version.id)?;
        let card = card::write(&skill, &version, &files);
        let (decision, reasons) = decision(&version);
        let (resolved_from, tag) = match pick {
            Pick::Latest => ("latest", None),
            Pick::Number(_) => ("version", None),
            Pick::Tag(tag) => ("tag", Some(tag.clone())),
        };
        let files: Vec<Value> = files
            .iter()
            .map(|file| json!({ "path": file.path, "size": file.size, "sha256": file.sha256 }))
            .collect();
        Ok(VerifyAnswer {
            schema: VERIFY_SCHEMA.to_owned(),
            ok: decision == "pass",
            decision: decision.to_owned(),
            reasons,
            slug: Some(skill.slug.clone()),
            display_name: Some(skill.display_name.clone()),
            page_url: Some(page_of(&skill, base)),
            publisher_handle: Some(skill.owner.clone()),
            publisher_display_name: None,
            publisher_profile_url: Some(format!("{base}/{}", skill.owner)),
            version: json!(version.number),
            resolved_from: Some(resolved_from.to_owned()),
            tag,
            created_at: Some(Millis(version.created_at)),
            card: json!({
                "available": true,
                "path": "skill-card.md",
                "url": card_address(&skill, &version, base),
                "sha256": prowess_fs::sha256_hex(card.as_bytes()),
                "contentType": "text/markdown",
            }),
            artifact: json!({
                "sourceFingerprint": version.fingerprint,
                "archiveSha256": version.archive,
                "archiveSize": version.archive_size,
                "files": files,
            }),
            provenance: version
                .source
                .clone()
                .unwrap_or_else(|| json!({ "source": "upload", "publisher": skill.owner })),
            security: security(&version),
            signature: json!({ "status": "unsigned" }),
        })
    }

    /// Compact verdicts on up to a hundred versions. What is not there fails.
    pub(crate) fn verdicts(
        &self,
        questions: &SecurityVerdictsRequest,
        base: &str,
    ) -> Result<SecurityVerdicts, Refusal> {
        if questions.items.is_empty() || questions.items.len() > MAX_QUESTIONS {
            return Err(Refusal::bad(format!("1 to {MAX_QUESTIONS} items are needed")));
        }
        let mut items = Vec::new();
        for question in &questions.items {
            let wanted = Wanted::new(&question.slug, question.owner_handle.as_deref());
            let pick = Pick::Number(question.version.clone());
            let found =
                self.find(&wanted, base).and_then(|skill| Ok((self.pick_there(&skill, &pick)?, skill)));
            let (found, reasons, decision) = match found {
                Ok((version, skill)) => {
                    let (decision, reasons) = decision(&version);
                    (Some((skill, version)), reasons, decision)
                }
                Err(Refusal::Broken(error)) => return Err(Refusal::Broken(error)),
                Err(Refusal::Ambiguous(_)) => (None, vec!["ambiguous_slug".to_owned()], "fail"),
                Err(Refusal::Plain(..)) => (None, vec!["not_found".to_owned()], "fail"),
            };
            items.push(SecurityVerdict {
                ok: decision == "pass",
                decision: decision.to_owned(),
                reasons,
                requested_slug: question.slug.clone(),
                requested_version: question.version.clone(),
                requested_owner_handle: question.owner_handle.clone(),
                slug: found.as_ref().map(|(skill, _)| skill.slug.clone()),
                version: found.as_ref().map(|(_, version)| version.number.clone()),
                display_name: found.as_ref().map(|(skill, _)| skill.display_name.clone()),
                publisher_handle: found.as_ref().map(|(skill, _)| skill.owner.clone()),
                skill_url: found.as_ref().map(|(skill, _)| page_of(skill, base)),
                security_audit_url: found
                    .as_ref()
                    .map(|(skill, version)| audit_address(skill, version, base)),
                overview: found.as_ref().map(|(_, version)| overview(version)),
                security: found.map_or(Value::Null, |(_, version)| security(&version)),
            });
        }
        Ok(SecurityVerdicts { schema: VERDICTS_SCHEMA.to_owned(), items })
    }

    /// A scan that was asked for. Versions are scanned when they are published, so it is finished.
    pub(crate) fn start_scan(&self, wanted: &Wanted, pick: &Pick, base: &str) -> Result<ScanAnswer, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick_there(&skill, pick)?;
        Ok(scan_answer(&skill, &version))
    }

    pub(crate) fn scan_status(&self, id: &str) -> Result<ScanAnswer, Refusal> {
        let missing = || Refusal::not_found("Scan not found");
        let version = self.store.version_by_id(id)?.ok_or_else(missing)?;
        let skill = self.store.skill(&version.skill)?.filter(|skill| skill.deleted_at.is_none());
        Ok(scan_answer(&skill.ok_or_else(missing)?, &version))
    }
}

/// Returns the address of the whole scan of a version.
fn audit_address(skill: &SkillRecord, version: &VersionRecord, base: &str) -> String {
    let number = version.number.replace('+', "%2B");
    format!("{base}/api/v1/skills/{}/scan?ownerHandle={}&version={number}", skill.slug, skill.owner)
}

fn card_address(skill: &SkillRecord, version: &VersionRecord, base: &str) -> String {
    let number = version.number.replace('+', "%2B");
    format!("{base}/api/v1/skills/{}/card?ownerHandle={}&version={number}", skill.slug, skill.owner)
}

fn scan_answer(skill: &SkillRecord, version: &VersionRecord) -> ScanAnswer {
    let report = report_of(version);
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            json!({
                "code": finding.rule, "severity": finding.severity, "file": finding.file,
                "line": finding.line, "message": finding.reason, "evidence": finding.evidence,
            })
        })
        .collect();
    ScanAnswer {
        ok: true,
        scan_id: version.id.clone(),
        status: "succeeded".to_owned(),
        source_kind: "published".to_owned(),
        update: false,
        artifact: Some(json!({
            "slug": skill.slug, "displayName": skill.display_name, "version": version.number,
        })),
        report: Some(json!({
            "clawscan": { "verdict": version.verdict, "summary": moderation(version).summary },
            "staticAnalysis": { "status": version.verdict, "engineVersion": ENGINE, "findings": findings },
        })),
        created_at: Some(Millis(version.created_at)),
        updated_at: Some(Millis(version.created_at)),
        completed_at: Some(Millis(version.created_at)),
    }
}
