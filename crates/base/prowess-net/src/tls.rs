//! The cryptography of HTTPS.

use rustls::crypto::{CryptoProvider, ring};

/// Makes the cryptography known to the TLS library, which takes it from a place that the whole process shares.
///
/// [`Client`](crate::Client) and [`transport`](crate::transport()) do so by themselves; code that builds another client
/// calls this first. What another library put there before stays.
pub fn provide_cryptography() {
    if CryptoProvider::get_default().is_none() {
        // Another thread may have been quicker, which is as good.
        let _ = ring::default_provider().install_default();
    }
}
