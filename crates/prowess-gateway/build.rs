//! The pages of the Studio are part of the program: it is built anew when they change.

fn main() {
    println!("cargo::rerun-if-changed=../../studio/dist");
}
