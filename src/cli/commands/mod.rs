//! The commands; one file each, and one for what two of them share.

pub(crate) mod appeal;
pub(crate) mod attach;
pub(crate) mod audit;
mod bench;
pub(crate) mod calibrate;
pub(crate) mod chunk;
pub(crate) mod course_check;
pub(crate) mod course_grades;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod feedback;
pub(crate) mod log;
pub(crate) mod mark;
pub(crate) mod new;
mod node;
pub(crate) mod override_points;
mod probe;
mod record;
pub(crate) mod regrade;
pub(crate) mod release;
pub(crate) mod run;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod similar;
pub(crate) mod stats;
