//! `prowess gateway` and `prowess up`

mod browser;
mod devices;
mod welcome;

use std::io::{ErrorKind, IsTerminal as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use prowess::types::Secret;
use prowess::{GatewayHomeError, GatewayToken, LiveOptions, Overview, bind_address, printable};
use prowess_gateway::log::{Format, LogOptions, Logging};
use prowess_gateway::{Gateway, GatewayError, GatewayOptions};
use prowess_mcp::{Server, ServerOptions};
use tokio::net::TcpListener;

use crate::answers::{GatewayLine, UrlAnswer};
use crate::args::{GatewayArgs, GatewayCommand, LogFormat, ServingArgs, UpArgs};
use crate::context::Context;
use crate::failure::{Code, Failure, Outcome};
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
        Some(GatewayCommand::Url) => url(context),
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
    let token = context.engine.gateway_token()?;
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
        open(context, &running.url, token.as_ref())?;
    }
    Ok(Outcome::Fine)
}

/// `prowess gateway url`
fn url(context: &Context) -> Result<Outcome, Failure> {
    let token = context.engine.gateway_token()?.ok_or_else(|| {
        Failure::new(Code::NotReady, "there is no token yet".to_owned())
            .hint("`prowess gateway` makes one when it starts")
    })?;
    let settings = context.engine.config().gateway();
    let running = context.engine.running_gateway().map(|running| running.url);
    let url = running.unwrap_or_else(|| {
        let address = bind_address(&settings.bind).unwrap_or(Ipv4Addr::LOCALHOST.into());
        address_of(SocketAddr::new(address, settings.port))
    });
    let url = with_token(&url, &token);
    if context.json {
        output::json(&UrlAnswer { url: url.expose() })?;
    } else {
        output::out_exact(&format!("{}\n", url.expose()))?;
    }
    Ok(Outcome::Fine)
}

fn serve(context: &Context, args: &ServingArgs, studio: Studio) -> Result<Outcome, Failure> {
    let settings = context.engine.config().gateway();
    let bind = args.bind.as_ref().unwrap_or(&settings.bind);
    let address = bind_address(bind).ok_or_else(|| {
        Failure::usage(format!("`{}` is nothing to listen on", printable(bind)))
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
    let following = LiveOptions { prepare: true, ..LiveOptions::new(context.clock()) };
    let live = Arc::new(context.engine.watch(following)?);
    let mut options = GatewayOptions::new(context.clock(), token.token.clone());
    let mcp = ServerOptions::new(context.clock());
    let end_mcp = mcp.cancel.clone().drop_guard();
    options.mounts.push(("/mcp".to_owned(), Server::new(Arc::clone(&live), mcp).router()));
    let gateway = Gateway::open(live, options)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
        let url = address_of(listener.local_addr()?);
        claim.announce(&url)?;
        announce(context, &listener, &url, &token, overview.as_ref())?;
        if studio == Studio::Open {
            open(context, &url, Some(&token.token))?;
        }
        let stop = async move {
            interrupted().await;
            drop(end_mcp);
        };
        gateway.serve(listener, stop).await.map_err(Failure::from)
    });
    // What is computed beside the answers is not waited for.
    runtime.shutdown_background();
    served?;
    if !context.json {
        output::out("Stopped.\n")?;
    }
    Ok(Outcome::Fine)
}

/// Says where the gateway is. The token is shown once: when it was made.
fn announce(
    context: &Context,
    listener: &TcpListener,
    url: &str,
    token: &GatewayToken,
    overview: Option<&Overview>,
) -> Result<(), Failure> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        let text = "others can reach this gateway; put something that speaks TLS in front of it, and keep the token safe";
        output::err(&format!("{}: {text}\n", paint(WARN, "warning")));
    }
    let shown = if token.is_new { with_token(url, &token.token) } else { Secret::new(url) };
    let config = &context.engine.places().config_file;
    if context.json {
        output::json_line(&GatewayLine::Serving {
            address: address.to_string(),
            url: shown.expose(),
            pid: std::process::id(),
            home: context.engine.places().state.display().to_string(),
            token_is_new: token.is_new,
            config: config.display().to_string(),
            overview,
        })?;
        return Ok(());
    }
    output::out(&format!("Serving at {}; Ctrl-C stops it.\n", paint(BOLD, printable(shown.expose()))))?;
    let place = printable(&config.display().to_string());
    let note = if token.is_new {
        format!("The token was made just now and is in {place}; the address is shown with it this once.\n")
    } else {
        format!("The token is in {place}; `prowess gateway url` prints the address with it.\n")
    };
    output::out(&paint(DIM, note))?;
    if let Some(overview) = overview {
        output::out(&welcome::text(overview, url))?;
    }
    Ok(())
}

/// Opens the Studio, or says how to.
fn open(context: &Context, url: &str, token: Option<&Secret>) -> Result<(), Failure> {
    let opened = match token {
        None => browser::open(context.engine.env(), Path::new(url)),
        Some(token) => {
            let page = context.engine.write_gateway_door(&with_token(url, token))?;
            browser::open(context.engine.env(), &page)
        }
    };
    if let Err(reason) = opened {
        let text = format!("no browser could be opened ({reason}); `prowess gateway url` prints the address");
        output::err(&format!("{}: {text}\n", paint(WARN, "note")));
    }
    Ok(())
}

/// An address with the token as its fragment, which browsers keep to themselves.
fn with_token(url: &str, token: &Secret) -> Secret {
    let mut text = format!("{url}#token=");
    for byte in token.expose().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(byte.into()),
            _ => text += &format!("%{byte:02X}"),
        }
    }
    Secret::new(text)
}

/// How this machine reaches what listens at an address.
fn address_of(address: SocketAddr) -> String {
    let near = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(near, address.port()))
}

fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> Failure {
    let failure = Failure::of(Code::Address, error);
    match error.kind() {
        ErrorKind::AddrInUse => Failure::of(Code::Address, &PortTaken(address))
            .hint("another program listens there; name another port with --port, or stop that program"),
        ErrorKind::PermissionDenied => {
            failure.hint("ports below 1024 are not for everybody; try --port 18789")
        }
        ErrorKind::AddrNotAvailable => {
            failure.hint(format!("{} is no address of this machine; see --bind", address.ip()))
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
            LogFormat::Text => Format::Text,
            LogFormat::Json => Format::Json,
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

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Self {
        Self::environment(&error)
    }
}

impl From<GatewayHomeError> for Failure {
    fn from(error: GatewayHomeError) -> Self {
        match error {
            GatewayHomeError::Engine(error) => error.into(),
            GatewayHomeError::Taken { .. } => Self::of(Code::Busy, &error)
                .hint("`prowess up` opens the one that runs; another home can be named with --home"),
            error => Self::environment(&error),
        }
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

    #[test]
    fn what_listens_everywhere_is_reached_here() {
        for (listening, url) in [
            ("127.0.0.1:1", "http://127.0.0.1:1/"),
            ("0.0.0.0:2", "http://127.0.0.1:2/"),
            ("[::]:3", "http://[::1]:3/"),
            ("192.0.2.7:4", "http://192.0.2.7:4/"),
        ] {
            assert_eq!(address_of(listening.parse().unwrap()), url);
        }
    }
}
