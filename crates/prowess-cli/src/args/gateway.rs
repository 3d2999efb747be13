//! Arguments of the gateway.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct GatewayArgs {
    /// The port to listen on; that of the config if none is given
    #[arg(long)]
    pub(crate) port: Option<u16>,
}
