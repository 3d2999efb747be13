use std::collections::BTreeMap;

use super::*;

fn reach(url: &str) -> Reach {
    Reach {
        url: url.parse().expect("a URL"),
        headers: BTreeMap::new(),
        allow_insecure: false,
        allow_private: false,
    }
}

#[test]
fn encrypted_or_this_machine() {
    for url in [
        "https://chat.example/hook",
        "https://93.184.216.34/",
        "http://localhost:8080/",
        "http://127.0.0.1/",
        "http://127.9.9.9/",
        "http://[::1]:3000/",
        "http://0x7f.1/",
    ] {
        check(&reach(url)).unwrap_or_else(|error| panic!("{url}: {error}"));
    }
    for url in
        ["http://chat.example/hook", "ftp://chat.example/", "file:///etc/passwd", "https://u:p@chat.example/"]
    {
        assert!(check(&reach(url)).is_err(), "{url}");
    }
    let allowed = Reach { allow_insecure: true, ..reach("http://chat.example/hook") };
    assert!(check(&allowed).is_ok());
}

#[test]
fn private_networks_in_every_spelling() {
    for url in [
        "https://10.0.0.1/",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://0xa9fea9fe/",
        "https://2852039166/",
        "https://0251.0376.0251.0376/",
        "https://100.64.0.1/",
        "https://[::ffff:10.0.0.1]/",
        "https://[fd00::1]/",
        "https://[fe80::1]/",
    ] {
        assert!(matches!(check(&reach(url)), Err(GuardError::Private(_))), "{url}");
        let allowed = Reach { allow_private: true, ..reach(url) };
        assert!(check(&allowed).is_ok(), "{url}");
    }
}

#[test]
fn disguises_and_nobody() {
    for url in [
        "https://0.0.0.0/",
        "https://255.255.255.255/",
        "https://224.0.0.1/",
        "https://[::]/",
        "https://[2002:7f00:1::]/",
        "https://[2001:0:1::1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[::7f00:1]/",
        "https://[2606::5efe:7f00:1]/",
        "https://[ff02::1]/",
    ] {
        let allowed = Reach { allow_private: true, allow_insecure: true, ..reach(url) };
        assert!(matches!(check(&allowed), Err(GuardError::Unusable(_))), "{url}");
    }
}

#[test]
fn headers_are_not_shown() {
    let mut reach = reach("https://chat.example/");
    reach.headers.insert("Authorization".into(), prowess_types::Secret::new("Bearer planted-secret"));
    assert!(!format!("{reach:?}").contains("planted"));
    assert!(!format!("{:?}", client(&reach).expect("a client")).contains("planted"));
}
