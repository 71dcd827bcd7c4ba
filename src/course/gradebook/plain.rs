//! A plain gradebook: a row for each student of the roster.
//!
//! Names that a spreadsheet would take for a formula get an apostrophe before them.

use std::io;

use softmark_untrusted::Untrusted;

use crate::course::explain;
use crate::course::roster::Roster;
use crate::course::rows::AssignmentStandings;
use crate::model::Points;
use crate::spreadsheet::defused;

/// Columns of the file.
const COLUMNS: [&str; 11] = [
    "id",
    "name",
    "email",
    "group",
    "assignment",
    "submission",
    "submitted",
    "points",
    "max_points",
    "late_days",
    "explanation",
];

/// Writes the marks of an assignment; `points_of` returns the points of each row, which may be empty.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(
    of: &AssignmentStandings,
    roster: &Roster,
    points_of: &dyn Fn(usize) -> Option<Points>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut csv = ::csv::Writer::from_writer(out);
    csv.write_record(COLUMNS)?;
    for (row, student) in of.rows.iter().zip(roster.students()) {
        let cell = |text: &Untrusted| defused(&text.to_string());
        let optional = |points: Option<Points>| points.map(|it| it.to_string()).unwrap_or_default();
        let email = student.emails.first().map(cell).unwrap_or_default();
        csv.write_record([
            cell(&student.id),
            cell(&student.name),
            email,
            cell(&student.group_names()),
            of.id.clone(),
            row.submission.as_ref().map(cell).unwrap_or_default(),
            row.submitted.as_ref().map(|it| it.moment().to_string()).unwrap_or_default(),
            optional(points_of(row.student)),
            optional(row.max_points),
            row.late_days().to_string(),
            explain::row(of, row),
        ])?;
    }
    csv.flush()
}
