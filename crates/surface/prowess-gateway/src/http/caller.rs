//! Who asks over HTTP: whoever has the gateway's token, or a device that has its own.

use std::net::IpAddr;
use std::sync::Arc;

use crate::access::{Caller, Role, Scope};
use crate::devices::is_device_token;
use crate::door::Denied;
use crate::state::Gateway;

/// Whose token it is. The gateway's allows everything, a device's what the device may do as an operator.
pub(super) async fn caller(
    gateway: &Arc<Gateway>,
    peer: IpAddr,
    token: Option<&str>,
) -> Result<Caller, Denied> {
    if let Some(token) = token
        && is_device_token(token)
        && !gateway.door.knows(Some(peer), token)
        && let Some(device) = device(gateway, token).await
    {
        return Ok(device);
    }
    gateway.door.admit(Some(peer), token)?;
    Ok(Caller {
        connection: connection(),
        role: Role::Operator,
        scopes: Scope::ALL.into(),
        client: "http".to_owned(),
        device: None,
        is_person: false,
    })
}

/// The device with this token. The list is read every time, so what was revoked is revoked.
async fn device(gateway: &Arc<Gateway>, token: &str) -> Option<Caller> {
    let (gateway, token) = (Arc::clone(gateway), token.to_owned());
    let found = tokio::task::spawn_blocking(move || {
        let book = gateway.clients.devices.read().ok()?;
        let (id, device, scopes) = book.operator(&token)?;
        let (client, role) = (device.client_id.clone(), Role::Operator);
        let device = Some(id.to_owned());
        // A token alone, even a device's own, is not a person: nothing proves the key of the device here.
        Some(Caller { connection: connection(), role, scopes, client, device, is_person: false })
    });
    found.await.ok().flatten()
}

/// Every request is a connection of its own.
fn connection() -> String {
    ulid::Ulid::generate().to_string()
}
