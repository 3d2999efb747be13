//! Requests that go through a proxy: what it gets to see, and what it never gets.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use prowess_net::{
    AddressLookup, AddressRefusal, Client, DownloadLimits, HttpMethod, NetError, NetOptions, NetProxy,
    NetworkReach,
};
use prowess_testkit::web::{Answer, Web};

/// Writes down the names that are looked up here; each is this machine.
#[derive(Default)]
struct Recorder(Mutex<Vec<String>>);

impl AddressLookup for Recorder {
    fn addresses(&self, host: &str) -> std::io::Result<Vec<IpAddr>> {
        self.0.lock().unwrap().push(host.to_owned());
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

struct Setup {
    proxy: Web,
    lookup: Arc<Recorder>,
}

impl Setup {
    /// A proxy that answers requests for pages by itself and refuses tunnels.
    fn new() -> Self {
        let proxy = Web::start(|request| match request.method.as_str() {
            "CONNECT" => Answer::status(403, "no tunnel"),
            _ if request.path.ends_with("/inside") => Answer::redirect(302, "http://10.0.0.7/secret"),
            _ => Answer::ok("from the proxy"),
        });
        Self { proxy, lookup: Arc::default() }
    }

    fn client(&self, reach: NetworkReach, vars: &[(&'static str, &str)]) -> Client {
        let url = self.proxy.url("");
        let get = |name: &str| {
            let value = vars.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
            value.map(|value| if value == "PROXY" { url.as_str() } else { value })
        };
        let lookup: Arc<dyn AddressLookup> = self.lookup.clone();
        let proxy = NetProxy::from_environment(get);
        Client::new(NetOptions {
            reach,
            allow_http: true,
            proxy,
            lookup,
            retries: 0,
            ..NetOptions::default()
        })
        .unwrap()
    }

    fn looked_up(&self) -> Vec<String> {
        self.lookup.0.lock().unwrap().clone()
    }
}

fn body(client: &Client, url: &str) -> Result<String, NetError> {
    client.request(HttpMethod::Get, url).send().map(|response| response.text())
}

#[test]
fn a_proxy_gets_the_whole_address_and_looks_up_the_name() {
    for variable in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        let setup = Setup::new();
        let client = setup.client(NetworkReach::Public, &[(variable, "PROXY")]);
        assert_eq!(body(&client, "http://files.example/a?b=c").unwrap(), "from the proxy", "{variable}");
        assert_eq!(setup.proxy.targets(), ["GET http://files.example/a?b=c"], "{variable}");
        let mut out = Vec::new();
        client
            .download("http://files.example/tool", &mut out, &DownloadLimits::new(100), &mut |_, _| {})
            .unwrap();
        assert_eq!(out, b"from the proxy");
        assert_eq!(setup.looked_up(), [""; 0], "{variable}");
    }
}

#[test]
fn encrypted_requests_ask_their_proxy_for_a_tunnel() {
    for variable in ["https_proxy", "HTTPS_PROXY", "all_proxy"] {
        let setup = Setup::new();
        let client = setup.client(NetworkReach::Public, &[(variable, "PROXY")]);
        body(&client, "https://files.example/a").unwrap_err();
        let requests = setup.proxy.requests();
        assert_eq!(
            (requests[0].method.as_str(), requests[0].path.as_str()),
            ("CONNECT", "files.example:443")
        );
        assert_eq!(setup.looked_up(), [""; 0], "{variable}");
    }
}

#[test]
fn the_proxy_of_another_scheme_is_not_asked() {
    let setup = Setup::new();
    let client = setup.client(NetworkReach::Public, &[("https_proxy", "PROXY")]);
    let error = body(&client, "http://files.example/a").unwrap_err();
    assert!(matches!(error, NetError::Refused { reason: AddressRefusal::Private, .. }), "{error}");
    assert!(setup.proxy.requests().is_empty());
    assert_eq!(setup.looked_up(), ["files.example"]);
}

#[test]
fn a_proxy_loosens_nothing_that_can_be_told_from_the_address() {
    let setup = Setup::new();
    let client = setup.client(NetworkReach::Public, &[("all_proxy", "PROXY")]);
    for url in [
        "http://10.0.0.7/",
        "http://[fd00::1]/",
        "http://169.254.169.254/latest",
        "http://127.0.0.1/",
        "http://localhost/",
    ] {
        let error = body(&client, url).unwrap_err();
        assert!(matches!(error, NetError::Refused { .. }), "{url}: {error}");
    }
    assert!(setup.proxy.requests().is_empty());
    let error = body(&client, "http://files.example/inside").unwrap_err();
    assert!(matches!(error, NetError::Refused { reason: AddressRefusal::Private, .. }), "{error}");
    assert_eq!(setup.proxy.requests().len(), 1);

    let lookup: Arc<dyn AddressLookup> = setup.lookup.clone();
    let proxy = Some(NetProxy::new(setup.proxy.url("")));
    let strict = Client::new(NetOptions { proxy, lookup, ..NetOptions::default() }).unwrap();
    let error = body(&strict, "http://files.example/a").unwrap_err();
    assert!(matches!(error, NetError::Refused { reason: AddressRefusal::NotHttps, .. }), "{error}");
    assert_eq!(setup.proxy.requests().len(), 1);
}

#[test]
fn exceptions_and_this_machine_are_reached_directly() {
    let web = Web::start(|_| Answer::ok("direct"));
    let setup = Setup::new();
    let vars = [("all_proxy", "PROXY"), ("no_proxy", "files.example,.inner.example")];
    let client = setup.client(NetworkReach::Loopback, &vars);
    for host in ["files.example", "a.inner.example", "127.0.0.1", "localhost"] {
        assert_eq!(body(&client, &format!("http://{host}:{}/", web.port())).unwrap(), "direct", "{host}");
    }
    assert!(setup.proxy.requests().is_empty());
    let all = setup.client(NetworkReach::Loopback, &[("all_proxy", "PROXY"), ("NO_PROXY", "*")]);
    assert_eq!(body(&all, &format!("http://files.example:{}/", web.port())).unwrap(), "direct");
    // An exception is held to the policy like any host.
    let public = setup.client(NetworkReach::Public, &vars);
    body(&public, &format!("http://files.example:{}/", web.port())).unwrap_err();
    assert_eq!(web.requests().len(), 5);
}

#[test]
fn what_is_no_http_proxy_is_an_error() {
    for url in ["socks5://127.0.0.1:1080", "http://[", "ftp://proxy.example"] {
        let proxy = Some(NetProxy::new(url));
        let error = Client::new(NetOptions { proxy, ..NetOptions::default() }).unwrap_err();
        assert!(matches!(error, NetError::BadProxy), "{url}: {error}");
    }
}
