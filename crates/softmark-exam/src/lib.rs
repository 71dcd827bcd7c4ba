//! Exams: the engine of hidden checks, which knows no assignment.
//!
//! An exam crate, `solutions/<id>/exam`, describes with these types what the grader asks about one assignment:
//! checks and their oracle, diagnostic cases, known mistakes, trainings. The crate is trusted; no student
//! process links it.

pub mod check;
pub mod cotangents;
pub mod dropout;
pub mod examples;
mod failed_checks;
pub mod formula;
pub mod gradient_tolerance;
pub mod initial;
pub mod limits;
pub mod memo;
pub mod noisy;
mod page;
mod program;
mod question;
mod recording;
pub mod rounding;
pub mod rubric;
pub mod rules;
mod sources;
mod suite;
pub mod typed;
mod visibility;

pub use failed_checks::FailedChecks;
pub use page::Page;
pub use program::{ProgramSpec, StudentCrates, program};
pub use question::{Aspect, Meaningful, Question};
pub use recording::{RecordedAnswers, Recording};
pub use softmark_checks::response::Response;
pub use softmark_sources::sources;
pub use sources::Sources;
pub use suite::{
    Borrowed, Cut, Half, Imitate, Mistake, Pair, Program, Suite, SuiteCheck, Training, Upload,
    WORSE_THAN_A_GUESS, with_failed_checks,
};
pub use visibility::Visibility;
