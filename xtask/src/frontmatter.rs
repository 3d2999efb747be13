//! `cargo xtask frontmatter FILE…`: the fields that each dialect reads of real skills.
//!
//! A FILE is a `SKILL.md`, a folder with some in it, or JSON Lines with a `text` each. Nothing of it is shown but counts
//! and, with `--lost`, the names of what loses a field.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use prowess_skill::{ParseOptions, SkillInput, parse};
use prowess_types::{Dialect, Skill, SpecMode};
use serde_json::Value;

const FENCE: &str = "---";

struct Sample {
    name: String,
    bytes: Vec<u8>,
}

/// The losses of one dialect.
#[derive(Default)]
struct Losses {
    rejected: usize,
    names: usize,
    descriptions: usize,
    skills_with_lost_fields: usize,
    fields: usize,
}

/// `cargo xtask frontmatter`.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (flags, files): (Vec<&str>, Vec<&str>) =
        arguments.iter().copied().partition(|argument| argument.starts_with('-'));
    let shows_lost = match flags.as_slice() {
        [] => false,
        ["--lost"] => true,
        _ => bail!("the only option is `--lost`"),
    };
    if files.is_empty() {
        bail!("name a `SKILL.md`, a folder, or JSON Lines with a `text` each");
    }
    let mut samples = Vec::new();
    for file in files {
        collect(Path::new(file), &mut samples).with_context(|| format!("failed to read `{file}`"))?;
    }
    let described: Vec<(&Sample, Vec<(String, String)>)> = samples
        .iter()
        .map(|sample| (sample, written(&String::from_utf8_lossy(&sample.bytes))))
        .filter(|(_, fields)| fields.iter().any(|(key, _)| key == "name" || key == "description"))
        .collect();
    let fields: usize = described.iter().map(|(_, fields)| fields.len()).sum();
    println!("{} files, {} with frontmatter that has {fields} fields", samples.len(), described.len());
    println!(
        "| dialect | rejected | lost names | lost descriptions | skills that lose a field | lost fields |"
    );
    println!("|---|---|---|---|---|---|");
    for (dialect, name) in [(Dialect::Openclaw, "openclaw"), (Dialect::Prowess, "prowess")] {
        let mut losses = Losses::default();
        for (sample, fields) in &described {
            let lost = losses.add(&read(sample, dialect), fields);
            if shows_lost && !lost.is_empty() {
                println!("{name}: {}: {}", sample.name, lost.join(", "));
            }
        }
        let Losses { rejected, names, descriptions, skills_with_lost_fields, fields } = losses;
        println!(
            "| `{name}` | {rejected} | {names} | {descriptions} | {skills_with_lost_fields} | {fields} |"
        );
    }
    Ok(())
}

impl Losses {
    fn add(&mut self, skill: &Skill, fields: &[(String, String)]) -> Vec<String> {
        self.rejected += usize::from(!skill.is_loadable());
        let is_lost = |key: &str| skill.frontmatter.get(key).is_none_or(Value::is_null);
        let lost: Vec<String> =
            fields.iter().map(|(key, _)| key).filter(|key| is_lost(key)).cloned().collect();
        self.names += usize::from(lost.iter().any(|key| key == "name"));
        self.descriptions += usize::from(lost.iter().any(|key| key == "description"));
        self.skills_with_lost_fields += usize::from(!lost.is_empty());
        self.fields += lost.len();
        lost
    }
}

fn read(sample: &Sample, dialect: Dialect) -> Skill {
    let spec_mode = if dialect == Dialect::Openclaw { SpecMode::SkillMdOnly } else { SpecMode::Mixed };
    parse(&SkillInput::folder(&sample.bytes, "skill"), &ParseOptions { dialect, spec_mode })
}

/// The `key: value` lines at the start of a line, up to the closing fence or the first heading.
fn written(text: &str) -> Vec<(String, String)> {
    let text = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n");
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some(FENCE) {
        return Vec::new();
    }
    let mut fields = Vec::new();
    for line in lines
        .take_while(|line| line.trim_end() != FENCE && !line.starts_with("# ") && !line.starts_with("##"))
    {
        let Some((key, value)) = line.split_once(':') else { continue };
        let is_key = key.starts_with(|first: char| first.is_ascii_lowercase())
            && key.chars().all(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '-'));
        let value = value.trim();
        let is_empty = matches!(value, "" | "~" | "null");
        if is_key && !is_empty && !fields.iter().any(|(known, _)| known == key) {
            fields.push((key.to_owned(), value.to_owned()));
        }
    }
    fields
}

fn collect(path: &Path, samples: &mut Vec<Sample>) -> Result<()> {
    if path.is_dir() {
        let mut children: Vec<_> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
        children.sort_by_key(fs::DirEntry::path);
        for child in children {
            let is_skill = child.file_name().eq_ignore_ascii_case("SKILL.md");
            if child.file_type()?.is_dir() || is_skill {
                collect(&child.path(), samples)?;
            }
        }
    } else if path.extension().is_some_and(|extension| extension == "jsonl") {
        for line in fs::read_to_string(path)?.lines() {
            let value: Value = serde_json::from_str(line)?;
            let name =
                ["path", "id"].iter().find_map(|key| value[*key].as_str()).unwrap_or_default().to_owned();
            if let Some(text) = value["text"].as_str() {
                samples.push(Sample { name, bytes: text.as_bytes().to_vec() });
            }
        }
    } else {
        samples.push(Sample { name: path.display().to_string(), bytes: fs::read(path)? });
    }
    Ok(())
}
