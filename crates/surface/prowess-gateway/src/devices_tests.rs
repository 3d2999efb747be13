use super::*;
use crate::access::Scope;
use data_encoding::HEXLOWER;
use serde_json::json;

const KEY: [u8; 32] = [1; 32];

fn devices() -> (tempfile::TempDir, Devices) {
    let folder = tempfile::tempdir().unwrap();
    let devices = Devices::new(folder.path());
    (folder, devices)
}

fn applicant(wanted: &[Scope]) -> Applicant {
    Applicant {
        device: "d".to_owned(),
        public_key: "k".to_owned(),
        role: Role::Operator,
        wanted: wanted.iter().copied().collect(),
    }
}

fn client() -> Client {
    Client { id: "cli".to_owned(), mode: "cli".to_owned(), ..Client::default() }
}

#[test]
fn a_token_is_given_again_until_it_is_rotated_or_the_device_is_paired_anew() {
    let (_folder, devices) = devices();
    let wants = applicant(&[Scope::Read]);
    let (first, at) = devices.pair(&wants, &client(), PairedBy::Token, &KEY, 5).unwrap();
    assert_eq!(devices.issue(&wants, &KEY, 9).unwrap(), (first.clone(), at));
    let opens = |token: &Secret| devices.read().unwrap().opens("d", Role::Operator, token.expose());
    assert!(opens(&first));
    assert!(!devices.read().unwrap().opens("d", Role::Node, first.expose()), "a token is good in one role");
    let (second, at) = devices.rotate("d", Role::Operator, &KEY, 10).unwrap();
    assert_eq!((at, second == first, opens(&first), opens(&second)), (10, false, false, true));
    devices.change(|book| book.revoke("d", Role::Operator, 11)).unwrap();
    assert!(!opens(&second));
    devices.change(|book| book.remove("d")).unwrap();
    let (third, _) = devices.pair(&wants, &client(), PairedBy::Token, &KEY, 12).unwrap();
    assert!(third != first && third != second);
}

/// A token as version 0.1 derived it.
fn outdated_token(name: &str) -> String {
    let inner = HEXLOWER.decode(prowess_fs::sha256_hex(name.as_bytes()).as_bytes()).unwrap();
    prowess_fs::sha256_hex(&[KEY.as_slice(), inner.as_slice()].concat())
}

#[test]
fn a_token_of_version_0_1_is_replaced_by_one_of_hmac() {
    let (folder, devices) = devices();
    let file = folder.path().join("gateway/devices.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let old = outdated_token("d|operator|5|1");
    let text = json!({ "devices": { "d": { "publicKey": "k", "clientId": "cli", "clientMode": "cli",
        "platform": "linux", "pairedAtMs": 5, "grants": { "operator": { "scopes": ["operator.read"],
        "tokenHash": prowess_fs::sha256_hex(old.as_bytes()), "issuedAtMs": 5, "generation": 1 } } } },
        "requests": {} });
    std::fs::write(&file, text.to_string()).unwrap();
    let opens = |token: &str| devices.read().unwrap().opens("d", Role::Operator, token);
    let is_outdated = || devices.read().unwrap().has_outdated_token("d", Role::Operator);
    assert!(opens(&old) && is_outdated());

    let (new, at) = devices.issue(&applicant(&[Scope::Read]), &KEY, 9).unwrap();
    assert!(!opens(&old) && opens(new.expose()) && !is_outdated());
    assert_eq!((at, devices.issue(&applicant(&[]), &KEY, 10).unwrap()), (9, (new.clone(), 9)));
    // HMAC-SHA256 of `d|operator|5|2` with this key, computed by another program.
    assert_eq!(new.expose(), "1bd4f08f2ca9ae12b9b94fd511c780b7debf479d05929f9e16f9d4446b18afce");
    devices.change(|book| book.revoke("d", Role::Operator, 11)).unwrap();
    assert!(!is_outdated(), "no token is not an outdated one");
}

#[test]
fn the_file_holds_no_token_and_is_the_owners_alone() {
    let (folder, devices) = devices();
    let (token, _) = devices.pair(&applicant(&[Scope::Read]), &client(), PairedBy::Token, &KEY, 5).unwrap();
    let file = folder.path().join("gateway/devices.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(token.expose()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn fields_of_later_versions_stay() {
    let (folder, devices) = devices();
    let file = folder.path().join("gateway/devices.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = json!({ "later": 1, "devices": { "d": { "publicKey": "k", "colour": "red",
                       "grants": { "operator": { "scopes": ["operator.read", "operator.dream"], "mood": 2 } } } } });
    std::fs::write(&file, text.to_string()).unwrap();
    devices.issue(&applicant(&[]), &KEY, 1).unwrap();
    let now: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((&now["later"], &now["devices"]["d"]["colour"]), (&json!(1), &json!("red")));
    assert_eq!(now["devices"]["d"]["grants"]["operator"]["mood"], 2);
    assert_eq!(now["devices"]["d"]["grants"]["operator"]["scopes"][1], "operator.dream");
}

#[test]
fn a_damaged_file_is_reported_and_left_alone() {
    let (folder, devices) = devices();
    let file = folder.path().join("gateway/devices.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "{ not json").unwrap();
    assert!(devices.read().unwrap_err().message.contains("is damaged"));
    assert!(devices.pair(&applicant(&[]), &client(), PairedBy::Token, &KEY, 5).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ not json");
}

#[test]
fn standing_follows_what_was_granted() {
    let (_folder, devices) = devices();
    let reader = applicant(&[Scope::Read]);
    assert_eq!(devices.read().unwrap().standing(&reader), Standing::Unknown);
    devices.pair(&reader, &client(), PairedBy::Token, &KEY, 5).unwrap();
    let book = devices.read().unwrap();
    assert_eq!(book.standing(&reader), Standing::Known);
    assert_eq!(book.standing(&applicant(&[])), Standing::Known);
    assert_eq!(book.standing(&applicant(&[Scope::Admin])), Standing::FewerScopes);
    assert_eq!(book.standing(&Applicant { role: Role::Node, ..reader }), Standing::OtherRole);
}

#[test]
fn requests_are_renewed_expire_and_are_bounded() {
    let mut book = Book::default();
    let first = book.request(&applicant(&[]), &client(), None, 0);
    assert!(first.is_new);
    let again = book.request(&applicant(&[]), &client(), None, 200_000);
    assert_eq!((again.request_id == first.request_id, again.is_new), (true, false));
    assert!(book.take_request(&first.request_id, 500_001).is_err(), "nobody asked again");
    for number in 0..200 {
        let other = Applicant { device: number.to_string(), ..applicant(&[]) };
        book.request(&other, &client(), None, 600_000 + number);
    }
    assert_eq!(book.requests.len(), 64);
}
