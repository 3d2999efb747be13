use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::json;

use super::*;

const NOW: u64 = 1_700_000_000_000;

/// Params of a client, signed in the given form; the last word goes into what is signed only.
fn signed(version: &str, signed_at: u64, nonce: &str, forged: &str) -> (ConnectParams, DeviceBlock) {
    let key = SigningKey::from_bytes(&[7; 32]);
    let public = key.verifying_key().to_bytes();
    let id = device_id(&public);
    let params: ConnectParams = serde_json::from_value(json!({
        "minProtocol": 3, "maxProtocol": 4,
        "client": { "id": "openclaw-control-ui", "version": "dev", "platform": "Linux x86_64", "mode": "webchat",
                    "deviceFamily": "PC" },
        "scopes": ["operator.read", "operator.admin"],
        "auth": { "token": "secret" }
    }))
    .unwrap();
    let form = |version| {
        format!(
            "{version}|{id}|openclaw-control-ui|webchat|operator|operator.read,operator.admin|{signed_at}|secret"
        )
    };
    let text = match version {
        "v1" => form("v1"),
        "v2" => format!("{}|{nonce}", form("v2")),
        _ => format!("{}|{nonce}|linux x86_64|pc", form("v3")),
    };
    let signature = key.sign(format!("{text}{forged}").as_bytes());
    let device = DeviceBlock {
        id,
        public_key: BASE64URL_NOPAD.encode(&public),
        signature: BASE64URL_NOPAD.encode(&signature.to_bytes()),
        signed_at,
        nonce: Some(nonce.to_owned()),
    };
    (params, device)
}

#[test]
fn the_second_and_third_form_are_believed_and_the_first_is_not() {
    for (version, expected) in [("v1", Err(Doubt::Signature)), ("v2", Ok(())), ("v3", Ok(()))] {
        let (params, device) = signed(version, NOW, "n", "");
        assert_eq!(prove(&params, &device, "n", NOW), expected, "{version}");
    }
}

#[test]
fn every_part_of_the_proof_matters() {
    let (params, device) = signed("v2", NOW, "n", "");
    assert_eq!(prove(&params, &device, "other", NOW), Err(Doubt::Nonce));
    for now in [NOW - MAX_SKEW_MS, NOW + MAX_SKEW_MS] {
        assert_eq!(prove(&params, &device, "n", now), Ok(()));
    }
    for now in [NOW - MAX_SKEW_MS - 1, NOW + MAX_SKEW_MS + 1, 0, u64::MAX] {
        assert_eq!(prove(&params, &device, "n", now), Err(Doubt::Expired));
    }
    let change = |change: &dyn Fn(&mut DeviceBlock)| {
        let mut device = device.clone();
        change(&mut device);
        prove(&params, &device, "n", NOW)
    };
    assert_eq!(change(&|device| device.nonce = None), Err(Doubt::NonceMissing));
    assert_eq!(change(&|device| device.nonce = Some(String::new())), Err(Doubt::NonceMissing));
    assert_eq!(change(&|device| device.id = device_id(b"x")), Err(Doubt::Id));
    assert_eq!(change(&|device| device.public_key = "AAAA".to_owned()), Err(Doubt::PublicKey));
    assert_eq!(change(&|device| device.public_key = "*".to_owned()), Err(Doubt::PublicKey));
    assert_eq!(change(&|device| device.signature = "AAAA".to_owned()), Err(Doubt::Signature));
    assert_eq!(change(&|device| device.public_key.push('=')), Ok(()), "padding is harmless");
    let (params, device) = signed("v2", NOW, "n", "x");
    assert_eq!(prove(&params, &device, "n", NOW), Err(Doubt::Signature));
}

#[test]
fn what_is_signed_is_what_is_said() {
    let (params, device) = signed("v2", NOW, "n", "");
    let with = |change: &dyn Fn(&mut ConnectParams)| {
        let mut params = params.clone();
        change(&mut params);
        prove(&params, &device, "n", NOW)
    };
    assert_eq!(with(&|params| params.role = "node".to_owned()), Err(Doubt::Signature));
    assert_eq!(with(&|params| params.scopes.reverse()), Err(Doubt::Signature));
    assert_eq!(with(&|params| params.client.id = "cli".to_owned()), Err(Doubt::Signature));
    assert_eq!(with(&|params| params.auth = None), Err(Doubt::Signature));
    assert_eq!(
        with(&|params| params.client.platform = "any".to_owned()),
        Ok(()),
        "only the third form binds it"
    );
}
