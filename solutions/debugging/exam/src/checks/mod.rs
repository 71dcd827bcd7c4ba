//! The hidden checks, a file a task; those of the repaired layer are the encoder assignment's.

pub(super) mod answers;
pub(super) mod capture;
pub(super) mod detectors;
pub(super) mod statistics;
