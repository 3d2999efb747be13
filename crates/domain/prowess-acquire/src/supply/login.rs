//! The login that this program and the `clawhub` command share: one file with a registry and its token.
//!
//! All other content of the file stays as it is. It is readable by the user alone.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_config::Env;
use prowess_context::Context;
use prowess_fs::{FileReadError, FileUpdate, UpdateError};
use prowess_types::Secret;
use serde_json::{Map, Value};

/// Far beyond what such a file holds.
const MAX_BYTES: u64 = 1024 * 1024;
/// The time to wait for another process that holds the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The stored login of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Login {
    /// The registry; the usual one when absent.
    pub registry: Option<String>,
    /// The token for it, and for it alone.
    pub token: Option<Secret>,
}

/// The reason a login cannot be read or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoginError {
    /// The file cannot be read.
    #[error("cannot read the login")]
    Read(#[from] FileReadError),
    /// The file holds something else.
    #[error("`{}` does not hold a login: it is not a JSON object", path.display())]
    NotALogin {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot keep the login in `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl prowess_types::Classify for LoginError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::Files)
    }
}

/// The file with the user's login.
pub fn login_file(context: &Context) -> PathBuf {
    settings_file(context.env(), &context.places().os_home)
}

/// Returns the stored login of the user; an empty one if there is no file.
pub fn login(context: &Context) -> Result<Login, LoginError> {
    let path = login_file(context);
    let bytes = match prowess_fs::read_file(&path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(Login::default()),
        Err(error) => return Err(error.into()),
    };
    let fields = fields(&String::from_utf8_lossy(&bytes)).ok_or(LoginError::NotALogin { path })?;
    let text = |key: &str| {
        let text = fields.get(key)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    Ok(Login { registry: text("registry"), token: text("token").map(Secret::new) })
}

/// Keeps a token for a registry, in place of the one before. Returns the file.
pub fn save_login(context: &Context, registry: &str, token: &Secret) -> Result<PathBuf, LoginError> {
    let path = login_file(context);
    change(&path, |fields| {
        fields.insert("registry".to_owned(), registry.into());
        fields.insert("token".to_owned(), token.expose().into());
    })?;
    Ok(path)
}

/// Forgets the token. The registry stays the one that is asked. Tells whether there was one.
pub fn forget_login(context: &Context) -> Result<bool, LoginError> {
    let path = login_file(context);
    if !prowess_fs::is_taken(&path) {
        return Ok(false);
    }
    let updated = change(&path, |fields| {
        fields.shift_remove("token");
    })?;
    Ok(updated == FileUpdate::Written)
}

/// Returns the login file of the `clawhub` command: named, or in the user's folder for settings. The folder of its
/// former name counts as long as there is no other.
fn settings_file(env: &Env, home: &Path) -> PathBuf {
    let named = ["CLAWHUB_CONFIG_PATH", "CLAWDHUB_CONFIG_PATH"].iter().find_map(|name| env.trimmed(name));
    if let Some(path) = named {
        return env.cwd().join(path);
    }
    let folder = if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        let variable = if cfg!(windows) { "APPDATA" } else { "XDG_CONFIG_HOME" };
        env.trimmed(variable).map_or_else(|| home.join(".config"), |folder| env.cwd().join(folder))
    };
    let file = folder.join("clawhub/config.json");
    let former = folder.join("clawdhub/config.json");
    if !prowess_fs::is_taken(&file) && prowess_fs::is_taken(&former) { former } else { file }
}

fn fields(text: &str) -> Option<Map<String, Value>> {
    if text.trim().is_empty() {
        return Some(Map::new());
    }
    serde_json::from_str::<Value>(text).ok()?.as_object().cloned()
}

/// Changes the fields of the file, atomically and under a lock.
fn change(path: &Path, edit: impl FnOnce(&mut Map<String, Value>)) -> Result<FileUpdate, LoginError> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| LoginError::Write {
        path: path.to_owned(),
        source,
    };
    prowess_fs::close_to_others(path).map_err(|error| failed(error.into()))?;
    let updated = prowess_fs::update_file(path, LOCK_TIMEOUT, |text| {
        let mut fields = fields(text.as_deref().unwrap_or_default())
            .ok_or_else(|| LoginError::NotALogin { path: path.to_owned() })?;
        edit(&mut fields);
        Ok(Some(format!("{:#}\n", Value::Object(fields))))
    });
    updated.map_err(|error| match error {
        UpdateError::Edit(error) => error,
        UpdateError::Read(error) => error.into(),
        error => failed(error.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_where_the_other_program_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        let env = |vars: &[(&str, &str)]| {
            let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Env::new(vars, "/project")
        };
        assert_eq!(
            settings_file(&env(&[("CLAWHUB_CONFIG_PATH", " a.json ")]), home),
            Path::new("/project/a.json")
        );
        assert_eq!(settings_file(&env(&[("CLAWDHUB_CONFIG_PATH", "/b.json")]), home), Path::new("/b.json"));
        if cfg!(target_os = "linux") {
            assert_eq!(
                settings_file(&env(&[("XDG_CONFIG_HOME", "/x")]), home),
                Path::new("/x/clawhub/config.json")
            );
            assert_eq!(settings_file(&env(&[]), home), home.join(".config/clawhub/config.json"));
            let former = home.join(".config/clawdhub/config.json");
            std::fs::create_dir_all(former.parent().unwrap()).unwrap();
            std::fs::write(&former, "{}").unwrap();
            assert_eq!(settings_file(&env(&[]), home), former);
        }
    }

    #[test]
    fn only_objects_are_logins() {
        assert_eq!(fields(" \n"), Some(Map::new()));
        assert!(fields("{\"registry\": 1}").is_some());
        for text in ["[]", "\"clh_x\"", "{", "null"] {
            assert_eq!(fields(text), None, "{text}");
        }
    }
}
