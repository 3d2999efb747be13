//! Keys where they should not be. A file and a name are shown, never a value.

use std::path::{Path, PathBuf};

use prowess_config::{Config, KeyPath, Places, looks_secret};
use prowess_fs::TakenRights;
use prowess_types::Tier;

use super::fix::Fix;
use super::{DoctorFinding, Examination, checks};

/// A larger file is not looked through for keys.
const MAX_BYTES: u64 = 1024 * 1024;
/// Skills that are looked through for keys.
const MAX_SKILLS: usize = 2_000;
/// The token that the engine itself keeps in the config.
const GATEWAY_TOKEN: &str = "gateway.auth.token";
/// Files of variables, by their names.
const ENV_FILES: [&str; 3] = [".env", ".env.local", ".envrc"];

pub(super) fn examine(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    for file in files_with_secrets(examination) {
        findings.extend(readable(&file));
    }
    plain_keys(examination, findings);
    workspace_keys(examination, findings);
    for name in ENV_FILES {
        let file = examination.workspace.join(name);
        if let Some(names) = secret_variables(&file) {
            let message = format!("`{}` holds {}", file.display(), names.join(", "));
            findings.push(DoctorFinding::new(&checks::SECRETS_ENV_FILE, message).at(&file));
        }
    }
    keys_in_skills(examination, findings);
}

/// The files that hold a key or a token.
fn files_with_secrets(examination: &Examination<'_>) -> Vec<PathBuf> {
    let context = examination.context;
    let mut files = Vec::new();
    if !context.config().plain_secrets().is_empty() {
        files.push(context.places().config_file.clone());
    }
    if prowess_acquire::login(context).is_ok_and(|login| login.token.is_some()) {
        files.push(prowess_acquire::login_file(context));
    }
    files.push(context.gateway_folder().join("open.html"));
    files
}

/// A file of keys should be readable by its owner only.
fn readable(file: &Path) -> Option<DoctorFinding> {
    let shown = file.display();
    // If the file is a link, others can read its target.
    let real = prowess_fs::real(file)?;
    let found = prowess_fs::condition(&real).ok()??;
    if !found.is_readable_by_others() {
        return None;
    }
    let message = format!("`{shown}` contains keys, and other users can read it");
    let finding =
        DoctorFinding::new(&checks::SECRETS_READABLE, message).at(file).help(format!("chmod 600 {shown}"));
    let is_plain = prowess_fs::condition(file).ok()?? == found && found.is_ours && found.hard_links == 1;
    let root = file.parent().filter(|_| is_plain);
    Some(match root {
        Some(root) => finding.mended_by(Fix::TakeRights {
            root: root.to_owned(),
            path: file.to_owned(),
            taken: TakenRights::All,
        }),
        None => finding,
    })
}

/// Keys in the user's own config.
fn plain_keys(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let config = examination.context.config();
    for key in config.plain_secrets().iter().filter(|key| key.to_string() != GATEWAY_TOKEN) {
        let message = format!("`{}` contains `{key}` as plain text", config.file().display());
        let help = match key.as_strs()[..] {
            ["skills", "entries", skill, "apiKey"] => {
                format!("`prowess secret set {skill} --keyring` keeps it in the system's keyring")
            }
            ["skills", "entries", skill, "env", variable] => {
                format!(
                    "`prowess secret set {skill} --env {variable} --keyring` keeps it in the system's keyring"
                )
            }
            _ => "put the name of a variable in its place: `${NAME}`".to_owned(),
        };
        findings.push(DoctorFinding::new(&checks::SECRETS_PLAIN, message).about(key.to_string()).help(help));
    }
}

/// Keys in the config of a workspace, where they are not even used.
fn workspace_keys(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let file = Places::project_config(&examination.workspace);
    let Ok(Some(text)) = prowess_context::read_config(&file) else { return };
    let name = examination.context.profile().name;
    let keys: Vec<KeyPath> = Config::parse(Some(&text), &file, name).0.plain_secrets();
    for key in keys {
        let message = format!("`{}` contains `{key}` as plain text", file.display());
        findings.push(DoctorFinding::new(&checks::SECRETS_WORKSPACE, message).at(&file));
    }
}

/// Keys in the folders of skills that people write or install.
fn keys_in_skills(examination: &Examination<'_>, findings: &mut Vec<DoctorFinding>) {
    let Some(inventory) = &examination.inventory else { return };
    let own = inventory.entries.iter().filter(|entry| entry.origin.tier != Tier::Bundled);
    for entry in own.take(MAX_SKILLS) {
        let origin = &entry.origin;
        if let Some(line) = line_with_secret(&origin.real_file) {
            let message = format!("`{}` has what looks like a key in line {line}", origin.file.display());
            findings.push(DoctorFinding::new(&checks::SECRETS_SKILL, message).at(&origin.file));
        }
        for file in ENV_FILES.iter().map(|name| origin.base.join(name)) {
            if let Some(names) = secret_variables(&file) {
                let message = format!("`{}` holds {}", file.display(), names.join(", "));
                findings.push(DoctorFinding::new(&checks::SECRETS_SKILL, message).at(&file));
            }
        }
    }
}

/// The line of a text that something stands in which looks like a real key.
fn line_with_secret(file: &Path) -> Option<usize> {
    let text = read(file)?;
    let place = prowess_scan::find_secret(&text)?.start;
    Some(text[..place].matches('\n').count() + 1)
}

/// The variables of a file that have a value and a name that tells of a secret.
fn secret_variables(file: &Path) -> Option<Vec<String>> {
    let text = read(file)?;
    let mut names: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim().trim_matches(['"', '\'']));
        let is_name =
            !name.is_empty() && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
        if is_name && !value.is_empty() && !value.starts_with('$') && looks_secret(name) {
            names.push(format!("`{name}`"));
        }
    }
    (!names.is_empty()).then_some(names)
}

fn read(file: &Path) -> Option<String> {
    let bytes = prowess_fs::read_file(file, MAX_BYTES).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_and_their_values_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(".env");
        let text = "# API_KEY=old\nLANG=de\nexport MY_TOKEN='hunter2'\nEMPTY_KEY=\nREF_TOKEN=$OTHER\nA B_SECRET=x\nAPI_KEY=hunter3\n";
        prowess_fs::write_atomic(&file, text.as_bytes(), None).unwrap();
        assert_eq!(secret_variables(&file).unwrap(), ["`MY_TOKEN`", "`API_KEY`"]);
        assert_eq!(secret_variables(&folder.path().join("none")), None);
    }

    #[test]
    fn the_line_of_a_key_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("SKILL.md");
        let key = ["ghp", "_abcdefghij0123456789abcdefghij012345"].concat();
        prowess_fs::write_atomic(&file, format!("one\n{key} two\n").as_bytes(), None).unwrap();
        assert_eq!(line_with_secret(&file), Some(2));
    }
}
