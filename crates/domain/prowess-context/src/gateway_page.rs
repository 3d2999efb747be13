//! Pages that lead a browser to the Studio.
//!
//! A browser is started with the path of such a page, because other users can see the arguments of a program. A page holds
//! an address with a one-time code, never the token, and is removed with its code.

use std::path::{Path, PathBuf};

use prowess_types::Secret;
use ulid::Ulid;

use crate::context::Context;
use crate::gateway::{GatewayHomeError, PRIVATE};

/// The page of version 0.1, which held the token, and those of later versions.
const PAGE: (&str, &str) = ("open", ".html");
/// Far more files than a gateway keeps.
const MAX_ENTRIES: usize = 10_000;

impl Context {
    /// Writes a page that leads to an address and that only the user can read.
    pub fn write_gateway_page(&self, address: &Secret) -> Result<PathBuf, GatewayHomeError> {
        let page = self.gateway_folder().join(format!("{}-{}{}", PAGE.0, Ulid::generate(), PAGE.1));
        let address = prowess_text::XmlEscaping::Attribute.escape(address.expose());
        let text = format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n<title>Prowess Studio</title>\n\
             <p><a href=\"{address}\">Open the Studio</a></p>\n"
        );
        prowess_fs::write_atomic(&page, text.as_bytes(), Some(PRIVATE))?;
        Ok(page)
    }

    /// Removes a page. One that is gone is not a failure.
    pub fn remove_gateway_page(&self, page: &Path) {
        let _ = prowess_fs::remove_own_file(&self.gateway_folder(), page);
    }

    /// Removes every page, also those that an earlier version or a process that was killed left behind.
    pub fn remove_gateway_pages(&self) {
        let folder = self.gateway_folder();
        for entry in prowess_fs::list_all(&folder, MAX_ENTRIES, 1).entries {
            let name = &entry.relative;
            if name.starts_with(PAGE.0) && name.ends_with(PAGE.1) {
                self.remove_gateway_page(&folder.join(name));
            }
        }
    }
}
