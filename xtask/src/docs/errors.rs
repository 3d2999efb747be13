//! The reference of the codes of errors.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::{cell, value};

pub(super) fn page(prowess: &Path) -> Result<String> {
    let answer = value(prowess, &["schema", "codes", "--json"])?;
    let codes = answer["codes"].as_array().context("a list of codes")?;
    let mut text = String::from(
        "# Error codes\n\nEvery error has one of these codes: the command prints it, the gateway sends it as `details.code`. Codes are \
         stable; messages may change.\n*Exit* is how the command ends, *gateway* the code of the failed call with its status over \
         HTTP, *help* the step that the command proposes\nif it knows no better one. How errors look, for people and for programs, is \
         in [json.md](../json.md).\n\n| code | exit | gateway | why | help |\n|---|---|---|---|---|\n",
    );
    let field = |code: &Value, name: &str| cell(code[name].as_str().unwrap_or_default());
    text.extend(codes.iter().map(|code| {
        let (name, exit) = (field(code, "code"), &code["exit"]);
        let (gateway, http) = (field(code, "gateway"), &code["http"]);
        format!(
            "| `{name}` | {exit} | `{gateway}` ({http}) | {} | {} |\n",
            field(code, "meaning"),
            field(code, "help")
        )
    }));
    text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
    text.extend(EXITS.map(|(code, meaning)| format!("| {code} | {meaning} |\n")));
    text += "\nThe exceptions of the gateway are in [gateway-methods.md](../gateway-methods.md#failures).\n";
    Ok(text)
}

const EXITS: [(u8, &str); 5] = [
    (0, "it worked, and nothing is wrong"),
    (1, "it worked and found something, or what was asked for is not there or not allowed"),
    (2, "the command line is invalid"),
    (3, "the environment is at fault: files, the config, the network, a server"),
    (130, "the user stopped it"),
];
