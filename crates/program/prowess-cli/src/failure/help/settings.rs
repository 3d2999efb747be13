//! Help for the config, secrets, runs, hooks, the gateway and its nodes.

use prowess_agent::{ExposedWorkspace, RunError, SecretsError};
use prowess_config::ConfigEditError;
use prowess_connect::hook::HookError;
use prowess_context::{GatewayCallError, GatewayHomeError};
use prowess_gateway::NodeError;
use prowess_inventory::TrustError;
use prowess_mcp::ServeError;

pub(super) fn config(error: &ConfigEditError) -> Option<String> {
    match error {
        ConfigEditError::Unreadable(_) => None,
        _ => Some("`prowess config keys` lists every key with its type".to_owned()),
    }
}

pub(super) fn gateway_call(error: &GatewayCallError) -> Option<String> {
    match error {
        GatewayCallError::NotRunning => {
            Some("start one with `prowess gateway`, or choose another home with `--home`".to_owned())
        }
        _ => None,
    }
}

pub(super) fn gateway_home(error: &GatewayHomeError) -> Option<String> {
    match error {
        GatewayHomeError::Taken { .. } => {
            Some("open the running one with `prowess up`, or choose another home with `--home`".to_owned())
        }
        _ => None,
    }
}

pub(super) fn hook(error: &HookError) -> Option<String> {
    match error {
        HookError::Settings { .. } => Some("nothing was changed; correct the file and try again".to_owned()),
        _ => None,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a row of the table")]
pub(super) fn mcp(_: &ServeError) -> Option<String> {
    Some("a host starts `prowess mcp`; `prowess mcp --help` says how to add it to one".to_owned())
}

pub(super) fn node(error: &NodeError) -> Option<String> {
    match error {
        NodeError::Address { .. } => Some("write it as ws://HOST:PORT or wss://HOST".to_owned()),
        NodeError::Refused { .. } => {
            Some("give the gateway's token with `--token-file`, or in `PROWESS_GATEWAY_TOKEN`".to_owned())
        }
        _ => None,
    }
}

pub(super) fn run(error: &RunError) -> Option<String> {
    Some(match error {
        RunError::UnknownCommand { suggestions, .. } => match suggestions.first() {
            Some(name) => format!("did you mean `/{name}`?"),
            None => "`prowess commands` lists the commands".to_owned(),
        },
        RunError::AmbiguousName { name, .. } if name.starts_with('$') => {
            "write one of them as it is, or `\\$` for a plain dollar sign".to_owned()
        }
        RunError::AmbiguousName { .. } => {
            "write one of them as it is; `prowess commands` lists the commands".to_owned()
        }
        RunError::NoModel(_) => {
            "name one with `--model provider/model`, such as `--model ollama/qwen3`, or set \
                                 `agents.defaults.model`; docs/run.md lists the providers"
                .to_owned()
        }
        RunError::Key { provider, .. } => {
            format!("set the provider's usual variable, or `models.providers.{provider}.apiKey`")
        }
        _ => return None,
    })
}

pub(super) fn secret(error: &SecretsError) -> Option<String> {
    Some(match error {
        SecretsError::UnknownSkill { suggestion: Some(name), .. } => format!("did you mean `{name}`?"),
        SecretsError::UnknownSkill { .. } => {
            "`prowess list --all` shows everything that was found".to_owned()
        }
        SecretsError::Ambiguous { .. } => "name the skill, and the variable with `--env`".to_owned(),
        SecretsError::NoPrimary(_) => "name a variable with `--env`".to_owned(),
        SecretsError::Empty => {
            "type it, or pipe it in: `pass show weather | prowess secret set weather`".to_owned()
        }
        SecretsError::NoKeyringHere => {
            "leave out `--keyring`, or use an `exec` provider (docs/secrets.md)".to_owned()
        }
        SecretsError::Keyring(_) => "leave out `--keyring` to keep it in the config file".to_owned(),
        SecretsError::Refused { .. } => "let the skill read its key from a variable of its own".to_owned(),
        _ => return None,
    })
}

pub(super) fn trust(error: &TrustError) -> Option<String> {
    match error {
        TrustError::Ci | TrustError::Unknowable { .. } => {
            Some("answer on a machine where a person can look at the skill first".to_owned())
        }
        _ => None,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a row of the table")]
pub(super) fn workspace(exposed: &ExposedWorkspace) -> Option<String> {
    Some(
        if exposed.may_be_allowed() {
            "work in a project folder (`--workspace DIR`), or allow this one with `--allow-workspace`"
        } else {
            "work in a project folder: `--workspace DIR`"
        }
        .to_owned(),
    )
}
