//! The operator's own say about installs: a command that gets a request as JSON and allows, warns or blocks.
//!
//! It fails closed. Whatever goes wrong (no command, one that others could have changed, a crash, silence, too much
//! output, an answer that is not understood) blocks the install and says why.

use std::path::{Path, PathBuf};
use std::process::Command;

use prowess_config::{Env, InstallPolicySettings};
use prowess_fs::{Patience, converse};
use prowess_text::describe_error;
use prowess_types::Secret;
use serde::Serialize;
use serde_json::Value;

/// The protocol of the request, as OpenClaw defines it.
const PROTOCOL: u64 = 1;
/// Findings that are kept.
const MAX_FINDINGS: usize = 100;
/// Length of a reason or a message, in characters.
const MAX_TEXT: usize = 1_000;
/// A warning that is longer than this as a whole cannot be reviewed.
const MAX_NOTICE: usize = 4_000;

/// What shall be installed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyRequest {
    /// `skill` or `plugin`.
    pub target_type: String,
    /// Its name.
    pub target_name: String,
    /// Where it lies before it is installed.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub source_path: PathBuf,
    /// `directory` or `file`.
    pub source_path_kind: String,
    /// Where it comes from, as data.
    pub origin: Value,
    /// What was asked for.
    pub request: Value,
    /// What the scan found.
    pub scan: Value,
}

/// What the operator's command says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyAnswer {
    /// What shall happen.
    pub decision: PolicyDecision,
    /// Why; never empty unless it is allowed.
    pub reason: String,
    /// What it found.
    pub findings: Vec<PolicyFinding>,
}

/// What shall happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PolicyDecision {
    /// It may be installed.
    Allow,
    /// Somebody has to agree.
    Warn,
    /// It may not be installed.
    Block,
}

/// Something that the operator's command found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyFinding {
    /// Its rule.
    pub rule_id: String,
    /// `info`, `warn` or `critical`.
    pub severity: String,
    /// What it is.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// Asks the operator's command.
pub(crate) fn ask(settings: &InstallPolicySettings, env: &Env, request: &PolicyRequest) -> PolicyAnswer {
    let concerned = settings.targets.as_ref().is_none_or(|targets| targets.contains(&request.target_type));
    if !concerned {
        return PolicyAnswer { decision: PolicyDecision::Allow, reason: String::new(), findings: Vec::new() };
    }
    run(settings, env, request).and_then(|output| understand(&output)).unwrap_or_else(|reason| PolicyAnswer {
        decision: PolicyDecision::Block,
        reason: format!("the install policy failed: {reason}"),
        findings: Vec::new(),
    })
}

fn run(settings: &InstallPolicySettings, env: &Env, request: &PolicyRequest) -> Result<Vec<u8>, String> {
    let command = settings.command.as_deref().ok_or("`security.installPolicy.exec.command` is not set")?;
    let command = Path::new(command);
    let trusted: Vec<&Path> = settings.trusted_dirs.iter().map(Path::new).collect();
    prowess_fs::check_trusted_program(command, &trusted).map_err(|error| describe_error(&error))?;
    let mut body = serde_json::to_value(request).map_err(|error| error.to_string())?;
    body["protocolVersion"] = PROTOCOL.into();
    body["prowessVersion"] = env!("CARGO_PKG_VERSION").into();
    let inherited = settings.pass_env.iter().filter_map(|name| Some((name.as_str(), env.get(name)?)));
    let given = settings.env.iter().map(|(name, value)| (name.as_str(), value.expose()));
    let mut child = Command::new(command);
    child.args(&settings.args).env_clear().envs(inherited.chain(given));
    let patience =
        Patience { timeout: settings.timeout, silence: settings.silence, max_output: settings.max_output };
    converse(child, &Secret::new(body.to_string()), patience)
        .map_err(|error| format!("`{}` {error}", command.display()))
}

fn understand(output: &[u8]) -> Result<PolicyAnswer, String> {
    let value: Value =
        serde_json::from_slice(output).map_err(|error| format!("its answer is not JSON: {error}"))?;
    if value.get("protocolVersion").and_then(Value::as_u64) != Some(PROTOCOL) {
        return Err(format!("its answer has no `protocolVersion` {PROTOCOL}"));
    }
    let decision = match value.get("decision").and_then(Value::as_str) {
        Some("allow") => PolicyDecision::Allow,
        Some("warn") => PolicyDecision::Warn,
        Some("block") => PolicyDecision::Block,
        _ => return Err("its answer has no `decision` (`allow`, `warn` or `block`)".to_owned()),
    };
    let reason = value.get("reason").and_then(Value::as_str).map(short).unwrap_or_default();
    if decision != PolicyDecision::Allow && reason.trim().is_empty() {
        return Err("its answer has no `reason`".to_owned());
    }
    let findings = value.get("findings").and_then(Value::as_array);
    let mut findings: Vec<PolicyFinding> = findings.into_iter().flatten().filter_map(finding).collect();
    let notice = reason.len() + findings.iter().map(|finding| finding.message.len()).sum::<usize>();
    if decision == PolicyDecision::Warn && (findings.len() > MAX_FINDINGS || notice > MAX_NOTICE) {
        return Err("its warning is too long to be reviewed".to_owned());
    }
    findings.truncate(MAX_FINDINGS);
    Ok(PolicyAnswer { decision, reason, findings })
}

fn finding(value: &Value) -> Option<PolicyFinding> {
    let text = |name: &str| value.get(name)?.as_str().filter(|text| !text.is_empty()).map(short);
    let severity = text("severity").filter(|word| ["info", "warn", "critical"].contains(&word.as_str()))?;
    Some(PolicyFinding { rule_id: text("ruleId")?, severity, message: text("message")?, file: text("file") })
}

fn short(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
#[cfg(unix)]
#[path = "policy_tests.rs"]
mod tests;
