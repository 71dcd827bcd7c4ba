//! The schema and its versions.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;

/// `soft` in ASCII: the application id in SQLite's header.
const APPLICATION_ID: i64 = 0x736f_6674;

/// Migrations: step `n` changes a database from version `n` to `n + 1`.
///
/// Only add steps, so that any older file can be migrated.
const STEPS: [&str; 6] = [
    include_str!("schema.sql"),
    include_str!("decisions.sql"),
    include_str!("parts.sql"),
    include_str!("markings.sql"),
    include_str!("shared.sql"),
    include_str!("versions.sql"),
];

/// Returns the version of the newest schema.
fn newest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// True if the database at `path` has an older schema than the newest one.
///
/// # Errors
///
/// Fails if another program or a newer grader wrote the file.
pub(super) fn is_older(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    Ok(check(connection, path, newest())? < newest())
}

/// Migrates the database at `path` to the newest schema.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::of(path, source);
    let known = newest();

    // A look at one moment: another grader may be making the file right now.
    let glance = connection.transaction().map_err(failed)?;
    let version = check(&glance, path, known)?;
    glance.finish().map_err(failed)?;
    if version == known {
        return Ok(());
    }
    // Two graders may come to a new file at once: the second waits here, and finds it made.
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let version = check(&transaction, path, known)?;
    for step in STEPS.iter().skip(usize::try_from(version).unwrap_or(usize::MAX)) {
        transaction.execute_batch(step).map_err(failed)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    transaction.pragma_update(None, "user_version", known).map_err(failed)?;
    transaction.commit().map_err(failed)
}

/// Returns the version of the schema; fails if another program or a newer grader wrote the file.
fn check(connection: &Connection, path: &Path, known: i64) -> Result<i64, StoreError> {
    let number = |sql: &str| -> Result<i64, StoreError> {
        connection
            .query_row(sql, [], |row| row.get(0))
            .map_err(|source| StoreError::of(path, source))
    };
    let version = number("PRAGMA user_version")?;
    let owner = number("PRAGMA application_id")?;
    let is_new = version == 0 && owner == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0;
    if owner != APPLICATION_ID && !is_new {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    if version > known {
        return Err(StoreError::Newer { path: path.to_owned(), found: version, known });
    }
    Ok(version)
}
