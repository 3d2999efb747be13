//! Registries: `search`, `publish` and `registry …`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::hub::{ServeArgs, TokenCommand};

/// The registry to use.
#[derive(Debug, Args)]
pub(crate) struct RegistryOption {
    /// Address of the registry [env: PROWESS_REGISTRY=, CLAWHUB_REGISTRY=] [default: `skills.registry`, else the
    /// one that was logged in to, else https://clawhub.ai]
    #[arg(long, value_name = "URL")]
    pub(crate) registry: Option<String>,
    /// Site that says where its registry is [env: CLAWHUB_SITE=]
    #[arg(long, value_name = "URL", conflicts_with = "registry")]
    pub(crate) site: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Description of the wanted skill, in your words
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) limit: u32,
    /// Only skills of exactly that name
    #[arg(long)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Debug, Args)]
pub(crate) struct PublishArgs {
    /// Folder of the skill
    pub(crate) path: PathBuf,
    /// Its name in the registry [default: from the folder's name]
    #[arg(long)]
    pub(crate) slug: Option<String>,
    /// Its name for people [default: from the folder's name]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Handle to publish under [default: your own]
    #[arg(long, value_name = "HANDLE")]
    pub(crate) owner: Option<String>,
    /// Version [default: `metadata.version` of SKILL.md, else the one after the latest, else 1.0.0]
    #[arg(long)]
    pub(crate) version: Option<String>,
    /// Changelog of the version
    #[arg(long, value_name = "TEXT")]
    pub(crate) changelog: Option<String>,
    /// Tags of the version, separated by commas [default: latest]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub(crate) tags: Vec<String>,
    /// Topics, separated by commas
    #[arg(long, value_name = "TOPICS", value_delimiter = ',')]
    pub(crate) topics: Vec<String>,
    /// Categories, separated by commas
    #[arg(long, value_name = "CATEGORIES", value_delimiter = ',')]
    pub(crate) categories: Vec<String>,
    /// Show what would be published, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Publish despite a suspicious scan
    #[arg(long)]
    pub(crate) allow_suspicious: bool,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RegistryCommand {
    /// Look through all skills, page by page
    #[command(
        after_help = "Examples:\n  prowess registry explore\n  prowess registry explore --sort downloads --limit 10"
    )]
    Explore(ExploreArgs),
    /// Show a skill before it is installed
    #[command(
        disable_version_flag = true,
        after_help = "Examples:\n  prowess registry inspect weather\n  prowess registry inspect @ann/weather --versions\n  \
                            prowess registry inspect weather --file SKILL.md"
    )]
    Inspect(InspectArgs),
    /// Show the verdict of the registry on a skill, with reasons
    Moderation(SkillArgs),
    /// Log in, with a token or by confirming a code in a browser
    #[command(
        after_help = "Examples:\n  prowess registry login                       confirm a code in a browser\n  \
                            prowess registry login --token               type the token, unseen\n  pass show clawhub | \
                            prowess registry login --token -\n\nThe login is shared with the `clawhub` command."
    )]
    Login(LoginArgs),
    /// Forget the token
    Logout,
    /// Show the account of the token
    Whoami(AtArgs),
    /// Star a skill
    Star(SkillArgs),
    /// Remove the star
    Unstar(SkillArgs),
    /// Delete a skill of yours, or one version of it
    #[command(
        disable_version_flag = true,
        after_help = "Example:\n  prowess registry delete my-skill --version 1.0.1 --yes"
    )]
    Delete(DeleteArgs),
    /// Bring a deleted skill back
    Undelete(ChangeArgs),
    /// Rename a skill of yours
    Rename(RenameArgs),
    /// Move a tag to another version
    #[command(after_help = "Example:\n  prowess registry tag my-skill stable 1.2.0")]
    Tag(TagArgs),
    /// Serve a registry of your own until Ctrl-C
    #[command(
        after_help = "Examples:\n  prowess registry serve\n  prowess registry serve --listen 0.0.0.0:8787 \
                            --public-url https://skills.example.org\n\nPublishers need a token: prowess registry token \
                            create HANDLE."
    )]
    Serve(ServeArgs),
    /// Create, list and revoke the tokens of publishers
    #[command(subcommand)]
    Token(TokenCommand),
    /// Report a problem with a skill to the registry
    #[command(after_help = "Example:\n  prowess registry report weather \"it sends my files away\"")]
    Report(ReportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AtArgs {
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    /// Sort order
    #[arg(long, value_enum, default_value_t = Sort::Newest)]
    pub(crate) sort: Sort,
    /// Number of skills per page
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) limit: u32,
    /// Cursor of the next page
    #[arg(long)]
    pub(crate) cursor: Option<String>,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    Newest,
    Updated,
    Downloads,
    Rating,
    Installs,
    Trending,
    Name,
}

impl Sort {
    /// The name of the order in the registry; `updated` is its default.
    pub(crate) fn wire(self) -> Option<&'static str> {
        match self {
            Self::Newest => Some("createdAt"),
            Self::Updated => None,
            Self::Downloads => Some("downloads"),
            Self::Rating => Some("stars"),
            Self::Installs => Some("installs"),
            Self::Trending => Some("trending"),
            Self::Name => Some("name"),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SkillArgs {
    /// `slug` or `@owner/slug`
    #[arg(value_name = "REF")]
    pub(crate) skill: String,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// `slug` or `@owner/slug`, perhaps with `@version`
    #[arg(value_name = "REF")]
    pub(crate) skill: String,
    /// Also its versions
    #[arg(long)]
    pub(crate) versions: bool,
    /// Also its files
    #[arg(long)]
    pub(crate) files: bool,
    /// Only this file, as it is
    #[arg(long, value_name = "PATH", conflicts_with_all = ["versions", "files"])]
    pub(crate) file: Option<String>,
    /// The version that a tag names
    #[arg(long, conflicts_with = "version")]
    pub(crate) tag: Option<String>,
    /// A version instead of the latest
    #[arg(long)]
    pub(crate) version: Option<String>,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Debug, Args)]
pub(crate) struct LoginArgs {
    /// Log in with a token: `-` reads it from standard input, nothing asks for it. A token written here can be read
    /// by every user of the machine
    #[arg(long, value_name = "TOKEN", num_args = 0..=1, default_missing_value = "")]
    pub(crate) token: Option<String>,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Debug, Args)]
pub(crate) struct ChangeArgs {
    /// `slug` or `@owner/slug`
    #[arg(value_name = "REF")]
    pub(crate) skill: String,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// Only this version
    #[arg(long)]
    pub(crate) version: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// The new slug
    pub(crate) new_slug: String,
}

#[derive(Debug, Args)]
pub(crate) struct TagArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// The tag
    pub(crate) tag: String,
    /// The version to move it to
    #[arg(value_name = "VERSION")]
    pub(crate) to: String,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// `slug` or `@owner/slug`, perhaps with `@version`
    #[arg(value_name = "REF")]
    pub(crate) skill: String,
    /// Description of the problem
    pub(crate) reason: String,
    #[command(flatten)]
    pub(crate) at: RegistryOption,
}
