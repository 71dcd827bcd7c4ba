//! The class: the newest grading of each submission, with the decisions of people.

mod gradings;
mod members;
mod row;
mod table;

pub(super) use gradings::{Entry, Gradings, Parts, SubmissionKey};
pub(super) use row::Row;
pub(super) use table::Class;
