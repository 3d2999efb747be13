//! `prowess gateway confirm`: changes of protected settings, confirmed at the terminal.

use prowess_text::printable;
use prowess_types::ErrorKind;
use serde_json::{Value, json};

use super::devices::{items, text};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, DIM, GOOD, WARN, paint};
use crate::prompt;

pub(super) fn run(context: &Context, id: Option<&str>, reject: bool, yes: bool) -> Result<Outcome, Failure> {
    let held = context.engine.call_gateway("confirmation.list", &json!({}))?;
    let Some(id) = id else { return list(context, &held) };
    let change = one(&held, id)?;
    if reject {
        return answer(context, change, "reject");
    }
    if !context.json {
        output::out(&shown(change))?;
    }
    if !yes && !prompt::agrees("Make this change?")? {
        return Err(Failure::new(ErrorKind::NotAgreed, "nothing was changed".to_owned())
            .hint("`--yes` confirms the change, `--reject` rejects it"));
    }
    answer(context, change, "confirm")
}

fn list(context: &Context, held: &Value) -> Result<Outcome, Failure> {
    if context.json {
        output::json(held)?;
        return Ok(Outcome::Fine);
    }
    let mut told = String::new();
    for change in items(&held["changes"]) {
        told += &shown(change);
    }
    let Some(first) = items(&held["changes"]).next() else {
        output::out("No pending changes.\n")?;
        return Ok(Outcome::Fine);
    };
    output::out(&told)?;
    let command = format!("prowess gateway confirm {}", printable(text(first, "id")));
    output::err(&format!("{}: {} confirms it\n", paint(DIM, "hint"), paint(BOLD, command)));
    Ok(Outcome::Fine)
}

/// A change with the old and the new value of each key.
fn shown(change: &Value) -> String {
    let (id, method) = (printable(text(change, "id")), printable(text(change, "method")));
    let mut told = format!("{}  {method} by {}\n", paint(BOLD, id), printable(text(change, "client")));
    for key in items(&change["changes"]) {
        let value = |name: &str| match &key[name] {
            Value::Null => "not set".to_owned(),
            value => printable(&value.to_string()),
        };
        let (old, new) = (value("old"), paint(WARN, value("new")));
        told += &format!("  {}: {old} → {new}\n", printable(text(key, "key")));
    }
    told
}

/// The only change whose id begins so.
fn one<'a>(held: &'a Value, start: &str) -> Result<&'a Value, Failure> {
    let found: Vec<&Value> =
        items(&held["changes"]).filter(|change| text(change, "id").starts_with(start)).collect();
    let problem = match found.as_slice() {
        [only] => return Ok(only),
        [] => "there is no",
        _ => "there is more than one",
    };
    Err(Failure::not_found(format!("{problem} change `{}`", printable(start)))
        .hint("`prowess gateway confirm` lists pending changes"))
}

fn answer(context: &Context, change: &Value, decision: &str) -> Result<Outcome, Failure> {
    let proof = context.engine.terminal_proof()?;
    let params = json!({ "id": change["id"], "decision": decision, "proof": proof.proof.expose() });
    let answer = context.engine.call_gateway("confirmation.resolve", &params)?;
    if context.json {
        output::json(&answer)?;
    } else {
        let told = if decision == "confirm" { "The change was applied." } else { "The change was rejected." };
        output::out(&format!("{} {told}\n", paint(GOOD, "✓")))?;
    }
    Ok(Outcome::Fine)
}
