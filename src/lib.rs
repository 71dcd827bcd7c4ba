//! Softmark: grades transformer-building assignments.

pub mod model;
pub mod report;
pub mod store;
