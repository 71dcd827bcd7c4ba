//! State of the server, which all requests share.

use super::access::{Gatekeeper, UsersError};
use super::audit_log::AuditLog;
use super::config::Config;
use super::marking::{MarkingCache, Snapshot};
use super::problem::Problem;
use super::stamp::Watcher;
use super::store_pool::StorePool;

/// State of the server.
#[derive(Debug)]
pub(super) struct Shared {
    /// Settings.
    pub(super) config: Config,
    /// Finder of users.
    pub(super) gatekeeper: Gatekeeper,
    /// Connections to the ledger.
    pub(super) stores: StorePool,
    /// Watcher of the results.
    pub(super) watcher: Watcher,
    /// Log of changes.
    pub(super) audit: AuditLog,
    /// Answers and marks, as they were read last.
    pub(super) marking: MarkingCache,
}

impl Shared {
    /// Creates the state, and opens the ledger.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be opened, or the system has no random numbers.
    pub(super) fn new(config: Config) -> Result<Self, Problem> {
        let gatekeeper = Gatekeeper::new(&config.access).map_err(broken)?;
        let stores = StorePool::new(&config.out);
        let watcher = Watcher::new(&config.out)?;
        let audit = AuditLog::new(&config.out);
        let marking = MarkingCache::default();
        Ok(Self { config, gatekeeper, stores, watcher, audit, marking })
    }
}

impl Shared {
    /// Returns the answers and marks of now.
    ///
    /// # Errors
    ///
    /// Fails if the ledger or the file of marks cannot be read.
    pub(super) fn snapshot(&self) -> Result<Snapshot, Problem> {
        self.marking.snapshot(&self.stores, &self.config)
    }
}

/// Returns the problem that an error of the file of users is.
pub(super) fn broken(error: UsersError) -> Problem {
    Problem::broken(&error)
}
