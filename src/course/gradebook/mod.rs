//! Gradebooks of learning platforms: the column of an assignment is filled in the file that the platform exported, and every
//! other byte stays, so that the platform takes it back.
//!
//! | format | file | column of an assignment |
//! |---|---|---|
//! | `canvas` | gradebook, exported | `Lab 1 (4711)`, worth what the row `Points Possible` says |
//! | `moodle` | grader report, exported, or the grading worksheet of an assignment | `Assignment: Lab 1 (Real)`; `Grade` |
//! | `blackboard` | grade center, downloaded; also UTF-16 with tabs, called `.xls` | `Lab 1 [Total Pts: 30 Score] \|67890` |
//! | `gradescope` | grades of the course or of an assignment | `Lab 1` beside `Lab 1 - Max Points`; `Total Score` |
//!
//! A plain gradebook ([`plain`]) is written from the roster.

mod cells;
mod columns;
mod fill;
pub mod plain;

pub use cells::Reserved;
pub use columns::{GradeColumn, GradebookFormat};
pub use fill::{Filled, Gradebook, GradebookError, Scale, Skipped, SkippedWhy};
