//! The commands; one file each, and one for what two of them share.

pub(crate) mod appeal;
pub(crate) mod attach;
pub(crate) mod audit;
mod bench;
pub(crate) mod calibrate;
pub(crate) mod chunk;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod feedback;
pub(crate) mod log;
pub(crate) mod mark;
pub(crate) mod new;
pub(crate) mod override_points;
mod record;
pub(crate) mod release;
pub(crate) mod run;
pub(crate) mod show;
pub(crate) mod stats;
