//! State of the server, which all requests share.

use std::sync::Arc;

use super::access::{Gatekeeper, UsersError};
use super::audit_log::AuditLog;
use super::cache::Cache;
use super::class::{Class, Gradings, Groups};
use super::config::Config;
use super::problem::Problem;
use super::stamp::{Stamp, Watcher};
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
    /// Gradings, by the number of the newest record.
    gradings: Cache<i64, Gradings>,
    /// Class, by the state of the results.
    class: Cache<Stamp, Class>,
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
        let (gradings, class) = (Cache::default(), Cache::default());
        Ok(Self { config, gatekeeper, stores, watcher, audit, gradings, class })
    }

    /// Returns the gradings of the ledger.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn gradings(&self) -> Result<Arc<Gradings>, Problem> {
        self.stores.with(|store| {
            let newest = store.newest_record()?;
            self.gradings.get(newest, |last| Gradings::with_new(last, store))
        })
    }

    /// Returns the class as it is now.
    ///
    /// # Errors
    ///
    /// Fails if the results cannot be read.
    pub(super) fn class(&self) -> Result<Arc<Class>, Problem> {
        // What changes while the class is read has a later stamp.
        let stamp = self.watcher.stamp()?;
        self.class.get(stamp, |_| {
            let (gradings, out) = (self.gradings()?, &self.config.out);
            let groups = Groups(self.config.roster.as_deref());
            self.stores.with(|store| Class::read(gradings, out, store, groups))
        })
    }
}

/// Returns the problem that an error of the file of users is.
pub(super) fn broken(error: UsersError) -> Problem {
    Problem::broken(&error)
}
