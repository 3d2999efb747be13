//! The measured parts of `docs/performance.md`. What people wrote between them stays.
//!
//! A part stands between `<!-- measured: NAME -->` and `<!-- end -->`.

use anyhow::{Context as _, Result};

use super::figure::{Figure, amount, digits};
use super::targets::{TARGETS, Target};

const END: &str = "<!-- end -->";
const MISSED: &str = "**missed**";

/// What one benchmark found out.
pub(crate) struct Measured<'a> {
    pub(crate) bench: &'a str,
    /// The command that repeats it, the day, and the load of the machine.
    pub(crate) circumstances: String,
    pub(crate) figures: &'a [Figure],
    /// What is not a number.
    pub(crate) remarks: Vec<String>,
}

/// The page with one part written anew.
pub(crate) fn with_part(page: &str, name: &str, text: &str) -> Result<String> {
    let start = format!("<!-- measured: {name} -->\n");
    let (before, rest) =
        page.split_once(&start).with_context(|| format!("`docs/performance.md` has no part `{name}`"))?;
    let (_, after) = rest.split_once(END).with_context(|| format!("the part `{name}` has no end"))?;
    Ok(format!("{before}{start}\n{}\n\n{END}{after}", text.trim()))
}

/// What a part of the page says now.
pub(crate) fn part<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("<!-- measured: {name} -->\n"))?;
    Some(rest.split_once(END)?.0.trim())
}

impl Measured<'_> {
    /// The figures as a table, with the circumstances above and the remarks below it.
    pub(crate) fn table(&self) -> String {
        let has_baseline = self.figures.iter().any(|figure| figure.baseline(self.figures).is_some());
        let (head, line) = if has_baseline { (" ÷ baseline |", "---:|") } else { ("", "") };
        let mut text = format!(
            "{}\n\n| {} | median | fastest to slowest | runs |{head} target |\n|---|---:|---|---:|{line}---|\n",
            self.circumstances, self.bench
        );
        for figure in self.figures {
            let ratio = match figure.baseline(self.figures) {
                _ if !has_baseline => String::new(),
                Some(baseline) => format!(" {} |", digits(figure.median / baseline.median)),
                None => " |".to_owned(),
            };
            let target = self.targets().find(|target| target.figure == figure.name);
            let Figure { name, samples, .. } = figure;
            let (shown, spread, target) = (figure.shown(), figure.spread(), verdict(figure, target));
            text += &format!("| {name} | {shown} | {spread} | {samples} |{ratio} {target} |\n");
        }
        let unmeasured = self.targets().filter(|target| self.figure(target).is_none());
        text.extend(unmeasured.map(|target| {
            format!("\nNot measured: {}, target {}.\n", target.figure, amount(target.at_most, target.unit))
        }));
        if !self.remarks.is_empty() {
            text.push('\n');
        }
        text.extend(self.remarks.iter().map(|remark| format!("- {remark}\n")));
        text
    }

    fn targets(&self) -> impl Iterator<Item = &'static Target> {
        TARGETS.iter().filter(|target| target.bench == self.bench)
    }

    fn figure(&self, target: &Target) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == target.figure)
    }
}

fn verdict(figure: &Figure, target: Option<&Target>) -> String {
    let Some(target) = target else { return String::new() };
    let most = amount(target.at_most, target.unit);
    if target.is_met_by(figure) { format!("{most}, met") } else { format!("{most}, {MISSED}") }
}

/// The rows of the whole page that miss their target, as a list.
pub(crate) fn missed(page: &str) -> String {
    let mut bench = "";
    let mut text = String::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("<!-- measured: ") {
            bench = name.trim_end_matches(" -->");
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let target = cells.iter().find_map(|cell| cell.strip_suffix(MISSED));
        if let ([_, name, median, spread, ..], Some(target)) = (cells.as_slice(), target) {
            let spread = if spread.is_empty() { String::new() } else { format!(" ({spread})") };
            let target = target.trim_end_matches(", ");
            text += &format!("- `{bench}`: {name}: {median}{spread}, target {target}\n");
        }
    }
    if text.is_empty() { "Every target is met.".to_owned() } else { text }
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
