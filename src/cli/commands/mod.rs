//! The commands; one file each.

pub(crate) mod audit;
pub(crate) mod calibrate;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod mark;
pub(crate) mod new;
mod record;
pub(crate) mod run;
pub(crate) mod show;
