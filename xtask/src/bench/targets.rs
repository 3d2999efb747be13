//! What was asked for, in one place.

use super::figure::Figure;

/// The most that something may take.
pub(crate) struct Target {
    /// The benchmark that measures it.
    pub(crate) bench: &'static str,
    /// The name of the figure.
    pub(crate) figure: &'static str,
    /// In the unit of the figure.
    pub(crate) at_most: f64,
    pub(crate) unit: &'static str,
}

impl Target {
    pub(crate) fn is_met_by(&self, figure: &Figure) -> bool {
        figure.median <= self.at_most
    }
}

const fn target(bench: &'static str, figure: &'static str, at_most: f64, unit: &'static str) -> Target {
    Target { bench, figure, at_most, unit }
}

/// Every target there is.
pub(crate) const TARGETS: [Target; 24] = [
    target("load", "cold, 2500", 60.0, "ms"),
    target("load", "warm, 2500", 8.0, "ms"),
    target("cli", "list json, 60", 15.0, "ms"),
    target("cli", "match message, 60", 250.0, "ms"),
    target("encode", "message, prowess-minilm", 4.0, "ms"),
    target("encode", "message, use-multilingual", 4.0, "ms"),
    target("encode", "load embedded, prowess-minilm", 150.0, "ms"),
    target("encode", "load embedded, use-multilingual", 150.0, "ms"),
    target("select", "whole, 2417", 15.0, "ms"),
    target("select", "whole, 100000", 30.0, "ms"),
    target("scan", "CPU for a tree of 109 MB in 12,200 files", 2.0, "CPU s"),
    target("scan", "a skill of five files, 99th percentile", 20.0, "ms"),
    target("turn", "turn with 500 skills", 3.0, "ms"),
    target("gateway", "start to ready", 150.0, "ms"),
    target("gateway", "memory at rest", 60.0, "MB"),
    target("gateway", "memory with the encoder", 150.0, "MB"),
    target("gateway", "CPU of one skills.status", 1.0, "CPU ms"),
    target("work", "memory of `list --json`, 2500 skills", 60.0, "MB"),
    target("work", "memory of `match`, 60 skills", 150.0, "MB"),
    target("soak", "1,000 clients over HTTP, CPU of one call", 1.0, "CPU ms"),
    target("soak", "1,000 clients over HTTP, memory at most", 150.0, "MB"),
    target("soak", "1,000 clients on WebSockets, 99th percentile", 100.0, "ms"),
    target("soak", "1,000 clients on WebSockets, CPU of one call", 1.0, "CPU ms"),
    target("soak", "1,000 clients on WebSockets, memory at most", 150.0, "MB"),
];
