//! One-time codes of this gateway and their pages.

use std::path::PathBuf;
use std::time::Duration;

use prowess_context::GatewayHomeError;
use prowess_types::Secret;

use crate::codes::NewCode;
use crate::state::Gateway;

impl Gateway {
    /// Writes a page that opens the Studio at `url` with a one-time code. It is removed with the code.
    pub fn studio_page(&self, url: &str) -> Result<PathBuf, GatewayHomeError> {
        let (_, page) = self.new_code(url, /*with_page*/ true)?;
        Ok(page.unwrap_or_default())
    }

    /// Makes a code for the Studio at `url`, and a page that leads there if one is wanted.
    pub(crate) fn new_code(
        &self,
        url: &str,
        with_page: bool,
    ) -> Result<(NewCode, Option<PathBuf>), GatewayHomeError> {
        let engine = self.live.engine();
        let (code, page, removed) = self.codes.add(|code| {
            let address = with_code(url, code);
            if with_page { engine.write_gateway_page(&address).map(Some) } else { Ok(None) }
        })?;
        self.remove_pages(removed);
        Ok((code, page))
    }

    /// Uses a code up. Returns whether it still lived.
    pub(crate) fn take_code(&self, presented: &str) -> bool {
        let Some(code) = self.codes.take(presented) else { return false };
        self.remove_pages(code.page.into_iter().collect());
        true
    }

    /// Forgets every code.
    pub(crate) fn drop_codes(&self) {
        self.remove_pages(self.codes.take_all());
    }

    /// Removes codes when their time is over; never ends.
    pub(crate) async fn expire_codes(&self) {
        loop {
            let next = async {
                match self.codes.next_expiry() {
                    // A moment later, so that it is over for certain.
                    Some(wait) => tokio::time::sleep(wait + Duration::from_millis(1)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = next => {}
                () = self.codes.added.notified() => {}
            }
            self.remove_pages(self.codes.take_expired());
        }
    }

    fn remove_pages(&self, pages: Vec<PathBuf>) {
        let engine = self.live.engine();
        for page in &pages {
            engine.remove_gateway_page(page);
        }
    }
}

/// An address with a code as its fragment, which browsers keep to themselves.
pub(crate) fn with_code(url: &str, code: &Secret) -> Secret {
    Secret::new(format!("{url}#code={}", code.expose()))
}
