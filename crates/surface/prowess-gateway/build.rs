//! Puts the pages of the Studio into the program, as they are and compressed.

#![expect(clippy::disallowed_methods, reason = "cargo tells a build script its folders in the environment")]
#![expect(clippy::unnecessary_debug_formatting, reason = "the paths become literals in Rust")]

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

const PAGES: &str = "../../../studio/dist";
/// Endings of files that a compressor makes smaller.
const TEXTS: [&str; 6] = ["html", "js", "css", "svg", "json", "txt"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={PAGES}");
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let (root, out) = (variable("CARGO_MANIFEST_DIR")?.join(PAGES).canonicalize()?, variable("OUT_DIR")?);
    let mut paths = Vec::new();
    collect(&root, &mut paths)?;
    paths.sort();
    let mut table = format!("static FILES: [StudioFile; {}] = [\n", paths.len());
    for (number, path) in paths.iter().enumerate() {
        let name = path.strip_prefix(&root).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        let gzip = compressed(path, &out.join(format!("{number}.gz")))?;
        let gzip = gzip.map_or("None".to_owned(), |gzip| format!("Some(include_bytes!({gzip:?}))"));
        let _ = writeln!(table, "    StudioFile::new({name:?}, include_bytes!({path:?}), {gzip}),");
    }
    table.push_str("];\n");
    fs::write(out.join("studio.rs"), table)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

/// Writes the compressed form of a file if it is the smaller one.
fn compressed(path: &Path, to: &Path) -> io::Result<Option<PathBuf>> {
    if !path.extension().is_some_and(|ending| TEXTS.iter().any(|text| ending == *text)) {
        return Ok(None);
    }
    let bytes = fs::read(path)?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes)?;
    let gzip = encoder.finish()?;
    if gzip.len() >= bytes.len() {
        return Ok(None);
    }
    fs::write(to, gzip)?;
    Ok(Some(to.to_owned()))
}
