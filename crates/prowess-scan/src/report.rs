//! From hits to findings: places, evidence, severity.

use std::borrow::Cow;
use std::ops::Range;

use prowess_types::Span;

use crate::address::{Trust, addresses, trust};
use crate::finding::{Category, Finding, Severity};
use crate::flow;
use crate::judge::{Hit, Topic, judge};
use crate::manifest::Manifest;
use crate::mask;
use crate::observe::Observed;
use crate::rules;

/// Findings that one report holds.
const LIMIT: usize = 400;

/// A text that was judged: a file, or something that was inside one.
pub(crate) struct Text<'a> {
    pub(crate) file: &'a str,
    pub(crate) place: Place,
    pub(crate) observed: Observed<'a>,
}

impl Text<'_> {
    /// The text itself.
    pub(crate) fn text(&self) -> &str {
        &self.observed.text
    }
}

/// How the places of a text relate to its file.
pub(crate) enum Place {
    /// It is the file.
    Itself,
    /// Its lines are the lines of that text.
    SameLines(usize),
    /// All of it stands at one place of that text.
    Inside { parent: usize, range: Range<usize>, encoding: &'static str },
}

/// Collects findings.
#[derive(Default)]
pub(crate) struct Findings {
    found: Vec<Finding>,
}

impl Findings {
    /// Applies the rules to all texts.
    pub(crate) fn judge(&mut self, texts: &[Text<'_>], manifest: &Manifest, topic: Topic) {
        let observed: Vec<&Observed<'_>> = texts.iter().map(|text| &text.observed).collect();
        for hit in judge(&observed, topic) {
            let severity = by_source(&hit, texts, manifest);
            self.at(hit.rule.id, Some(severity), texts, hit.text, hit.sighting.start..hit.sighting.end, None);
        }
        for (number, text) in texts.iter().enumerate() {
            for sighting in flow::foreign_keys(text.text(), &text.observed, manifest) {
                let severity = if topic.defends { Some(Severity::Warn) } else { None };
                self.at(
                    "exfiltration/foreign-key",
                    severity,
                    texts,
                    number,
                    sighting.start..sighting.end,
                    None,
                );
            }
        }
    }

    /// A finding at a place of a text. No severity means the one of its rule; a rule's severity is never exceeded.
    pub(crate) fn at(
        &mut self,
        id: &'static str,
        severity: Option<Severity>,
        texts: &[Text<'_>],
        number: usize,
        range: Range<usize>,
        reason: Option<String>,
    ) {
        let (Some(rule), Some(text)) = (rules::rule(id), texts.get(number)) else { return };
        let seen = mask::evidence(text.text().get(range.clone()).unwrap_or_default());
        let (place, note) = match &text.place {
            Place::Itself => (Spot::of(text, &range), None),
            Place::SameLines(parent) => {
                let line = text.observed.lines().line_of(range.start);
                (Spot::line(&texts[*parent], line), Some("read without its disguise".to_owned()))
            }
            Place::Inside { parent, range, encoding } => {
                (Spot::of(&texts[*parent], range), Some(format!("decoded from {encoding}")))
            }
        };
        let why = reason.unwrap_or_else(|| rule.why.to_owned());
        self.push(Finding {
            rule: Cow::Borrowed(rule.id),
            category: rule.category,
            severity: severity.unwrap_or(rule.severity).min(rule.severity),
            file: text.file.to_owned(),
            line: place.line,
            column: place.column,
            end_column: place.end_column,
            span: place.span,
            evidence: seen,
            reason: note.map_or_else(|| why.clone(), |note| format!("{why} ({note})")),
            fix: Cow::Borrowed(rule.fix),
        });
    }

    /// A finding about a whole file.
    pub(crate) fn whole_file(
        &mut self,
        id: &'static str,
        severity: Severity,
        file: &str,
        reason: Option<String>,
    ) {
        let Some(rule) = rules::rule(id) else { return };
        self.push(Finding {
            rule: Cow::Borrowed(rule.id),
            category: rule.category,
            severity: severity.min(rule.severity),
            file: file.to_owned(),
            line: 0,
            column: 0,
            end_column: 0,
            span: Span::new(0, 0),
            evidence: String::new(),
            reason: reason.unwrap_or_else(|| rule.why.to_owned()),
            fix: Cow::Borrowed(rule.fix),
        });
    }

    fn push(&mut self, finding: Finding) {
        self.found.push(finding);
    }

    /// Worst first, without repetitions: one finding per rule and line.
    pub(crate) fn finish(self) -> Vec<Finding> {
        let mut found = self.found;
        found.sort_by(|left, right| {
            (right.severity, &left.file, left.line, left.column, &left.rule).cmp(&(
                left.severity,
                &right.file,
                right.line,
                right.column,
                &right.rule,
            ))
        });
        let mut seen = std::collections::HashSet::new();
        found.retain(|finding| {
            finding.line == 0 || seen.insert((finding.rule.clone(), finding.file.clone(), finding.line))
        });
        found.truncate(LIMIT);
        found
    }
}

/// A place as people read it.
struct Spot {
    line: u32,
    column: u32,
    end_column: u32,
    span: Span,
}

impl Spot {
    fn of(text: &Text<'_>, range: &Range<usize>) -> Self {
        let (lines, whole) = (text.observed.lines(), text.text());
        let (line, column) = lines.position(whole, range.start);
        let number = lines.line_of(range.start);
        let end_of_line = lines.start(number) + lines.text(whole, number).len();
        let end = range.end.min(end_of_line.max(range.start));
        let width = whole.get(range.start..end).map_or(0, |slice| slice.chars().count());
        let end_column = column.saturating_add(crate::lines::number(width));
        Self { line, column, end_column, span: Span::new(range.start, range.end) }
    }

    /// A whole line.
    fn line(text: &Text<'_>, line: usize) -> Self {
        let lines = text.observed.lines();
        let start = lines.start(line);
        Self::of(text, &(start..start + lines.text(text.text(), line).len()))
    }
}

/// Code or text that comes from a known publisher, or from the skill's own project, is a risk but no attack.
fn by_source(hit: &Hit, texts: &[Text<'_>], manifest: &Manifest) -> Severity {
    let depends = matches!(
        hit.rule.category,
        Category::DownloadAndRun | Category::RemoteInstructions | Category::MemoryPoisoning
    ) || hit.rule.id == "lure/fake-prerequisite";
    if hit.severity != Severity::Critical || !depends {
        return hit.severity;
    }
    let text = &texts[hit.text];
    let judge = |slice: &str| -> Option<Trust> {
        addresses(slice)
            .map(|address| trust(&address, &manifest.name, manifest.homepage.as_deref()))
            .max_by_key(|trust| *trust as u8)
    };
    let near = judge(&text.text()[hit.sighting.start..hit.sighting.end]);
    let source = near.or_else(|| judge(text.observed.slice(hit.sighting.block)));
    match (source, hit.rule.id) {
        (Some(Trust::Forge), "download/foreign-package") | (Some(Trust::Own | Trust::Vendor), _) => {
            Severity::Warn
        }
        (None | Some(Trust::Unknown | Trust::Forge), _) => Severity::Critical,
        (Some(Trust::Registry), _) => Severity::Info,
    }
}
