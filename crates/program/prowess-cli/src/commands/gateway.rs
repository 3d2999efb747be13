//! `prowess gateway` and `prowess up`

mod browser;
mod confirm;
mod devices;
mod welcome;

use std::io::{self, IsTerminal as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use prowess_config::bind_address;
use prowess_connect::Overview;
use prowess_context::GatewayToken;
use prowess_gateway::log::{GatewayLogFormat, LogOptions, Logging};
use prowess_gateway::{Gateway, GatewayOptions, near_url};
use prowess_match::{LiveOptions, PrepareAhead};
use prowess_mcp::{Server, ServerOptions};
use prowess_text::printable;
use prowess_types::{ErrorKind, Secret};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::answers::{GatewayLine, UrlAnswer};
use crate::args::{GatewayArgs, GatewayCommand, LogFormat, ServingArgs, UpArgs};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt::interrupted;
use crate::output::{self, BOLD, DIM, WARN, paint};

/// What happens once the gateway serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Studio {
    /// A welcome is told, and the Studio is opened.
    Open,
    /// A welcome is told.
    Closed,
    /// Nothing more.
    Leave,
}

/// `prowess gateway`
pub(crate) fn run(context: &Context, args: &GatewayArgs) -> Result<Outcome, Failure> {
    match &args.command {
        Some(GatewayCommand::Url { token: true }) => token_url(context),
        Some(GatewayCommand::Url { token: false }) => code_url(context),
        Some(GatewayCommand::Confirm { id, reject, yes }) => {
            confirm::run(context, id.as_deref(), *reject, *yes)
        }
        Some(GatewayCommand::Devices { command }) => devices::run(context, command.as_ref()),
        None => serve(context, &args.serving, Studio::Leave),
    }
}

/// `prowess up`
pub(crate) fn up(context: &Context, args: &UpArgs) -> Result<Outcome, Failure> {
    let studio = if args.no_open { Studio::Closed } else { Studio::Open };
    let Some(running) = context.engine.running_gateway() else {
        return serve(context, &args.serving, studio);
    };
    let overview = context.engine.overview(&*context.view()?)?;
    if context.json {
        let line = GatewayLine::Running { pid: running.pid, url: &running.url, overview: &overview };
        output::json_line(&line)?;
    } else {
        output::out(&format!(
            "A gateway already serves this home at {} (process {}).\n",
            paint(BOLD, printable(&running.url)),
            running.pid
        ))?;
        output::out(&welcome::text(&overview, &running.url))?;
    }
    if studio == Studio::Open {
        let code = one_time_code(context, /*page*/ true)?;
        open(context, Path::new(code["page"].as_str().unwrap_or_default()));
    }
    Ok(Outcome::Fine)
}

/// Asks the gateway that runs for a one-time code. The proof shows that this is the terminal and not a client.
fn one_time_code(context: &Context, page: bool) -> Result<Value, Failure> {
    let proof = context.engine.terminal_proof()?;
    let params = json!({ "proof": proof.proof.expose(), "page": page });
    Ok(context.engine.call_gateway("device.code.create", &params)?)
}

/// `prowess gateway url`
fn code_url(context: &Context) -> Result<Outcome, Failure> {
    if context.engine.running_gateway().is_none() {
        return Err(Failure::new(ErrorKind::NotReady, "no gateway serves this home".to_owned()).hint(
            "`prowess up` starts one and opens the Studio; `prowess gateway url --token` prints the address with the token",
        ));
    }
    let code = one_time_code(context, /*page*/ false)?;
    show_url(context, code["url"].as_str().unwrap_or_default())
}

fn show_url(context: &Context, url: &str) -> Result<Outcome, Failure> {
    if context.json {
        output::json(&UrlAnswer { url })?;
    } else {
        output::out_exact(&format!("{url}\n"))?;
    }
    Ok(Outcome::Fine)
}

/// `prowess gateway url --token`
fn token_url(context: &Context) -> Result<Outcome, Failure> {
    let token = context.engine.gateway_token()?.ok_or_else(|| {
        Failure::new(ErrorKind::NotReady, "there is no token yet".to_owned())
            .hint("`prowess gateway` creates one when it starts")
    })?;
    let settings = context.engine.config().gateway();
    let running = context.engine.running_gateway().map(|running| running.url);
    let url = running.unwrap_or_else(|| {
        let address = bind_address(&settings.bind).unwrap_or(Ipv4Addr::LOCALHOST.into());
        near_url(SocketAddr::new(address, settings.port))
    });
    show_url(context, with_token(&url, &token).expose())
}

