//! The arguments of `prowess schema`.

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  prowess schema                     every command, and how it answers with --json
  prowess schema list                the JSON Schema of what `prowess list --json` prints
  prowess schema registry inspect
  prowess schema config              the schema of the config file
  prowess schema error               the schema of every error with --json
  prowess schema codes               the codes of errors, with exit codes
  prowess schema openapi             the HTTP interface of the gateway (OpenAPI 3.1)";

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// A command, `config`, `error`, `codes` or `openapi` [default: list all]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}
