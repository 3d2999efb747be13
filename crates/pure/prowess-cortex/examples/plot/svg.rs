//! Effective weight over a year, under both sets of rules, for four ways of using a skill.

use std::fmt::Write as _;

use prowess_cortex::{CortexState, Day, Event, EventKind, OutcomeEvent, Rules, constants};
use prowess_types::OutcomeResult::{self, ApiError, Success};

const DAYS: i64 = 365;
/// Of one panel, and the space around its curve.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 34.0;
const INNER_WIDTH: f64 = 385.0;
const INNER_HEIGHT: f64 = 165.0;

/// A way of using a skill: what happens on a day.
struct Usage {
    title: &'static str,
    outcomes: fn(i64) -> Vec<OutcomeResult>,
}

const USAGES: [Usage; 4] = [
    Usage { title: "every day", outcomes: |_| vec![Success] },
    Usage { title: "once a week", outcomes: |day| if day % 7 == 0 { vec![Success] } else { Vec::new() } },
    Usage {
        title: "every eight days for three months, then not",
        outcomes: |day| if day % 8 == 0 && day < 96 { vec![Success] } else { Vec::new() },
    },
    Usage {
        title: "every ten days, the service fails on day 200",
        outcomes: |day| match day {
            200 => vec![ApiError],
            day if day % 10 == 0 => vec![Success],
            _ => Vec::new(),
        },
    },
];

const COLOURS: [(Rules, &str, &str); 2] =
    [(Rules::AsWritten, "#c0392b", "4 3"), (Rules::Prowess, "#1f5fa8", "none")];

/// The drawing.
pub(crate) fn draw() -> String {
    let (width, height) = (2.0 * WIDTH, 2.0 * HEIGHT + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>Effective weight over a year under both sets of rules</title>\n<rect \
         width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for (at, usage) in USAGES.iter().enumerate() {
        let (column, row) = ((at % 2) as f64, (at / 2) as f64);
        let _ = writeln!(svg, "<g transform=\"translate({} {})\">", column * WIDTH, row * HEIGHT);
        panel(&mut svg, usage);
        svg.push_str("</g>\n");
    }
    legend(&mut svg, 2.0 * HEIGHT + 14.0);
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, usage: &Usage) {
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"22\" font-weight=\"bold\">{}</text>", usage.title);
    for (value, colour) in [
        (0.0, "#888888"),
        (constants::LIST_THRESHOLD, "#999999"),
        (constants::REFLEX_WEIGHT, "#999999"),
        (1.0, "#dddddd"),
    ] {
        let (x, y) = (LEFT + INNER_WIDTH, height_of(value));
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{x}\" stroke=\"{colour}\" stroke-width=\"0.7\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555555\">{value}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for day in [0, 90, 180, 270, 360] {
        let (x, y) = (place_of(day), TOP + INNER_HEIGHT + 16.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#555555\">{day}</text>"
        );
    }
    for (rules, colour, dashes) in COLOURS {
        let points = weights(usage, rules);
        let points: Vec<String> = points
            .iter()
            .map(|(day, weight)| format!("{:.1},{:.1}", place_of(*day), height_of(*weight)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\"/>",
            points.join(" ")
        );
    }
}

fn legend(svg: &mut String, y: f64) {
    for (at, (rules, colour, dashes)) in COLOURS.iter().enumerate() {
        let x = LEFT + 130.0 * at as f64;
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {y}h26\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\"/>"
        );
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", x + 32.0, y + 4.0, rules.name());
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" fill=\"#555555\">effective weight by day; listed from 0.3, fast path from 0.9</text>",
        LEFT + 290.0,
        y + 4.0
    );
}

/// The effective weight at the end of every day.
fn weights(usage: &Usage, rules: Rules) -> Vec<(i64, f64)> {
    let first = Day::of(0);
    let mut state = CortexState::default();
    let mut points = Vec::new();
    for day in 0..DAYS {
        let today = first.plus(day);
        for result in (usage.outcomes)(day) {
            let mut outcome = OutcomeEvent::new("region", "skill", "1.0.0", result);
            outcome.side_effects = Some(Vec::new());
            state
                .apply(&Event::new(&format!("{day:026}"), today.clock(), EventKind::Outcome(outcome)), rules);
        }
        let effective = state
            .region("region")
            .and_then(|region| Some(rules.effective(region.candidate("skill")?, region, today)));
        points.push((day, effective.unwrap_or_default()));
    }
    points
}

fn place_of(day: i64) -> f64 {
    LEFT + INNER_WIDTH * day as f64 / DAYS as f64
}

fn height_of(weight: f64) -> f64 {
    TOP + INNER_HEIGHT * (1.0 - weight)
}
