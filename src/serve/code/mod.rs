//! Code of submissions: where it is, how it is shown, and how two versions differ.

mod difference;
mod highlight;
mod sources;

pub(super) use difference::{Difference, difference};
pub(super) use highlight::highlight;
pub(super) use sources::{Code, CodeFile, CodeReader, Sources, Wanted};
