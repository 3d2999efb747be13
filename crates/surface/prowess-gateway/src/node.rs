//! The other end: a machine that tells a gateway which programs it has.
//!
//! A node asks which programs skills want (`skills.bins`), looks for them on its `PATH`, and reports (`node.facts`). It
//! looks at most once in [`WINDOW`], reports when something changed or the report gets old, and comes back by itself
//! when the connection is lost. It runs nothing and reads nothing else.

mod identity;
mod link;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use prowess_context::Clock;
use prowess_net::NetProxy;
use prowess_types::{BinRule, Secret};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::error::NodeError;
use identity::Identity;
use link::{Link, Lost};

/// Programs are looked for at most once in this time.
const WINDOW: Duration = Duration::from_secs(30);
/// The first wait before coming back; it doubles,
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// up to this.
const LAST_WAIT: Duration = Duration::from_mins(1);

/// What a node works with.
#[derive(Clone, Debug)]
pub struct NodeOptions {
    /// The gateway, as `ws://` or `wss://`.
    pub gateway: String,
    /// The gateway's token. Not needed once the gateway gave the node a token of its own.
    pub token: Option<Secret>,
    /// The file of the node's key and tokens; only the owner may read it.
    pub identity: PathBuf,
    /// The name of this machine for people.
    pub name: Option<String>,
    /// The folders that programs are searched in.
    pub path: ProgramPath,
    /// When a file there counts as a program.
    pub rule: BinRule,
    /// The proxy to a gateway on another machine.
    pub proxy: Option<NetProxy>,
    /// Tells the time.
    pub clock: Clock,
}

/// Where programs are looked for, asked anew each time: installing a program may add a folder.
#[derive(Clone)]
pub struct ProgramPath(Arc<dyn Fn() -> OsString + Send + Sync>);

impl ProgramPath {
    /// A path that this function tells, in the form of `PATH`.
    pub fn new(tell: impl Fn() -> OsString + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl<T: Into<OsString>> From<T> for ProgramPath {
    fn from(path: T) -> Self {
        let path = path.into();
        Self::new(move || path.clone())
    }
}

impl fmt::Debug for ProgramPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ProgramPath").field(&(self.0)()).finish()
    }
}

/// What a node does, for whoever watches it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeEvent {
    /// The gateway approved it.
    Connected,
    /// It told which of the wanted programs it has.
    Reported {
        /// Those it has.
        found: BTreeSet<String>,
        /// The number of requested programs.
        wanted: usize,
    },
    /// It waits for approval at the gateway.
    Waiting {
        /// The id for its approval.
        request: String,
    },
    /// The connection was lost.
    Lost {
        /// The reason.
        why: String,
        /// When it tries again.
        again_in: Duration,
    },
}

/// Is a node until `stop` is over. Comes back only with an error that a retry would not fix.
pub async fn run_node(
    options: NodeOptions,
    mut watch: impl FnMut(NodeEvent),
    stop: impl Future<Output = ()>,
) -> Result<(), NodeError> {
    let url = link::address(&options.gateway)?;
    let file = options.identity.clone();
    let identity = blocking(move || Identity::open(&file)).await?;
    let mut stop = std::pin::pin!(stop);
    let mut wait = FIRST_WAIT;
    loop {
        let lost = tokio::select! {
            lost = visit(&options, &url, &identity, &mut watch, &mut wait) => lost,
            () = &mut stop => return Ok(()),
        };
        let why = match lost {
            Lost::Refused(error) => return Err(error),
            Lost::Waiting { request } => {
                watch(NodeEvent::Waiting { request });
                "this node waits for approval".to_owned()
            }
            Lost::Broken(why) => why,
        };
        watch(NodeEvent::Lost { why, again_in: wait });
        tokio::select! {
            () = tokio::time::sleep(wait) => wait = (wait * 2).min(LAST_WAIT),
            () = &mut stop => return Ok(()),
        }
    }
}

/// Connects and reports until the connection is lost.
async fn visit(
    options: &NodeOptions,
    url: &str,
    identity: &Identity,
    watch: &mut impl FnMut(NodeEvent),
    wait: &mut Duration,
) -> Lost {
    let mut link = match Link::open(options, url, identity).await {
        Ok(link) => link,
        Err(lost) => return lost,
    };
    watch(NodeEvent::Connected);
    *wait = FIRST_WAIT;
    let mut last: Option<(BTreeSet<String>, Instant)> = None;
    loop {
        match report(options, &mut link, &mut last).await {
            Ok(Some(event)) => watch(event),
            Ok(None) => {}
            Err(lost) => return lost,
        }
        if let Err(lost) = link.idle(WINDOW).await {
            return lost;
        }
    }
}

/// Looks for programs, and reports them if that is news or the last report gets old.
async fn report(
    options: &NodeOptions,
    link: &mut Link,
    last: &mut Option<(BTreeSet<String>, Instant)>,
) -> Result<Option<NodeEvent>, Lost> {
    let answer = link.call("skills.bins", json!({})).await?;
    let words = answer.get("bins").and_then(Value::as_array).into_iter().flatten();
    let wanted: Vec<String> = words.filter_map(|bin| Some(bin.as_str()?.to_owned())).collect();
    let (path, rule, names) = (options.path.clone(), options.rule, wanted.clone());
    let found =
        blocking(move || prowess_fs::find_all_in_path(names.iter().map(String::as_str), &(path.0)(), rule))
            .await;
    if last.as_ref().is_some_and(|(told, until)| *told == found && Instant::now() < *until) {
        return Ok(None);
    }
    let facts = json!({ "platform": prowess_inventory::platform(), "bins": found });
    let noted = link.call("node.facts", facts).await?;
    let refresh = noted.get("refreshAfterMs").and_then(Value::as_u64).unwrap_or_default();
    *last = Some((found.clone(), Instant::now() + Duration::from_millis(refresh)));
    Ok(Some(NodeEvent::Reported { found, wanted: wanted.len() }))
}

/// Runs work that waits for the disk on a blocking thread.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}
