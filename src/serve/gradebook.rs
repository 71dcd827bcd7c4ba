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
    pub(super) fn mark_out_of_date(&self) {
        self.is_old.store(true, Ordering::SeqCst);
    }

    /// Writes the gradebook if something has changed. If that fails, it is tried again.
    pub(super) fn update(&self, out: &Path, stores: &StorePool) {
        if !self.is_old.swap(false, Ordering::SeqCst) {
            return;
        }
        let Ok(runs) = stores.with(|store| Ok(store.runs()?)) else {
            return self.mark_out_of_date();
        };
        let Some(last) = runs.last() else { return };
        if write_gradebook(out, &last.grader).is_err() {
            self.mark_out_of_date();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use crate::store::document::read_record;

    #[test]
    fn a_gradebook_that_could_not_be_written_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let (grader, _) = read_record(include_str!("../../fixtures/records/partial.json")).unwrap();
        let gradebook = Gradebook::of(out);
        gradebook.mark_out_of_date();
        // A ledger that cannot be opened.
        fs::create_dir(out.join(LEDGER)).unwrap();
        gradebook.update(out, &StorePool::new(out));
        fs::remove_dir(out.join(LEDGER)).unwrap();
        Store::open(&out.join(LEDGER)).unwrap().begin_run(&grader, "2026-01-31T12:00:00Z").unwrap();
        gradebook.update(out, &StorePool::new(out));
        assert!(out.join(GRADEBOOK).is_file());
    }
}
