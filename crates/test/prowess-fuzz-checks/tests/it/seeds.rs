//! The committed seeds, checked without a fuzzer: a finding is not lost again.

use std::fs;
use std::path::{Path, PathBuf};

use prowess_fuzz_checks::{
    archive, config, cortex, effects, embed, forge, gateway, hook, json5, lockfile, prompt, registry, scan,
    select, skill, trace,
};

/// The folder of the fuzz targets.
fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz")
}

/// Runs a check on every seed of a target.
fn replay(target: &str, check: impl Fn(&[u8])) {
    let folder = fuzz().join("seeds").join(target);
    let mut count = 0;
    for seed in fs::read_dir(folder).expect("the target has seeds") {
        let path = seed.expect("a seed").path();
        println!("{}", path.display());
        check(&fs::read(path).expect("a seed can be read"));
        count += 1;
    }
    assert!(count > 0);
}

/// The seeds of targets that take text are text.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the seed is UTF-8")
}

#[test]
fn archives() {
    replay("archive", archive::check);
}

#[test]
fn effects_of_code() {
    replay("effects", |bytes| effects::check(text(bytes)));
}

#[test]
fn forged() {
    replay("forge", forge::check);
}

#[test]
fn frontmatter() {
    replay("frontmatter", skill::check);
}

#[test]
fn frontmatter_text() {
    replay("frontmatter_text", skill::check_block);
}

#[test]
fn hooks() {
    replay("hook", hook::check);
}

#[test]
fn json5_texts() {
    replay("json5", |bytes| json5::check(text(bytes)));
}

#[test]
fn configs() {
    replay("config", |bytes| config::check(text(bytes)));
}

#[test]
fn prompts() {
    replay("prompt", prompt::check);
}

#[test]
fn selections() {
    replay("select", |bytes| select::check(text(bytes)));
}

#[test]
fn packs() {
    replay("pack", embed::check_pack);
}

#[test]
fn tokenizers() {
    replay("tokenizers", |bytes| embed::check_text(text(bytes)));
}

#[test]
fn scans() {
    replay("scan", scan::check);
}

#[test]
fn scanned_skills() {
    replay("scan_skill", scan::check_skill);
}

#[test]
fn traces() {
    replay("trace", trace::check);
}

#[test]
fn cortex_files() {
    replay("cortex", cortex::check);
}

#[test]
fn references() {
    replay("reference", |bytes| registry::check_reference(text(bytes)));
}

#[test]
fn foreign_lockfiles() {
    replay("foreign_lockfile", |bytes| registry::check_lockfile(text(bytes)));
}

#[test]
fn gateway_frames() {
    replay("gateway_frame", gateway::check);
}

#[test]
fn lock_files() {
    replay("lockfile", |bytes| lockfile::check(text(bytes)));
}

/// The targets are compiled by the fuzzer only; here their names are compared.
#[test]
fn every_target_has_a_check_and_seeds() {
    let here = include_str!("seeds.rs");
    let mut count = 0;
    for target in fs::read_dir(fuzz().join("fuzz_targets")).expect("targets") {
        let path = target.expect("a target").path();
        let text = fs::read_to_string(&path).expect("a target is text");
        let call = text.split("prowess_fuzz_checks::").nth(1).and_then(|rest| rest.split('(').next());
        let call = call.unwrap_or_else(|| panic!("{} calls no check", path.display()));
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(here.contains(&format!("replay(\"{name}\"")) && here.contains(call), "{name}: {call}");
        count += 1;
    }
    assert!(count >= 19, "{count}");
}
