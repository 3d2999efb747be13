//! `prowess registry`

use clap::Subcommand;

use super::hub::{ServeArgs, TokenCommand};

#[derive(Debug, Subcommand)]
pub(crate) enum RegistryCommand {
    /// Serve a registry of your own until Ctrl-C
    #[command(
        after_help = "Examples:\n  prowess registry serve\n  prowess registry serve --listen 0.0.0.0:8787 \
                            --public-url https://skills.example.org\n\nPublishers need a token: prowess registry token \
                            create HANDLE."
    )]
    Serve(ServeArgs),
    /// Make, list and take back the tokens of publishers
    #[command(subcommand)]
    Token(TokenCommand),
}
