//! The public checks, over a [`Session`](softmark_wire::Session) with a student's code.
//!
//! ```text
//! strategy ─► Case ─► Subject ─► Session ─► (a student's code, here or in another process)
//!                │        │
//!                ▼        ▼
//!              judge ◄─ Answer ─► Outcome
//! ```
//!
//! A check sends requests through a session and does not depend on its implementation: the same checks run
//! in a student's `cargo test` and in the grader. They need no reference solution: they test properties of
//! every correct answer. The grader's hidden checks use the same engine: cases, answers, and the search for
//! the smallest failing case.

pub mod array;
pub mod case;
pub mod check;
pub mod component;
pub mod computes;
pub mod corners;
pub mod defect;
pub mod dropout;
pub mod files;
pub mod hand_in;
mod judge;
pub mod mantissa;
pub mod margin;
pub mod matrix;
pub mod missing;
pub mod outcome;
pub mod random_texts;
pub mod recognition;
pub mod response;
pub mod search;
pub mod signature;
pub mod similar_names;
pub mod source;
mod stored;
pub mod subject;
pub mod task;
pub mod text_classifier;
pub mod texts;
pub mod typed;
pub mod verdict;
pub mod words;

pub use array::Array;
pub use case::{Case, InputKind};
pub use check::Check;
pub use corners::Corners;
pub use matrix::KillMatrix;
pub use outcome::{Compared, Evidence, Outcome};
pub use search::search;
pub use signature::Signature;
pub use subject::{Answer, Gradients, Subject};
pub use task::Task;
pub use verdict::{CheckError, Judged, Stop};
