//! The gradebook, which is written some time after a change: it takes all records of the class.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::store_pool::StorePool;
use crate::results::write_gradebook;

/// State of `gradebook.csv`.
#[derive(Debug, Default)]
pub(super) struct Gradebook {
    is_old: AtomicBool,
}

impl Gradebook {
    /// Says that a change is not in the gradebook yet. The ledger has it.
    pub(super) fn is_out_of_date(&self) {
        self.is_old.store(true, Ordering::SeqCst);
    }

    /// Writes the gradebook if something has changed. If that fails, it is tried again.
    pub(super) fn update(&self, out: &Path, stores: &StorePool) {
        if !self.is_old.swap(false, Ordering::SeqCst) {
            return;
        }
        let runs = stores.with(|store| Ok(store.runs()?)).unwrap_or_default();
        let Some(last) = runs.last() else { return };
        if write_gradebook(out, &last.grader).is_err() {
            self.is_out_of_date();
        }
    }
}
