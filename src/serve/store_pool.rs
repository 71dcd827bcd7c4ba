//! Connections to the ledger that are kept open.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::problem::Problem;
use crate::store::{LEDGER, Store};

/// Most connections that are kept: one for each page that is made at the same time.
const KEPT: usize = 8;

/// Connections to a ledger.
#[derive(Debug)]
pub(super) struct StorePool {
    path: PathBuf,
    idle: Mutex<Vec<Store>>,
}

impl StorePool {
    /// Creates the pool of the ledger in the results at `out`; opens nothing.
    pub(super) fn new(out: &Path) -> Self {
        Self { path: out.join(LEDGER), idle: Mutex::new(Vec::new()) }
    }

    /// Does something with a connection.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be opened, or as `work` does.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Store) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut store = match kept {
            Some(store) => store,
            None => Store::open(&self.path)?,
        };
        let done = work(&mut store);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(store);
        }
        done
    }
}
