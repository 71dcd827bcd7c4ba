//! The gradebook, which is written some time after a change: it takes all records of the class.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::store_pool::StorePool;
use crate::results::{GRADEBOOK, write_gradebook};
use crate::store::LEDGER;

/// State of `gradebook.csv`.
#[derive(Debug)]
pub(super) struct Gradebook {
    is_old: AtomicBool,
}

impl Gradebook {
    /// Returns the state in the results at `out`: a server that was killed may have left an old gradebook.
    pub(super) fn of(out: &Path) -> Self {
        let changed = |name: &str| fs::metadata(out.join(name)).and_then(|it| it.modified()).ok();
        let log = format!("{LEDGER}-wal");
        let ledger = changed(LEDGER).max(changed(&log));
        Self { is_old: AtomicBool::new(ledger > changed(GRADEBOOK)) }
    }

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
