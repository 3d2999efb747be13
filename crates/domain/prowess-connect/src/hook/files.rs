//! The file of a harness that names our hook.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_config::Env;
use prowess_context::Context;
use prowess_fs::Lock;
use prowess_harness::hook::settings;
use prowess_text::platform_word;
use serde::Serialize;

use super::{HookError, HookHarness, HookScope};

/// A larger file is not a settings file.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The time to wait for another process that holds the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// Unchanged lines that are shown around a change.
const CONTEXT_LINES: usize = 2;

/// Whether the hook is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum HookPresence {
    /// It is.
    Installed,
    /// A part of it is, or it runs another program than it would now.
    Outdated,
    /// It is not.
    Missing,
    /// Nobody knows: the file cannot be read.
    Unknown(String),
}

/// Where the hook of a harness would stand, and whether it does.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookStatus {
    /// The harness.
    #[schemars(with = "String")]
    pub harness: HookHarness,
    /// For whom.
    #[schemars(with = "String")]
    pub scope: HookScope,
    /// The file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub file: PathBuf,
    /// Whether the hook is in it.
    pub presence: HookPresence,
    /// What it runs.
    pub commands: Vec<String>,
}

/// A change of a harness's file that can be shown before it is made.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookChange {
    /// The harness.
    #[schemars(with = "String")]
    pub harness: HookHarness,
    /// For whom.
    #[schemars(with = "String")]
    pub scope: HookScope,
    /// The file.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub file: PathBuf,
    /// Whether there is no such file yet.
    pub creates_file: bool,
    /// What the hook shall run; none if it is taken away.
    pub command: Option<String>,
    /// The lines that change, with `+`, `-` or a blank in front; empty if nothing does.
    pub diff: String,
}

impl HookChange {
    /// Returns true if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.diff.is_empty()
    }

    fn edit(&self, old: Option<&str>) -> Result<Option<String>, HookError> {
        let edited = match (&self.command, old) {
            (Some(command), old) => settings::install(old, self.harness, command).map(Some),
            (None, Some(old)) => settings::remove(old, self.harness).map(Some),
            (None, None) => Ok(None),
        };
        edited.map_err(|source| HookError::Settings { file: self.file.clone(), source })
    }
}

/// Returns the changes that installing the hook would make, or with no command those of removing it.
pub fn plan_hook(
    context: &Context,
    harness: HookHarness,
    scope: HookScope,
    command: Option<String>,
) -> Result<HookChange, HookError> {
    let file = hook_file(context, harness, scope)?;
    let old = read(&file)?;
    let creates_file = old.is_none();
    let mut change = HookChange { harness, scope, file, creates_file, command, diff: String::new() };
    let new = change.edit(old.as_deref())?;
    change.diff = difference(old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
    Ok(change)
}

/// Makes a change that was planned, from what the file says now. Tells whether anything was left to do.
pub fn apply_hook(context: &Context, change: &HookChange) -> Result<bool, HookError> {
    // The lock is kept in our own home: it does not belong into a folder of another program.
    let real = prowess_fs::real(&change.file).unwrap_or_else(|| change.file.clone());
    let name = prowess_fs::sha256_hex(real.display().to_string().as_bytes());
    let _lock = Lock::acquire(&context.own_home().join("hooks").join(&name[..16]), LOCK_TIMEOUT)?;
    let old = read(&change.file)?;
    let Some(new) = change.edit(old.as_deref())?.filter(|new| old.as_ref() != Some(new)) else {
        return Ok(false);
    };
    // The user's settings may hold keys; a project's are shared by all who work on it.
    let mode = (change.scope == HookScope::User).then_some(0o600);
    prowess_fs::write_atomic(&change.file, new.as_bytes(), mode)?;
    Ok(true)
}

/// Returns whether the hook is installed, and the command that it runs.
pub fn hook_status(
    context: &Context,
    harness: HookHarness,
    scope: HookScope,
    command: &str,
) -> Result<HookStatus, HookError> {
    let file = hook_file(context, harness, scope)?;
    let found = read(&file).and_then(|text| {
        let settings = |source| HookError::Settings { file: file.clone(), source };
        let commands = settings::installed(text.as_deref(), harness).map_err(settings)?;
        let is_current = settings::is_installed(text.as_deref(), harness, command).map_err(settings)?;
        let presence = match (commands.is_empty(), is_current) {
            (true, _) => HookPresence::Missing,
            (false, true) => HookPresence::Installed,
            (false, false) => HookPresence::Outdated,
        };
        Ok((presence, commands))
    });
    let (presence, commands) = found
        .unwrap_or_else(|error| (HookPresence::Unknown(prowess_text::describe_error(&error)), Vec::new()));
    Ok(HookStatus { harness, scope, file, presence, commands })
}

fn hook_file(context: &Context, harness: HookHarness, scope: HookScope) -> Result<PathBuf, HookError> {
    let workspace = context.workspace(None)?;
    Ok(harness.file(scope, context.env(), &context.places().os_home, &workspace))
}

fn read(file: &Path) -> Result<Option<String>, HookError> {
    match prowess_fs::read_file(file, MAX_BYTES) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| HookError::NotText(file.to_owned())),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The command line of a hook. The program is called by its name if that finds it, else by its path.
pub fn hook_command(program: &Path, env: &Env, harness: HookHarness, options: &[(&str, &str)]) -> String {
    let named = std::env::split_paths(env.get("PATH").unwrap_or_default())
        .map(|folder| folder.join("prowess"))
        .find_map(|path| prowess_fs::real(&path));
    let is_found = named.is_some() && named == prowess_fs::real(program);
    let program = if is_found { "prowess".to_owned() } else { platform_word(&program.display().to_string()) };
    let options = options.iter().map(|(name, value)| format!(" --{name} {}", platform_word(value)));
    format!("{program} hook run {}{}", harness.name(), options.collect::<String>())
}

/// The lines that differ, with a few around them.
fn difference(old: &str, new: &str) -> String {
    let whole = prowess_forge::diff(old, new);
    let lines: Vec<&str> = whole.lines().collect();
    let changes: Vec<usize> = (0..lines.len()).filter(|place| !lines[*place].starts_with(' ')).collect();
    let is_near = |place: usize| changes.iter().any(|change| change.abs_diff(place) <= CONTEXT_LINES);
    let mut shown = String::new();
    let mut is_gap = false;
    for (place, line) in lines.iter().enumerate() {
        if is_near(place) {
            shown += line;
            shown.push('\n');
            is_gap = false;
        } else if !is_gap {
            shown += " …\n";
            is_gap = true;
        }
    }
    if changes.is_empty() { String::new() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_survives_a_shell() {
        let env = Env::new([("PATH".to_owned(), "/nowhere".to_owned())], "/");
        let command = |program: &str, options: &[(&str, &str)]| {
            hook_command(Path::new(program), &env, HookHarness::find("codex").expect("a row"), options)
        };
        assert_eq!(command("/opt/prowess", &[]), "/opt/prowess hook run codex");
        assert_eq!(
            command("/my tools/prowess", &[("agent", "it's")]),
            r"'/my tools/prowess' hook run codex --agent 'it'\''s'"
        );
    }

    #[test]
    fn only_what_is_near_a_change_is_shown() {
        let old = "a\nb\nc\nd\ne\nf\ng\n";
        let new = "a\nb\nc\nd\ne\nf\nx\ng\n";
        assert_eq!(difference(old, new), " …\n e\n f\n+x\n g\n");
        assert_eq!(difference(old, old), "");
    }
}
