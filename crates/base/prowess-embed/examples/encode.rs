//! Encodes a field of a JSON-lines file with a pack and writes the vectors as a NumPy array, to be compared
//! with those of `models/reference/encode.py`:
//!
//! ```sh
//! cargo run --release -p prowess-embed --example encode -- models/prowess-minilm.pack texts.jsonl:description out.npy
//! ```

#![allow(clippy::print_stderr, clippy::disallowed_methods, reason = "an example talks to who started it")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use prowess_embed::{Pack, load};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [pack, source, out] = arguments.as_slice() else {
        return Err("usage: encode PACK FILE.jsonl:FIELD OUT.npy".into());
    };
    let (path, field) = source.rsplit_once(':').ok_or("name the field after a colon")?;
    let texts = fs::read_to_string(path)?
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line)?;
            Ok(value[field].as_str().unwrap_or_default().to_owned())
        })
        .collect::<Result<Vec<_>, serde_json::Error>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();

    let start = Instant::now();
    let encoder = load(Pack::open(Path::new(pack))?)?;
    let loaded = start.elapsed();
    let start = Instant::now();
    let vectors = encoder.encode_all(&texts)?;
    let took = start.elapsed();
    eprintln!("{}: loaded in {loaded:.1?}, {} texts in {took:.1?}", encoder.id(), texts.len());

    let shape = format!("({}, {})", vectors.len(), encoder.dimensions());
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and the length take ten bytes; the numbers begin at a multiple of 64.
    let length = (header.len() + 11).next_multiple_of(64) - 10;
    header = format!("{header:<width$}\n", width = length - 1);
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend(u16::try_from(length)?.to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(vectors.iter().flatten().flat_map(|number| number.to_le_bytes()));
    fs::write(out, bytes)?;
    Ok(())
}
