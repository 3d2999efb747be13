//! Arguments of `prowess node`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct NodeArgs {
    /// The gateway, as ws:// on this machine or wss:// on another
    #[arg(long, value_name = "URL")]
    pub(crate) gateway: String,
    /// File with the gateway's token, `-` for the input [env: PROWESS_GATEWAY_TOKEN=]
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Name of this machine for people [default: the start of its id]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}
