//! Softmark: grades transformer-building assignments.

pub mod model;
