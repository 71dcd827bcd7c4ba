//! Softmark: grades transformer-building assignments.

pub mod model;
pub mod store;
