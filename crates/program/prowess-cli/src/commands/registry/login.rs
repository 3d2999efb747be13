//! `prowess registry login`, `logout` and `whoami`

use std::time::{Duration, Instant};

use prowess_registry::protocol::{DeviceCode, User};
use prowess_registry::{DeviceAnswer, RegistryClient, RegistryError};
use prowess_text::printable;
use prowess_types::{ErrorKind, Secret};

use super::{not_logged_in, open};
use crate::answers::{LoginAnswer, LogoutAnswer, WhoamiAnswer};
use crate::args::{LoginArgs, RegistryOption};
use crate::commands::shown;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, WARN, paint};
use crate::{input, prompt};

/// What the registry calls the new token.
const LABEL: &str = "prowess";
/// The shortest pause between two questions, whatever the registry says.
const LEAST_PAUSE: Duration = Duration::from_millis(250);
/// The pause where the registry says nothing, and what is added when it is asked too often.
const USUAL_PAUSE: Duration = Duration::from_secs(5);
/// The longest that a code is waited for.
const LONGEST_WAIT: Duration = Duration::from_mins(30);
/// More than any token needs.
const MAX_TOKEN: usize = 16 * 1024;

pub(super) fn login(context: &Context, args: &LoginArgs) -> Result<Outcome, Failure> {
    let supply = open(context, &args.at)?;
    let registry = supply.registry();
    warn_of_plain_http(registry.base());
    // A file that cannot take the login is told before anything is typed.
    let before = context.engine.login()?;
    let token = match args.token.as_deref() {
        Some("") => prompt::secret("Token: ")?,
        Some("-") => from_input()?,
        Some(written) => {
            output::err(&format!(
                "{}: every user of this machine can read the arguments of a program, and the shell remembers them\n{}: \
                 `--token -` reads the token from standard input\n",
                paint(WARN.bold(), "warning"),
                paint(BOLD, "help"),
            ));
            written.to_owned()
        }
        None => by_device(context, &registry)?,
    };
    let token = checked(&token)?;
    let user = supply.registry_as(token.clone()).whoami()?.user;
    let file = context.engine.save_login(registry.base(), &token)?;
    if context.json {
        output::json(&LoginAnswer { registry: registry.base(), user: &user, file: shown(&file) })?;
    } else {
        output::out(&format!("Logged in to {} as {}.\n", printable(registry.base()), name(&user)))?;
    }
    let replaced = before.registry.filter(|_| before.token.is_some()).filter(|old| old != registry.base());
    if let Some(old) = replaced {
        output::err(&format!("{}: the login at {} is replaced\n", paint(WARN, "note"), printable(&old)));
    }
    Ok(Outcome::Fine)
}

/// A token must fit into a header; what is wrong with it is told without showing it.
fn checked(token: &str) -> Result<Secret, Failure> {
    let token = token.trim();
    if token.is_empty() {
        return Err(Failure::usage("there is no token".to_owned())
            .hint("pipe it in: `pass show clawhub | prowess registry login --token -`"));
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Failure::usage("a token is one word of letters, digits and signs".to_owned()));
    }
    Ok(Secret::new(token))
}

fn from_input() -> Result<String, Failure> {
    Ok(String::from_utf8(input::rest(MAX_TOKEN)?).map_err(std::io::Error::other)?)
}

fn warn_of_plain_http(base: &str) {
    let is_here = ["localhost", "127.", "[::1]"];
    let host = base.strip_prefix("http://");
    if host.is_some_and(|host| !is_here.iter().any(|start| host.starts_with(start))) {
        output::err(&format!(
            "{}: the token travels to `{}` without encryption\n",
            paint(WARN.bold(), "warning"),
            printable(base)
        ));
    }
}

