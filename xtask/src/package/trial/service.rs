//! The service of the package, started as its unit says: the same command, the same environment, no privileges, an
//! empty state folder.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::{Trial, UNIT};
use crate::process::{output, run};

/// Debian's user for what needs no rights at all.
const NOBODY: u32 = 65_534;
const STATE: &str = "var/lib/prowess";
/// A service is asked so often, each time after [`PAUSE`], before it counts as not starting.
const QUESTIONS: usize = 300;
const PAUSE: Duration = Duration::from_millis(100);

/// Starts the service, asks whether it is well, looks at what it has written, and stops it.
pub(super) fn check(trial: &Trial) -> Result<()> {
    let unit = Unit::read(&fs::read_to_string(trial.path(UNIT))?)?;
    for promise in [
        "DynamicUser=yes",
        "StateDirectory=prowess",
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
        "PrivateTmp=yes",
    ] {
        ensure!(unit.lines.iter().any(|line| line == promise), "the unit does not say `{promise}`");
    }
    let state = trial.path(STATE);
    fs::create_dir_all(&state)?;
    fs::set_permissions(&state, fs::Permissions::from_mode(0o700))?;
    let libraries = if trial.is_root { Libraries::bring(trial)? } else { Libraries::default() };
    if trial.is_root {
        chown(&state, Some(NOBODY), Some(NOBODY))?;
    }

    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let log = trial.root.with_file_name("service.log");
    let mut service = Service(
        unit.command(trial, port)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log)?)
            .spawn()?,
    );
    let health = service.ask(port).with_context(|| {
        format!("the service does not answer; its log: {}", fs::read_to_string(&log).unwrap_or_default())
    })?;
    ensure!(health.starts_with("HTTP/1.1 200") && health.ends_with("ok"), "`/healthz` says `{health}`");
    if trial.is_root {
        let status = fs::read_to_string(format!("/proc/{}/status", service.0.id()))?;
        let users = status.lines().find(|line| line.starts_with("Uid:")).unwrap_or_default();
        ensure!(users.split_whitespace().skip(1).all(|user| user == "65534"), "it runs as `{users}`");
    }
    let config = fs::metadata(state.join("prowess.json")).context("it keeps no token in its state folder")?;
    let mode = config.mode() & 0o777;
    ensure!(mode == 0o600, "others may read its token: {mode:o}");

    run(Command::new("kill").arg(service.0.id().to_string()))?;
    let ended = service.0.wait()?;
    ensure!(ended.success(), "it does not stop well: {ended}; its log: {}", fs::read_to_string(&log)?);
    libraries.take_away()?;
    println!("    the service starts, answers and stops without privileges");
    Ok(())
}

/// What a unit says about its process.
struct Unit {
    lines: Vec<String>,
    environment: Vec<(String, String)>,
    command: Vec<String>,
}

impl Unit {
    fn read(text: &str) -> Result<Self> {
        let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
        let values = |key: &str| {
            lines.iter().filter_map(|line| line.strip_prefix(key)?.strip_prefix('=')).collect::<Vec<_>>()
        };
        let variables = values("Environment").into_iter().filter_map(|pair| pair.split_once('='));
        let environment = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let command = values("ExecStart").first().context("the unit starts nothing")?.split_whitespace();
        Ok(Self { environment, command: command.map(str::to_owned).collect(), lines })
    }

    /// Its command, in the root of the trial if that is possible. The port is not the usual one, which may be taken.
    fn command(&self, trial: &Trial, port: u16) -> Command {
        let options = format!("--log json --port {port}");
        let words = self.command.iter().flat_map(|word| match word.as_str() {
            "$PROWESS_GATEWAY_OPTIONS" => options.split(' ').collect(),
            word => vec![word],
        });
        let words: Vec<&str> = words.collect();
        let (program, arguments) = words.split_first().unwrap_or((&"", &[]));
        let mut command = if trial.is_root {
            let mut command = Command::new("chroot");
            command.arg(format!("--userspec={NOBODY}:{NOBODY}")).arg(&trial.root).arg(program);
            command
        } else {
            Command::new(trial.path(program.trim_start_matches('/')))
        };
        command.args(arguments).env_clear();
        for (name, value) in &self.environment {
            let value =
                if trial.is_root { PathBuf::from(value) } else { trial.path(value.trim_start_matches('/')) };
            command.env(name, value);
        }
        // `chroot` itself is found by it.
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command
    }
}

/// The running service; it does not outlive the trial.
struct Service(Child);

impl Service {
    fn ask(&mut self, port: u16) -> Result<String> {
        for _ in 0..QUESTIONS {
            if let Some(ended) = self.0.try_wait()? {
                anyhow::bail!("it ended by itself: {ended}");
            }
            if let Ok(answer) = healthz(port) {
                return Ok(answer);
            }
            sleep(PAUSE);
        }
        anyhow::bail!("no process listens on port {port}")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn healthz(port: u16) -> Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    write!(stream, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.trim().to_owned())
}

/// The shared libraries of this machine that the program needs, copied into the root for the time of the trial.
#[derive(Default)]
struct Libraries(Vec<PathBuf>);

impl Libraries {
    fn bring(trial: &Trial) -> Result<Self> {
        let needed = output(Command::new("ldd").arg(trial.path("usr/bin/prowess")))?;
        let mut copies = Vec::new();
        for library in
            needed.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')))
        {
            let copy = trial.path(library.trim_start_matches('/'));
            fs::create_dir_all(copy.parent().unwrap_or(Path::new("/")))?;
            fs::copy(library, &copy).with_context(|| format!("cannot copy `{library}`"))?;
            copies.push(copy);
        }
        Ok(Self(copies))
    }

    fn take_away(self) -> Result<()> {
        self.0.into_iter().try_for_each(|copy| Ok(fs::remove_file(copy)?))
    }
}
