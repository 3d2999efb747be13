//! `prowess config` and `secret`

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print a value
    #[command(after_help = "Examples:\n  prowess config get skills.limits\n  prowess config get \
                            skills.limits.maxSkillsInPrompt --origin")]
    Get {
        /// Dotted key; all of the config without it
        key: Option<String>,
        /// Also show the layer that set it
        #[arg(long)]
        origin: bool,
    },
    /// Write a value; comments and order in the file stay as they are
    #[command(
        after_help = "Examples:\n  prowess config set skills.entries.weather.enabled false\n  prowess config set \
                            skills.load.extraDirs '[\"~/more-skills\"]'\n\nThe value is JSON5; anything else is taken \
                            as text."
    )]
    Set {
        /// Dotted key; parts with dots go into brackets and quotes: `entries["my.skill"]`
        key: String,
        /// JSON5, or text
        value: String,
    },
    /// Remove a value
    Unset {
        /// Dotted key
        key: String,
    },
    /// Print where the config file is
    Path,
    /// List every known key with its type, default and meaning
    Keys,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SecretCommand {
    /// Keep a secret: asked for without being shown, or read from standard input
    #[command(
        after_help = "Examples:\n  prowess secret set weather\n  prowess secret set github --env GH_TOKEN \
                            --keyring\n  prowess secret set GH_TOKEN\n  pass show weather | prowess secret set \
                            weather\n\nA secret is never an argument: every user of a machine can read those, and \
                            the shell remembers them."
    )]
    Set {
        #[command(flatten)]
        target: SecretTargetArgs,
        /// Keep it in the system's keyring, with a reference in the config file
        #[arg(long)]
        keyring: bool,
    },
    /// Forget a secret, also in the keyring
    #[command(
        after_help = "Examples:\n  prowess secret unset weather\n  prowess secret unset github --env GH_TOKEN"
    )]
    Unset {
        #[command(flatten)]
        target: SecretTargetArgs,
    },
    /// List secrets with their source and state; never their values
    List,
}

#[derive(Debug, Args)]
pub(crate) struct SecretTargetArgs {
    /// A skill, or a variable that one skill declares
    pub(crate) name: String,
    /// A variable of the skill [default: the one for its API key]
    #[arg(long, value_name = "VAR")]
    pub(crate) env: Option<String>,
}
