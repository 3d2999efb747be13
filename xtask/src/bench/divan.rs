//! Reading the tree that `divan` prints: it writes nothing for machines.

use super::figure::Figure;

/// The figures in the output of a benchmark, in its order.
pub(crate) fn figures<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Figure> {
    let mut function = String::new();
    let mut figures = Vec::new();
    for line in lines {
        let Some((is_argument, rest)) = branch(line) else { continue };
        let mut cells = rest.split('│').map(str::trim);
        let (name, fastest) = name_and_time(cells.next().unwrap_or_default());
        let name = if is_argument { format!("{function}, {name}") } else { name.replace('_', " ") };
        if !is_argument {
            function.clone_from(&name);
        }
        let mut time = || cells.next().and_then(milliseconds);
        let (Some(fastest), Some(slowest), Some(median)) = (fastest, time(), time()) else { continue };
        let samples = cells.nth(1).and_then(|cell| cell.parse().ok()).unwrap_or_default();
        figures.push(Figure { name, unit: "ms".to_owned(), fastest, median, slowest, samples });
    }
    figures
}

/// What stands behind the sign of a branch, and whether it is below another branch.
fn branch(line: &str) -> Option<(bool, &str)> {
    let at = line.find("├─ ").or_else(|| line.find("╰─ "))?;
    line[..at].chars().all(|sign| " │".contains(sign)).then(|| (at > 0, &line["├─ ".len() + at..]))
}

/// The first cell has the name and, unless arguments follow, the fastest time.
fn name_and_time(cell: &str) -> (&str, Option<f64>) {
    let mut words = cell.rsplitn(3, ' ');
    let (unit, number, name) = (words.next(), words.next(), words.next());
    let time = number.zip(unit).and_then(|(number, unit)| milliseconds(&format!("{number} {unit}")));
    match (name, time) {
        (Some(name), Some(time)) => (name.trim_end(), Some(time)),
        _ => (cell, None),
    }
}

fn milliseconds(cell: &str) -> Option<f64> {
    let (number, unit) = cell.split_once(' ')?;
    let factor = match unit {
        "ns" => 1e-6,
        "µs" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        "m" => 6e4,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
Timer precision: 21 ns
turn                fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ entity_filter                  │               │               │               │         │
│  ├─ Look up Alice 4.4 µs        │ 10.1 µs       │ 4.7 µs        │ 4.8 µs        │ 100     │ 800
│  ╰─ 2500          12.5 ms       │ 1.2 s         │ 14 ms         │ 14.1 ms       │ 20      │ 20
├─ redact_32_kib    310.1 µs      │ 400 µs        │ 315 µs        │ 320 µs        │ 100     │ 100
│                   105.1 MB/s    │ 80 MB/s       │ 104 MB/s      │ 101 MB/s      │         │
╰─ turn             980 ns        │ 1.3 µs        │ 1.1 µs        │ 1.1 µs        │ 100     │ 1600
";

    #[test]
    fn the_tree_is_read() {
        let figures = figures(SAID.lines());
        let names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names, ["entity filter, Look up Alice", "entity filter, 2500", "redact 32 kib", "turn"]);
        let second = &figures[1];
        assert_eq!((second.fastest, second.median, second.slowest, second.samples), (12.5, 14.0, 1200.0, 20));
    }
}
