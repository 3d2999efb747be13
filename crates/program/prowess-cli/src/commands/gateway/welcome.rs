//! What `prowess up` says first: what is ready, what is missing, and where to go from here.

use prowess_connect::{FoundProgram, NearlyReady, Overview};
use prowess_text::printable;

use super::super::{count, missing};
use crate::output::{BOLD, Cell, DIM, GOOD, Table, paint};

/// A message that shows what matching is.
const EXAMPLE: &str = "prowess match \"summarize this meeting\"";

pub(super) fn text(overview: &Overview, url: &str) -> String {
    let mut text = format!(
        "\n{} of {} ready, {} something first.\n",
        overview.ready,
        count(overview.total, "skill", "skills"),
        count(overview.needs_setup, "needs", "need")
    );
    if !overview.nearest.is_empty() {
        text += &nearest(&overview.nearest);
    }
    for program in &overview.programs {
        text += &found(program);
    }
    text += "\n";
    let url = printable(url.trim_end_matches('/'));
    for (command, what) in [
        (
            format!("{url}/agents/{}/playground", printable(&overview.agent)),
            "try a message: which skill would it get?",
        ),
        (EXAMPLE.to_owned(), "the same without a browser"),
        ("prowess demo".to_owned(), "a tour in a temporary home"),
        ("prowess doctor".to_owned(), "find problems"),
    ] {
        text += &format!("  {}  {what}\n", paint(GOOD, format!("{command:<48}")));
    }
    text
}

fn nearest(skills: &[NearlyReady]) -> String {
    let mut table = Table::new(&["Nearest", "Needs", "Type"], 1);
    for skill in skills {
        let name = Cell::styled(BOLD, printable(&skill.name));
        table.row([name, missing(&skill.missing).into(), printable(&skill.command).into()]);
    }
    table.text()
}

fn found(program: &FoundProgram) -> String {
    let name = paint(BOLD, printable(&program.name));
    match &program.command {
        Some(command) => format!(
            "{name} is here with {}; nothing was imported. To look: {}\n",
            count(program.skills, "skill", "skills"),
            printable(command)
        ),
        None => paint(DIM, format!("{} is here, without skills of its own.\n", printable(&program.name))),
    }
}
