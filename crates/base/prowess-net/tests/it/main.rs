//! The client against a server that misbehaves.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod faults;
mod origins;
mod proxies;
mod requests;
mod streams;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use prowess_net::{AddressLookup, Client, NetOptions, NetworkReach};

/// Every name is this machine.
struct Here;

impl AddressLookup for Here {
    fn addresses(&self, _host: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

fn options() -> NetOptions {
    NetOptions {
        reach: NetworkReach::Loopback,
        lookup: Arc::new(Here),
        idle_timeout: Duration::from_secs(20),
        ..NetOptions::default()
    }
}

fn client() -> Client {
    Client::new(options()).unwrap()
}
