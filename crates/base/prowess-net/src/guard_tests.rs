use super::*;

fn options(reach: NetworkReach) -> NetOptions {
    NetOptions { reach, ..NetOptions::default() }
}

fn refusal(text: &str, base: Option<&str>, reach: NetworkReach) -> Option<AddressRefusal> {
    let base = base.map(|base| Url::parse(base).unwrap());
    match read(text, base.as_ref(), &options(reach)) {
        Err(NetError::Refused { reason, .. }) => Some(reason),
        Ok(_) => None,
        Err(other) => panic!("{text}: {other}"),
    }
}

#[test]
fn addresses_are_judged_as_they_are_written() {
    for (text, expected) in [
        ("https://example.org/a", None),
        ("https://93.184.216.34/", None),
        ("https://93.184.216.34:8443/a?b#c", None),
        ("https://[2606:4700::1111]/", None),
        ("ftp://example.org", Some(AddressRefusal::NotHttps)),
        ("file:///etc/passwd", Some(AddressRefusal::NotHttps)),
        ("https://user@example.org", Some(AddressRefusal::UserInfo)),
        ("https://:word@example.org", Some(AddressRefusal::UserInfo)),
        ("https://0x7f.0.0.1/", Some(AddressRefusal::Disguised)),
        ("https://0177.0.0.1/", Some(AddressRefusal::Disguised)),
        ("https://127.1/", Some(AddressRefusal::Disguised)),
        ("https://2130706433/", Some(AddressRefusal::Disguised)),
        ("https://0x5db8d822/93.184.216.34", Some(AddressRefusal::Disguised)),
        ("https://93.184.216.34./", Some(AddressRefusal::Disguised)),
        ("https://%39%33.184.216.34/", Some(AddressRefusal::Disguised)),
        ("https:93.184.216.34", Some(AddressRefusal::Disguised)),
        ("https://127.0.0.1/", Some(AddressRefusal::Private)),
        ("https://10.1.2.3/", Some(AddressRefusal::Private)),
        ("https://100.64.0.1/", Some(AddressRefusal::Private)),
        ("https://169.254.169.254/latest", Some(AddressRefusal::Private)),
        ("https://224.0.0.1/", Some(AddressRefusal::Private)),
        ("https://0.0.0.0/", Some(AddressRefusal::Private)),
        ("https://[::1]/", Some(AddressRefusal::Private)),
        ("https://[::ffff:127.0.0.1]/", Some(AddressRefusal::Private)),
        ("https://[64:ff9b::7f00:1]/", Some(AddressRefusal::Private)),
        ("https://[2002:7f00:1::]/", Some(AddressRefusal::Private)),
        ("https://[2001:0:1::1]/", Some(AddressRefusal::Private)),
        ("https://[fe80::1]/", Some(AddressRefusal::Private)),
        ("https://[fec0::1]/", Some(AddressRefusal::Private)),
        ("https://[fd00::1]/", Some(AddressRefusal::Private)),
        ("https://[2a00::5efe:7f00:1]/", Some(AddressRefusal::Private)),
        ("https://localhost/", Some(AddressRefusal::Private)),
        ("https://LOCALHOST./", Some(AddressRefusal::Private)),
        ("https://printer.local/", Some(AddressRefusal::Private)),
        ("https://127.0.0.1.nip.io/", Some(AddressRefusal::Private)),
        ("https://intranet/", Some(AddressRefusal::Private)),
    ] {
        assert_eq!(refusal(text, None, NetworkReach::Public), expected, "{text}");
    }
}

#[test]
fn relative_addresses_are_judged_against_their_base() {
    let base = Some("https://93.184.216.34/a");
    for (text, expected) in [
        ("/b?c", None),
        ("../b", None),
        ("//example.org/b", None),
        ("//0x7f.1/b", Some(AddressRefusal::Disguised)),
        ("//10.0.0.1/b", Some(AddressRefusal::Private)),
        ("http:0x7f.1/b", Some(AddressRefusal::Disguised)),
    ] {
        assert_eq!(refusal(text, base, NetworkReach::Public), expected, "{text}");
    }
}

