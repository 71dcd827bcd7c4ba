//! Softmark: grades transformer-building assignments.

pub mod clock;
pub mod model;
pub mod sandbox;
