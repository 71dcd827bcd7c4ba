//! Records of the same files, whose results may be reused.

use super::database::Store;
use super::document;
use super::error::StoreError;
use super::keys::KeyedRecord;

/// Most records of the same files that are searched for results to reuse: those of the last runs.
const MOST_RECORDS: u32 = 8;

impl Store {
    /// Returns the last records of these files whose checks have keys, the newest first. Records that cannot be read are
    /// left out.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn keyed(&self, sha256: &str, assignment: &str) -> Result<Vec<KeyedRecord>, StoreError> {
        let sql = "SELECT id, document FROM all_records WHERE sha256 = ?1 AND assignment = ?2 \
                   AND outcome = 'graded' AND EXISTS (SELECT 1 FROM checks \
                   WHERE record_id = all_records.id AND check_key IS NOT NULL) ORDER BY id DESC LIMIT ?3";
        let values = (sha256, assignment, MOST_RECORDS);
        let found: Vec<(i64, String)> =
            self.rows(sql, values, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut records = Vec::new();
        for (id, text) in found {
            if let Ok((_, record)) = document::read_record(&text) {
                records.push(KeyedRecord { record, checks: self.keys_of_checks(id)? });
            }
        }
        Ok(records)
    }
}
