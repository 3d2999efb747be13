//! `prowess gateway`

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use prowess::LiveOptions;
use prowess_gateway::{Gateway, GatewayError, GatewayOptions};
use tokio::net::TcpListener;

use crate::args::GatewayArgs;
use crate::commands::hub::stopped;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output::{self, BOLD, paint};

pub(crate) fn run(context: &Context, args: &GatewayArgs) -> Result<Outcome, Failure> {
    let (token, is_new) = context.engine.gateway_token()?;
    let live = Arc::new(context.engine.watch(LiveOptions::new(context.clock()))?);
    let options = GatewayOptions { clock: context.clock(), token: token.clone(), mounts: Vec::new() };
    let gateway = Gateway::open(live, options)?;
    let port = args.port.unwrap_or_else(|| context.engine.config().gateway().port);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let fragment = if is_new { format!("#token={}", token.expose()) } else { String::new() };
        output::out(&format!("Serving at {}; Ctrl-C stops it.\n", paint(BOLD, format!("{url}{fragment}"))))?;
        gateway.serve(listener, stopped()).await.map_err(Failure::from)
    })?;
    Ok(Outcome::Fine)
}

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Self {
        Self::environment(&error)
    }
}
