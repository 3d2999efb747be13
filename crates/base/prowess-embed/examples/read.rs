//! Reads the pairs of a JSON-lines file, `{"message": …, "document": …}`, and prints one logit a line, to be compared
//! with those of `models/reference/reader.py`:
//!
//! ```sh
//! cargo run --release -p prowess-embed --example read -- reader.pack models/prowess-minilm.pack pairs.jsonl
//! ```

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example prints its results")]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use prowess_embed::{Pack, Reader};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [pack, base, pairs] = arguments.as_slice() else {
        return Err("usage: read READER.pack ENCODER.pack PAIRS.jsonl".into());
    };
    let reader = Reader::load(&Pack::open(Path::new(pack))?, &Pack::open(Path::new(base))?)?;
    for line in fs::read_to_string(pairs)?.lines() {
        let pair: serde_json::Value = serde_json::from_str(line)?;
        let text = |name: &str| pair[name].as_str().unwrap_or_default();
        for logit in reader.read(text("message"), &[text("document")])? {
            println!("{logit:.6}");
        }
    }
    Ok(())
}
