use std::collections::BTreeSet;

use clap::CommandFactory as _;

use super::*;
use crate::args::Cli;

/// The commands that can be run: those without commands of their own, or that work without one.
fn runnable(command: &clap::Command, path: &str, found: &mut BTreeSet<String>) {
    let inner: Vec<&clap::Command> =
        command.get_subcommands().filter(|inner| inner.get_name() != "help").collect();
    if !path.is_empty() && (inner.is_empty() || !command.is_subcommand_required_set()) {
        found.insert(path.to_owned());
    }
    for inner in inner {
        let path = format!("{path} {}", inner.get_name());
        runnable(inner, path.trim_start(), found);
    }
}

#[test]
fn every_command_is_in_the_table_once() {
    let mut commands = BTreeSet::new();
    runnable(&Cli::command(), "", &mut commands);
    let listed: BTreeSet<String> = ANSWERS.iter().map(|answer| answer.command.to_owned()).collect();
    assert_eq!(listed, commands);
    assert_eq!(listed.len(), ANSWERS.len(), "none is listed twice");
}

#[test]
fn whatever_answers_in_json_has_a_schema() {
    for answer in ANSWERS {
        let is_json = !matches!(answer.form, Form::Other(_));
        assert_eq!(is_json, !answer.shapes.is_empty(), "{}", answer.command);
    }
}
