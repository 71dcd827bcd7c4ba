//! Courses: folders with a `softmark.toml`, which hold assignments and solutions.
//!
//! The file says when assignments are due and what lateness costs ([`policy`]).

mod day;
mod error;
mod file;
mod find;
mod moment;
pub mod policy;
mod settings;
mod slurm;

pub use day::Day;
pub use error::{Contradiction, CourseError};
pub use file::Course;
pub use find::{FILE, find};
pub use moment::{CivilTime, Deadline, Moment, UtcOffset};
pub use settings::{
    AssignmentLateSettings, AssignmentSettings, Counts, ExtensionSettings, LateSettings, Percent,
    PercentOfSetting,
};
pub use slurm::SlurmSettings;
