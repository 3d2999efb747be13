//! Writes the drawing of `docs/cortex.md` to standard output: `cargo xtask plot-cortex` puts it in its place.

#![expect(clippy::print_stdout, reason = "that is what it is for")]

mod svg;

fn main() {
    print!("{}", svg::draw());
}
