//! `prowess validate`, `lint` and `scan`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Files or folders [default: the workspace's skills]
    pub(crate) paths: Vec<PathBuf>,
    /// Demand the bare specification
    #[arg(long)]
    pub(crate) strict: bool,
    /// Answer as another validator would
    #[arg(long, value_enum, value_name = "TOOL")]
    pub(crate) compat: Option<Compat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compat {
    SkillsRef,
    Openpocket,
}

#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// Skills, folders of skills, or files [default: the workspace's skills]
    pub(crate) paths: Vec<PathBuf>,
    /// Answer as SARIF 2.1.0, for code hosts and editors
    #[arg(long, conflicts_with = "json")]
    pub(crate) sarif: bool,
    /// File of accepted findings; they hold while not a byte of the skill changes
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Accept what is found now, for this reason, and write it to the baseline
    #[arg(long, value_name = "REASON", requires = "baseline")]
    pub(crate) accept: Option<String>,
    /// Also tell what this version can do that another one cannot
    #[arg(long, value_name = "OLD", conflicts_with = "sarif")]
    pub(crate) diff: Option<PathBuf>,
    /// Also show what is only worth knowing
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PathsArgs {
    /// Files or folders [default: the workspace's skills]
    pub(crate) paths: Vec<PathBuf>,
}
