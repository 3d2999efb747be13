//! What must hold for whatever a client sends, for a fuzzer.

use serde_json::Value;

use crate::connect_params::ConnectParams;
use crate::handshake::identity::prove;
use crate::message::{Written, read_params};
use crate::wire::{Close, Incoming, Wire};
use crate::ws::frame::{NotARequest, read_request, response};

const MAX_MESSAGE: usize = 1024;

/// Takes bytes as what comes on a socket, whole and in pieces, and as a text frame. Panics if a promise is broken.
pub fn check_client(bytes: &[u8]) {
    let (whole, pieces) = (read([bytes].into_iter()), read(bytes.chunks(3)));
    assert!(whole == pieces, "the same messages however the bytes are cut");
    for incoming in whole.0 {
        if let Incoming::Text(text) = incoming {
            assert!(text.len() <= MAX_MESSAGE);
            check_text(text.as_str());
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        check_text(text);
    }
}

/// Every message, and how it ended, if it did.
fn read<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> (Vec<Incoming>, Option<Close>) {
    let (mut wire, mut all) = (Wire::new(MAX_MESSAGE), Vec::new());
    for chunk in chunks {
        wire.receive(chunk);
        loop {
            match wire.next() {
                Ok(Some(Incoming::Closed)) => return (all, Some(Close::new(0, ""))),
                Ok(Some(incoming)) => all.push(incoming),
                Ok(None) => break,
                Err(close) => {
                    assert!(close.reason.len() <= 123);
                    return (all, Some(close));
                }
            }
        }
    }
    (all, None)
}

fn check_text(text: &str) {
    let id = match read_request(text) {
        Ok(request) => {
            if let Ok(params) = read_params::<ConnectParams>("connect", request.params) {
                let _ = params.check();
                if let Some(device) = &params.device {
                    let _ = prove(&params, device, "nonce", device.signed_at);
                }
            }
            request.id
        }
        Err(NotARequest::Answerable { id, .. }) => id,
        Err(NotARequest::Nonsense) => return,
    };
    let answer = response(&id, &Ok(Written::from_static("null")));
    let echoed = serde_json::from_str::<Value>(&answer)
        .ok()
        .and_then(|mut value| value.get_mut("id").map(Value::take));
    assert!(echoed == Some(Value::String(id)), "the id comes back as it was");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_fine(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            super::check_client(&bytes);
        }

        #[test]
        fn any_text_is_fine(text in r#"(\{"type":"req","id":"[a-z]{0,3}","method":"connect","params":)?[\PC]{0,80}"#) {
            super::check_client(text.as_bytes());
        }
    }
}
