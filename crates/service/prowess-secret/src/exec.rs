//! Secrets from a program of the user's, in OpenClaw's protocol: ids as JSON in, values as JSON out.

use std::path::{Path, PathBuf};

use prowess_config::{Env, ExecProvider};
use prowess_fs::{ConverseError, Patience, converse};
use prowess_types::Secret;
use serde_json::{Value, json};

use crate::error::SecretProblem;

/// The version of the protocol.
const PROTOCOL: u64 = 1;

/// Asks the program for one secret.
pub(crate) fn ask(
    id: &str,
    name: &str,
    provider: &ExecProvider,
    env: &Env,
    expand: &dyn Fn(&str) -> PathBuf,
) -> Result<Secret, SecretProblem> {
    if !is_id(id) {
        return Err(SecretProblem::BadId(
            "letters, digits and `._:/#-`, without `.` or `..` between slashes",
        ));
    }
    let command = provider.command.as_deref().ok_or(SecretProblem::NoCommand)?;
    let command = expand(command);
    let trusted: Vec<PathBuf> = provider.trusted_dirs.iter().map(|folder| expand(folder)).collect();
    let trusted: Vec<&Path> = trusted.iter().map(PathBuf::as_path).collect();
    prowess_fs::check_trusted_program(&command, &trusted).map_err(SecretProblem::Untrusted)?;

    let mut child = std::process::Command::new(&command);
    let inherited = provider.pass_env.iter().filter_map(|name| Some((name.as_str(), env.get(name)?)));
    let given = provider.env.iter().map(|(name, value)| (name.as_str(), value.expose()));
    child.args(&provider.args).env_clear().envs(inherited.chain(given));
    let request = json!({ "protocolVersion": PROTOCOL, "provider": name, "ids": [id] }).to_string();
    let output = converse(
        child,
        &Secret::new(request),
        Patience { timeout: provider.timeout, silence: provider.silence, max_output: provider.max_output },
    )
    .map_err(|error| match error {
        ConverseError::TimedOut(limit) => SecretProblem::TimedOut(limit.as_millis()),
        other => SecretProblem::Program(other.to_string()),
    })?;
    understand(&output, id, provider.json_only)
}

/// The secret in an answer. Nothing of the answer gets into an error: it may hold secrets.
fn understand(output: &[u8], id: &str, json_only: bool) -> Result<Secret, SecretProblem> {
    let said = |problem: &str| SecretProblem::Program(problem.to_owned());
    let answer = match serde_json::from_slice::<Value>(output) {
        Ok(answer) if answer.is_object() => answer,
        _ if json_only => return Err(said("did not answer with a JSON object")),
        _ => {
            let text = std::str::from_utf8(output).map_err(|_| said("did not answer with text"))?;
            return Ok(Secret::new(text.trim_end_matches(['\n', '\r'])));
        }
    };
    if answer.get("protocolVersion").and_then(Value::as_u64) != Some(PROTOCOL) {
        return Err(said("did not answer with `protocolVersion` 1"));
    }
    if let Some(value) = answer.get("values").and_then(|values| values.get(id)) {
        return value
            .as_str()
            .map(Secret::new)
            .ok_or_else(|| said("answered with something other than a string"));
    }
    let Some(error) = answer.get("errors").and_then(|errors| errors.get(id)) else {
        return Err(SecretProblem::Missing);
    };
    Err(match error.get("code").and_then(Value::as_str) {
        Some("NOT_FOUND") => SecretProblem::Missing,
        Some("AMBIGUOUS_DUPLICATE_KEY") => SecretProblem::Ambiguous,
        _ => said("could not get it"),
    })
}

fn is_id(id: &str) -> bool {
    let is_rest = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/#-".contains(&byte);
    id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id.len() <= 256
        && id.bytes().all(is_rest)
        && id.split('/').all(|part| part != "." && part != "..")
}
