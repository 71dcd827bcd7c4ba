//! All that was handed in to an assignment, as the database has kept it.

use super::database::Store;
use super::document;
use super::error::StoreError;
use crate::model::Record;

impl Store {
    /// Visits the records of all versions of all submissions to an assignment, in the order of their runs. Of gradings that gave the
    /// same record the last is visited; of a version that was graded differently, each. Records without a grade are left out,
    /// except those of earlier versions of a download: nothing else tells of them. Returns the number of records that cannot be read.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn for_each_attempt(
        &self,
        assignment: &str,
        visit: &mut dyn FnMut(Record),
    ) -> Result<usize, StoreError> {
        let failed = |source| StoreError::of(&self.path, source);
        let sql = "SELECT document FROM all_records WHERE id IN (SELECT max(id) FROM all_records \
                   WHERE assignment = ?1 AND (outcome <> 'no_grade' OR \
                   run_id IN (SELECT id FROM runs WHERE is_of_earlier = 1)) \
                   GROUP BY submission, sha256, ifnull(same_as, id)) ORDER BY run_id, id";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query([assignment]).map_err(failed)?;
        let mut unread = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            let text: String = row.get(0).map_err(failed)?;
            match document::read_record(&text) {
                Ok((_, record)) => visit(record),
                Err(_) => unread += 1,
            }
        }
        Ok(unread)
    }
}