fn serve(context: &Context, args: &ServingArgs, studio: Studio) -> Result<Outcome, Failure> {
    let settings = context.engine.config().gateway();
    let bind = args.bind.as_ref().unwrap_or(&settings.bind);
    let address = bind_address(bind).ok_or_else(|| {
        Failure::usage(format!("`{}` is not an address to listen on", printable(bind)))
            .hint("`loopback`, `lan` or an address such as 192.0.2.7")
    })?;
    let address = SocketAddr::new(address, args.port.unwrap_or(settings.port));
    let claim = context.engine.claim_gateway()?;
    let token = context.engine.gateway_token_or_new(&claim)?;
    let overview = match studio {
        Studio::Leave => None,
        Studio::Open | Studio::Closed => Some(context.engine.overview(&*context.view()?)?),
    };
    raise_descriptor_limit();
    let _logging = start_log(context, args, settings.log_level);
    let following = LiveOptions { prepare: PrepareAhead::AllLanguages, ..LiveOptions::new(context.clock()) };
    let live = Arc::new(context.engine.watch(following)?);
    let mut options = GatewayOptions::new(context.clock(), token.token.clone());
    if let Some(lifetime) = args.code_lifetime_ms {
        options.limits.code_lifetime = Duration::from_millis(lifetime);
    }
    let mcp = ServerOptions::new(context.clock());
    let end_mcp = mcp.cancel.clone().drop_guard();
    options.mounts.push(("/mcp".to_owned(), Server::new(Arc::clone(&live), mcp).router()));
    let gateway = Gateway::open(live, options)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
        let url = near_url(listener.local_addr()?);
        let interrupted = interrupted();
        claim.announce(&url)?;
        announce(context, &listener, &url, &token, overview.as_ref())?;
        if studio == Studio::Open {
            open(context, &gateway.studio_page(&url)?);
        }
        let stop = async move {
            interrupted.await;
            drop(end_mcp);
        };
        gateway.serve(listener, stop).await.map_err(Failure::from)
    });
    // Background computations are not waited for.
    runtime.shutdown_background();
    served?;
    if !context.json {
        output::out("Stopped.\n")?;
    }
    Ok(Outcome::Fine)
}

/// Says where the gateway is. The token is not shown: output ends up in logs.
fn announce(
    context: &Context,
    listener: &TcpListener,
    url: &str,
    token: &GatewayToken,
    overview: Option<&Overview>,
) -> Result<(), Failure> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        let text =
            "other machines can reach this gateway; put a TLS proxy in front of it, and keep the token safe";
        output::err(&format!("{}: {text}\n", paint(WARN, "warning")));
    }
    let config = &context.engine.places().config_file;
    if context.json {
        output::json_line(&GatewayLine::Serving {
            address: address.to_string(),
            url,
            pid: std::process::id(),
            home: context.engine.places().state.display().to_string(),
            token_is_new: token.is_new,
            config: config.display().to_string(),
            overview,
        })?;
        return Ok(());
    }
    output::out(&format!("Serving at {}; Ctrl-C stops it.\n", paint(BOLD, printable(url))))?;
    let place = printable(&config.display().to_string());
    let made = if token.is_new { "was made just now and is" } else { "is" };
    let note = format!(
        "The token {made} in {place}; `prowess gateway url` prints an address that opens the Studio.\n"
    );
    output::out(&paint(DIM, note))?;
    if let Some(overview) = overview {
        output::out(&welcome::text(overview, url))?;
    }
    Ok(())
}

/// Opens the page that leads to the Studio, or says how to get there.
fn open(context: &Context, page: &Path) {
    if let Err(reason) = browser::open(context.engine.env(), page) {
        let text = format!("no browser could be opened ({reason}); `prowess gateway url` prints the address");
        output::err(&format!("{}: {text}\n", paint(WARN, "note")));
    }
}

/// An address with the token as its fragment, which browsers keep to themselves.
fn with_token(url: &str, token: &Secret) -> Secret {
    Secret::new(format!("{url}#token={}", prowess_text::percent_encode(token.expose())))
}

fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> Failure {
    let failure = Failure::of(ErrorKind::Address, error);
    match error.kind() {
        io::ErrorKind::AddrInUse => Failure::of(ErrorKind::Address, &PortTaken(address))
            .hint("another program listens on that port; choose another with --port, or stop that program"),
        io::ErrorKind::PermissionDenied => {
            failure.hint("ports below 1024 need elevated privileges; try --port 18789")
        }
        io::ErrorKind::AddrNotAvailable => {
            failure.hint(format!("{} is not an address of this machine; see --bind", address.ip()))
        }
        _ => failure,
    }
}

/// Somebody else listens at an address.
#[derive(Debug)]
struct PortTaken(SocketAddr);

impl std::fmt::Display for PortTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "port {} of {} is taken", self.0.port(), self.0.ip())
    }
}

impl std::error::Error for PortTaken {}

fn start_log(context: &Context, args: &ServingArgs, level: Option<String>) -> Logging {
    prowess_gateway::log::start(&LogOptions {
        format: match args.log {
            LogFormat::Text => GatewayLogFormat::Text,
            LogFormat::Json => GatewayLogFormat::Json,
        },
        level: args.log_level.clone().or(level),
        ansi: std::io::stderr().is_terminal(),
        otlp_endpoint: context.engine.env().trimmed("OTEL_EXPORTER_OTLP_ENDPOINT").map(str::to_owned),
    })
}

/// Every client takes a descriptor, and the usual limit is lower than what the system allows.
fn raise_descriptor_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Where that is refused, fewer clients can connect; the log says so when it happens.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_one_part_of_the_address_whatever_is_in_it() {
        let address = with_token("http://127.0.0.1:1/", &Secret::new("a b&c=ü"));
        assert_eq!(address.expose(), "http://127.0.0.1:1/#token=a%20b%26c%3D%C3%BC");
    }
}
