//! `prowess completions` and `prowess man`

use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::{Failure, Outcome};
use crate::output;

pub(crate) fn completions(shell: Shell) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "prowess", &mut script);
    output::out_exact(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Fine)
}

pub(crate) fn manual(folder: Option<&Path>) -> Result<Outcome, Failure> {
    let command = Cli::command();
    if let Some(folder) = folder {
        prowess_fs::make_folders(folder)?;
        clap_mangen::generate_to(command, folder)?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        output::out_exact(&String::from_utf8_lossy(&page))?;
    }
    Ok(Outcome::Fine)
}
