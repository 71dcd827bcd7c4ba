//! State of the server, which all requests share.

use std::collections::BTreeMap;
use std::sync::Arc;

use softmark_untrusted::Untrusted;
use tokio::task::spawn_blocking;

use super::access::{CookieSettings, Gatekeeper, UsersError};
use super::audit_log::AuditLog;
use super::cache::Cache;
use super::class::{Class, Gradings};
use super::code::{Code, CodeReader, Sources, Wanted};
use super::config::Config;
use super::gradebook::Gradebook;
use super::grading::Grading;
use super::marking::{MarkingCache, Snapshot};
use super::problem::Problem;
use super::roster::RosterReader;
use super::similarity::Similarity;
use super::stamp::{Stamp, Watcher};
use super::store_pool::StorePool;
use crate::ledger::{Bases, Diff, LedgerReader};
use crate::statistics::Statistics;
use crate::store::{SavedRun, Store};
use crate::suite::Project;

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
    /// State of the gradebook.
    pub(super) gradebook: Gradebook,
    /// Grading that was started from a page.
    pub(super) grading: Grading,
    /// Reader of the roster.
    roster: RosterReader,
    /// Comparison of submissions.
    pub(super) similarity: Arc<Similarity>,
    /// Places of the files of submissions.
    sources: Sources,
    /// Gradings, by the number of the newest record.
    gradings: Cache<i64, Gradings>,
    /// Class, by the state of the results and the number of the roster.
    class: Cache<(Stamp, u64), Class>,
    /// Gradings that were made with the same checks and settings, by the number of the newest record.
    bases: Cache<i64, Bases>,
    /// Statistics of all assignments, by the number of the newest record.
    statistics: Cache<i64, BTreeMap<Untrusted, Statistics>>,
    /// Difference of the last two runs, by the state of the results.
    last_change: Cache<Stamp, Option<Diff>>,
    /// Answers and marks, as they were read last.
    pub(super) marking: MarkingCache,
}

impl Shared {
    /// Creates the state of a server at this port, and opens the ledger.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be opened, or the system has no random numbers.
    pub(super) fn new(config: Config, port: u16) -> Result<Self, Problem> {
        let cookies = CookieSettings::new(port, config.is_https);
        let gatekeeper = Gatekeeper::new(&config.access, cookies);
        let gatekeeper = gatekeeper.map_err(|error| broken(&error))?;
        let stores = StorePool::new(&config.out);
        let watcher = Watcher::new(&config.out)?;
        let audit = AuditLog::new(&config.out);
        let gradebook = Gradebook::of(&config.out);
        let roster = RosterReader::new(&config.home, config.read_roster);
        Ok(Self {
            config,
            gatekeeper,
            stores,
            watcher,
            audit,
            gradebook,
            grading: Grading::default(),
            roster,
            similarity: Arc::default(),
            sources: Sources::default(),
            marking: MarkingCache::default(),
            statistics: Cache::default(),
            last_change: Cache::default(),
            gradings: Cache::default(),
            class: Cache::default(),
            bases: Cache::default(),
        })
    }

    /// Returns what the gradings of the ledger depend on.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn bases(&self) -> Result<Arc<Bases>, Problem> {
        self.stores.with(|store| {
            self.bases.get(store.newest_record()?, |_| Ok(Bases::of(&[store.keys()?])))
        })
    }

    /// Returns the statistics of all assignments.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn statistics(&self) -> Result<Arc<BTreeMap<Untrusted, Statistics>>, Problem> {
        let gradings = self.gradings()?;
        let ids = gradings.parts.keys();
        self.statistics.get(gradings.last, |_| {
            self.stores.with(|store| ids.map(|id| statistics(store, id)).collect())
        })
    }

    /// Returns the difference of the last two runs; `None` if there was one only.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn last_change(&self) -> Result<Arc<Option<Diff>>, Problem> {
        let stamp = self.watcher.stamp()?;
        let bases = self.bases()?;
        self.last_change.get(stamp, |_| self.stores.with(|store| difference(store, &bases)))
    }

    /// Starts to compare the submissions of the last run.
    ///
    /// # Errors
    ///
    /// Fails if they are being compared, or the ledger cannot be read.
    pub(super) fn compare(&self) -> Result<(), Problem> {
        let inputs = self.stores.with(|store| {
            let last = store.runs()?.last().map(|run| run.id);
            Ok(last.map(|run| store.inputs(run)).transpose()?.unwrap_or_default())
        })?;
        if !self.similarity.begin() {
            return Err(Problem::Conflict("the submissions are being compared already".to_owned()));
        }
        let (similarity, config) = (Arc::clone(&self.similarity), self.config.clone());
        let roster = self.roster.students().roster;
        spawn_blocking(move || {
            let project = Project { home: &config.home, catalog: config.catalog };
            similarity.run(project, &inputs, roster.as_deref());
        });
        Ok(())
    }

    /// Returns the folder and the exams of the course.
    pub(super) fn project(&self) -> Project<'_> {
        Project { home: &self.config.home, catalog: self.config.catalog }
    }

    /// Reads the files of a submission.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn code(&self, wanted: &Wanted<'_>) -> Result<Code, Problem> {
        self.stores.with(|store| {
            let reader = CodeReader { sources: &self.sources, store, project: self.project() };
            Ok(reader.read(wanted))
        })
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
        let students = self.roster.students();
        self.class.get((stamp, students.version), |_| {
            let (gradings, out) = (self.gradings()?, &self.config.out);
            self.stores.with(|store| Class::read(gradings, out, store, &students))
        })
    }

    /// Returns the answers and marks of now.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn snapshot(&self) -> Result<Snapshot, Problem> {
        self.marking.snapshot(&self.stores, &self.config)
    }
}

/// Returns the problem that an error of the file of users is.
pub(super) fn broken(error: &UsersError) -> Problem {
    Problem::broken(error)
}

/// Returns the difference of the last two runs.
fn difference(store: &Store, bases: &Bases) -> Result<Option<Diff>, Problem> {
    let runs = store.runs()?;
    let [.., before, after] = runs.as_slice() else { return Ok(None) };
    let reader = LedgerReader { store, runs: &runs };
    let results = |run: &SavedRun| reader.results_after((0, run.id), format!("run {}", run.id));
    Ok(Some(Diff::between(&results(before)?, &results(after)?, bases)))
}

/// Returns an assignment with its statistics.
fn statistics(store: &Store, assignment: &Untrusted) -> Result<(Untrusted, Statistics), Problem> {
    let gradings = store.gradings_for(assignment.as_raw())?;
    Ok((assignment.clone(), Statistics::of(assignment.clone(), &gradings)))
}
