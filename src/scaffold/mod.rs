//! Scaffolding: the files of a new course, and of a new assignment in a course.
//!
//! The files are those of `templates/`, with names put in. What is made builds, and `grade audit` passes on it.

mod assignment;
mod course;
mod error;
mod files;
mod names;
mod source;

pub use assignment::{NewAssignment, add_assignment};
pub use course::{NewCourse, make_course};
pub use error::ScaffoldError;
pub use source::{Source, SourceError};
