//! Courses: folders with a `softmark.toml`, which hold assignments and solutions.
//!
//! The file says when assignments are due and what lateness costs ([`policy`]).

mod choice;
mod civil_time;
mod day;
mod deadline;
mod error;
pub mod explain;
mod file;
mod find;
pub mod gradebook;
mod hand_in;
mod moment;
mod names;
pub mod policy;
pub mod roster;
mod rows;
mod settings;
mod slurm;
mod standings;
mod table;
mod teams;
mod times;
mod versions;
mod wall_clock;

pub use civil_time::CivilTime;
pub use day::Day;
pub use deadline::Deadline;
pub use error::{Contradiction, CourseError};
pub use explain::duration;
pub use file::{Course, Position};
pub use find::{FILE, HOME, find};
pub use hand_in::{HandIn, HandIns, Mark, Version};
pub use moment::Moment;
pub use rows::{AssignmentStandings, RowOutcome, Standings, StandingsError, StudentRow};
pub use settings::{
    AssignmentLateSettings, AssignmentSettings, Counts, ExtensionSettings, LateSettings, Percent,
    PercentOfSetting,
};
pub use slurm::SlurmSettings;
pub use standings::{CourseInputs, Owners};
pub(crate) use table::delimiter_of;
pub use table::{Cell, Table, TableError};
pub use teams::{SeveralGroups, check_groups};
pub use times::{Times, TimesError};
pub use wall_clock::{Reading, UtcOffset, WallClock, Zone};
