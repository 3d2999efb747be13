//! Whose work is in the package: the licences of the program, of its models, and of every crate inside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::process::{cargo, command, output, root};

/// Files of a crate that say under which terms it may be passed on.
const NOTICE_FILES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// Writes `copyright`, `third-party.txt.gz` and `changelog.Debian.gz`.
pub(super) fn write(stage: &Path) -> Result<()> {
    let platform = output(&mut command("rustc", &["--print", "host-tuple"]))?;
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", platform.trim()];
    let metadata = output(&mut cargo(&arguments))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let crates = crates_inside(&metadata)?;

    let mit = fs::read_to_string(root().join("LICENSE-MIT"))?;
    fs::write(stage.join("copyright"), copyright(&mit, &crates))?;
    write_compressed(&stage.join("third-party.txt"), &third_party(&crates)?)?;

    let program = program(&metadata)?;
    let version = program["version"].as_str().unwrap_or_default();
    let maintainer =
        program["metadata"]["deb"]["maintainer"].as_str().context("the package has no maintainer")?;
    let date = output(&mut command("git", &["log", "-1", "--format=%cD"]))
        .unwrap_or_else(|_| "Thu, 01 Jan 1970 00:00:00 +0000".to_owned());
    let changelog = format!(
        "prowess ({version}-1) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n -- {maintainer}  {}\n",
        date.trim()
    );
    write_compressed(&stage.join("changelog.Debian"), &changelog)
}

fn write_compressed(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text)?;
    super::compress(file)
}

/// What cargo says about the crate of the program.
fn program(metadata: &Value) -> Result<&Value> {
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    packages.find(|one| one["name"] == "prowess-cli").context("there is no crate `prowess-cli`")
}

/// A crate whose code is in the program.
struct Crate<'a> {
    name: &'a str,
    version: &'a str,
    licence: &'a str,
    manifest: &'a Path,
    is_ours: bool,
}

/// Everything that the program is linked from: what its crate depends on, not what builds or tests it.
fn crates_inside(metadata: &Value) -> Result<Vec<Crate<'_>>> {
    let by_id = |list: &'_ Value| -> BTreeMap<String, usize> {
        let ids = list.as_array().into_iter().flatten().map(|one| one["id"].as_str().unwrap_or_default());
        ids.enumerate().map(|(place, id)| (id.to_owned(), place)).collect()
    };
    let (packages, nodes) = (&metadata["packages"], &metadata["resolve"]["nodes"]);
    let (package_of, node_of) = (by_id(packages), by_id(nodes));
    let mut seen = BTreeSet::new();
    let mut open = vec![program(metadata)?["id"].as_str().unwrap_or_default()];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = node_of.get(id).map(|place| &nodes[*place]).context("a crate that was not resolved")?;
        let linked = |dependency: &&Value| {
            let kinds = dependency["dep_kinds"].as_array();
            kinds.into_iter().flatten().any(|kind| kind["kind"].is_null())
        };
        let dependencies = node["deps"].as_array().into_iter().flatten().filter(linked);
        open.extend(dependencies.filter_map(|dependency| dependency["pkg"].as_str()));
    }
    let mut crates: Vec<Crate<'_>> = seen
        .into_iter()
        .filter_map(|id| package_of.get(id).map(|place| &packages[*place]))
        .map(|package| Crate {
            name: package["name"].as_str().unwrap_or_default(),
            version: package["version"].as_str().unwrap_or_default(),
            licence: package["license"].as_str().unwrap_or("see its own file"),
            manifest: Path::new(package["manifest_path"].as_str().unwrap_or_default()),
            is_ours: package["source"].is_null(),
        })
        .collect();
    crates.sort_by_key(|one| (one.name, one.version));
    Ok(crates)
}

/// Debian's machine-readable file about copyright.
fn copyright(mit: &str, crates: &[Crate<'_>]) -> String {
    let text = mit.lines().skip(2).map(|line| if line.is_empty() { " ." } else { line });
    let text: String = text.fold(String::new(), |mut text, line| {
        let _ = writeln!(text, " {}", line.trim_start());
        text
    });
    let mut file = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: prowess\n\n\
         Files: *\nCopyright: © The Prowess contributors\nLicense: MIT or Apache-2.0\n\n\
         License: MIT\n{text}\n\
         License: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n\n\
         Comment: The program contains these crates; their notices are in third-party.txt.gz.\n"
    );
    for one in crates.iter().filter(|one| !one.is_ours) {
        let _ = writeln!(file, " {} {}: {}", one.name, one.version, one.licence);
    }
    file
}

/// The notices of every crate and of the models, each text once.
fn third_party(crates: &[Crate<'_>]) -> Result<String> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in crates.iter().filter(|one| !one.is_ours) {
        let folder = one.manifest.parent().context("a manifest without a folder")?;
        for text in notices_in(folder)? {
            texts.entry(text).or_default().insert(format!("{} {}", one.name, one.version));
        }
    }
    let models = fs::read_to_string(root().join("models/LICENSE-Apache-2.0"))?;
    texts.entry(models).or_default().insert("the encoders prowess-minilm and use-multilingual".to_owned());

    let mut by_users: Vec<(BTreeSet<String>, String)> =
        texts.into_iter().map(|(text, users)| (users, text)).collect();
    by_users.sort();
    let rule = "=".repeat(78);
    Ok(by_users.into_iter().fold(String::new(), |mut file, (users, text)| {
        let users = users.into_iter().collect::<Vec<_>>().join(", ");
        let _ = writeln!(file, "{rule}\n{users}\n{rule}\n\n{}\n", text.trim());
        file
    }))
}

fn notices_in(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_file() && NOTICE_FILES.iter().any(|notice| name.starts_with(notice)) {
            texts.push(String::from_utf8_lossy(&fs::read(&path)?).into_owned());
        }
    }
    texts.sort();
    Ok(texts)
}
