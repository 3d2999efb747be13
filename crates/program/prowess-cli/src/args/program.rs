//! Agent programs as values of arguments: the ids of the table, and the aliases without being listed.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use prowess_connect::harness::{AgentProgram, program, programs};
use prowess_connect::hook::HookHarness;
use prowess_trace::ImportKind;

/// Parses an agent program that runs hooks.
pub(crate) fn hook_programs() -> impl TypedValueParser<Value = HookHarness> {
    let value = |harness: HookHarness| possible(harness.program()).help(harness.title());
    PossibleValuesParser::new(HookHarness::all().map(value))
        .try_map(|name| HookHarness::find(&name).ok_or("an agent program without hooks"))
}

/// Parses an agent program whose session logs can be read.
pub(crate) fn log_programs() -> impl TypedValueParser<Value = ImportKind> {
    let value = |program: &'static AgentProgram| {
        let logs = program.logs.as_ref()?;
        Some(possible(program).help(logs.help.as_str()))
    };
    PossibleValuesParser::new(programs().iter().filter_map(value)).try_map(|name| log_kind(&name))
}

/// Parses an agent program that keeps its session logs in a known folder.
pub(crate) fn history_programs() -> impl TypedValueParser<Value = ImportKind> {
    let value = |program: &'static AgentProgram| {
        program.logs.as_ref()?.folder.as_ref()?;
        Some(possible(program).help(program.name.as_str()))
    };
    PossibleValuesParser::new(programs().iter().filter_map(value)).try_map(|name| log_kind(&name))
}

fn log_kind(name: &str) -> Result<ImportKind, &'static str> {
    let kind = program(name).and_then(|program| ImportKind::find(&program.id));
    kind.ok_or("an agent program whose logs cannot be read")
}

fn possible(program: &'static AgentProgram) -> PossibleValue {
    PossibleValue::new(program.id.as_str()).aliases(program.aliases.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row with logs has a reader, and the other way round.
    #[test]
    fn logs_of_the_table_can_be_read() {
        let with_logs = programs().iter().filter(|program| program.logs.is_some());
        let ids: Vec<&str> = with_logs.map(|program| program.id.as_str()).collect();
        assert_eq!(ids.len(), ImportKind::ALL.len());
        for kind in ImportKind::ALL {
            assert!(ids.contains(&kind.name()), "{kind:?}");
        }
    }
}
