//! Proof that a caller of the gateway is a person at the terminal.
//!
//! The proof is write access to the state folder: the caller writes a file that is named after the hash of a random value,
//! and shows the value to the gateway, which removes the file. A process that can do this could change the config file as
//! well, and one that runs in the sandbox can do neither. The gateway's token alone proves nothing.

use std::path::PathBuf;
use std::sync::Mutex;

use prowess_fs::ConditionKind;
use prowess_types::{IgnorePoison as _, Secret};

use crate::context::Context;
use crate::gateway::{GatewayHomeError, PRIVATE};

static TAKING: Mutex<()> = Mutex::new(());
/// Letters of a proof.
const LENGTH: usize = 64;
/// Far more proofs than are ever pending.
const MAX_ENTRIES: usize = 10_000;

/// A proof that was not used yet. Its file is removed when this is dropped.
#[derive(Debug)]
pub struct TerminalProof {
    /// The value to show to the gateway, which takes it once.
    pub proof: Secret,
    folder: PathBuf,
    file: PathBuf,
}

impl Drop for TerminalProof {
    fn drop(&mut self) {
        let _ = prowess_fs::remove_own_file(&self.folder, &self.file);
    }
}

impl Context {
    /// Makes a proof for one call of the gateway that serves this home.
    pub fn terminal_proof(&self) -> Result<TerminalProof, GatewayHomeError> {
        let proof = prowess_net::random_token()?;
        let folder = self.proof_folder();
        let file = folder.join(prowess_fs::sha256_hex(proof.as_bytes()));
        prowess_fs::write_atomic(&file, b"", Some(PRIVATE))?;
        Ok(TerminalProof { proof: Secret::new(proof), folder, file })
    }

    /// Consumes a proof. Returns true if it was valid; it is valid only once.
    pub fn take_terminal_proof(&self, proof: &str) -> bool {
        if proof.len() != LENGTH {
            return false;
        }
        let file = self.proof_folder().join(prowess_fs::sha256_hex(proof.as_bytes()));
        // One call at a time, so that two cannot take the same proof.
        let _taking = TAKING.lock().ignore_poison();
        let is_there = matches!(prowess_fs::condition(&file), Ok(Some(found))
            if found.kind == ConditionKind::File && found.hard_links == 1);
        // The file may be root's, in the folder of a service.
        prowess_fs::drop_cache_file(&file);
        is_there && matches!(prowess_fs::condition(&file), Ok(None))
    }

    /// Makes the folder of the proofs, and removes those that were never used.
    pub fn remove_terminal_proofs(&self) {
        let folder = self.proof_folder();
        let _ = prowess_fs::create_folder(&folder);
        for entry in prowess_fs::list_all(&folder, MAX_ENTRIES, 1).entries {
            prowess_fs::drop_cache_file(&entry.path);
        }
    }

    fn proof_folder(&self) -> PathBuf {
        self.gateway_folder().join("proofs")
    }
}
