//! The drawing in the documents shows what the rules do now.

#[path = "../../examples/plot/svg.rs"]
mod svg;

use std::path::Path;

#[test]
fn the_drawing_is_fresh() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/cortex.svg");
    let drawn = std::fs::read_to_string(file).unwrap();
    assert!(drawn == svg::draw(), "docs/cortex.svg is stale: run `cargo xtask plot-cortex`");
}
