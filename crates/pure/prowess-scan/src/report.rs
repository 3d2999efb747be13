//! From hits to findings: places, evidence, severity.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use prowess_types::Span;

use crate::address::{Trust, addresses, trust};
use crate::finding::{Category, ScanFinding, ScanSeverity};
use crate::flow;
use crate::judge::{Hit, Topic, judge};
use crate::manifest::Manifest;
use crate::mask;
use crate::observe::Observed;
use crate::rule::ScanRule;
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

    /// Where a line stands, without its end.
    fn line_range(&self, line: usize) -> Range<usize> {
        let lines = self.observed.lines();
        let start = lines.start(line);
        start..start + lines.text(self.text(), line).len()
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

/// Collects findings. Lines, columns and evidence are made at the end, for those that are reported.
#[derive(Default)]
pub(crate) struct Findings {
    found: Vec<Found>,
}

/// A finding before it is written out.
struct Found {
    rule: &'static ScanRule,
    severity: ScanSeverity,
    place: FoundAt,
    /// Instead of the rule's own.
    reason: Option<String>,
}

enum FoundAt {
    File(String),
    Text { number: usize, range: Range<usize> },
}

impl Findings {
    /// Applies the rules to all texts.
    pub(crate) fn judge(&mut self, texts: &[Text<'_>], manifest: &Manifest, topic: Topic) {
        let observed: Vec<&Observed<'_>> = texts.iter().map(|text| &text.observed).collect();
        for hit in judge(&observed, topic) {
            let severity = by_source(&hit, texts, manifest);
            self.add(hit.rule, Some(severity), hit.text, hit.sighting.start..hit.sighting.end, None);
        }
        let severity = topic.defends.then_some(ScanSeverity::Warn);
        for (number, text) in texts.iter().enumerate() {
            for sighting in flow::foreign_keys(text.text(), &text.observed, manifest) {
                let range = sighting.start..sighting.end;
                self.at("exfiltration/foreign-key", severity, number, range, None);
            }
        }
    }

    /// A finding at a place of a text. No severity means the one of its rule; a rule's severity is never exceeded.
    pub(crate) fn at(
        &mut self,
        id: &'static str,
        severity: Option<ScanSeverity>,
        number: usize,
        range: Range<usize>,
        reason: Option<String>,
    ) {
        if let Some(rule) = rules::rule(id) {
            self.add(rule, severity, number, range, reason);
        }
    }

    fn add(
        &mut self,
        rule: &'static ScanRule,
        severity: Option<ScanSeverity>,
        number: usize,
        range: Range<usize>,
        reason: Option<String>,
    ) {
        let severity = severity.unwrap_or(rule.severity).min(rule.severity);
        self.found.push(Found { rule, severity, place: FoundAt::Text { number, range }, reason });
    }

    /// A finding about a whole file.
    pub(crate) fn whole_file(
        &mut self,
        id: &'static str,
        severity: ScanSeverity,
        file: &str,
        reason: Option<String>,
    ) {
        let Some(rule) = rules::rule(id) else { return };
        let severity = severity.min(rule.severity);
        self.found.push(Found { rule, severity, place: FoundAt::File(file.to_owned()), reason });
    }

    /// Worst first, without repetitions: one finding per rule and line.
    pub(crate) fn finish(&self, texts: &[Text<'_>]) -> Vec<ScanFinding> {
        let mut placed: Vec<Placed<'_>> =
            self.found.iter().filter_map(|found| Placed::of(found, texts)).collect();
        placed.sort_by(|left, right| {
            (right.found.severity, left.file, left.line, left.range.start, left.found.rule.id).cmp(&(
                left.found.severity,
                right.file,
                right.line,
                right.range.start,
                right.found.rule.id,
            ))
        });
        let mut seen = HashSet::new();
        placed.retain(|one| one.line == 0 || seen.insert((one.found.rule.id, one.file, one.line)));
        placed.truncate(LIMIT);
        placed.into_iter().map(|one| one.written(texts)).collect()
    }
}

/// A finding with its place in its file.
struct Placed<'f> {
    found: &'f Found,
    file: &'f str,
    /// The text of the file itself, and the place in it.
    root: Option<usize>,
    range: Range<usize>,
    /// From 1; 0 for the whole file.
    line: usize,
    note: Option<String>,
}

impl<'f> Placed<'f> {
    fn of(found: &'f Found, texts: &'f [Text<'_>]) -> Option<Self> {
        let (number, range) = match &found.place {
            FoundAt::File(file) => {
                return Some(Self { found, file, root: None, range: 0..0, line: 0, note: None });
            }
            FoundAt::Text { number, range } => (*number, range.clone()),
        };
        let text = texts.get(number)?;
        let (root, range, note) = match &text.place {
            Place::Itself => (number, range, None),
            Place::SameLines(parent) => {
                let line = texts.get(*parent)?.line_range(text.observed.lines().line_of(range.start));
                (*parent, line, Some("read without its disguise".to_owned()))
            }
            Place::Inside { parent, range, encoding } => {
                (*parent, range.clone(), Some(format!("decoded from {encoding}")))
            }
        };
        let line = texts.get(root)?.observed.lines().line_of(range.start) + 1;
        Some(Self { found, file: text.file, root: Some(root), range, line, note })
    }

    fn written(self, texts: &[Text<'_>]) -> ScanFinding {
        let Found { rule, severity, place, reason } = self.found;
        let spot = self.root.map_or_else(Spot::whole_file, |root| Spot::of(&texts[root], &self.range));
        let evidence = match place {
            FoundAt::File(_) => String::new(),
            FoundAt::Text { number, range } => {
                mask::evidence(texts[*number].text().get(range.clone()).unwrap_or_default())
            }
        };
        let why = reason.as_deref().unwrap_or(rule.why);
        ScanFinding {
            rule: Cow::Borrowed(rule.id),
            category: rule.category,
            severity: *severity,
            file: self.file.to_owned(),
            line: spot.line,
            column: spot.column,
            end_column: spot.end_column,
            span: spot.span,
            evidence,
            reason: self.note.map_or_else(|| why.to_owned(), |note| format!("{why} ({note})")),
            fix: Cow::Borrowed(rule.fix),
        }
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

    fn whole_file() -> Self {
        Self { line: 0, column: 0, end_column: 0, span: Span::new(0, 0) }
    }
}

/// Code or text that comes from a known publisher, or from the skill's own project, is a risk but no attack.
fn by_source(hit: &Hit, texts: &[Text<'_>], manifest: &Manifest) -> ScanSeverity {
    let depends = matches!(
        hit.rule.category,
        Category::DownloadAndRun | Category::RemoteInstructions | Category::MemoryPoisoning
    ) || hit.rule.id == "lure/fake-prerequisite";
    if hit.severity != ScanSeverity::Critical || !depends {
        return hit.severity;
    }
    let text = &texts[hit.text];
    let judge = |slice: &str| -> Option<Trust> {
        addresses(slice)
            .map(|address| trust(&address, &manifest.name, manifest.homepage.as_deref()))
            .max_by_key(|trust| *trust as u8)
    };
    let near = judge(&text.text()[hit.sighting.start..hit.sighting.end]);
    let section = || {
        let blocks = text.observed.section(hit.sighting.block);
        blocks.filter_map(|block| judge(text.observed.slice(block))).max_by_key(|trust| *trust as u8)
    };
    let source = near.or_else(|| judge(text.observed.slice(hit.sighting.block))).or_else(section);
    match (source, hit.rule.id) {
        (Some(Trust::Forge), "download/foreign-package") | (Some(Trust::Own | Trust::Vendor), _) => {
            ScanSeverity::Warn
        }
        (None | Some(Trust::Unknown | Trust::Forge), _) => ScanSeverity::Critical,
        (Some(Trust::Registry), _) => ScanSeverity::Info,
    }
}
