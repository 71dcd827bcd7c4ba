//! Reports: records in formats for people and for programs, one file for each format.
//!
//! Invariant: a report is a function of the records and their audience alone. The same records give the same bytes,
//! but for the terminal's closing lines and Gradescope's `execution_time`, which tell what grading cost. A format gets a [`View`], never a run.
//!
//! Everything that a student wrote (names, messages, logs) is hostile until it has gone through
//! [`text`] or the format's own escaping.
//!
//! | format | for | of |
//! |---|---|---|
//! | `terminal` | a person at work | a class, or one submission in full |
//! | `json` | programs | any number |
//! | `junit` | continuous integration | any number |
//! | `html` | a person at leisure; prints well | any number |
//! | `markdown` | issues, wikis and messages | any number |
//! | `csv` | a spreadsheet or a learning platform | any number |
//! | `gradescope` | Gradescope's `results.json` | one, as the student may see it |
//! | `classroom` | the reporter of GitHub Classroom | one, as the student may see it |
//!
//! The [`leaderboard`] is no format of a run's records, but a file of its own beside the gradebook.

pub mod audience;
pub mod classroom;
pub mod csv;
mod document_format;
mod evidence;
mod file_name;
mod format;
pub mod gradescope;
pub mod html;
pub mod json;
pub mod junit;
pub mod leaderboard;
pub mod markdown;
mod matrix;
mod model;
mod overridden;
mod own_words;
mod summary;
pub mod terminal;
pub mod text;

pub use audience::{Answers, Audience, View};
pub use document_format::{DocumentFormat, UnknownDocumentFormat};
pub(crate) use evidence::rows as evidence_rows;
pub use file_name::{PageName, page_names, safe_name};
pub use format::{Format, UnknownFormat, write};
pub(crate) use matrix::{SIGNS as VERDICT_SIGNS, caught, sign as verdict_sign};
pub(crate) use model::lines as model_lines;
pub(crate) use overridden::lines as overridden_lines;
pub(crate) use summary::{outcome_words, status_sign, status_words};
pub use terminal::{Layout, Style};
