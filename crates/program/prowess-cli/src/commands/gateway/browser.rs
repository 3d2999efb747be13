//! Opening something in the user's browser.

use std::path::Path;
use std::process::{Command, Stdio};

use prowess_config::Env;

/// Opens a page or an address with what the user opens such things with. Its arguments can be seen by everybody on the
/// machine, so an address with a token or a code is never one of them.
pub(super) fn open(env: &Env, what: &Path) -> Result<(), String> {
    let named = env.trimmed("BROWSER").map(str::to_owned);
    let program = named.unwrap_or_else(|| usual().to_owned());
    let mut command = Command::new(&program);
    if cfg!(windows) && program == "cmd" {
        command.args(["/c", "start", ""]);
    }
    command.arg(what).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // It may live for as long as the browser does.
            std::thread::spawn(move || child.wait());
            Ok(())
        }
        Err(error) => Err(format!("`{}`: {error}", prowess_text::printable(&program))),
    }
}

const fn usual() -> &'static str {
    if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "cmd"
    } else {
        "xdg-open"
    }
}