/// Lets the user confirm a code in a browser, on whatever machine that is.
fn by_device(context: &Context, registry: &RegistryClient<'_>) -> Result<String, Failure> {
    let code = match registry.device_code(LABEL) {
        Ok(code) => code,
        Err(RegistryError::NotFound { .. } | RegistryError::Status { status: 405 | 501, .. }) => {
            if !context.json && input::is_terminal() {
                return prompt::secret("Token: ");
            }
            return Err(Failure::new(
                ErrorKind::Refused,
                "this registry does not support login by code".to_owned(),
            )
            .hint("get a token on its site, then `prowess registry login --token -`"));
        }
        Err(error) => return Err(Failure::about_error(&error)),
    };
    output::err(&format!(
        "Open {}\nand enter the code {}\n",
        printable(code.verification_uri_complete.as_deref().unwrap_or(&code.verification_uri)),
        paint(BOLD, printable(&code.user_code)),
    ));
    wait(registry, &code)
}

fn wait(registry: &RegistryClient<'_>, code: &DeviceCode) -> Result<String, Failure> {
    let end = Instant::now() + Duration::from_secs(code.expires_in).min(LONGEST_WAIT);
    let mut pause = code.interval.map_or(USUAL_PAUSE, Duration::from_secs);
    let late = || {
        Failure::new(ErrorKind::NotAgreed, "the code was not confirmed in time".to_owned())
            .hint("run `prowess registry login` for a new one")
    };
    loop {
        pause = pause.clamp(LEAST_PAUSE, LONGEST_WAIT);
        if Instant::now() + pause > end {
            return Err(late());
        }
        std::thread::sleep(pause);
        match registry.device_token(&code.device_code)? {
            DeviceAnswer::Confirmed(token) => return Ok(token.expose().to_owned()),
            DeviceAnswer::SlowDown { interval } => pause = interval.unwrap_or(pause + USUAL_PAUSE),
            DeviceAnswer::Expired => return Err(late()),
            DeviceAnswer::Denied => {
                return Err(Failure::new(ErrorKind::Refused, "the login was refused".to_owned())
                    .hint("run `prowess registry login` to try again"));
            }
            _ => {}
        }
    }
}

pub(super) fn logout(context: &Context) -> Result<Outcome, Failure> {
    let login = context.engine.login()?;
    let registry = login.registry.as_deref().unwrap_or(prowess_registry::DEFAULT_REGISTRY);
    let forgotten = context.engine.forget_login()?;
    if context.json {
        output::json(&LogoutAnswer { registry, forgotten })?;
    } else if forgotten {
        output::out(&format!(
            "Logged out of {}. The token is still valid; revoke it on the registry's site if others may have it.\n",
            printable(registry)
        ))?;
    } else {
        output::out("Not logged in.\n")?;
    }
    Ok(Outcome::Fine)
}

pub(super) fn whoami(context: &Context, at: &RegistryOption) -> Result<Outcome, Failure> {
    let supply = open(context, at)?;
    let registry = supply.registry();
    if !supply.is_logged_in() {
        // A file that holds no login would explain it.
        context.engine.login()?;
        return Err(not_logged_in(&registry));
    }
    let user = registry.whoami()?.user;
    if context.json {
        output::json(&WhoamiAnswer { registry: registry.base(), user: &user })?;
    } else {
        output::out(&format!("{} at {}\n", name(&user), printable(registry.base())))?;
    }
    Ok(Outcome::Fine)
}

fn name(user: &User) -> String {
    let handle = user.handle.as_deref().map(|handle| format!("@{handle}"));
    printable(
        &handle
            .or_else(|| user.display_name.clone())
            .unwrap_or_else(|| "an account without a handle".to_owned()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_one_word() {
        assert_eq!(checked(" clh_a.b-c \n").unwrap().expose(), "clh_a.b-c");
        for bad in ["", " \n", "two words", "clh_\u{e4}", "a\nb"] {
            let failure = checked(bad).unwrap_err();
            assert!(bad.trim().is_empty() || !failure.message().contains(bad), "{}", failure.message());
        }
    }
}
