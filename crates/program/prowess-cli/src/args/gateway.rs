//! `prowess gateway` and `prowess up`

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct GatewayArgs {
    #[command(subcommand)]
    pub(crate) command: Option<GatewayCommand>,
    #[command(flatten)]
    pub(crate) serving: ServingArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GatewayCommand {
    /// Print an address that opens the Studio once, within a minute, in a browser on this machine
    #[command(after_help = "Examples:\n  prowess gateway url\n  prowess gateway url --token")]
    Url {
        /// Print the address with the gateway's token instead; its holder may do everything but confirm changes
        #[arg(long)]
        token: bool,
    },
    /// List or confirm pending changes of protected settings
    #[command(after_help = "Examples:\n  prowess gateway confirm\n  prowess gateway confirm 01JZ\n  \
                            prowess gateway confirm 01JZ --reject\n\nIds may be cut where they stay unmistakable.")]
    Confirm {
        /// The id of the change; without one the changes are listed
        id: Option<String>,
        /// Drop the change instead
        #[arg(long, requires = "id")]
        reject: bool,
        /// Do not ask for confirmation
        #[arg(long, short = 'y', requires = "id", conflicts_with = "reject")]
        yes: bool,
    },
    /// List approved and pending devices of the running gateway
    #[command(
        after_help = "Examples:\n  prowess gateway devices\n  prowess gateway devices approve 01JZ\n  \
                            prowess gateway devices revoke 4f2a\n\nIds may be cut where they stay unmistakable."
    )]
    Devices {
        #[command(subcommand)]
        command: Option<DevicesCommand>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DevicesCommand {
    /// List the devices (default)
    List,
    /// Approve a pending device
    Approve {
        /// The id of its request
        request: String,
    },
    /// Reject a pending device
    Reject {
        /// The id of its request
        request: String,
    },
    /// Revoke the tokens of a device, and close its connections
    Revoke {
        /// The id of the device
        device: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct UpArgs {
    #[command(flatten)]
    pub(crate) serving: ServingArgs,
    /// Do not open the Studio in a browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Address and logging of a gateway.
#[derive(Debug, Args)]
pub(crate) struct ServingArgs {
    /// The port to listen on; 0 for any free one [default: `gateway.port`, else 18789]
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Address to listen on: `loopback`, `lan` or an IP address [default: `gateway.bind`, else `loopback`]
    #[arg(long, value_name = "WHERE")]
    pub(crate) bind: Option<String>,
    /// The lifetime of a one-time code, in milliseconds; for tests
    #[arg(long, hide = true, value_name = "MS")]
    pub(crate) code_lifetime_ms: Option<u64>,
    /// Format of the log on standard error
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log: LogFormat,
    /// Log level: silent, error, warn, info, debug, trace [default: `logging.level`, else info]
    #[arg(long, value_name = "LEVEL", value_parser = ["silent", "error", "warn", "info", "debug", "trace"])]
    pub(crate) log_level: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Plain text lines
    #[default]
    Text,
    /// One JSON object per line
    Json,
}
