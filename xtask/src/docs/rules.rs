//! The references of rules: those for skills, and those of the scanner.

use prowess_types::Severity;

use super::cell;

/// What `prowess validate` and `prowess lint` know.
pub(super) fn skills() -> String {
    let mut text = String::from(
        "# Rules\n\nEvery rule that `prowess validate` and `prowess lint` know. *Portable* says whether a breach means \
         that the skill does\nnot follow the Agent Skills specification; levels are explained in \
         [format.md](../format.md).\n\n| rule | severity | portable | what is demanded | what to do |\n|---|---|---|---|---|\n",
    );
    text.extend(prowess_skill::RULES.iter().map(|rule| {
        let severity = match rule.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let portable = if rule.breaks_portability { "no" } else { "yes" };
        format!("| `{}` | {severity} | {portable} | {} | {} |\n", rule.id, rule.summary, rule.help)
    }));
    text
}

/// What `prowess scan` knows.
pub(super) fn scanner() -> String {
    let mut text = String::from(
        "# Rules of the scanner\n\nEvery rule that `prowess scan` knows, with the worst severity that it reports. How \
         findings become a verdict is in\n[scanner.md](../scanner.md).\n\n| rule | severity | what it finds | why that \
         matters | what to do |\n|---|---|---|---|---|\n",
    );
    let mut rules: Vec<_> = prowess_scan::rules().collect();
    rules.sort_by_key(|rule| rule.id);
    text.extend(rules.into_iter().map(|rule| {
        format!(
            "| `{}` | {} | {} | {} | {} |\n",
            rule.id,
            rule.severity,
            cell(rule.title),
            cell(rule.why),
            cell(rule.fix)
        )
    }));
    text
}
