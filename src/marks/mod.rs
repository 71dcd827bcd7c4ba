//! Marks of written answers, from the ledger and from `marks.csv` in the folder of results.
//!
//! Marks are kept apart from the grader's records: grading again changes no mark, and a mark changes no graded points. They are
//! laid on a record whenever it is stored or read.
//!
//! `grade mark` and the marking pages write to the ledger ([`crate::marking`]). `marks.csv` is a file that people edit in a
//! spreadsheet, and is only read. The last line of an answer is the first marker's mark where the ledger has neither a first
//! nor an agreed mark of the answer, or if its `given_at` is later than that of the mark in the ledger.

mod csv_file;
mod event;
mod mark_set;

pub use csv_file::{CsvMark, MARKS, MarksError, digest_of};
pub use event::MarkEvent;
pub use mark_set::{MarkInForce, MarkSource, Marks};
