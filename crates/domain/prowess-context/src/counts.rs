//! Counts of the work of an engine, so that a host can see that nothing is done twice.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

/// Counts of the expensive operations since the engine was opened, by it and its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkCounts {
    /// Inventories that were put together.
    pub inventories: u64,
    /// Selectors that were made over an inventory.
    pub selectors: u64,
    /// Texts of skills that were read from the disk for a selector.
    pub texts_read: u64,
}

/// Counters of the expensive work of a context.
#[derive(Debug, Default)]
pub struct Counters {
    inventories: AtomicU64,
    selectors: AtomicU64,
    texts_read: AtomicU64,
}

impl Counters {
    /// Counts an inventory that was made.
    pub fn count_inventory(&self) {
        self.inventories.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a selector that was made.
    pub fn count_selector(&self) {
        self.selectors.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts texts of skills that were read.
    pub fn count_texts(&self, texts: usize) {
        self.texts_read.fetch_add(texts as u64, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> WorkCounts {
        WorkCounts {
            inventories: self.inventories.load(Ordering::Relaxed),
            selectors: self.selectors.load(Ordering::Relaxed),
            texts_read: self.texts_read.load(Ordering::Relaxed),
        }
    }
}
