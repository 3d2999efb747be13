//! The reference of the command line: what `--help` says.

use std::path::Path;

use anyhow::Result;

pub(super) fn page(prowess: &Path) -> Result<String> {
    let mut text = String::from(
        "# Command line\n\nWhat `--help` says, command by command. What each command answers with `--json` is described \
         by `prowess schema COMMAND`\n([json.md](../json.md)). Every command takes the global options, which are listed once, under \
         `prowess`.\n",
    );
    add(prowess, &[], &mut text)?;
    Ok(text)
}

/// A command and everything below it.
fn add(prowess: &Path, command: &[&str], text: &mut String) -> Result<()> {
    let help = super::answer(prowess, &[command, &["--help"]].concat())?;
    let mut is_global = false;
    let lines = help.lines().map(str::trim_end).filter(|line| {
        if !line.is_empty() && !line.starts_with(' ') {
            is_global = *line == "Global options:" && !command.is_empty();
        }
        !is_global
    });
    let help = lines.collect::<Vec<_>>().join("\n");
    let title = [&["prowess"], command].concat().join(" ");
    text.extend(["\n## ", &title, "\n\n```text\n", help.trim_end(), "\n```\n"]);
    for inner in commands_in(&help) {
        add(prowess, &[command, &[inner]].concat(), text)?;
    }
    Ok(())
}

/// The names in the list of commands of a help text.
fn commands_in(help: &str) -> impl Iterator<Item = &str> {
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_from_the_list() {
        let help = "Does it\n\nCommands:\n  add   Adds\n        and more\n  help  Helps\n\nOptions:\n  --x\n";
        assert_eq!(commands_in(help).collect::<Vec<_>>(), ["add"]);
    }
}