#[test]
fn addresses_that_readers_read_differently_are_no_addresses() {
    for text in
        ["https:\\\\example.org", "https://exa\tmple.org", " https://example.org", "https://", "nothing"]
    {
        let error = read(text, None, &options(NetworkReach::Anywhere)).unwrap_err();
        assert!(matches!(error, NetError::BadUrl { .. }), "{text}: {error}");
    }
}

#[test]
fn errors_do_not_name_secrets() {
    for text in [
        "https://user:hunter2@example.org/?token=hunter2#hunter2",
        "htt ps://user:hunter2@example.org/?token=hunter2",
        "ftp://example.org/a?token=hunter2",
    ] {
        let error = read(text, None, &options(NetworkReach::Public)).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

fn judged(addresses: &[&str], from: Option<Zone>, reach: NetworkReach) -> Option<(Zone, usize)> {
    let url = Url::parse("https://example.org").unwrap();
    let addresses: Vec<IpAddr> = addresses.iter().map(|text| text.parse().unwrap()).collect();
    permitted(&url, &addresses, from, &options(reach)).ok().map(|(zone, kept)| (zone, kept.len()))
}

#[test]
fn only_addresses_within_reach_are_kept() {
    use Zone::{Loopback, Private, Public};
    assert_eq!(judged(&["93.184.216.34"], None, NetworkReach::Public), Some((Public, 1)));
    assert_eq!(judged(&["127.0.0.1"], None, NetworkReach::Public), None);
    assert_eq!(judged(&["10.0.0.1", "93.184.216.34"], None, NetworkReach::Public), Some((Public, 1)));
    assert_eq!(judged(&["::ffff:93.184.216.34"], None, NetworkReach::Public), None, "a way around the check");
    assert_eq!(judged(&["127.0.0.1"], None, NetworkReach::Loopback), Some((Loopback, 1)));
    assert_eq!(judged(&["10.0.0.1"], None, NetworkReach::Loopback), None);
    assert_eq!(judged(&["10.0.0.1"], None, NetworkReach::Anywhere), Some((Private, 1)));
    for reach in [NetworkReach::Loopback, NetworkReach::Anywhere] {
        assert_eq!(judged(&["127.0.0.1"], Some(Public), reach), None, "a public server points here");
        assert_eq!(judged(&["127.0.0.1"], Some(Loopback), reach), Some((Loopback, 1)));
    }
}

#[test]
fn plain_http_needs_leave_but_for_this_machine() {
    let ask = |url: &str, address: &str, allow_http| {
        let options = NetOptions { allow_http, ..options(NetworkReach::Anywhere) };
        permitted(&Url::parse(url).unwrap(), &[address.parse().unwrap()], None, &options).is_ok()
    };
    assert!(!ask("http://a.example", "93.184.216.34", false));
    assert!(ask("http://a.example", "93.184.216.34", true));
    assert!(ask("http://a.example", "127.0.0.1", false));
    assert!(!ask("http://a.example", "10.0.0.1", false));
    let url = |text| Url::parse(text).unwrap();
    assert!(check_redirect(&url("https://a.example"), &url("http://a.example")).is_err());
    assert!(check_redirect(&url("http://a.example"), &url("https://a.example")).is_ok());
}

/// The policies of all uses of the client: who may ask which address.
#[test]
fn every_use_has_its_policy() {
    let with = |reach, allow_http| NetOptions { reach, allow_http, ..NetOptions::default() };
    let uses = [
        ("registry on the internet", with(NetworkReach::Public, false)),
        ("registry on this machine", with(NetworkReach::Loopback, false)),
        ("registry in the own network", with(NetworkReach::Anywhere, true)),
        ("download of a dependency", NetOptions::default()),
        ("model, embeddings", with(NetworkReach::Anywhere, true)),
        ("gateway of a node", with(NetworkReach::Anywhere, false)),
        ("tool", with(NetworkReach::Endpoint { allow_private: false }, false)),
        ("tool with `allowPrivate`", with(NetworkReach::Endpoint { allow_private: true }, false)),
        ("tool with `allowInsecure`", with(NetworkReach::Endpoint { allow_private: false }, true)),
    ];
    let table: &[(&str, &[&str], [u8; 9])] = &[
        ("https://a.example", &["93.184.216.34"], [1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ("http://a.example", &["93.184.216.34"], [0, 0, 1, 0, 1, 0, 0, 0, 1]),
        ("https://a.example", &["127.0.0.1"], [0, 1, 1, 0, 1, 1, 0, 1, 0]),
        ("http://a.example", &["127.0.0.1"], [0, 1, 1, 0, 1, 1, 0, 0, 0]),
        ("https://a.example", &["10.0.0.1"], [0, 0, 1, 0, 1, 1, 0, 1, 0]),
        ("http://a.example", &["10.0.0.1"], [0, 0, 1, 0, 1, 0, 0, 0, 0]),
        ("https://a.example", &["93.184.216.34", "10.0.0.1"], [1, 1, 1, 1, 1, 1, 0, 1, 0]),
        ("https://a.example", &["0.0.0.0"], [0, 0, 1, 0, 1, 1, 0, 0, 0]),
        ("http://localhost", &["127.0.0.1"], [0, 1, 1, 0, 1, 1, 1, 1, 1]),
        ("http://127.0.0.1", &["127.0.0.1"], [0, 1, 1, 0, 1, 1, 1, 1, 1]),
        ("http://[::1]", &["::1"], [0, 1, 1, 0, 1, 1, 1, 1, 1]),
        ("https://10.0.0.1", &["10.0.0.1"], [0, 0, 1, 0, 1, 1, 0, 1, 0]),
        ("https://169.254.169.254", &["169.254.169.254"], [0, 0, 1, 0, 1, 1, 0, 1, 0]),
        ("https://[fd00::1]", &["fd00::1"], [0, 0, 1, 0, 1, 1, 0, 1, 0]),
        ("https://[64:ff9b::7f00:1]", &["64:ff9b::7f00:1"], [0, 0, 1, 0, 1, 1, 0, 0, 0]),
        ("https://intranet", &["10.0.0.1"], [0, 0, 1, 0, 1, 1, 0, 1, 0]),
        ("https://0x7f.1", &["127.0.0.1"], [0; 9]),
        ("https://user:word@a.example", &["93.184.216.34"], [0; 9]),
        ("ftp://a.example", &["93.184.216.34"], [0; 9]),
    ];
    for (text, addresses, expected) in table {
        let addresses: Vec<IpAddr> = addresses.iter().map(|text| text.parse().unwrap()).collect();
        for ((name, options), expected) in uses.iter().zip(expected) {
            let url = read(text, None, options);
            let outcome = url.and_then(|url| permitted(&url, &addresses, None, options));
            assert_eq!(outcome.is_ok(), *expected == 1, "{name}: {text} at {addresses:?}: {outcome:?}");
        }
    }
}

/// What can be told from a URL is told before a name is looked up.
#[test]
fn a_url_alone_can_be_refused() {
    let endpoint = options(NetworkReach::Endpoint { allow_private: false });
    for (text, expected) in [
        ("https://a.example", true),
        ("http://a.example", false),
        ("http://localhost:1", true),
        ("http://a.localhost", false),
        ("https://10.0.0.1", false),
        ("https://[::ffff:10.0.0.1]", false),
        ("https://0.0.0.0", false),
    ] {
        assert_eq!(check(text, &endpoint).is_ok(), expected, "{text}");
    }
}

#[test]
fn loopback_is_recognized_by_its_url() {
    for (text, expected) in [
        ("http://localhost:1", true),
        ("http://a.localhost", true),
        ("http://127.9.9.9", true),
        ("http://[::1]/x", true),
        ("http://[::ffff:127.0.0.1]/", true),
        ("http://localhost.example", false),
        ("http://192.168.1.2", false),
        ("localhost", false),
    ] {
        assert_eq!(is_loopback_url(text), expected, "{text}");
    }
}
