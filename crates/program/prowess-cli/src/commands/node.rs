//! `prowess node`

use std::path::Path;

use prowess_gateway::{NodeEvent, NodeOptions, NodeProxy, ProgramPath, run_node};
use prowess_text::printable;
use prowess_types::{ErrorKind, Secret};

use super::count;
use crate::answers::NodeLine;
use crate::args::NodeArgs;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::interrupt::interrupted;
use crate::output::{self, DIM, GOOD, WARN, paint};

const TOKEN: &str = "PROWESS_GATEWAY_TOKEN";
/// No token is longer.
const MAX_TOKEN: usize = 4096;

pub(crate) fn run(context: &Context, args: &NodeArgs) -> Result<Outcome, Failure> {
    let engine = &context.engine;
    let options = NodeOptions {
        gateway: args.gateway.clone(),
        token: token(context, args.token_file.as_deref())?,
        identity: engine.places().state.join("node.json"),
        name: args.name.clone(),
        path: ProgramPath::new({
            let engine = engine.clone();
            move || engine.program_path()
        }),
        rule: engine.profile().gate.bins,
        proxy: NodeProxy::from_environment(|name| engine.env().trimmed(name)),
        clock: context.clock(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Whoever reads along may stop; that is no reason to stop reporting.
    let watch = |event: NodeEvent| drop(tell(context, &event));
    runtime.block_on(run_node(options, watch, interrupted()))?;
    Ok(Outcome::Fine)
}

/// The gateway's token, from a file, the input or the environment; never from the command line, which others can see.
fn token(context: &Context, file: Option<&Path>) -> Result<Option<Secret>, Failure> {
    let text = match file {
        Some(file) if file == Path::new("-") => {
            String::from_utf8(input::rest(MAX_TOKEN)?).map_err(std::io::Error::other)?
        }
        Some(file) => prowess_fs::read_plain(file).map_err(|error| {
            Failure::of(ErrorKind::Files, &error).hint(format!("the token is read from `{}`", file.display()))
        })?,
        None => context.engine.env().get(TOKEN).unwrap_or_default().to_owned(),
    };
    let token = text.trim();
    Ok((!token.is_empty()).then(|| Secret::new(token)))
}

fn tell(context: &Context, event: &NodeEvent) -> std::io::Result<()> {
    if context.json {
        let line = match event {
            NodeEvent::Connected => NodeLine::Connected,
            NodeEvent::Reported { found, wanted } => NodeLine::Reported { bins: found, wanted: *wanted },
            NodeEvent::Waiting { request } => NodeLine::Waiting { request_id: request },
            NodeEvent::Lost { why, again_in } => {
                NodeLine::Lost { why, again_in_ms: u64::try_from(again_in.as_millis()).unwrap_or(u64::MAX) }
            }
            _ => return Ok(()),
        };
        return output::json_line(&line);
    }
    let line = match event {
        NodeEvent::Connected => paint(GOOD, "connected"),
        NodeEvent::Reported { found, wanted } => {
            let names: Vec<&str> = found.iter().map(String::as_str).collect();
            let wanted = count(*wanted, "wanted program", "wanted programs");
            format!("has {} of {wanted}: {}", found.len(), printable(&names.join(", ")))
        }
        NodeEvent::Waiting { request } => {
            format!("{}: approve request {} at the gateway", paint(WARN, "waiting"), printable(request))
        }
        NodeEvent::Lost { why, again_in } => {
            let again = format!("(again in {} s)", again_in.as_secs());
            format!("{}: {} {}", paint(WARN, "not connected"), printable(why), paint(DIM, again))
        }
        _ => return Ok(()),
    };
    output::out(&format!("{line}\n"))
}
