//! `prowess registry serve` and `registry token`

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; other machines can reach any address but the loopback
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Public URL of the registry, if clients connect to another address
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// A skill of the index at the root, as @owner/slug; can be given several times
    #[arg(long = "feature", value_name = "SKILL")]
    pub(crate) features: Vec<String>,
    /// Storage limit per publisher, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    pub(crate) quota: u64,
}

#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    /// Folder of the registry [default: registry in the state folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token for a publisher; it is shown only once
    #[command(after_help = "Example:\n  prowess registry token create ada --label laptop")]
    Create {
        /// The publisher's handle
        handle: String,
        /// Purpose of the token
        #[arg(long, value_name = "TEXT")]
        label: Option<String>,
        #[command(flatten)]
        data: DataArgs,
    },
    /// List the tokens; the tokens themselves are not kept
    List {
        #[command(flatten)]
        data: DataArgs,
    },
    /// Revoke a token
    Revoke {
        /// Its id, as listed
        id: String,
        #[command(flatten)]
        data: DataArgs,
    },
    /// Approve the login of a client
    #[command(after_help = "Example:\n  prowess registry token approve BCDF-GHJK ada")]
    Approve {
        /// The code that the client shows
        code: String,
        /// The publisher's handle
        handle: String,
        #[command(flatten)]
        data: DataArgs,
    },
}
