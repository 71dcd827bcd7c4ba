//! Marks that people give for written answers: which marking counts, and what it is worth.
//!
//! The [store](crate::store) keeps markings and versions of rubric items, and never changes one. This module is a set of pure
//! functions of these rows, of the answers and of the course's secret.
//!
//! - **Points**: the sum of the chosen items of the rubric, as the rubric is now, and the free points; at least 0 and at most
//!   what the answer is worth ([`Rubric::points`]).
//! - **Which marking counts**: a marking counts if its marker saw the marking before it. One that did not is a
//!   [conflicting marking](History::conflicting): it is kept, and both are shown until a marker who saw both decides.
//! - **Roles**: an agreed mark counts while it is newer than those of both markers; or else the first marker's counts, or else
//!   the second marker's. A line of `marks.csv` is a first mark. A mark is of one version of an answer.
//! - **Order**: the same for all markers, and not that of names ([`AnswerCode`]).
//!
//! Invariant: the results depend on the arguments alone.

mod agreement;
mod book;
mod groups;
mod history;
mod line;
mod order;
mod preview;
mod rubric;

#[cfg(test)]
pub(crate) mod test_rows;
#[cfg(test)]
mod tests;

pub use agreement::{Disagreement, MarkerPoints, disagreement};
pub use book::{Book, Mark, Marked, NewRows, Question};
pub use groups::{AnswerText, Group, Member, NEAR_PERCENT, first_words, groups, normalized};
pub use history::{Answer, History, VersionMarks};
pub use line::LineMark;
pub use order::{AnswerCode, codes, next, next_where, previous};
pub use preview::{AnswerVersion, Effect, QuestionId, preview};
pub use rubric::{Item, KEYS, Rubric};
