//! `cargo xtask bench`: runs every benchmark and writes what it measured to `docs/performance.md`.
//!
//! Every benchmark measures its baseline in the same run, under a name that begins with `baseline`: ratios of one run
//! say more than times of two.

mod divan;
mod figure;
pub(crate) mod host;
mod page;
mod targets;
mod work;

use std::fs;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::process::{cargo, output, root, run_and_keep, shown};
pub(crate) use figure::Figure;
pub(crate) use page::Measured;

/// Instructions and memory, which no benchmark of a crate can count.
const WORK: &str = "work";

/// What to run, and how carefully.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// One benchmark instead of all.
    only: Option<String>,
    /// Few samples, to see whether it works; the page stays as it is.
    is_quick: bool,
}

impl Plan {
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        let mut plan = Self::default();
        let mut rest = arguments;
        loop {
            rest = match rest {
                [] => return Ok(plan),
                ["--quick", rest @ ..] => {
                    plan.is_quick = true;
                    rest
                }
                ["--only", name, rest @ ..] => {
                    plan.only = Some((*name).to_owned());
                    rest
                }
                [other, ..] => bail!("`bench` does not know `{other}`; it takes `--only NAME` and `--quick`"),
            };
        }
    }
}

pub(crate) fn run(plan: &Plan) -> Result<()> {
    let mut names = benchmarks()?;
    names.push(WORK.to_owned());
    if let Some(only) = &plan.only {
        if !names.contains(only) {
            bail!("there is no benchmark `{only}`, only {}", names.join(", "));
        }
        names = vec![only.clone()];
    }
    for name in &names {
        let start = host::load();
        let (command, figures) = if name == WORK {
            println!("==> instructions and memory");
            ("cargo xtask bench --only work".to_owned(), work::measure()?)
        } else {
            measure(name, plan.is_quick)?
        };
        let circumstances =
            format!("`{command}`, {}, load {start} before and {} after.", host::date(), host::load());
        let measured = Measured { bench: name, circumstances, figures: &figures, remarks: Vec::new() };
        println!("\n{}", measured.table());
        if !plan.is_quick {
            publish(&measured, plan.only.is_none())?;
        }
    }
    Ok(())
}

/// Writes a part of the page. A machine other than the one of the page may only replace the whole.
pub(crate) fn publish(measured: &Measured<'_>, is_whole_run: bool) -> Result<()> {
    let path = root().join("docs/performance.md");
    let mut text = fs::read_to_string(&path).context("`docs/performance.md` cannot be read")?;
    let machine = format!("Machine: {}.", host::machine());
    if !is_whole_run && page::part(&text, "machine") != Some(&machine) {
        println!("==> the page was measured on another machine; it stays as it is");
        return Ok(());
    }
    text = page::with_part(&text, "machine", &machine)?;
    text = page::with_part(&text, measured.bench, &measured.table())?;
    let missed = page::missed(&text);
    text = page::with_part(&text, "missed", &missed)?;
    fs::write(&path, text).context("`docs/performance.md` cannot be written")
}

/// Runs one benchmark: the command, and what it measured.
fn measure(name: &str, is_quick: bool) -> Result<(String, Vec<Figure>)> {
    // The whole workspace, so that every benchmark sees the same features and nothing is built twice.
    let mut command = cargo(&["bench", "--workspace", "--bench", name]);
    if is_quick {
        command.env("DIVAN_SAMPLE_COUNT", "5").env("DIVAN_MAX_TIME", "1");
    }
    let shown = shown(&command);
    println!("==> {shown}");
    let lines = run_and_keep(command, |_| true)?;
    let mut figures: Vec<Figure> = lines.iter().filter_map(|line| Figure::in_line(line)).collect();
    figures.extend(divan::figures(lines.iter().map(String::as_str)));
    if figures.is_empty() {
        bail!("`{shown}` printed no figure");
    }
    Ok((shown, figures))
}

/// The names of all benchmarks of the workspace.
fn benchmarks() -> Result<Vec<String>> {
    let metadata = output(&mut cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let targets = metadata["packages"].as_array().into_iter().flatten().flat_map(|package| {
        package["targets"].as_array().into_iter().flatten().filter(|target| target["kind"][0] == "bench")
    });
    Ok(targets.filter_map(|target| Some(target["name"].as_str()?.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let plan = |arguments: &[&str]| Plan::parse(arguments).map_err(|error| error.to_string());
        assert_eq!(plan(&[]), Ok(Plan::default()));
        let both = Plan { only: Some("load".to_owned()), is_quick: true };
        assert_eq!(plan(&["--quick", "--only", "load"]), Ok(both));
        assert!(plan(&["--only"]).is_err());
    }

    #[test]
    fn every_benchmark_has_its_place_on_the_page_and_every_target_its_benchmark() {
        let text = fs::read_to_string(root().join("docs/performance.md")).expect("the page");
        let mut names = benchmarks().expect("benchmarks");
        names.extend([WORK, "soak"].map(str::to_owned));
        for name in &names {
            assert!(page::part(&text, name).is_some(), "no part for `{name}`");
        }
        for target in &targets::TARGETS {
            assert!(names.iter().any(|name| name == target.bench), "no benchmark `{}`", target.bench);
        }
    }
}
