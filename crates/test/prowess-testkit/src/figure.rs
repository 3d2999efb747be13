//! Figures that a benchmark measures by itself, in a form that `cargo xtask bench` reads.

use serde_json::json;

/// Prints one figure: the median of what was measured, the least and the most of it.
///
/// The unit is `ms` for times; else it says what the numbers count. Nothing is printed where nothing was measured.
///
/// ```
/// prowess_testkit::figure("start to ready", "ms", vec![25.1, 24.0, 30.2]);
/// ```
#[expect(clippy::print_stdout, reason = "a benchmark tells what it measured")]
pub fn figure(name: &str, unit: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    if let [fastest, ..] = values.as_slice() {
        let (samples, median) = (values.len(), values[values.len() / 2]);
        let slowest = values[samples - 1];
        let figure = json!({
            "name": name, "unit": unit, "fastest": fastest, "median": median, "slowest": slowest, "samples": samples,
        });
        println!("figure: {figure}");
    }
}
