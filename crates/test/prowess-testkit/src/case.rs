//! Recorded answers of other engines.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Tree;

/// One recorded answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// Everything in the file.
    pub value: Value,
    /// Its name.
    pub id: String,
}

impl Case {
    /// Every case in a folder, sorted by name.
    pub fn all(folder: &Path) -> Vec<Self> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("the folder of recorded answers")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        files.sort();
        files.iter().map(|file| Self::read(file)).collect()
    }

    fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).expect("a recorded answer");
        let value: Value = serde_json::from_str(&text).expect("a recorded answer is JSON");
        let id = value["id"].as_str().expect("an id").to_owned();
        Self { value, id }
    }

    /// What the other engine said, with `$ROOT` replaced.
    pub fn expected(&self, tree: &Tree) -> Value {
        tree.expand_value(&self.value["expected"])
    }

    /// Lays out an OpenClaw case: `files`, `generate`, `bins` and `config`.
    pub fn lay_out_openclaw(&self) -> Tree {
        let tree = Tree::new();
        for folder in ["ws", "home", "bundled", "bin"] {
            // A case may make one of these a link.
            if self.value["files"].get(folder).is_none() {
                std::fs::create_dir_all(tree.path(folder)).expect("a folder");
            }
        }
        let files = self.value["files"].as_object().into_iter().flatten();
        // What hard links point to comes first.
        let (links, plain): (Vec<_>, Vec<_>) = files.partition(|(_, entry)| entry["hardlink"].is_string());
        for (path, entry) in plain.into_iter().chain(links) {
            tree.lay(path, entry);
        }
        for spec in self.value["generate"].as_array().into_iter().flatten() {
            generate(&tree, spec);
        }
        for bin in self.value["bins"].as_array().into_iter().flatten() {
            tree.write_program(&format!("bin/{}", bin.as_str().expect("a name")));
        }
        if !self.value["config"].is_null() {
            let file = self.value["configAt"].as_str().unwrap_or("home/.openclaw/openclaw.json");
            let config = tree.expand_value(&self.value["config"]);
            tree.write(file, serde_json::to_string_pretty(&config).expect("JSON"));
        }
        tree
    }

    /// Lays out an OpenPocket case: `bundled/`, `local/` and `workspace/` are the three roots.
    pub fn lay_out_openpocket(&self) -> Tree {
        let tree = Tree::new();
        for (path, entry) in self.value["files"].as_object().into_iter().flatten() {
            tree.lay(&openpocket_path(path), entry);
        }
        let mut config = match &self.value["config"] {
            Value::Object(map) => Value::Object(map.clone()),
            _ => serde_json::json!({}),
        };
        if let Some(mode) = self.value["mode"].as_str() {
            config["agent"]["skillsSpecMode"] = Value::from(mode);
        }
        tree.write("home/config.json", serde_json::to_string_pretty(&config).expect("JSON"));
        tree
    }
}

/// Where a file of an OpenPocket case lies in its tree.
fn openpocket_path(path: &str) -> String {
    let (root, rest) = path.split_once('/').expect("a root and a path");
    match root {
        "bundled" => format!("bundled/skills/{rest}"),
        "local" => format!("home/skills/{rest}"),
        "workspace" => format!("home/workspace/skills/{rest}"),
        other => panic!("unknown root {other}"),
    }
}

fn generate(tree: &Tree, spec: &Value) {
    let number = |key: &str, default: u64| spec[key].as_u64().unwrap_or(default);
    let pad = usize::try_from(number("pad", 0)).expect("a width");
    for index in number("from", 0)..number("to", 0) {
        let digits = format!("{index:0pad$}");
        let fill = |key: &str| spec[key].as_str().expect("a text").replace('#', &digits);
        tree.write(&fill("path"), fill("text"));
    }
}
