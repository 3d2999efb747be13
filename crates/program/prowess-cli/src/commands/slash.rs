//! `prowess commands`

use prowess_text::printable;

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Table};

pub(crate) fn run(context: &Context) -> Result<Outcome, Failure> {
    let commands = context.view()?.inventory().commands();
    if context.json {
        output::json(&commands)?;
        return Ok(Outcome::Fine);
    }
    if commands.is_empty() {
        output::out("No skill can be called by name.\n")?;
        return Ok(Outcome::Fine);
    }
    let mut table = Table::new(&["Command", "Skill", "Description"], 2);
    for command in &commands {
        let dispatch = if command.dispatch.is_some() { " → tool" } else { "" };
        table.row([
            format!("/{}{dispatch}", command.name).into(),
            printable(&command.skill_name).into(),
            printable(&command.description).into(),
        ]);
    }
    output::out(&table.text())?;
    Ok(Outcome::Fine)
}
