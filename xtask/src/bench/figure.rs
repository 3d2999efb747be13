//! What was measured: a median with its spread.

use serde::Deserialize;

/// One thing that was measured, once or many times.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Figure {
    /// What was measured, and for which argument: `warm, 2500`.
    pub(crate) name: String,
    /// `ms` for times, else what the numbers count.
    pub(crate) unit: String,
    pub(crate) fastest: f64,
    pub(crate) median: f64,
    pub(crate) slowest: f64,
    pub(crate) samples: usize,
}

impl Figure {
    /// The figure in a line that a benchmark prints for us, as `prowess_testkit::figure` writes it.
    pub(crate) fn in_line(line: &str) -> Option<Self> {
        serde_json::from_str(line.split_once("figure: ")?.1).ok()
    }

    pub(crate) fn shown(&self) -> String {
        amount(self.median, &self.unit)
    }

    /// From the fastest to the slowest; nothing for a single look.
    pub(crate) fn spread(&self) -> String {
        if self.samples < 2 {
            return String::new();
        }
        format!("{} to {}", amount(self.fastest, &self.unit), amount(self.slowest, &self.unit))
    }

    /// The baseline of this figure: `baseline_of_` and its own name, or else the one `baseline` of the benchmark; with the
    /// same argument if there is such a one.
    pub(crate) fn baseline<'a>(&self, all: &'a [Self]) -> Option<&'a Self> {
        if self.name.starts_with("baseline") {
            return None;
        }
        let (function, argument) = self.name.split_once(", ").unwrap_or((&self.name, ""));
        let own = format!("baseline of {function}");
        let find = |name: &str| all.iter().find(|figure| figure.name == name && figure.unit == self.unit);
        [own.as_str(), "baseline"]
            .into_iter()
            .find_map(|function| find(&format!("{function}, {argument}")).or_else(|| find(function)))
    }
}

/// A number as people write it, with three digits that count.
pub(crate) fn amount(value: f64, unit: &str) -> String {
    let (value, unit) = match unit {
        "ms" if value >= 1000.0 => (value / 1000.0, "s"),
        "ms" if value < 0.001 => (value * 1e6, "ns"),
        "ms" if value < 1.0 => (value * 1000.0, "µs"),
        _ => (value, unit),
    };
    format!("{} {unit}", digits(value)).trim_end().to_owned()
}

/// Three digits that count.
pub(crate) fn digits(value: f64) -> String {
    match value {
        _ if value >= 100.0 => grouped(&format!("{value:.0}")),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A whole number with a comma before every three digits, from ten thousand on as from one thousand.
pub(crate) fn grouped(number: &str) -> String {
    let mut text = String::new();
    for (at, digit) in number.chars().enumerate() {
        if at > 0 && (number.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(name: &str, median: f64) -> Figure {
        let unit = "ms".to_owned();
        Figure { name: name.to_owned(), unit, fastest: median, median, slowest: median * 2.0, samples: 9 }
    }

    #[test]
    fn numbers_are_written_as_people_do() {
        let shown = [0.000_021, 0.001_8, 0.21, 14.62, 3490.0, 61_000.0].map(|value| amount(value, "ms"));
        assert_eq!(shown, ["21.0 ns", "1.80 µs", "210 µs", "14.6 ms", "3.49 s", "61.0 s"]);
        assert_eq!(amount(194_000.0, "kB"), "194,000 kB");
        assert_eq!(figure("a", 2.0).spread(), "2.00 ms to 4.00 ms");
    }

    #[test]
    fn a_baseline_of_its_own_and_the_same_argument_come_first() {
        let all = [
            figure("baseline", 1.0),
            figure("baseline, 500", 2.0),
            figure("baseline of show", 3.0),
            figure("show, 500", 4.0),
            figure("warm, 500", 5.0),
            figure("warm, 52", 6.0),
        ];
        let baseline = |name: &str| figure(name, 9.0).baseline(&all).map(|figure| figure.median);
        assert_eq!(
            ["show, 500", "warm, 500", "warm, 52", "baseline, 500"].map(baseline),
            [Some(3.0), Some(2.0), Some(1.0), None]
        );
    }

    #[test]
    fn a_printed_figure_is_read_and_nothing_else() {
        let line =
            r#"figure: {"name":"memory","unit":"MB","fastest":1.0,"median":1.0,"slowest":1.0,"samples":1}"#;
        assert_eq!(Figure::in_line(line).map(|figure| figure.shown()).as_deref(), Some("1.00 MB"));
        assert_eq!(Figure::in_line("figure: of speech"), None);
        assert_eq!(Figure::in_line("soak: 40 kills"), None);
    }
}
