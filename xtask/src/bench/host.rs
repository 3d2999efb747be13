//! On what, and beside what, something was measured. Neither the machine's name nor a path is told.

use std::fs;
use std::process::Command;

use crate::process::{command, output};

/// Processor, cores, system and compiler in one line.
pub(crate) fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models = || cpus.lines().filter_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = models().next().map_or("unknown processor", |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kernel = said(&mut command("uname", &["-sm"]));
    let rustc = said(&mut command("rustc", &["--version"]));
    format!("{cores} cores of {model}, {kernel}, {rustc}")
}

/// The load of the last minute, where the system tells.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}

/// Today, in UTC.
pub(crate) fn date() -> String {
    said(&mut command("date", &["-u", "+%Y-%m-%d"]))
}

fn said(command: &mut Command) -> String {
    output(command).unwrap_or_default().trim().to_owned()
}
