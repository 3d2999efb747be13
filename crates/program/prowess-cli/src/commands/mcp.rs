//! `prowess mcp`

use std::sync::Arc;

use prowess::Live;
use prowess_match::{LiveOptions, PrepareAhead};
use prowess_mcp::{Server, ServerOptions};
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt::interrupted;

pub(crate) fn run(context: &Context) -> Result<Outcome, Failure> {
    let following = LiveOptions { prepare: PrepareAhead::English, ..LiveOptions::new(context.clock()) };
    let live = Arc::new(context.engine.watch(following)?);
    // An agent that does not exist is told here, not to every request.
    live.view(context.agent.as_deref())?;
    let cancel = CancellationToken::new();
    let server = server(context, live, cancel.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let interrupted = interrupted();
        tokio::spawn(async move {
            interrupted.await;
            cancel.cancel();
        });
        server.serve_stdio().await
    });
    // The thread that waits for a line ends with the program.
    runtime.shutdown_background();
    served.map(|()| Outcome::Fine).map_err(Failure::from)
}

/// The server over the skills of the agent that the command line names.
pub(crate) fn server(context: &Context, live: Arc<Live>, cancel: CancellationToken) -> Server {
    Server::new(live, ServerOptions { clock: context.clock(), agent: context.agent.clone(), cancel })
}
